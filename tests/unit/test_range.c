/* Ends of ranges against what is known: every small range, the ends of types, holes, draws. */
/* tests: src/explain/range.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explain/range.h"
#include "explain/sampler.h"

/* What fails: from low to high, but the hole. */
struct failing {
    uint64_t low, high, hole;
};

enum { NO_HOLE = 999999 };

static bool fails(const struct failing *failing, uint64_t size)
{
    return failing->low <= size && size <= failing->high && size != failing->hole;
}

/* Answers until the search ends; *tests counts. */
static pare_range_state search(pare_range *range, const struct failing *failing, unsigned *tests)
{
    pare_range_state state = PARE_RANGE_ASKS;
    for (*tests = 0; state == PARE_RANGE_ASKS; ++*tests) {
        assert_true(*tests < 200);
        state = pare_range_tell(range, fails(failing, pare_range_asked(range)));
    }
    return state;
}

static pare_range_state find(uint64_t value, struct failing failing, pare_range *range)
{
    unsigned tests;
    pare_range_start(range, PARE_PART_WHOLE, value);
    return search(range, &failing, &tests);
}

static void test_range__finds_the_ends_of_every_small_range(void **state)
{
    pare_range range;
    (void)state;
    for (uint64_t low = 0; low < 12; low++)
        for (uint64_t high = low; high < 24; high++)
            for (uint64_t value = low; value <= high; value++) {
                const struct failing failing = {low, high, NO_HOLE};
                const pare_range_state found = find(value, failing, &range);
                assert_int_equal(found, low == high ? PARE_RANGE_NONE : PARE_RANGE_FOUND);
                if (found == PARE_RANGE_NONE) continue;
                assert_int_equal(range.has_low, low > 0);
                assert_int_equal(pare_range_lowest(&range), low);
                assert_true(range.has_high);
                assert_int_equal(pare_range_highest(&range), high);
            }
}

static void test_range__costs_few_tests_where_there_is_no_end(void **state)
{
    const struct failing all = {1, UINT64_MAX, NO_HOLE};
    pare_range range;
    unsigned tests;
    (void)state;
    pare_range_start(&range, PARE_PART_WHOLE, 1);
    assert_int_equal(search(&range, &all, &tests), PARE_RANGE_FOUND);
    assert_true(range.has_low && !range.has_high && range.low == 1);
    assert_true(tests <= 2 + 7 + 6);
    assert_int_equal(find(INT32_MAX, (struct failing){0, INT32_MAX, NO_HOLE}, &range),
                     PARE_RANGE_FOUND);
    assert_true(!range.has_low && range.high == INT32_MAX);
}

/* What is known to pass counts if it lies between the ends, and only then. */
static void test_range__minds_a_hole_that_is_known(void **state)
{
    const struct failing failing = {10, 1000, NO_HOLE};
    pare_range range;
    unsigned tests;
    (void)state;
    for (uint64_t hole = 5; hole < 1010; hole += 5) {
        pare_range_start(&range, PARE_PART_WHOLE, 501);
        pare_range_note_hole(&range, hole);
        const bool is_between = 10 <= hole && hole <= 1000;
        assert_int_equal(search(&range, &failing, &tests),
                         is_between ? PARE_RANGE_NONE : PARE_RANGE_FOUND);
    }
}

/* Looks at six sizes between 0 and 120: the holes that it meets are told, and of the others nothing. */
static void test_range__looks_for_holes_between_the_ends(void **state)
{
    pare_range range;
    unsigned n_met = 0;
    (void)state;
    for (uint64_t hole = 2; hole < 119; hole++) {
        const pare_range_state found = find(0, (struct failing){0, 120, hole}, &range);
        n_met += found == PARE_RANGE_NONE;
        if (found == PARE_RANGE_FOUND && hole < pare_range_highest(&range))
            assert_int_equal(range.high, 120);
    }
    assert_in_range(n_met, 4, 20);
}

static void test_range__confirms_each_size_of_a_short_range(void **state)
{
    const pare_range range = {.kind = PARE_PART_STRING,
                              .value = 12,
                              .has_low = true,
                              .low = 3,
                              .has_high = true,
                              .high = 3 + PARE_RANGE_MOST_CONFIRMING - 1};
    (void)state;
    assert_int_equal(pare_range_n_confirming(&range), PARE_RANGE_MOST_CONFIRMING);
    for (uint32_t k = 0; k < PARE_RANGE_MOST_CONFIRMING; k++)
        assert_int_equal(pare_range_confirming(&range, 5, k), 3 + k);
}

static void test_range__confirms_a_long_range_by_others_each_time(void **state)
{
    const pare_range range = {.kind = PARE_PART_WHOLE, .value = 12, .has_low = true, .low = 10};
    uint64_t drawn[PARE_RANGE_MOST_CONFIRMING];
    unsigned n_huge = 0;
    (void)state;
    assert_int_equal(pare_range_n_confirming(&range), PARE_RANGE_MOST_CONFIRMING);
    for (uint32_t k = 0; k < PARE_RANGE_MOST_CONFIRMING; k++) {
        drawn[k] = pare_range_confirming(&range, 0, k);
        assert_in_range(drawn[k], 10, PARE_SAMPLER_LARGEST);
        n_huge += drawn[k] > 1000000;
        for (uint32_t j = 0; j < k; j++)
            assert_int_not_equal(drawn[j], drawn[k]);
    }
    assert_in_range(n_huge, 10, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_range__finds_the_ends_of_every_small_range),
        cmocka_unit_test(test_range__costs_few_tests_where_there_is_no_end),
        cmocka_unit_test(test_range__minds_a_hole_that_is_known),
        cmocka_unit_test(test_range__looks_for_holes_between_the_ends),
        cmocka_unit_test(test_range__confirms_each_size_of_a_short_range),
        cmocka_unit_test(test_range__confirms_a_long_range_by_others_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
