/* Regular expressions: characters where there are some, bytes elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "text/pattern.h"

static bool is_found(const char *regex, const char *text)
{
    pare_pattern *pattern = NULL;
    bool found = false;
    assert_int_equal(pare_pattern_new(regex, &pattern, NULL), PARE_OK);
    assert_int_equal(pare_pattern_search(pattern, text, strlen(text), &found, NULL), PARE_OK);
    pare_pattern_free(pattern);
    return found;
}

static void test_pattern__a_character_is_one_however_many_bytes_it_has(void **state)
{
    (void)state;
    assert_true(is_found("^caf.$", "caf\xc3\xa9"));
    assert_true(is_found("na[\xc3\xaf\xc3\xae]ve", "na\xc3\xafve"));
    assert_true(is_found("(?i)\xc3\x89t\xc3\xa9", "\xc3\xa9t\xc3\xa9"));
    assert_false(is_found("^.....$", "caf\xc3\xa9"));
}

static void test_pattern__bytes_that_are_no_characters_are_passed_over(void **state)
{
    (void)state;
    assert_true(is_found("needle", "\xff\xfe needle \x80"));
    assert_false(is_found("a.b", "a\xff"
                                 "b"));
    assert_true(is_found("\xff"
                         "b",
                         "a\xff"
                         "b")); /* no UTF-8, so about bytes */
}

static void test_pattern__goes_on_from_any_byte(void **state)
{
    static const char text[] = "\xe2\x82\xac\xe2\x82\xac x";
    pare_pattern *pattern = NULL;
    (void)state;
    assert_int_equal(pare_pattern_new("x", &pattern, NULL), PARE_OK);
    for (size_t from = 0; from < sizeof text - 1; from++) {
        bool found = false;
        pare_stretch stretch;
        assert_int_equal(
            pare_pattern_find(pattern, (pare_span){(const unsigned char *)text, sizeof text - 1},
                              from, &found, &stretch, NULL),
            PARE_OK);
        assert_true(found);
        assert_int_equal(stretch.from, 7);
    }
    pare_pattern_free(pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pattern__a_character_is_one_however_many_bytes_it_has),
        cmocka_unit_test(test_pattern__bytes_that_are_no_characters_are_passed_over),
        cmocka_unit_test(test_pattern__goes_on_from_any_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
