/* Questions: what is printed where nobody can answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/ask.h"

/* What is printed for these problems and words of the command line. */
static void print(char **reported, size_t n_reported, char *const *words, size_t n_words,
                  char text[2048])
{
    const pare_result result = {.reported = reported, .n_reported = n_reported};
    const pare_settings settings = {.words = words, .n_words = n_words};
    FILE *out = fmemopen(text, 2048, "w");
    assert_non_null(out);
    pare_ask_print_problems(out, "pare reduce", &result, &settings);
    assert_int_equal(fclose(out), 0);
}

static void test_ask__each_problem_has_a_line_that_keeps_it(void **state)
{
    (void)state;
    char first[] = "error: unknown type [-Wfoo]", second[] = "error: expected ';'";
    char a[] = "in.c", b[] = "--", c[] = "gcc", d[] = "two words";
    char *reported[] = {first, second}, *words[] = {a, b, c, d}, text[2048];
    print(reported, 2, words, 4, text);
    assert_string_equal(text, "  1. error: unknown type [-Wfoo]\n"
                              "     pare reduce in.c --message 'unknown type' -- gcc 'two words'\n"
                              "  2. error: expected ';'\n"
                              "     pare reduce in.c --message 'expected '\\'';'\\''' -- "
                              "gcc 'two words'\n");
}

static void test_ask__a_message_that_was_given_is_replaced(void **state)
{
    (void)state;
    char first[] = "error: bad", a[] = "in.c", b[] = "--message", c[] = "X", d[] = "--message=Y";
    char e[] = "--", f[] = "gcc", g[] = "--message";
    char *reported[] = {first}, *words[] = {a, b, c, d, e, f, g}, text[2048];
    print(reported, 1, words, 7, text);
    assert_non_null(strstr(text, "pare reduce in.c --message bad -- gcc --message\n"));
}

/* A part that several problems have does not name one: then all of its text does. */
static void test_ask__a_problem_is_named_by_what_no_other_has(void **state)
{
    (void)state;
    char first[] = "error: bad", second[] = "fatal: too bad", a[] = "in.c", b[] = "--";
    char *reported[] = {first, second}, *words[] = {a, b}, text[2048];
    print(reported, 2, words, 2, text);
    assert_non_null(strstr(text, "--message 'error: bad' --\n"));
    assert_non_null(strstr(text, "--message 'too bad' --\n"));
}

/* What stands before a colon may be the message itself. */
static void test_ask__a_sentence_with_a_colon_is_not_cut(void **state)
{
    (void)state;
    char first[] = "Undefined substitution referenced: \"sub\".", second[] = "error: bad";
    char a[] = "in.c", b[] = "--";
    char *reported[] = {first, second}, *words[] = {a, b}, text[2048];
    print(reported, 2, words, 2, text);
    assert_non_null(strstr(text, "--message 'Undefined substitution referenced: \"sub\".' --\n"));
    assert_non_null(strstr(text, "--message bad --\n"));
}

static void test_ask__where_nobody_can_answer_nothing_is_asked(void **state)
{
    (void)state;
    char first[] = "error: bad";
    char *reported[] = {first};
    const pare_result result = {.reported = reported, .n_reported = 1};
    pare_settings settings = {.n_words = 0};
    pare_buffer message = {0};
    assert_false(pare_ask_problem(&result, &settings, &message));
    assert_null(settings.reduce.keep.message);
    pare_ask_needed_language("pare parse", "c");
    pare_ask_needed_language("pare parse", NULL);
    pare_buffer_done(&message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ask__each_problem_has_a_line_that_keeps_it),
        cmocka_unit_test(test_ask__a_message_that_was_given_is_replaced),
        cmocka_unit_test(test_ask__a_problem_is_named_by_what_no_other_has),
        cmocka_unit_test(test_ask__a_sentence_with_a_colon_is_not_cut),
        cmocka_unit_test(test_ask__where_nobody_can_answer_nothing_is_asked),
    };
    /* Whatever started the tests: nobody answers them. */
    if (!freopen("/dev/null", "r", stdin)) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
