/* Stop requests: told to those who look and to those who wait. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "os/descriptor.h"
#include "os/stop.h"
#include "unit/alloc_sweep.h"

static void test_stop__a_request_is_seen_and_wakes_for_ever(void **state)
{
    (void)state;
    pare_stop *stop = NULL;
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    assert_false(pare_stop_requested(stop));
    assert_false(pare_descriptor_await(pare_stop_fd(stop), 0));
    errno = EAGAIN;
    pare_stop_request(stop);
    pare_stop_request(stop);
    assert_int_equal(errno, EAGAIN); /* as a signal handler must leave it */
    assert_true(pare_stop_requested(stop));
    for (int k = 0; k < 2; k++)
        assert_true(pare_descriptor_await(pare_stop_fd(stop), 60000));
    pare_stop_free(stop);
}

static void test_stop__none_is_never_requested(void **state)
{
    (void)state;
    assert_false(pare_stop_requested(NULL));
    assert_int_equal(pare_stop_fd(NULL), -1);
    pare_stop_free(NULL);
}

static void test_stop__pauses_end_and_skipped_phases_are_counted(void **state)
{
    (void)state;
    pare_stop *stop = NULL;
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    assert_false(pare_stop_is_paused(stop) || pare_stop_is_paused(NULL));
    pare_stop_pause(stop, PARE_PAUSE);
    assert_true(pare_stop_is_paused(stop));
    pare_stop_pause(stop, PARE_GO_ON);
    assert_false(pare_stop_is_paused(stop));
    pare_stop_skip_phase(stop);
    pare_stop_skip_phase(stop);
    assert_int_equal(pare_stop_phases_skipped(stop), 2);
    assert_int_equal(pare_stop_phases_skipped(NULL), 0);
    pare_stop_want_output(stop);
    assert_int_equal(pare_stop_outputs_wanted(stop), 1);
    assert_int_equal(pare_stop_outputs_wanted(NULL), 0);
    assert_false(pare_stop_requested(stop)); /* none of them is a stop */
    pare_stop_free(stop);
}

static pare_status make(void *context)
{
    pare_stop *stop = NULL;
    (void)context;
    pare_status status = pare_stop_new(&stop, NULL);
    if (status) assert_null(stop);
    pare_stop_free(stop);
    return status;
}

static void test_stop__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(make, NULL);
}

static void test_stop__a_run_that_begins_again_elsewhere_is_stopped_by_no_earlier_request(
    void **state)
{
    (void)state;
    pare_stop *stop = NULL;
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    assert_int_equal(pare_stop_take_step(NULL), 0);
    assert_int_equal(pare_stop_take_step(stop), 0);
    pare_stop_skip_phase(stop);
    pare_stop_go_from(stop, 3);
    pare_stop_go_from(stop, UINT64_MAX);
    assert_true(pare_stop_requested(stop));
    assert_true(pare_descriptor_await(pare_stop_fd(stop), 60000));
    assert_int_equal(pare_stop_take_step(stop), UINT64_MAX);
    assert_false(pare_stop_requested(stop));
    assert_false(pare_descriptor_await(pare_stop_fd(stop), 0));
    assert_int_equal(pare_stop_phases_skipped(stop), 0);
    assert_int_equal(pare_stop_take_step(stop), 0);
    /* Whoever wants the end gets it, whatever was asked for before or after. */
    pare_stop_go_from(stop, 1);
    pare_stop_request(stop);
    assert_int_equal(pare_stop_take_step(stop), 0);
    pare_stop_go_from(stop, 1);
    assert_int_equal(pare_stop_take_step(stop), 0);
    assert_true(pare_stop_requested(stop));
    pare_stop_free(stop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop__a_request_is_seen_and_wakes_for_ever),
        cmocka_unit_test(test_stop__pauses_end_and_skipped_phases_are_counted),
        cmocka_unit_test(
            test_stop__a_run_that_begins_again_elsewhere_is_stopped_by_no_earlier_request),
        cmocka_unit_test(test_stop__none_is_never_requested),
        cmocka_unit_test(test_stop__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
