/* Pieces of the input that a message repeats without quoting them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/echoed_input.h"

static bool is_keyword(const char *word, size_t size)
{
    return size == 3 && memcmp(word, "int", 3) == 0;
}

/* Where `text` has `mark`, the piece that begins there is `expected`; NULL: none does. */
static void assert_piece(const char *text, char mark, const char *input, const char *expected)
{
    pare_echoed_input echoed = {.input = input,
                                .size = strlen(input),
                                .searches = PARE_ECHOED_INPUT_SEARCHES,
                                .is_keyword = is_keyword};
    const char *from = NULL, *end = NULL;
    const bool found = pare_echoed_input_at(&echoed, text, strchr(text, mark), &from, &end);
    assert_int_equal(found, expected != NULL);
    if (!found) return;
    assert_int_equal(end - from, strlen(expected));
    assert_memory_equal(from, expected, strlen(expected));
}

static void test_echoed_input__brackets_end_where_they_are_closed(void **state)
{
    (void)state;
    assert_piece("bad <[a,[1]]> here", '<', "[a,[1]]", "[a,[1]]");
    assert_piece("bad [a,[1]] here", '[', "x [a,[1]]", "[a,[1]]");
    assert_piece("call f(a, 1) here", '(', "g(a, 1)", "a, 1");
    assert_piece("bad <[a,[1...", '<', "[a,[1,2]]", "[a,[1...");
    assert_piece("bad <[a,[1]]> here", '<', "[a,[2]]", NULL);
    assert_piece("bad <[a,b]> here", '<', "[a,bc]", NULL);
}

static void test_echoed_input__after_a_colon_it_is_the_rest(void **state)
{
    (void)state;
    assert_piece("cannot take: Key=v|w.", 'K', "Key=v|w", "Key=v|w.");
    assert_piece("cannot take: Key=v|w.", 'K', "Key=v", NULL);
    assert_piece("cannot take: Key=v|w", 'K', "die 'Key=v|w'", NULL);
    assert_piece("cannot take: Key not there", 'K', "x Key not there", NULL);
}

static void test_echoed_input__types_and_what_the_input_says_are_none(void **state)
{
    (void)state;
    assert_piece("no match for (int, int)", '(', "f(int, int)", NULL);
    assert_piece("size (k=v) is bad", '(', "die 'size (k=v) is bad'", NULL);
}

/* A number that a NUL ends, and one of which each digit might begin another. */
static void test_echoed_input__numbers_of_the_input_end(void **state)
{
    (void)state;
    enum { LONG = 4000000 };
    static const char message[] = "bad [#, abc] here";
    static const char zeros[] = "(12\0\0, abc)";
    const char *from = NULL, *end = NULL;
    pare_echoed_input echoed = {.input = zeros,
                                .size = sizeof zeros - 1,
                                .searches = PARE_ECHOED_INPUT_SEARCHES,
                                .is_keyword = is_keyword};
    assert_false(pare_echoed_input_at(&echoed, message, message + 4, &from, &end));
    char *digits = malloc(LONG);
    assert_non_null(digits);
    memset(digits, '1', LONG);
    echoed = (pare_echoed_input){digits, LONG, PARE_ECHOED_INPUT_SEARCHES, is_keyword};
    assert_false(pare_echoed_input_at(&echoed, message, message + 4, &from, &end));
    free(digits);
}

/* A message of brackets costs no more than so many searches. */
static void test_echoed_input__searches_are_counted(void **state)
{
    static const char text[] = "bad <[a,1]>";
    pare_echoed_input echoed = {
        .input = "x [a,1]", .size = 7, .searches = 0, .is_keyword = is_keyword};
    const char *from, *end;
    (void)state;
    assert_false(pare_echoed_input_at(&echoed, text, text + 4, &from, &end));
    echoed.searches = 2; /* with its brackets, and without */
    assert_true(pare_echoed_input_at(&echoed, text, text + 4, &from, &end));
    assert_int_equal(echoed.searches, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_echoed_input__numbers_of_the_input_end),
        cmocka_unit_test(test_echoed_input__brackets_end_where_they_are_closed),
        cmocka_unit_test(test_echoed_input__after_a_colon_it_is_the_rest),
        cmocka_unit_test(test_echoed_input__types_and_what_the_input_says_are_none),
        cmocka_unit_test(test_echoed_input__searches_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
