/* The nearest word: distances that are known, and what a hint says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/nearest.h"

static void test_nearest__counts_edits_and_prefers_beginnings(void **state)
{
    (void)state;
    assert_int_equal(pare_nearest_distance("abc", "abc"), 0);
    assert_int_equal(pare_nearest_distance("", "abc"), 6);
    assert_int_equal(pare_nearest_distance("acb", "abc"), 2);
    assert_int_equal(pare_nearest_distance("abd", "abc"), 2);
    assert_int_equal(pare_nearest_distance("kitten", "sitting"), 6);
    assert_int_equal(pare_nearest_distance("ca", "abc"), 6);
    assert_int_equal(pare_nearest_distance("ab", "abcdefgh"), 1);
}

static void test_nearest__hints_at_what_resembles_only(void **state)
{
    (void)state;
    char hint[PARE_NEAREST_HINT_BYTES];
    pare_nearest nearest = pare_nearest_of("tiemout");
    pare_nearest_offer(&nearest, "command");
    pare_nearest_offer(&nearest, "timeout");
    assert_string_equal(pare_nearest_hint(&nearest, "--", hint), ": did you mean '--timeout'?");
    nearest = pare_nearest_of("xyz");
    pare_nearest_offer(&nearest, "command");
    assert_string_equal(pare_nearest_hint(&nearest, "", hint), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest__counts_edits_and_prefers_beginnings),
        cmocka_unit_test(test_nearest__hints_at_what_resembles_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
