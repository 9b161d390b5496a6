/* pare_parse_file: trees in each format, where a text leaves its grammar, and wrong options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/parse.h>

#include "unit/support/scratch.h"

static const char sums[] = "grammar S; s: t ('+' t)* EOF; t: N; N: [0-9]+; W: [ \\n] -> skip;";
static const char *const grammar[] = {"S.g4"};

static int set_up(void **state)
{
    int failed = scratch_setup(state);
    if (failed) return failed;
    scratch_write("S.g4", sums, 0644);
    scratch_write("right", "1 + 2", 0644);
    scratch_write("wrong", "1 +\n + 2", 0644);
    return 0;
}

static void test_parse_file__prints_antlrs_tree(void **state)
{
    (void)state;
    pare_parsed parsed = {0};
    pare_parse_options options = {.grammars = grammar, .n_grammars = 1};
    assert_int_equal(pare_parse_file(&options, "right", &parsed, NULL), PARE_OK);
    assert_true(parsed.in_language);
    assert_null(parsed.message);
    assert_string_equal(parsed.tree, "(s (t 1) + (t 2) <EOF>)\n");
    assert_int_equal(parsed.size_bytes, strlen(parsed.tree));
    pare_parsed_done(&parsed);
}

static void test_parse_file__every_format_is_printed(void **state)
{
    (void)state;
    static const char *const marks[] = {[PARE_TREE_LISP] = "(s ",
                                        [PARE_TREE_JSON] = "\"children\"",
                                        [PARE_TREE_DOT] = "digraph",
                                        [PARE_TREE_SVG] = "<svg"};
    for (int format = PARE_TREE_LISP; format <= PARE_TREE_SVG; format++) {
        pare_parsed parsed = {0};
        pare_parse_options options = {
            .grammars = grammar, .n_grammars = 1, .format = (pare_tree_format)format};
        assert_int_equal(pare_parse_file(&options, "right", &parsed, NULL), PARE_OK);
        assert_non_null(strstr(parsed.tree, marks[format]));
        pare_parsed_done(&parsed);
    }
}

static void test_parse_file__text_outside_the_language_is_no_error(void **state)
{
    (void)state;
    pare_parsed parsed = {0};
    pare_parse_options options = {.grammars = grammar, .n_grammars = 1};
    assert_int_equal(pare_parse_file(&options, "wrong", &parsed, NULL), PARE_OK);
    assert_false(parsed.in_language);
    assert_int_equal(parsed.line, 2);
    assert_int_equal(parsed.column, 1);
    assert_non_null(parsed.message);
    pare_parsed_done(&parsed);
}

static void test_parse_file__wrong_options_are_told(void **state)
{
    (void)state;
    static const struct {
        pare_parse_options options;
        const char *path;
        pare_status status;
    } cases[] = {
        {{.grammars = grammar, .n_grammars = 1, .language = "json"}, "right", PARE_E_ARG},
        {{.grammars = grammar, .n_grammars = 1, .start = "none"}, "right", PARE_E_ARG},
        {{.grammars = grammar, .n_grammars = 1}, "nowhere", PARE_E_IO},
        {{.n_grammars = 0}, "right", PARE_E_STATE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_parsed parsed = {0};
        pare_error err = {0};
        assert_int_equal(pare_parse_file(&cases[i].options, cases[i].path, &parsed, &err),
                         cases[i].status);
        assert_true(*err.message);
        assert_null(parsed.tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_file__prints_antlrs_tree),
        cmocka_unit_test(test_parse_file__every_format_is_printed),
        cmocka_unit_test(test_parse_file__text_outside_the_language_is_no_error),
        cmocka_unit_test(test_parse_file__wrong_options_are_told),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_teardown);
}
