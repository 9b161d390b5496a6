/* The steps of the scanning algorithms: lithium, adaptive, sweep, bisect; of quickxplain and
 * group testing, which search. */
/* tests: src/reduce/list/lithium.c src/reduce/list/adaptive.c src/reduce/list/sweep.c
 * src/reduce/list/bisect.c src/reduce/list/quickxplain.c src/reduce/list/group_testing.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "reduce/list/algorithms.h"
#include "unit/support/list_steps.h"

static void test_lithium__halves_and_moves_one_unit_at_small_chunks(void **state)
{
    (void)state;
    list_assert_steps(&pare_list_lithium, 8, NULL, "",
                      "4-8 0-4 "
                      "6-8 5-7 4-6 3-5 2-4 1-3 0-2 0-1 "
                      "7-8 6-7 5-6 4-5 3-4 2-3 1-2 0-1");
}

static void test_lithium__begins_with_the_power_of_two_below_n(void **state)
{
    (void)state;
    list_assert_steps(&pare_list_lithium, 9, NULL, "+", "1-9+");
    list_assert_steps(&pare_list_lithium, 5, NULL, "+", "1-5+");
    list_assert_steps(&pare_list_lithium, 2, NULL, "", "1-2 0-1");
}

static void test_lithium__repeats_single_units_while_one_goes(void **state)
{
    (void)state;
    list_assert_steps(&pare_list_lithium, 3, NULL,
                      "---"
                      "--+"
                      "",
                      "1-3 0-2 0-1 "
                      "2-3 1-2 0-1+ "
                      "1-2 0-1");
}

static void test_lithium__skips_chunks_that_leave_nothing(void **state)
{
    (void)state;
    list_assert_steps(&pare_list_lithium, 4, NULL, "+", "2-4+ 1-2 0-1");
}

static void test_adaptive__grows_a_run_then_halves_what_is_between(void **state)
{
    (void)state;
    /* 17 of 20 units can go together: 1 2 3 4 5 10, not 20, 15, 17, not 18. */
    list_assert_steps(&pare_list_adaptive, 20, NULL, "++++++-++-",
                      "19-20+ 18-19+ 17-18+ 16-17+ 15-16+ 10-15+ 0-10 5-10+ 3-5+ 2-3 "
                      "1-2 0-1");
}

static void test_adaptive__a_first_look_is_one_pass(void **state)
{
    (void)state;
    list_assert_steps(&pare_list_adaptive, 3, NULL, "-+-", "2-3 1-2+ 0-1 1-2");
    list_assert_steps(&pare_list_adaptive_once, 3, NULL, "-+-", "2-3 1-2+ 0-1");
    list_assert_steps(&pare_list_adaptive_once, 3, NULL, "+++", "2-3+ 1-2+ 0-1+");
}

static void test_adaptive__needs_no_test_beyond_the_front(void **state)
{
    (void)state;
    list_assert_steps(&pare_list_adaptive, 3, NULL, "+++", "2-3+ 1-2+ 0-1+");
    list_assert_steps(&pare_list_adaptive, 7, NULL, "++++++", "6-7+ 5-6+ 4-5+ 3-4+ 2-3+ 0-2+");
}

static void test_adaptive__stops_when_each_unit_stayed_once_since_the_last_success(void **state)
{
    (void)state;
    /* Unit 1 goes in the first pass; 3 and 2 have to be tried again, 0 has not. */
    list_assert_steps(&pare_list_adaptive, 4, NULL, "--+", "3-4 2-3 1-2+ 0-1 2-3 1-2");
}

static void test_sweep__goes_backward_and_stops_after_one_round_of_misses(void **state)
{
    (void)state;
    list_assert_steps(&pare_list_sweep, 3, NULL, "", "2-3 1-2 0-1");
    list_assert_steps(&pare_list_sweep, 4, NULL, "-+", "3-4 2-3+ 1-2 0-1 2-3");
    list_assert_steps(&pare_list_sweep, 1, NULL, "+", "0-1+");
}

static void test_sweep__takes_more_at_once_after_four_successes(void **state)
{
    (void)state;
    /* Any 14 of 20 may go, as where a failure needs a number of them. */
    list_assert_steps(&pare_list_sweep, 20, NULL, "++++++--++",
                      "19-20+ 18-19+ 17-18+ 16-17+ 14-16+ 10-14+ 2-10 6-10 8-10+ 6-8+ "
                      "4-6 5-6 4-5 3-4 2-3 1-2 0-1");
}

static void test_quickxplain__searches_right_halves_first_and_sweeps(void **state)
{
    (void)state;
    list_assert_steps(&pare_list_quickxplain, 4, NULL, "",
                      "2-4 3-4 2-3 0-2 1-2 0-1 3-4 2-3 1-2 0-1");
    /* Nothing of the right half is needed: the left one is, without a test. */
    list_assert_steps(&pare_list_quickxplain, 4, NULL, "+", "2-4+ 1-2 0-1 1-2 0-1");
}

static void test_group_testing__searches_the_last_needed_unit_then_tries_what_is_likely(
    void **state)
{
    (void)state;
    list_assert_steps(&pare_list_group_testing, 4, NULL, "",
                      "0-4 2-4 3-4 0-3 2-3 1-2 0-1 3-4 2-3 1-2 0-1");
    /* All can go but one: the second half, and with it known, the first one. */
    list_assert_steps(&pare_list_group_testing, 8, NULL, "-+",
                      "0-8 4-8+ 2-4 3-4 0-3 2-3 1-2 0-1 3-4 2-3 1-2 0-1");
}

