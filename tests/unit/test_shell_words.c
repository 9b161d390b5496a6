/* Words of a command line: split, quoted, replaced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/shell_words.h"
#include "unit/alloc_sweep.h"

static void test_shell_words__are_split_as_a_shell_does(void **state)
{
    (void)state;
    static const struct {
        const char *text, *joined; /* words, each followed by '|' */
        bool shell;
    } cases[] = {
        {"a b", "a|b|", false},
        {"  a\t b  ", "a|b|", false},
        {"'a b' \"c d\" e\\ f", "a b|c d|e f|", false},
        {"a'b'\"c\"d", "abcd|", false},
        {"'' \"\"", "||", false},
        {"'$x|;' '*'", "$x|;|*|", false},
        {"\"\\$x \\\" \\a\"", "$x \" \\a|", false},
        {"\\| \\$", "||$|", false},
        {"a#b a~ x=1", "a#b|a~|x=1|", false},
        {"a | b", "a|||b|", true},
        {"a $1", "a|$1|", true},
        {"a \"$1\"", "a|$1|", true},
        {"a > b", "a|>|b|", true},
        {"~/x", "~/x|", true},
        {"a #b", "a|#b|", true},
        {"! a", "!|a|", true},
        {"a\nb", "a|b|", true},
        {"", "", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_shell_words words = {0};
        pare_buffer joined = {0};
        assert_int_equal(pare_shell_words_split(&words, cases[k].text, NULL), PARE_OK);
        for (size_t w = 0; w < words.n; w++)
            assert_int_equal(pare_buffer_format(&joined, NULL, "%s|", words.word[w]), PARE_OK);
        assert_string_equal(joined.data ? joined.data : "", cases[k].joined);
        if (words.shell != cases[k].shell) fail_msg("shell or not: %s", cases[k].text);
        pare_buffer_done(&joined);
        pare_shell_words_done(&words);
    }
}

static void test_shell_words__what_is_quoted_is_read_back(void **state)
{
    (void)state;
    static const char *const cases[] = {"",      "a",  "a b",      "it's", "$HOME", "a|b", "'",
                                        "\"x\"", "\\", "-o=x/y.z", "a\tb", "~",     "#",   "*?"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_shell_words words = {0};
        pare_buffer quoted = {0};
        assert_int_equal(pare_shell_words_quote(&quoted, cases[k], strlen(cases[k]), NULL),
                         PARE_OK);
        assert_int_equal(pare_shell_words_split(&words, quoted.data, NULL), PARE_OK);
        assert_int_equal(words.n, 1);
        assert_false(words.shell);
        assert_string_equal(words.word[0], cases[k]);
        pare_buffer_done(&quoted);
        pare_shell_words_done(&words);
    }
}

static void test_shell_words__a_plain_word_needs_no_quotes(void **state)
{
    (void)state;
    pare_buffer quoted = {0};
    assert_int_equal(pare_shell_words_quote(&quoted, "/usr/bin/cc-12", 14, NULL), PARE_OK);
    assert_string_equal(quoted.data, "/usr/bin/cc-12");
    pare_buffer_done(&quoted);
}

static void test_shell_words__a_word_can_be_replaced(void **state)
{
    (void)state;
    pare_shell_words words = {0};
    assert_int_equal(pare_shell_words_split(&words, "a b c", NULL), PARE_OK);
    assert_int_equal(pare_shell_words_set(&words, 1, "longer than it was", NULL), PARE_OK);
    assert_string_equal(words.word[0], "a");
    assert_string_equal(words.word[1], "longer than it was");
    assert_string_equal(words.word[2], "c");
    pare_shell_words_done(&words);
}

static pare_status split_and_quote(void *context)
{
    pare_shell_words words = {0};
    pare_buffer quoted = {0};
    (void)context;
    pare_status status = pare_shell_words_split(&words, "a 'b c' d", NULL);
    if (!status) status = pare_shell_words_quote(&quoted, "b c", 3, NULL);
    pare_shell_words_done(&words);
    pare_buffer_done(&quoted);
    return status;
}

static void test_shell_words__survive_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(split_and_quote, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shell_words__are_split_as_a_shell_does),
        cmocka_unit_test(test_shell_words__what_is_quoted_is_read_back),
        cmocka_unit_test(test_shell_words__a_plain_word_needs_no_quotes),
        cmocka_unit_test(test_shell_words__a_word_can_be_replaced),
        cmocka_unit_test(test_shell_words__survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
