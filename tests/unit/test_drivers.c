/* What is offered of the statements at a program's outermost level, and of the data in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reduce/binding/drivers.h"
#include "unit/alloc_sweep.h"
#include "unit/support/program_driver.h"

/* A definition that is large enough for short statements to be drivers beside it. */
#define LIBRARY(head, end)                                       \
    head "  a_long_name_1(); a_long_name_2(); a_long_name_3(); " \
         "a_long_name_4(); a_long_name_5(); a_long_name_6(); "   \
         "a_long_name_7(); a_long_name_8(); a_long_name_9(); "   \
         "a_long_name_10(); a_long_name_11(); a_long_name_12();" end

/* The library goes unchanged into each candidate: what is printed is what stands after it. */
static void assert_drivers(const char *name, const char *library, const char *drivers,
                           pare_drivers_part part, const char *expected)
{
    if (!has_language(name)) skip();
    pare_tree_sitter *language = load_language(name);
    struct program_view program;
    pare_patches *patches = NULL;
    pare_buffer text = {0}, printed = {0};
    assert_int_equal(pare_buffer_add(&text, library, strlen(library), NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&text, drivers, strlen(drivers) + 1, NULL), PARE_OK);
    view_program(language, name, (char *)text.data, text.size - 1, &program);
    assert_int_equal(pare_patches_new(program.view.text, &patches, NULL), PARE_OK);
    assert_int_equal(pare_drivers_offer(&program.view, part, patches, NULL), PARE_OK);
    for (uint32_t i = 0; i < patches->n; i++)
        if (patches->patches[i].parent == PARE_NO_PATCH) print_patch(patches, i, 0, &printed);
    /* Lines of the print that hold the library lose it. */
    pare_buffer rest = {0};
    const char *at = printed.data ? (char *)printed.data : "";
    for (const char *found; *library && (found = strstr(at, library)); at = found + strlen(library))
        assert_int_equal(pare_buffer_add(&rest, at, (size_t)(found - at), NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&rest, at, strlen(at) + 1, NULL), PARE_OK);
    assert_string_equal((char *)rest.data, expected);
    pare_buffer_done(&rest);
    pare_buffer_done(&printed);
    pare_buffer_done(&text);
    pare_patches_unref(patches);
    program_done(&program);
    pare_tree_sitter_close(language);
}

static const char JS[] = LIBRARY("function f(x){", "}") LIBRARY("function h(x){", "}");

static void test_drivers__each_statement_may_go_and_definitions_stay(void **state)
{
    (void)state;
    assert_drivers("javascript", JS, "f(1);f(2);f(3);", PARE_DRIVERS_STATEMENTS,
                   "f(3);\n>f(1);f(3);\n>f(2);f(3);\nf(1);f(2);\n");
}

static void test_drivers__what_is_mostly_a_function_is_a_definition(void **state)
{
    (void)state;
    assert_drivers("javascript", JS, "g=function(){f();};g();", PARE_DRIVERS_STATEMENTS,
                   "g=function(){};g();\n");
}

static void test_drivers__what_defines_a_name_of_the_library_is_none(void **state)
{
    (void)state;
    assert_drivers("javascript", LIBRARY("function f(x){v();", "}") LIBRARY("function h(x){", "}"),
                   "v=f(1);w=2;f(2);", PARE_DRIVERS_STATEMENTS, "v=f(1);f(2);\nv=f(1);w=2;\n");
}

static void test_drivers__with_a_statement_those_go_that_use_what_it_declares(void **state)
{
    (void)state;
    assert_drivers("javascript", JS, "let a=f(1);h(a);f(2);", PARE_DRIVERS_STATEMENTS,
                   "f(2);\n>let a=f(1);f(2);\n>f(2);\nlet a=f(1);h(a);\n");
}

/* Each use of a name that all drivers use leads to all others: that is looked at once for each item, and not for ever. */
static void test_drivers__that_all_share_a_name_take_no_time(void **state)
{
    (void)state;
    enum { N_DRIVERS = 3000, N_FUNCTIONS = 400 };
    if (!has_language("javascript")) skip();
    pare_tree_sitter *language = load_language("javascript");
    struct program_view program;
    pare_patches *patches = NULL;
    pare_buffer text = {0};
    for (unsigned i = 0; i < N_FUNCTIONS; i++)
        assert_int_equal(pare_buffer_text(&text, JS, NULL), PARE_OK);
    for (unsigned i = 0; i < N_DRIVERS; i++)
        assert_int_equal(pare_buffer_text(&text, "var a=f(a);", NULL), PARE_OK);
    view_program(language, "javascript", (char *)text.data, text.size, &program);
    assert_int_equal(pare_patches_new(program.view.text, &patches, NULL), PARE_OK);
    assert_int_equal(pare_drivers_offer(&program.view, PARE_DRIVERS_STATEMENTS, patches, NULL),
                     PARE_OK);
    assert_in_range(patches->n, N_DRIVERS / 2, 8 * N_DRIVERS);
    pare_buffer_done(&text);
    pare_patches_unref(patches);
    program_done(&program);
    pare_tree_sitter_close(language);
}

