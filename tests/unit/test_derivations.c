/* Which symbols occur in the derivation of a text: with a lexer, on characters, and what is in
 * no language. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/derivations.h>

#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char json[] = "grammar Json;\n"
                           "json: value EOF;\n"
                           "value: array | NUMBER | 'true';\n"
                           "array: '[' (value (',' value)*)? ']';\n"
                           "NUMBER: [0-9]+;\n";
static const char signs[] = "{\"<start>\": [\"<sign>\", \"<sign><start>\"],"
                            " \"<sign>\": [\"+\", \"-\", \"->\"]}";

/* The names of the symbols of `text`, apart by blanks, are `wanted`; NULL: it is no text of the
 * language. */
static void assert_symbols(const char *path, const char *text, const char *wanted)
{
    pare_derivations *derivations = NULL;
    pare_derived_symbols found = {0};
    bool valid = false;
    char names[200] = "", name[20];
    assert_int_equal(pare_derivations_new(path, &derivations, NULL), PARE_OK);
    assert_int_equal(pare_derivations_find(derivations, text, strlen(text), &found, &valid, NULL),
                     PARE_OK);
    assert_int_equal(valid, wanted != NULL);
    for (size_t i = 0; i < found.n; i++) {
        assert_true(pare_derived_symbols_have(&found, found.items[i]));
        pare_derivations_name(derivations, found.items[i], name, sizeof name);
        strcat(strcat(names, i ? " " : ""), name);
    }
    assert_string_equal(names, wanted ? wanted : "");
    pare_derived_symbols_done(&found);
    pare_derivations_free(derivations);
}

static void test_derivations__are_of_rules_then_of_tokens_each_once(void **state)
{
    (void)state;
    scratch_write("Json.g4", json, 0644);
    assert_symbols("Json.g4", "[1,2]", "json value array '[' ',' ']' NUMBER");
    assert_symbols("Json.g4", "true", "json value 'true'");
}

static void test_derivations__leaves_on_characters_are_literals(void **state)
{
    (void)state;
    scratch_write("signs.json", signs, 0644);
    assert_symbols("signs.json", "+->+", "<start> <sign> '+' '->'");
}

static void test_derivations__of_what_is_in_no_language_are_none(void **state)
{
    (void)state;
    scratch_write("Json.g4", json, 0644);
    scratch_write("signs.json", signs, 0644);
    assert_symbols("Json.g4", "[1,", NULL);
    assert_symbols("Json.g4", "", NULL);
    assert_symbols("signs.json", "x", NULL);
}

static void test_derivations__a_symbol_that_is_not_there_is_not_had(void **state)
{
    (void)state;
    pare_derived_symbol rule = {.leaf = false, .number = 1}, leaf = {.leaf = true, .number = 1};
    pare_derived_symbols found = {.items = &rule, .n = 1}, none = {0};
    assert_true(pare_derived_symbols_have(&found, rule));
    assert_false(pare_derived_symbols_have(&found, leaf));
    assert_false(pare_derived_symbols_have(&none, rule));
}

static void test_derivations__names_are_cut_to_their_room(void **state)
{
    (void)state;
    pare_derivations *derivations = NULL;
    char name[8];
    scratch_write("signs.json", signs, 0644);
    assert_int_equal(pare_derivations_new("signs.json", &derivations, NULL), PARE_OK);
    pare_derivations_name(derivations, (pare_derived_symbol){.leaf = false, .number = 0}, name, 4);
    assert_string_equal(name, "<st");
    pare_derivations_free(derivations);
}

static pare_status try_new(void *context)
{
    (void)context;
    pare_derivations *derivations = NULL;
    pare_status status = pare_derivations_new("signs.json", &derivations, NULL);
    assert_int_equal(status == PARE_OK, derivations != NULL);
    pare_derivations_free(derivations);
    return status;
}

static void test_derivations__new_reports_oom_and_wrong_files(void **state)
{
    (void)state;
    pare_derivations *derivations = NULL;
    pare_error err = {0};
    scratch_write("signs.json", signs, 0644);
    sweep_allocations(try_new, NULL);
    assert_int_equal(pare_derivations_new("nowhere.g4", &derivations, &err), PARE_E_IO);
    assert_null(derivations);
    scratch_write("wrong.g4", "grammar Wrong; a: 'b", 0644);
    assert_int_equal(pare_derivations_new("wrong.g4", &derivations, NULL), PARE_E_SYNTAX);
    assert_null(derivations);
}

int main(void)
{
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(test_derivations__are_of_rules_then_of_tokens_each_once),
        cmocka_unit_test(test_derivations__leaves_on_characters_are_literals),
        cmocka_unit_test(test_derivations__of_what_is_in_no_language_are_none),
        cmocka_unit_test(test_derivations__a_symbol_that_is_not_there_is_not_had),
        cmocka_unit_test(test_derivations__names_are_cut_to_their_room),
        cmocka_unit_test(test_derivations__new_reports_oom_and_wrong_files),
    };
    return cmocka_run_group_tests(claims, scratch_setup, scratch_teardown);
}
