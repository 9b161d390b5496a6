/* Statistics: sums, minutes that become hours, the curve, positions; and the corpus' table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/statistic.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

static void add_tests(pare_store *store, const char *source, uint64_t tests)
{
    const pare_statistic_delta delta = {.source = source,
                                        .target = "jq",
                                        .config = 1,
                                        .tests = tests,
                                        .failures = 1,
                                        .edges = 2,
                                        .testing_s = 0.5,
                                        .making_s = 0.25};
    assert_int_equal(pare_statistic_add(store, &delta, NULL), PARE_OK);
}

static pare_status keep_first(void *context, const pare_store_statistics *row, pare_error *err)
{
    (void)err;
    pare_store_statistics *kept = context;
    if (!kept->tests) *kept = *row;
    return PARE_OK;
}

static void test_statistic__each_source_has_its_sums(void **state)
{
    (void)state;
    pare_store *store = new_store("sums.db");
    add_tests(store, "grammar", 10);
    add_tests(store, "grammar", 5);
    add_tests(store, "random", 7);
    add_simple(store, "x", "abc");
    pare_store_statistics row = {0};
    assert_int_equal(pare_store_statistics_each(store, keep_first, &row, NULL), PARE_OK);
    assert_int_equal(row.tests, 15);
    assert_int_equal(row.failures, 2);
    assert_int_equal(row.edges, 4);
    assert_int_equal(row.unique_now, 1);
    assert_true(row.testing_s > 0.99 && row.testing_s < 1.01);
    assert_true(row.first < row.last && row.tests_per_s > 0);
    assert_int_equal(number_of(store, "SELECT count(*) FROM stream"), 2);
    pare_store_close(store);
}

static void test_statistic__old_minutes_become_hours_and_the_sums_stay(void **state)
{
    (void)state;
    pare_store *store = new_store("hours.db");
    add_tests(store, "grammar", 1);
    const int64_t now = pare_store_now(), old = now - 3 * 86400000ll;
    const int64_t start = old - old % 3600000;
    for (int64_t i = 0; i < 600; i++)
        assert_int_equal(pare_store_run(store,
                                        "INSERT INTO statistic VALUES(1, ?1, 60000, 10, 1, 0, 0,"
                                        " 1, 1)",
                                        NULL, "i", start + i * 60000),
                         PARE_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pare_statistic_compact(store, NULL), PARE_OK);
        assert_int_equal(number_of(store, "SELECT count(*) FROM statistic"), 11);
        assert_int_equal(number_of(store, "SELECT sum(tests) FROM statistic"), 6001);
    }
    pare_store_point points[24];
    size_t n = 0;
    assert_int_equal(pare_store_curve(store, "jq", 24, points, &n, NULL), PARE_OK);
    assert_int_equal(n, 24);
    assert_int_equal(points[23].tests, 6001);
    for (size_t i = 1; i < n; i++)
        assert_true(points[i].tests >= points[i - 1].tests && points[i].time > points[i - 1].time);
    assert_true(points[22].tests < 6001 && points[0].tests >= 600);
    assert_int_equal(pare_store_curve(store, "", 24, points, &n, NULL), PARE_OK);
    assert_int_equal(points[23].tests, 6001);
    assert_int_equal(pare_store_curve(store, "other", 24, points, &n, NULL), PARE_OK);
    assert_int_equal(n, 0);
    pare_store_close(store);
}

static void test_statistic__a_short_curve_has_a_point_a_minute(void **state)
{
    (void)state;
    pare_store *store = new_store("short.db");
    pare_store_point points[100];
    size_t n = 7;
    assert_int_equal(pare_store_curve(store, "", 100, points, &n, NULL), PARE_OK);
    assert_int_equal(n, 0);
    add_tests(store, "grammar", 3);
    assert_int_equal(pare_store_curve(store, "", 100, points, &n, NULL), PARE_OK);
    assert_true(n == 1 && points[0].tests == 3);
    pare_store_close(store);
}

static void test_statistic__positions_are_of_a_source_target_and_configuration(void **state)
{
    (void)state;
    pare_store *store = new_store("positions.db");
    char *position = NULL;
    assert_int_equal(pare_statistic_get_position(store, "s", "t", 1, &position, NULL), PARE_OK);
    assert_string_equal(position, "");
    pare_alloc_free(position);
    assert_int_equal(pare_statistic_set_position(store, "s", "t", 1, "17 \xff", NULL), PARE_OK);
    assert_int_equal(pare_statistic_set_position(store, "s", "t", 2, "18", NULL), PARE_OK);
    assert_int_equal(pare_statistic_get_position(store, "s", "t", 1, &position, NULL), PARE_OK);
    assert_string_equal(position, "17 \xff");
    pare_alloc_free(position);
    pare_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statistic__each_source_has_its_sums),
        cmocka_unit_test(test_statistic__old_minutes_become_hours_and_the_sums_stay),
        cmocka_unit_test(test_statistic__a_short_curve_has_a_point_a_minute),
        cmocka_unit_test(test_statistic__positions_are_of_a_source_target_and_configuration),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
