/* Sets of numbers under construction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "grammar/intervals.h"
#include "unit/alloc_sweep.h"

enum { LAST = 63 };

static void add(pare_intervals *set, uint32_t from, uint32_t to)
{
    assert_int_equal(pare_intervals_add(set, from, to, NULL), PARE_OK);
}

static void assert_intervals(const pare_intervals *set, const pare_interval *expected, size_t n)
{
    assert_true(pare_intervals_check(set));
    assert_int_equal(set->n, n);
    if (n) assert_memory_equal(set->items, expected, n * sizeof *expected);
}

static void test_intervals__what_overlaps_or_touches_is_joined(void **state)
{
    (void)state;
    pare_intervals set = {0};
    add(&set, 10, 12);
    add(&set, 1, 2);
    add(&set, 3, 4);   /* touches */
    add(&set, 11, 20); /* overlaps */
    add(&set, 9, 8);   /* nothing */
    pare_intervals_normalise(&set);
    assert_intervals(&set, (const pare_interval[]){{1, 4}, {10, 20}}, 2);
    pare_intervals_done(&set);
}

static void test_intervals__the_largest_number_has_no_successor(void **state)
{
    (void)state;
    pare_intervals set = {0};
    add(&set, 5, UINT32_MAX);
    add(&set, 7, 9);
    pare_intervals_normalise(&set);
    assert_intervals(&set, (const pare_interval[]){{5, UINT32_MAX}}, 1);
    pare_intervals_done(&set);
}

static void test_intervals__a_complement_keeps_within_its_limits(void **state)
{
    (void)state;
    pare_intervals set = {0};
    add(&set, 3, 5);
    add(&set, 9, 30);
    assert_int_equal(pare_intervals_complement(&set, 1, 20, NULL), PARE_OK);
    assert_intervals(&set, (const pare_interval[]){{1, 2}, {6, 8}}, 2);
    assert_int_equal(pare_intervals_complement(&set, 1, 8, NULL), PARE_OK);
    assert_intervals(&set, (const pare_interval[]){{3, 5}}, 1);
    pare_intervals_done(&set);
    assert_int_equal(pare_intervals_complement(&set, 0, LAST, NULL), PARE_OK);
    assert_intervals(&set, (const pare_interval[]){{0, LAST}}, 1);
    pare_intervals_done(&set);
}

/* A set against its bits. */
static void test_intervals__complements_of_random_sets_are_all_the_others(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 1);
    for (size_t round = 0; round < 1000; round++) {
        pare_intervals set = {0};
        uint64_t bits = 0;
        for (size_t n = pare_random_below(&random, 8); n > 0; n--) {
            uint32_t from = (uint32_t)pare_random_below(&random, LAST + 1);
            uint32_t to = from + (uint32_t)pare_random_below(&random, LAST + 1 - from);
            add(&set, from, to);
            for (uint32_t i = from; i <= to; i++)
                bits |= (uint64_t)1 << i;
        }
        assert_int_equal(pare_intervals_complement(&set, 0, LAST, NULL), PARE_OK);
        assert_true(pare_intervals_check(&set));
        for (size_t i = 0; i < set.n; i++)
            for (uint32_t k = set.items[i].from; k <= set.items[i].to; k++) {
                assert_false(bits >> k & 1);
                bits |= (uint64_t)1 << k;
            }
        assert_true(bits == UINT64_MAX);
        pare_intervals_done(&set);
    }
}

static void test_intervals__a_check_notices_what_is_not_normalised(void **state)
{
    (void)state;
    static const pare_interval wrong[][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {1, 2}}, {{2, 1}, {5, 6}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pare_interval items[2];
        memcpy(items, wrong[i], sizeof items);
        pare_intervals set = {.items = items, .n = 2, .capacity = 2};
        assert_false(pare_intervals_check(&set));
    }
}

static pare_status complement_once(void *context)
{
    (void)context;
    pare_intervals set = {0};
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < 100 && !status; i++)
        status = pare_intervals_add(&set, 3 * i, 3 * i + 1, NULL);
    if (!status) status = pare_intervals_complement(&set, 0, 1000, NULL);
    pare_intervals_done(&set);
    return status;
}

static void test_intervals__a_set_has_the_ends_of_its_intervals_and_what_is_between(void **state)
{
    static const pare_interval all[] = {{1, 2}, {4, 6}, {9, 9}, {11, 12}};
    const pare_set set = {.first = 1, .n = 2};
    (void)state;
    for (uint32_t value = 0; value <= 13; value++)
        assert_int_equal(pare_intervals_have(all, set, value),
                         (value >= 4 && value <= 6) || value == 9);
    assert_false(pare_intervals_have(NULL, (pare_set){0}, 0));
}

static void test_intervals__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(complement_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals__what_overlaps_or_touches_is_joined),
        cmocka_unit_test(test_intervals__the_largest_number_has_no_successor),
        cmocka_unit_test(test_intervals__a_complement_keeps_within_its_limits),
        cmocka_unit_test(test_intervals__complements_of_random_sets_are_all_the_others),
        cmocka_unit_test(test_intervals__a_check_notices_what_is_not_normalised),
        cmocka_unit_test(test_intervals__a_set_has_the_ends_of_its_intervals_and_what_is_between),
        cmocka_unit_test(test_intervals__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
