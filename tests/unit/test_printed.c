/* What a program printed: lines, and masking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/printed.h"

static void test_printed__masked_what_changes_from_run_to_run_is_gone(void **state)
{
    (void)state;
    static const struct {
        const char *line, *masked;
    } cases[] = {
        {"at 0x7ffe12 of 12 bytes", "at 0x# of # bytes"},
        {"pc 00007f12abcd4567 sp", "pc # sp"},
        {"/tmp/x.3/in.c:12:5: bad", "in.c:#: bad"},
        {"../a/b/c.py", "c.py"},
        {"took 12:30:01.5 on 2026-11-20", "took # on #-#-#"},
        {"==123==ERROR", "==#==ERROR"},
        {"utf8_encode x2y", "utf8_encode x2y"},
        {"a / b", "a / b"},
        {"  two\t\tblanks  ", "two blanks"},
        {"a\x1b[0mb", "a?[#mb"},
        {"\xd0\xba\xd0\xbb 12 \xe6\xbc\xa2", "\xd0\xba\xd0\xbb # \xe6\xbc\xa2"},
        {"/tmp/Gr\xc3\xb6\xc3\x9f"
         "e/x.py:3",
         "x.py:#"},
        {"\xc2\x9b"
         "1m \xff \xe2\x80\xae \xd0",
         "??1m ? ??? ?"},
        {"dir/", "dir/"},
        {"-5 is bad", "# is bad"},
        {"bad -5, -.5, .5, (-1), x=-2", "bad #, #, #, (#), x=#"},
        {"of 1e308 1.5E-7 4e+10.", "of # # #."},
        {"a-5 a - 5 --5 - . .x -x 1e9f 2e", "a-# a - # --# - . .x -x #e9f #e"},
        {"-", "-"},
        {"in -", "in -"},
        {"1e-", "#e-"},
        {"", ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char masked[64];
        pare_printed_mask(cases[k].line, strlen(cases[k].line), masked, sizeof masked);
        assert_string_equal(masked, cases[k].masked);
    }
}

static void test_printed__masking_is_cut_at_the_room_there_is(void **state)
{
    (void)state;
    char masked[4];
    pare_printed_mask("abcdef", 6, masked, sizeof masked);
    assert_string_equal(masked, "abc");
    pare_printed_mask("abcdef", 6, masked, 1);
    assert_string_equal(masked, "");
    pare_printed_mask("ab\xd0\xba"
                      "c",
                      5, masked, sizeof masked);
    assert_string_equal(masked, "ab"); /* no part of a character, and nothing after it */
}

static void test_printed__lines_are_walked_to_the_end(void **state)
{
    (void)state;
    static const char text[] = "one\n\nthree";
    const pare_printed printed = {.text = text, .size = sizeof text - 1};
    static const struct {
        size_t at;
        const char *line;
    } cases[] = {{0, "one"}, {2, "one"}, {4, ""}, {5, "three"}, {9, "three"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_printed_line line = pare_printed_line_at(&printed, cases[k].at);
        assert_int_equal(line.end - line.start, strlen(cases[k].line));
        assert_memory_equal(line.start, cases[k].line, strlen(cases[k].line));
    }
    pare_printed_line line = pare_printed_line_at(&printed, 0);
    assert_true(pare_printed_line_next(&line));
    assert_true(pare_printed_line_next(&line));
    assert_memory_equal(line.start, "three", 5);
    assert_false(pare_printed_line_next(&line));
}

static void test_printed__a_pointer_is_told_from_other_numbers(void **state)
{
    static const struct {
        const char *text;
        size_t size;
    } cases[] = {
        {"0x55c814b59490] x", 14}, {"0xABCDEF", 8}, {"0x12345 ", 0}, {"0x", 0}, {"0", 0}, {"", 0},
        {"1x123456", 0},           {"x0x123456", 0}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(pare_printed_pointer(cases[k].text, cases[k].text + strlen(cases[k].text)),
                         cases[k].size);
    const char *text = "0x123456"; /* nothing is read from the end on */
    assert_int_equal(pare_printed_pointer(text, text + 7), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed__a_pointer_is_told_from_other_numbers),
        cmocka_unit_test(test_printed__masked_what_changes_from_run_to_run_is_gone),
        cmocka_unit_test(test_printed__masking_is_cut_at_the_room_there_is),
        cmocka_unit_test(test_printed__lines_are_walked_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
