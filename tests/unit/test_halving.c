/* Halving finds what going through all finds, in every range of a sorted array. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/halving.h"

static const int sorted[] = {1, 3, 3, 3, 4, 7, 9, 9, 12};
enum { N = sizeof sorted / sizeof *sorted };

static size_t first_at_least(size_t low, size_t high, int key)
{
    pare_halving search = {.low = low, .high = high};
    while (pare_halving_next(&search)) {
        assert_in_range(search.middle, low, high - 1);
        pare_halving_tell(&search, sorted[search.middle] < key);
    }
    return search.low;
}

static void test_halving__finds_the_first_of_every_range(void **state)
{
    (void)state;
    for (size_t low = 0; low <= N; low++)
        for (size_t high = low; high <= N; high++)
            for (int key = 0; key < 14; key++) {
                size_t expected = low;
                while (expected < high && sorted[expected] < key)
                    expected++;
                assert_int_equal(first_at_least(low, high, key), expected);
            }
}

static void test_halving__takes_the_last_at_or_before_from_one_on(void **state)
{
    (void)state;
    for (size_t n = 0; n <= N; n++)
        for (int key = 0; key < 14; key++) {
            size_t expected = 0;
            for (size_t i = 0; i < n; i++)
                if (sorted[i] <= key) expected = i;
            pare_halving search = {.low = 1, .high = n};
            while (pare_halving_next(&search))
                pare_halving_tell(&search, sorted[search.middle] <= key);
            assert_int_equal(search.low - 1, expected);
        }
}

static void test_halving__asks_at_most_once_for_each_bit_of_the_size(void **state)
{
    (void)state;
    size_t questions = 0;
    pare_halving search = {.low = 0, .high = SIZE_MAX};
    while (pare_halving_next(&search)) {
        questions++;
        pare_halving_tell(&search, search.middle < SIZE_MAX - 5);
    }
    assert_int_equal(search.low, SIZE_MAX - 5);
    assert_in_range(questions, 1, sizeof(size_t) * 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halving__finds_the_first_of_every_range),
        cmocka_unit_test(test_halving__takes_the_last_at_or_before_from_one_on),
        cmocka_unit_test(test_halving__asks_at_most_once_for_each_bit_of_the_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
