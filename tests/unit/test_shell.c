/* Words are written so that a shell reads them back, and a terminal shows them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/shell.h"

static void test_shell__words_are_read_back_by_bash(void **state)
{
    (void)state;
    static const struct {
        const char *word, *quoted;
    } cases[] = {
        {"a-b.c", "a-b.c"},
        {"", "''"},
        {"a b", "'a b'"},
        {"it's", "'it'\\''s'"},
        {"$x;*", "'$x;*'"},
        {"a\nb", "$'a\\012b'"},
        {"\xc3\xa9", "'\xc3\xa9'"},
        {"\xff'\\", "$'\\377\\'\\\\'"},
        {"\xe2\x80\xae", "$'\\342\\200\\256'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_buffer line = {0};
        assert_int_equal(pare_shell_add_word(&line, cases[i].word, NULL), PARE_OK);
        assert_string_equal(line.data, cases[i].quoted);
        pare_buffer_done(&line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shell__words_are_read_back_by_bash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
