/* Which characters are shown as themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/visible.h"

/* An escape for the first `bytes` of the text, of that code point. */
static void assert_escape(const char *text, size_t bytes, long point)
{
    size_t escaped = 0;
    long code = 0;
    assert_int_equal(
        pare_visible_character((const unsigned char *)text, strlen(text), &escaped, &code), 0);
    assert_int_equal(escaped, bytes);
    assert_int_equal(code, point);
}

static void assert_shown(const char *text, size_t bytes)
{
    size_t escaped = 0;
    long code = 0;
    assert_int_equal(
        pare_visible_character((const unsigned char *)text, strlen(text), &escaped, &code), bytes);
}

static void test_visible__what_has_a_picture_is_shown(void **state)
{
    (void)state;
    assert_shown("a", 1);
    assert_shown(" b", 1);
    assert_shown("\t", 1);
    assert_shown("\xc3\xa9t", 2);
    assert_shown("\xe2\x82\xac", 3);
    assert_shown("\xf0\x9f\x98\x80", 4);
}

static void test_visible__what_a_terminal_obeys_or_hides_is_an_escape(void **state)
{
    (void)state;
    assert_escape("\x1b[2J", 1, 0x1b);
    assert_escape("\n", 1, '\n');
    assert_escape("\xc2\x9b", 2, 0x9b);
    assert_escape("\xe2\x80\xae", 3, 0x202e);
    assert_escape("\xf3\xa0\x81\x81", 4, 0xe0041);
}

/* Of each only the first byte: what comes after it may be a character again. */
static void test_visible__bytes_that_are_no_utf8_are_escapes(void **state)
{
    (void)state;
    assert_escape("\x9b", 1, -1);
    assert_escape("\xc3", 1, -1);
    assert_escape("\xc0\xaf", 1, -1);         /* overlong */
    assert_escape("\xe0\x80\xaf", 1, -1);     /* overlong */
    assert_escape("\xed\xa0\x80", 1, -1);     /* half of a pair */
    assert_escape("\xf4\x90\x80\x80", 1, -1); /* beyond the last */
}

/* A Cyrillic letter, one of two columns, an accent that stands on the letter before it; then what takes
 * an escape elsewhere. */
static void test_visible__columns_are_those_of_a_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t width;
    } cases[] = {{"", 0},
                 {"ab", 2},
                 {"\xd0\xba\xd0\xbb", 2},
                 {"\xe6\xbc\xa2\xe5\xad\x97", 4},
                 {"\xf0\x9f\x98\x80", 2},
                 {"e\xcc\x81", 1},
                 {"\x1b[0m", 4},
                 {"\xff\xfe", 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(pare_visible_width(cases[k].text, strlen(cases[k].text)), cases[k].width);
}

static void assert_copied(const char *text, size_t capacity, size_t columns, const char *copy,
                          size_t taken)
{
    char to[32];
    assert_true(capacity <= sizeof to);
    assert_int_equal(pare_visible_copy(to, capacity, text, strlen(text), columns), taken);
    assert_string_equal(to, copy);
}

static void test_visible__a_copy_can_be_seen_and_fits(void **state)
{
    (void)state;
    assert_copied("a\tb\x1b[0m\xd0\xba\xff!", 32, 32, "a b?[0m\xd0\xba?!", 11);
    assert_copied("\xc2\x9b"
                  "31m\xe2\x80\xae",
                  32, 32, "??31m???", 8);
    assert_copied("\xe6\xbc\xa2\xe5\xad\x97", 32, 3, "\xe6\xbc\xa2", 3);
    assert_copied("\xe6\xbc\xa2\xe5\xad\x97", 6, 32, "\xe6\xbc\xa2", 3);
    assert_copied("abc", 1, 32, "", 0);
}

static void test_visible__a_cut_text_loses_the_beginning_of_a_character(void **state)
{
    (void)state;
    static const struct {
        const char *text, *trimmed;
    } cases[] = {{"", ""},
                 {"abc", "abc"},
                 {"ab\xd0", "ab"},
                 {"ab\xd0\xba", "ab\xd0\xba"},
                 {"\xe6\xbc", ""},
                 {"\xe6\xbc\xa2", "\xe6\xbc\xa2"},
                 {"x\xf0\x9f\x98", "x"},
                 {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[16];
        memcpy(text, cases[k].text, strlen(cases[k].text) + 1);
        pare_visible_trim(text);
        assert_string_equal(text, cases[k].trimmed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_visible__what_has_a_picture_is_shown),
        cmocka_unit_test(test_visible__what_a_terminal_obeys_or_hides_is_an_escape),
        cmocka_unit_test(test_visible__bytes_that_are_no_utf8_are_escapes),
        cmocka_unit_test(test_visible__columns_are_those_of_a_terminal),
        cmocka_unit_test(test_visible__a_copy_can_be_seen_and_fits),
        cmocka_unit_test(test_visible__a_cut_text_loses_the_beginning_of_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
