/* Repeats: the same as by comparing all substrings, and what the pass over them offers. */
/* tests: src/reduce/passes/pass_repeats.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "reduce/passes/repeats.h"
#include "unit/alloc_sweep.h"
#include "unit/support/pass_driver.h"

enum { LONGEST = 40 };

/* Where the substring of `size` bytes at `at` stands, overlaps left out; how often. */
static uint32_t places_of(const char *text, uint32_t n, uint32_t at, uint32_t size,
                          uint32_t places[LONGEST])
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i + size <= n; i++)
        if (memcmp(text + i, text + at, size) == 0 && (!kept || i >= places[kept - 1] + size))
            places[kept++] = i;
    return kept;
}

/* Whether two occurrences, overlapping or not, differ in what stands before them, and two in what
 * stands after. */
static bool is_maximal(const char *text, uint32_t n, uint32_t at, uint32_t size)
{
    bool before = false, after = false;
    for (uint32_t i = 0; i + size <= n; i++) {
        if (memcmp(text + i, text + at, size) != 0) continue;
        before |= !i != !at || (i && text[i - 1] != text[at - 1]);
        bool ends = i + size == n, own_ends = at + size == n;
        after |= ends != own_ends || (!ends && text[i + size] != text[at + size]);
    }
    return before && after;
}

/* How many maximal repeats of `least` bytes and more there are, by comparing everything; each must
 * be in `found`, with its places. */
static size_t count_repeats(const char *text, uint32_t n, uint32_t least, const pare_repeats *found)
{
    size_t count = 0;
    for (uint32_t size = least; size < n; size++)
        for (uint32_t at = 0; at + size <= n; at++) {
            uint32_t places[LONGEST];
            uint32_t n_places = places_of(text, n, at, size, places);
            if (n_places < 2 || places[0] != at || !is_maximal(text, n, at, size)) continue;
            count++;
            bool listed = false;
            for (size_t i = 0; i < found->n && !listed; i++) {
                const pare_repeat *repeat = &found->at[i];
                listed =
                    repeat->size == size && repeat->n_places == n_places &&
                    memcmp(found->places + repeat->first, places, n_places * sizeof *places) == 0;
            }
            assert_true(listed);
        }
    return count;
}

static void test_repeats__all_maximal_ones_are_found(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 5);
    for (size_t round = 0; round < 600; round++) {
        char text[LONGEST];
        uint32_t n = (uint32_t)pare_random_below(&random, LONGEST);
        uint32_t least = 1 + (uint32_t)pare_random_below(&random, 3);
        uint64_t letters = 1 + pare_random_below(&random, 3);
        for (uint32_t i = 0; i < n; i++)
            text[i] = (char)('a' + pare_random_below(&random, letters));
        pare_repeats found = {0};
        assert_int_equal(
            pare_repeats_find((const unsigned char *)text, n, least, SIZE_MAX, &found, NULL),
            PARE_OK);
        assert_int_equal(count_repeats(text, n, least, &found), found.n);
        pare_repeats_done(&found);
    }
}

static void test_repeats__the_most_bytes_come_first_and_the_rest_is_left_out(void **state)
{
    (void)state;
    static const char text[] = "abcabcabc;xyxyyyxy;xy";
    pare_repeats found = {0};
    assert_int_equal(
        pare_repeats_find((const unsigned char *)text, sizeof text - 1, 2, 1, &found, NULL),
        PARE_OK);
    assert_int_equal(found.n, 1);
    assert_int_equal(found.at[0].size, 3);
    assert_int_equal(found.at[0].n_places, 3);
    pare_repeats_done(&found);
}

static pare_status find_once(void *context)
{
    pare_repeats found = {0};
    pare_status status = pare_repeats_find(context, 9, 1, 9, &found, NULL);
    if (status) assert_null(found.at);
    pare_repeats_done(&found);
    return status;
}

static void test_repeats__out_of_memory_is_told(void **state)
{
    (void)state;
    unsigned char text[] = "abcabcaab";
    sweep_allocations(find_once, text);
}

static void test_repeats__what_stands_twice_changes_in_both_places(void **state)
{
    (void)state;
    assert_offers("repeats", "x1.0y 1.0z",
                  "xy z\n"
                  ">x0y 0z\n"
                  ">xay az\n"
                  ">x.0y .0z\n"
                  ">x1y 1z\n"
                  ">>x10y 10z\n"
                  ">>x1.y 1.z\n");
    assert_offers("repeats", "abcde", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeats__all_maximal_ones_are_found),
        cmocka_unit_test(test_repeats__the_most_bytes_come_first_and_the_rest_is_left_out),
        cmocka_unit_test(test_repeats__out_of_memory_is_told),
        cmocka_unit_test(test_repeats__what_stands_twice_changes_in_both_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
