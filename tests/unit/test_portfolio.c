/* A portfolio: several ways side by side, of which the smallest text is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "alloc_sweep.h"

static const char INPUT[] = "{\"a\": [1, 2, 3], \"b\": {\"c\": \"needle\", \"d\": null},\n"
                            " \"e\": [[], [true, false], {\"f\": 0}]}\n";

static pare_outcome has_needle(void *context, const void *bytes, size_t size)
{
    (void)context;
    return memmem(bytes, size, "needle", 6) ? PARE_FAIL : PARE_PASS;
}

/* The last notice that tells of members. */
static void watch(void *context, const pare_event *event)
{
    char *told = context;
    if (event->kind == PARE_EVENT_NOTICE && strstr(event->notice, "bytes "))
        (void)snprintf(told, 256, "%s", event->notice);
}

static pare_status reduce(const char *algorithm, unsigned jobs, char told[256], pare_result *result)
{
    const pare_reduce_options options = {.input.bytes = INPUT,
                                         .input.size_bytes = sizeof INPUT - 1,
                                         .test.predicate = has_needle,
                                         .trees.language = "none",
                                         .limits.jobs = jobs,
                                         .algorithms = algorithm,
                                         .events.watcher = watch,
                                         .events.context = told};
    told[0] = '\0';
    return pare_reduce(&options, result, NULL);
}

static void test_portfolio__its_result_is_no_larger_than_that_of_bytes_alone(void **state)
{
    (void)state;
    char told[256];
    pare_result all = {0};
    assert_int_equal(reduce("portfolio", 1, told, &all), PARE_OK);
    assert_int_equal(all.size_bytes, 6);
    assert_memory_equal(all.bytes, "needle", 6);
    assert_int_equal(all.stats.minimal, PARE_MINIMAL_NONE); /* it claims nothing */
    pare_result_done(&all);
}

static void test_portfolio__says_what_each_member_came_to(void **state)
{
    (void)state;
    char told[256];
    pare_result result = {0};
    assert_int_equal(reduce("portfolio", 1, told, &result), PARE_OK);
    assert_non_null(strstr(told, "bytes 6"));
    assert_non_null(strstr(told, "tree "));
    assert_null(strstr(told, "choices")); /* no generator reads the input */
    pare_result_done(&result);
}

static void test_portfolio__steps_are_the_same_at_every_number_of_jobs(void **state)
{
    (void)state;
    char one_told[256], four_told[256];
    pare_result one = {0}, four = {0};
    assert_int_equal(reduce("portfolio", 1, one_told, &one), PARE_OK);
    assert_int_equal(reduce("portfolio", 4, four_told, &four), PARE_OK);
    assert_string_equal(one_told, four_told);
    assert_int_equal(one.stats.n_curve, four.stats.n_curve);
    for (size_t k = 0; k < one.stats.n_curve; k++) {
        assert_int_equal(one.stats.curve[k].tests, four.stats.curve[k].tests);
        assert_int_equal(one.stats.curve[k].bytes, four.stats.curve[k].bytes);
    }
    pare_result_done(&one);
    pare_result_done(&four);
}

static pare_status reduce_once(void *context)
{
    char told[256];
    pare_result result = {0};
    (void)context;
    pare_status status = reduce("portfolio", 1, told, &result);
    pare_result_done(&result);
    return status;
}

static void test_portfolio__survives_each_allocation_failing(void **state)
{
    (void)state;
    sweep_allocations(reduce_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_portfolio__its_result_is_no_larger_than_that_of_bytes_alone),
        cmocka_unit_test(test_portfolio__says_what_each_member_came_to),
        cmocka_unit_test(test_portfolio__steps_are_the_same_at_every_number_of_jobs),
        cmocka_unit_test(test_portfolio__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
