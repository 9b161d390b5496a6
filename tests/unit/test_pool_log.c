/* The log of a pool's successes, against a list of all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "engine/pool_queue.h"
#include "unit/alloc_sweep.h"

enum { GAINS = 60, PLACES = 30 };

static void test_pool_log__answer_as_a_list_of_all_does(void **state)
{
    pare_random random;
    (void)state;
    pare_random_init(&random, 3);
    for (size_t round = 0; round < 20; round++) {
        pare_success_log gains = {.n = 0};
        uint32_t all[GAINS];
        assert_false(pare_pool_queue_log_any(&gains, 0, 0));
        for (uint32_t n = 0; n < GAINS; n++) {
            all[n] = (uint32_t)pare_random_below(&random, PLACES);
            assert_int_equal(pare_pool_queue_log_add(&gains, all[n], NULL), PARE_OK);
            assert_int_equal(gains.last, n + 1);
            uint32_t number = (uint32_t)pare_random_below(&random, n + 2);
            uint32_t place = (uint32_t)pare_random_below(&random, PLACES);
            bool any = false;
            for (uint32_t i = number; i <= n; i++)
                any = any || all[i] > place;
            assert_int_equal(pare_pool_queue_log_any(&gains, number, place), any);
        }
        pare_pool_queue_log_done(&gains);
    }
}

static void test_pool_log__keep_only_the_rearmost_since_each_moment(void **state)
{
    pare_success_log gains = {.n = 0};
    (void)state;
    for (uint32_t place = 0; place < 100; place++) /* each after all before it */
        assert_int_equal(pare_pool_queue_log_add(&gains, place, NULL), PARE_OK);
    assert_int_equal(gains.n, 1);
    assert_int_equal(gains.last, 100);
    pare_pool_queue_log_done(&gains);
    assert_int_equal(gains.last, 0);
}

static pare_status add_some(void *context)
{
    pare_success_log gains = {.n = 0};
    pare_status status = PARE_OK;
    (void)context;
    for (uint32_t place = 100; !status && place > 0; place--)
        status = pare_pool_queue_log_add(&gains, place, NULL);
    pare_pool_queue_log_done(&gains);
    return status;
}

static void test_pool_log__survive_each_allocation_failing(void **state)
{
    (void)state;
    sweep_allocations(add_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool_log__answer_as_a_list_of_all_does),
        cmocka_unit_test(test_pool_log__keep_only_the_rearmost_since_each_moment),
        cmocka_unit_test(test_pool_log__survive_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