static void test_drivers__statements_of_a_function_that_only_they_call_are_drivers(void **state)
{
    (void)state;
    assert_drivers("javascript", JS, "function m(){f(1);h(2);}m();", PARE_DRIVERS_STATEMENTS,
                   "function m(){h(2);}m();\nfunction m(){f(1);}m();\n");
}

static void test_drivers__lines_that_are_escaped_go(void **state)
{
    (void)state;
    assert_drivers("javascript", JS, "f('a\\nb\\nc\\nd\\ne');", PARE_DRIVERS_DATA,
                   "f('');\n"
                   ">f('a\\nb');\n"
                   ">>f('a\\nb\\nc');\n"
                   ">>>f('a\\nb\\nc\\nd');\n"
                   ">>>f('a\\nb\\nc\\ne');\n"
                   ">>f('a\\nb\\nd\\ne');\n"
                   ">f('\\nc\\nd\\ne');\n"
                   ">>f('a\\nc\\nd\\ne');\n"
                   ">>f('b\\nc\\nd\\ne');\n");
}

static void test_drivers__elements_of_lists_go_but_arguments(void **state)
{
    (void)state;
    assert_drivers("javascript", JS, "f([1,2,3],4,5);", PARE_DRIVERS_DATA,
                   "f([],4,5);\n"
                   ">f([1],4,5);\n"
                   ">>f([1,2],4,5);\n"
                   ">>f([1,3],4,5);\n"
                   ">f([2,3],4,5);\n");
}

static void test_drivers__whole_lines_of_texts_go(void **state)
{
    (void)state;
    assert_drivers("javascript", JS, "f(`a\nb\nc\nd\ne`);", PARE_DRIVERS_DATA,
                   "f(`a\\ne`);\n"
                   ">f(`a\\nb\\ne`);\n"
                   ">>f(`a\\nb\\nc\\ne`);\n"
                   ">>f(`a\\nb\\nd\\ne`);\n"
                   ">f(`a\\nc\\nd\\ne`);\n");
}

static void test_drivers__a_program_without_a_library_has_none(void **state)
{
    (void)state;
    assert_drivers("javascript", "", "f(1);f(2);f(3);", PARE_DRIVERS_STATEMENTS, "");
}

static pare_status offer_once(void *context)
{
    pare_patches *patches = NULL;
    const pare_pass_view *view = context;
    pare_status status = pare_patches_new(view->text, &patches, NULL);
    if (!status) status = pare_drivers_offer(view, PARE_DRIVERS_STATEMENTS, patches, NULL);
    if (!status) status = pare_drivers_offer(view, PARE_DRIVERS_DATA, patches, NULL);
    pare_patches_unref(patches);
    return status;
}

static void test_drivers__reports_each_lack_of_memory(void **state)
{
    (void)state;
    if (!has_language("javascript")) skip();
    static const char text[] = LIBRARY("function f(x){", "}") "f([1,2,3]);f(2);";
    pare_tree_sitter *language = load_language("javascript");
    struct program_view program;
    view_program(language, "javascript", text, sizeof text - 1, &program);
    sweep_allocations(offer_once, &program.view);
    program_done(&program);
    pare_tree_sitter_close(language);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drivers__each_statement_may_go_and_definitions_stay),
        cmocka_unit_test(test_drivers__what_is_mostly_a_function_is_a_definition),
        cmocka_unit_test(test_drivers__what_defines_a_name_of_the_library_is_none),
        cmocka_unit_test(test_drivers__with_a_statement_those_go_that_use_what_it_declares),
        cmocka_unit_test(test_drivers__that_all_share_a_name_take_no_time),
        cmocka_unit_test(test_drivers__statements_of_a_function_that_only_they_call_are_drivers),
        cmocka_unit_test(test_drivers__lines_that_are_escaped_go),
        cmocka_unit_test(test_drivers__elements_of_lists_go_but_arguments),
        cmocka_unit_test(test_drivers__whole_lines_of_texts_go),
        cmocka_unit_test(test_drivers__a_program_without_a_library_has_none),
        cmocka_unit_test(test_drivers__reports_each_lack_of_memory),
    };
    use_build_data();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
