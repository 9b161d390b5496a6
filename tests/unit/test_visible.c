/* Which characters are shown as themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/visible.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_visible__what_has_a_picture_is_shown),
        cmocka_unit_test(test_visible__what_a_terminal_obeys_or_hides_is_an_escape),
        cmocka_unit_test(test_visible__bytes_that_are_no_utf8_are_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
