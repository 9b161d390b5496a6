/* Text in lines of 80 columns: what is not seen is written out, and words are kept whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/sheet.h"

static void assert_shown(const char *name, const char *shown)
{
    pare_sheet sheet = {.status = PARE_OK};
    pare_sheet_name(&sheet, name);
    assert_string_equal(pare_sheet_text(&sheet), shown);
    pare_sheet_done(&sheet);
}

static void test_sheet__names_can_be_seen_and_stay_on_their_line(void **state)
{
    (void)state;
    assert_shown("plain", "plain");
    assert_shown("a\nb\tc\x1b[2J\x7f", "a\\nb\\tc\\x1b[2J\\x7f");
    assert_shown("\xe2\x80\xae right to left", "\\u{202e} right to left");
    assert_shown("\xc2\x9b"
                 "31m",
                 "\\u{9b}31m"); /* what begins sequences of terminals too */
    assert_shown("\xff\xc3", "\\xff\\xc3");
    assert_shown("\xc3\xa9\xf0\x9f\x98\x80", "\xc3\xa9\xf0\x9f\x98\x80");
}

static void test_sheet__long_names_are_cut_at_a_character(void **state)
{
    (void)state;
    pare_sheet sheet = {.status = PARE_OK};
    char name[4 * PARE_SHEET_NAME_BYTES + 1] = "";
    for (size_t i = 0; i + 2 < sizeof name; i += 2)
        memcpy(name + i, "\xc3\xa9", 3);
    pare_sheet_name(&sheet, name);
    const char *text = pare_sheet_text(&sheet);
    size_t size = strlen(text);
    assert_true(size <= PARE_SHEET_NAME_BYTES + 4);
    assert_string_equal(text + size - 5, "\xc3\xa9...");
    pare_sheet_done(&sheet);
}

static void test_sheet__breaks_lines_between_words(void **state)
{
    (void)state;
    pare_sheet sheet = {.status = PARE_OK};
    char line[] = "w2345678 w2345678 w2345678 w2345678 w2345678 w2345678 w2345678 w2345678 "
                  "w2345678 w2345678";
    pare_sheet_raw(&sheet, "  ");
    pare_sheet_flow(&sheet, line, 4);
    assert_string_equal(pare_sheet_text(&sheet),
                        "  w2345678 w2345678 w2345678 w2345678 w2345678 w2345678 w2345678 "
                        "w2345678\n    w2345678 w2345678");
    pare_sheet_reset(&sheet);
    pare_sheet_raw(&sheet, "x\n");
    pare_sheet_raw(&sheet, "\xe6\xbc\xa2\xd0\xba"); /* one of two columns, one of one */
    assert_int_equal(sheet.column, 3);
    pare_sheet_done(&sheet);
}

static void test_sheet__a_word_wider_than_a_line_is_kept_whole(void **state)
{
    (void)state;
    pare_sheet sheet = {.status = PARE_OK};
    char word[101];
    memset(word, 'x', 100);
    word[100] = '\0';
    pare_sheet_flow(&sheet, word, 0);
    pare_sheet_flow(&sheet, " y", 0);
    assert_int_equal(sheet.bytes.size, 102);
    assert_int_equal(sheet.column, 1);
    pare_sheet_done(&sheet);
}

static void test_sheet__colours_take_no_column_and_need_paint(void **state)
{
    (void)state;
    for (int colored = 0; colored < 2; colored++) {
        pare_sheet sheet = {.paint = colored ? PARE_COLORED : PARE_PLAIN};
        pare_sheet_ink(&sheet, PARE_INK_BOLD);
        pare_sheet_raw(&sheet, "x");
        pare_sheet_ink(&sheet, PARE_INK_PLAIN);
        assert_string_equal(pare_sheet_text(&sheet), colored ? "\x1b[1mx\x1b[0m" : "x");
        assert_int_equal(sheet.column, 1);
        pare_sheet_pad(&sheet, 5);
        assert_int_equal(sheet.column, 5);
        pare_sheet_done(&sheet);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sheet__names_can_be_seen_and_stay_on_their_line),
        cmocka_unit_test(test_sheet__long_names_are_cut_at_a_character),
        cmocka_unit_test(test_sheet__breaks_lines_between_words),
        cmocka_unit_test(test_sheet__a_word_wider_than_a_line_is_kept_whole),
        cmocka_unit_test(test_sheet__colours_take_no_column_and_need_paint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
