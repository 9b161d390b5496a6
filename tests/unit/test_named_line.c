/* Lines of the input that a program names by number, and their text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run/named_line.h"

static pare_printed printed(const char *text)
{
    return (pare_printed){.text = text, .size = strlen(text)};
}

static void test_named_line__numbers_of_lines_are_found(void **state)
{
    static const struct {
        const char *printed;
        size_t number; /* the first; 0: none */
    } cases[] = {
        {"fatal: bad config line 91 in file cfg", 91},
        {"sed: file fix.sed line 241: unknown option to `s'", 241},
        {"loop.sh: line 155: syntax error", 155},
        {"Could not parse directive at line 32 in file chrony.conf", 32},
        {"/etc/sudoers:31:24: syntax error", 31},
        {"in.vhd(7): error", 7},
        {"<stdin>:3: bad", 3},
        {"\"a.ms\":12: warning", 12},
        {"Error: Line No. 5", 5},
        {"at LINE: 8", 8},
        {"on line #9.", 9},
        {"line 4", 4},
        {"listening on port:80", 0},
        {"online 4 of 5", 0},
        {"line 3rd", 0},
        {"line 0", 0},
        {"line 123456789", 0},
        {"at 10:20:30", 0},
        {"", 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const pare_observation seen = {.err = printed(cases[k].printed)};
        const pare_named_lines lines = pare_named_line_find(&seen);
        assert_int_equal(lines.n, cases[k].number != 0);
        assert_int_equal(lines.number[0], cases[k].number);
    }
}

static void test_named_line__each_line_once_and_standard_error_first(void **state)
{
    const pare_observation seen = {.err = printed("a.c:7:1: x\na.c:7:9: y\na.c:2: z\n"),
                                   .out = printed("line 1, line 2\n")};
    const pare_named_lines lines = pare_named_line_find(&seen);
    (void)state;
    assert_int_equal(lines.n, 3);
    assert_int_equal(lines.number[0], 7);
    assert_int_equal(lines.number[1], 2);
    assert_int_equal(lines.number[2], 1);
}

static void test_named_line__as_many_as_there_is_room_for(void **state)
{
    char text[1024] = "";
    (void)state;
    for (int k = 0; k < 40; k++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "line %d\n", k + 1);
    const pare_observation seen = {.err = printed(text)};
    assert_int_equal(pare_named_line_find(&seen).n, PARE_NAMED_LINES);
}

static void test_named_line__a_line_is_read_without_blanks_around_it(void **state)
{
    const pare_printed text = printed("one\n \t two\t three\r\n}\n\xc3\xa9tat *\nlast");
    char line[PARE_SIGNATURE_LINE_BYTES];
    (void)state;
    assert_true(pare_named_line_read(&text, 1, line));
    assert_string_equal(line, "one");
    assert_true(pare_named_line_read(&text, 2, line));
    assert_string_equal(line, "two three");
    assert_false(pare_named_line_read(&text, 3, line)); /* a bracket says nothing */
    assert_true(pare_named_line_read(&text, 4, line));
    assert_string_equal(line, "?\?tat *");
    assert_true(pare_named_line_read(&text, 5, line));
    assert_string_equal(line, "last");
    assert_false(pare_named_line_read(&text, 6, line));
    assert_false(pare_named_line_read(&text, SIZE_MAX, line));
}

static void test_named_line__one_that_is_too_long_is_not_kept(void **state)
{
    char bytes[PARE_SIGNATURE_LINE_BYTES + 1], line[PARE_SIGNATURE_LINE_BYTES];
    (void)state;
    memset(bytes, 'x', sizeof bytes);
    pare_printed text = {.text = bytes, .size = PARE_SIGNATURE_LINE_BYTES};
    assert_false(pare_named_line_read(&text, 1, line));
    text.size--;
    assert_true(pare_named_line_read(&text, 1, line));
}

static void test_named_line__any_of_the_lines_may_be_it(void **state)
{
    const pare_named_lines lines = {.n = 2, .number = {1, 3}};
    const pare_printed text = printed("first\nsecond\n  third  one\n");
    (void)state;
    assert_true(pare_named_line_is(&lines, &text, "third one"));
    assert_true(pare_named_line_is(&lines, &text, "first"));
    assert_false(pare_named_line_is(&lines, &text, "second"));
    assert_false(pare_named_line_is(&lines, &text, "third"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_line__numbers_of_lines_are_found),
        cmocka_unit_test(test_named_line__each_line_once_and_standard_error_first),
        cmocka_unit_test(test_named_line__as_many_as_there_is_room_for),
        cmocka_unit_test(test_named_line__a_line_is_read_without_blanks_around_it),
        cmocka_unit_test(test_named_line__one_that_is_too_long_is_not_kept),
        cmocka_unit_test(test_named_line__any_of_the_lines_may_be_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
