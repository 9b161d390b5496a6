/* Learning how long tests may take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/time_limit.h"

enum { BYTES = 1000 }; /* of candidates whose size does not matter */

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
        pare_time_limit_learn(&limit, BYTES, steps[k].duration_ms, false);
        assert_int_equal(pare_time_limit_ms(&limit), steps[k].limit_ms);
    }
}

static void test_time_limit__a_later_test_raises_it_if_it_failed(void **state)
{
    (void)state;
    pare_time_limit limit = {.learned_ms = 1000, .n_tests = PARE_TIME_LIMIT_TESTS};
    pare_time_limit_learn(&limit, BYTES, 700, false);
    assert_int_equal(pare_time_limit_ms(&limit), 1000);
    pare_time_limit_learn(&limit, BYTES, 700, true);
    assert_int_equal(pare_time_limit_ms(&limit), 7000);
    pare_time_limit_learn(&limit, BYTES, 20, true);
    assert_int_equal(pare_time_limit_ms(&limit), 7000);
}

static void test_time_limit__it_falls_where_many_hang_and_many_fail(void **state)
{
    (void)state;
    pare_time_limit limit = {0};
    for (int k = 0; k < 40; k++)
        pare_time_limit_note(&limit);
    for (int k = 0; k < 9; k++)
        pare_time_limit_learn(&limit, 900, 2000, false);
    assert_int_equal(pare_time_limit_of_size(&limit, 900), 20000); /* none that failed is known */
    for (int k = 0; k < PARE_TIME_LIMIT_SOME; k++)
        pare_time_limit_learn(&limit, 900, 2000, true);
    assert_int_equal(pare_time_limit_of_size(&limit, 900), 10000);
    for (int k = 0; k < PARE_TIME_LIMIT_MANY; k++)
        pare_time_limit_learn(&limit, 900, 2000, true);
    assert_int_equal(pare_time_limit_of_size(&limit, 900), 6000);
    assert_int_equal(pare_time_limit_of_size(&limit, 9000), 20000); /* nothing of its size failed */
    limit.n_timed_out = PARE_TIME_LIMIT_SOME - 1;
    assert_int_equal(pare_time_limit_of_size(&limit, 900), 20000);
}

/* Tests that end a hang themselves after 15 s, beside ones that fail after 2. */
static void test_time_limit__what_passes_long_after_all_that_fail_has_hung(void **state)
{
    (void)state;
    pare_time_limit limit = {0};
    for (int k = 0; k < PARE_TIME_LIMIT_TESTS; k++)
        pare_time_limit_learn(&limit, 900, 2000, k < 3);
    for (int k = 0; k < PARE_TIME_LIMIT_SOME; k++) {
        assert_int_equal(pare_time_limit_of_size(&limit, 900), 20000);
        pare_time_limit_learn(&limit, 900, 15000, false);
    }
    assert_int_equal(pare_time_limit_of_size(&limit, 900), 10000);
    assert_int_equal(pare_time_limit_ms(&limit), 20000);
    pare_time_limit_learn(&limit, 900, 9000, false); /* it is only slow */
    assert_int_equal(pare_time_limit_of_size(&limit, 900), 20000);
}

static void test_time_limit__a_fixed_one_stays(void **state)
{
    (void)state;
    pare_time_limit limit = {.fixed_ms = 70};
    pare_time_limit_learn(&limit, BYTES, 5000, true);
    assert_int_equal(pare_time_limit_ms(&limit), 70);
}

/* Five tests of 5 MB, as slow as a text of that size is; one of them fails. */
static pare_time_limit learn_large(void)
{
    pare_time_limit limit = {0};
    for (int k = 0; k < 5; k++)
        pare_time_limit_learn(&limit, 5000000, 6000, k == 0);
    return limit;
}

static void test_time_limit__small_candidates_that_pass_prove_nothing(void **state)
{
    (void)state;
    pare_time_limit limit = learn_large();
    for (int k = 0; k < 50; k++)
        pare_time_limit_learn(&limit, 1000, 20, false);
    assert_int_equal(pare_time_limit_of_size(&limit, 5000000), 60000);
    assert_int_equal(pare_time_limit_of_size(&limit, 1000), 60000);
}

