/* Lines that were printed, as regular expressions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "run/command.h"
#include "session/test/line_regex.h"

static void test_line_regex__what_changes_is_left_open(void **state)
{
    static const struct {
        const char *line, *regex;
    } cases[] = {
        {"sum is 3.25", "^sum is 3\\.25$"},
        {"took 0.12s", "^took [0-9.]+s$"},
        {"at 0x7ffe01", "^at 0x[0-9a-f]+$"},
        {"mismatch 5 != 7 at row 612.", "^mismatch 5 != 7 at row [0-9]+\\.$"},
        {"Line 7, column 12: odd", "^Line [0-9]+, column [0-9]+: odd$"},
        {"in.c:7:3: odd", "^in\\.c:[0-9]+:[0-9]+: odd$"},
        {"/tmp/x/in.c:7: odd", "^\\S*/in\\.c:[0-9]+: odd$"},
        {"other.c:7: odd", "^other\\.c:7: odd$"},
        {"outline 7", "^outline 7$"},
        {"7:3", "^7:3$"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_buffer text = {0};
        const pare_command_part line = {.start = cases[k].line, .size = strlen(cases[k].line)};
        assert_int_equal(pare_line_regex_add(&text, line, "in.c", NULL), PARE_OK);
        assert_string_equal(text.data, cases[k].regex);
        pare_buffer_done(&text);
    }
}

/* A NUL would end the option that is proposed, and an escape sequence would be the terminal's. */
static void test_line_regex__bytes_that_no_terminal_shows_are_any_character(void **state)
{
    (void)state;
    pare_buffer text = {0};
    const pare_command_part line = {.start = "a\0b\033[2Jc", .size = 8};
    assert_int_equal(pare_line_regex_add(&text, line, "in.c", NULL), PARE_OK);
    assert_int_equal(text.size, strlen(text.data));
    assert_string_equal(text.data, "^a.b.\\[2Jc$");
    pare_buffer_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_regex__what_changes_is_left_open),
        cmocka_unit_test(test_line_regex__bytes_that_no_terminal_shows_are_any_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