static void test_bisect__halves_while_one_half_can_go(void **state)
{
    (void)state;
    list_assert_steps(&pare_list_bisect, 8, NULL, "", "4-8 0-4");
    list_assert_steps(&pare_list_bisect, 8, NULL, "+-+", "4-8+ 2-4 0-2+ 1-2 0-1");
    list_assert_steps(&pare_list_bisect, 5, NULL, "++", "3-5+ 2-3+ 1-2 0-1");
    list_assert_steps(&pare_list_bisect, 1, NULL, "", "");
}

static void test_bisect_ends__trims_the_few_units_that_are_left_of_many(void **state)
{
    (void)state;
    list_assert_steps(&pare_list_bisect_ends, 8, NULL, "", "4-8 0-4");
    list_assert_steps(&pare_list_bisect_ends, 64, NULL, "++", "32-64+ 16-32+ 8-16 0-8");
    list_assert_steps(&pare_list_bisect_ends, 64, NULL, "+++",
                      "32-64+ 16-32+ 8-16+ 4-8 0-4 6-8 7-8 0-2 0-1 1-7");
    list_assert_steps(&pare_list_bisect_ends, 64, NULL, "+++--+-+++",
                      "32-64+ 16-32+ 8-16+ 4-8 0-4 6-8+ 5-6 0-2+ 0-1+ 1-2+");
    list_assert_steps(&pare_list_bisect_ends, 1, NULL, "", "");
}

/* --- adaptive against its source ---------------------------------------------------- */

enum { UNITS = 10 };

struct table {
    bool fails[1 << UNITS];
};

static bool looks_up(const void *context, const uint32_t *kept, size_t n)
{
    const struct table *table = context;
    uint32_t mask = 0;
    for (size_t i = 0; i < n; i++)
        mask |= UINT32_C(1) << kept[i];
    return table->fails[mask];
}

/* `current` without the k units that end before number `at`. */
static uint32_t without(uint32_t current, size_t at, size_t k)
{
    size_t number = 0;
    for (uint32_t bit = 1; bit < 1 << UNITS; bit <<= 1) {
        if (!(current & bit)) continue;
        if (number >= at - k && number < at) current &= ~bit;
        number++;
    }
    return current;
}

static bool can_go(const struct table *table, uint32_t current, size_t at, size_t k)
{
    return k <= at && table->fails[without(current, at, k)];
}

static size_t find_integer(const struct table *table, uint32_t current, size_t at)
{
    for (size_t k = 1; k <= 4; k++)
        if (!can_go(table, current, at, k)) return k - 1;
    size_t low = 4, high = 5;
    while (can_go(table, current, at, high)) {
        low = high;
        high *= 2;
    }
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (can_go(table, current, at, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whole passes until one removes nothing. */
static uint32_t adapt_scan(const struct table *table, uint32_t current)
{
    for (bool changed = true; changed;) {
        changed = false;
        size_t at = (size_t)__builtin_popcount(current);
        while (at) {
            size_t k = find_integer(table, current, at);
            current = without(current, at, k);
            changed = changed || k;
            at -= k ? k : 1;
        }
    }
    return current;
}

static void test_adaptive__equals_the_reference_scan_on_any_table(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 6);
    for (size_t i = 0; i < 500; i++) {
        static struct table table;
        for (size_t mask = 0; mask < 1 << UNITS; mask++)
            table.fails[mask] = pare_random_below(&random, 3) < 1 + i % 2;
        struct list_task task = {
            .algorithm = &pare_list_adaptive, .n = UNITS, .predicate = looks_up, .context = &table};
        struct list_run run;
        list_reduce(&task, &run);
        uint32_t left = 0;
        for (size_t j = 0; j < run.n_kept; j++)
            left |= UINT32_C(1) << run.kept[j];
        assert_int_equal(left, adapt_scan(&table, (1 << UNITS) - 1));
        list_run_done(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lithium__halves_and_moves_one_unit_at_small_chunks),
        cmocka_unit_test(test_lithium__begins_with_the_power_of_two_below_n),
        cmocka_unit_test(test_lithium__repeats_single_units_while_one_goes),
        cmocka_unit_test(test_lithium__skips_chunks_that_leave_nothing),
        cmocka_unit_test(test_adaptive__grows_a_run_then_halves_what_is_between),
        cmocka_unit_test(test_adaptive__a_first_look_is_one_pass),
        cmocka_unit_test(test_adaptive__needs_no_test_beyond_the_front),
        cmocka_unit_test(test_adaptive__stops_when_each_unit_stayed_once_since_the_last_success),
        cmocka_unit_test(test_adaptive__equals_the_reference_scan_on_any_table),
        cmocka_unit_test(test_sweep__goes_backward_and_stops_after_one_round_of_misses),
        cmocka_unit_test(test_sweep__takes_more_at_once_after_four_successes),
        cmocka_unit_test(test_bisect__halves_while_one_half_can_go),
        cmocka_unit_test(test_bisect_ends__trims_the_few_units_that_are_left_of_many),
        cmocka_unit_test(test_quickxplain__searches_right_halves_first_and_sweeps),
        cmocka_unit_test(
            test_group_testing__searches_the_last_needed_unit_then_tries_what_is_likely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