static void test_time_limit__it_goes_by_failing_candidates_of_like_size(void **state)
{
    (void)state;
    pare_time_limit limit = learn_large();
    pare_time_limit_learn(&limit, 60000, 400, true);
    assert_int_equal(pare_time_limit_of_size(&limit, 50000), 60000); /* one test is not enough */
    for (int k = 0; k < 4; k++)
        pare_time_limit_learn(&limit, 60000, 30, false);
    assert_int_equal(pare_time_limit_of_size(&limit, 50000), 4000);
    assert_int_equal(pare_time_limit_of_size(&limit, 900), 4000);
    assert_int_equal(pare_time_limit_of_size(&limit, 5000000), 60000);
    /* Slower ones that pass raise it, down to the candidate's own size. */
    pare_time_limit_learn(&limit, 900, 700, false);
    assert_int_equal(pare_time_limit_of_size(&limit, 900), 7000);
    assert_int_equal(pare_time_limit_of_size(&limit, 50000), 4000);
    assert_int_equal(pare_time_limit_ms(&limit), 60000);
}

static void test_time_limit__of_a_size_it_is_at_least_a_second_and_at_most_that_of_all(void **state)
{
    (void)state;
    pare_time_limit limit = {.learned_ms = 3000, .n_tests = PARE_TIME_LIMIT_TESTS};
    for (int k = 0; k < 5; k++)
        pare_time_limit_learn(&limit, 10, 1, true);
    assert_int_equal(pare_time_limit_of_size(&limit, 10), 1000);
    pare_time_limit_learn(&limit, 10, 900, false);
    assert_int_equal(pare_time_limit_of_size(&limit, 10), 3000);
    assert_int_equal(pare_time_limit_of_size(&limit, SIZE_MAX), 3000);
    assert_int_equal(pare_time_limit_of_size(&limit, 0), 3000);
}

static void test_time_limit__a_fixed_one_is_that_of_all_sizes(void **state)
{
    (void)state;
    pare_time_limit limit = {.fixed_ms = 7000};
    for (int k = 0; k < 9; k++)
        pare_time_limit_learn(&limit, 10, 1, true);
    assert_int_equal(pare_time_limit_of_size(&limit, 10), 7000);
}

static void test_time_limit__who_is_to_be_known_has_the_first_limit(void **state)
{
    (void)state;
    pare_time_limit limit = {0};
    for (int k = 0; k < 9; k++)
        pare_time_limit_learn(&limit, 10, 1, true);
    limit.least_ms = PARE_TIME_LIMIT_FIRST_MS;
    assert_int_equal(pare_time_limit_of_size(&limit, 10), PARE_TIME_LIMIT_FIRST_MS);
    assert_int_equal(pare_time_limit_ms(&limit), PARE_TIME_LIMIT_FIRST_MS);
    limit.least_ms = 0;
    assert_int_equal(pare_time_limit_of_size(&limit, 10), 1000);
    limit = (pare_time_limit){.fixed_ms = 7000, .least_ms = PARE_TIME_LIMIT_FIRST_MS};
    assert_int_equal(pare_time_limit_of_size(&limit, 10), 7000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_limit__it_is_generous_before_anything_is_known),
        cmocka_unit_test(test_time_limit__it_is_ten_times_the_slowest_of_the_first_five),
        cmocka_unit_test(test_time_limit__a_later_test_raises_it_if_it_failed),
        cmocka_unit_test(test_time_limit__it_falls_where_many_hang_and_many_fail),
        cmocka_unit_test(test_time_limit__what_passes_long_after_all_that_fail_has_hung),
        cmocka_unit_test(test_time_limit__a_fixed_one_stays),
        cmocka_unit_test(test_time_limit__small_candidates_that_pass_prove_nothing),
        cmocka_unit_test(test_time_limit__it_goes_by_failing_candidates_of_like_size),
        cmocka_unit_test(
            test_time_limit__of_a_size_it_is_at_least_a_second_and_at_most_that_of_all),
        cmocka_unit_test(test_time_limit__a_fixed_one_is_that_of_all_sizes),
        cmocka_unit_test(test_time_limit__who_is_to_be_known_has_the_first_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
