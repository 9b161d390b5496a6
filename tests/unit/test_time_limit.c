/* Learning how long tests may take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/time_limit.h"

static void test_time_limit__it_is_generous_before_anything_is_known(void **state)
{
    (void)state;
    pare_time_limit limit = {0};
    assert_int_equal(pare_time_limit_ms(&limit), 60000);
}

static void test_time_limit__it_is_ten_times_the_slowest_of_the_first_five(void **state)
{
    (void)state;
    static const struct {
        uint64_t duration_ms, limit_ms;
    } steps[] = {{1, 1000}, {250, 2500}, {3, 2500}, {300, 3000}, {400, 4000}, {9000, 4000}};
    pare_time_limit limit = {0};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        pare_time_limit_learn(&limit, steps[k].duration_ms, false);
        assert_int_equal(pare_time_limit_ms(&limit), steps[k].limit_ms);
    }
}

static void test_time_limit__a_later_test_raises_it_if_it_failed(void **state)
{
    (void)state;
    pare_time_limit limit = {.learned_ms = 1000, .n_tests = PARE_TIME_LIMIT_TESTS};
    pare_time_limit_learn(&limit, 700, false);
    assert_int_equal(pare_time_limit_ms(&limit), 1000);
    pare_time_limit_learn(&limit, 700, true);
    assert_int_equal(pare_time_limit_ms(&limit), 7000);
    pare_time_limit_learn(&limit, 20, true);
    assert_int_equal(pare_time_limit_ms(&limit), 7000);
}

static void test_time_limit__a_fixed_one_stays(void **state)
{
    (void)state;
    pare_time_limit limit = {.fixed_ms = 70};
    pare_time_limit_learn(&limit, 5000, true);
    assert_int_equal(pare_time_limit_ms(&limit), 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_limit__it_is_generous_before_anything_is_known),
        cmocka_unit_test(test_time_limit__it_is_ten_times_the_slowest_of_the_first_five),
        cmocka_unit_test(test_time_limit__a_later_test_raises_it_if_it_failed),
        cmocka_unit_test(test_time_limit__a_fixed_one_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
