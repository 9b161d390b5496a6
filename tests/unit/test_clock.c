/* Clocks: they go on, and sleeps end when they are to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "os/clock.h"

static void test_clock__sleeping_ends_at_the_time_and_not_before(void **state)
{
    (void)state;
    const uint64_t end_ns = pare_clock_ns() + 5000000;
    pare_clock_sleep_until(end_ns);
    assert_true(pare_clock_ns() >= end_ns);
    pare_clock_sleep_until(0); /* past: at once, or this test would not end */
}

static void test_clock__units_agree(void **state)
{
    (void)state;
    const uint64_t before_ms = pare_clock_ns() / 1000000, now_ms = pare_clock_ms();
    assert_in_range(now_ms, before_ms, pare_clock_ns() / 1000000);
    assert_in_range(pare_clock_unix_s(), time(NULL) - 1, time(NULL));
}

static void test_clock__work_costs_cpu_time(void **state)
{
    (void)state;
    const double process_s = pare_clock_cpu_s(), thread_s = pare_clock_thread_cpu_s();
    while (pare_clock_thread_cpu_s() < thread_s + 0.002)
        ;
    assert_true(pare_clock_cpu_s() > process_s);
    assert_true(pare_clock_peak_rss_bytes() > 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock__sleeping_ends_at_the_time_and_not_before),
        cmocka_unit_test(test_clock__units_agree),
        cmocka_unit_test(test_clock__work_costs_cpu_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
