/* The random source: known values, bounds, and permutations that are bijections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"

enum { LARGEST = 5000 };

static void test_random__the_sequence_is_that_of_its_source(void **state)
{
    (void)state;
    /* SplitMix64 from seed 1234567: values published with the algorithm. */
    static const uint64_t expected[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    pare_random random;
    pare_random_init(&random, 1234567);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        assert_int_equal(pare_random_next(&random), expected[k]);
}

static void test_random__below_stays_below_and_reaches_every_value(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 5);
    for (uint64_t bound = 1; bound <= 40; bound++) {
        unsigned seen[40] = {0};
        for (int k = 0; k < 4000; k++) {
            uint64_t value = pare_random_below(&random, bound);
            assert_true(value < bound);
            seen[value]++;
        }
        for (uint64_t value = 0; value < bound; value++)
            assert_in_range(seen[value], 4000 / bound / 2, 2 * (4000 / bound));
    }
    uint64_t huge = UINT64_C(3) << 62;
    for (int k = 0; k < 1000; k++)
        assert_true(pare_random_below(&random, huge) < huge);
}

/* Whether the permutation of 0 .. n-1 named by `seed` takes each value once. */
static bool is_bijection(uint64_t seed, uint64_t n)
{
    static bool taken[LARGEST];
    memset(taken, 0, sizeof taken);
    for (uint64_t k = 0; k < n; k++) {
        uint64_t image = pare_random_permute(seed, n, k);
        if (image >= n || taken[image]) return false;
        taken[image] = true;
    }
    return true;
}

static void test_random__a_permutation_is_a_bijection(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 300; n++)
        for (uint64_t seed = 0; seed < 4; seed++)
            assert_true(is_bijection(seed, n));
    static const uint64_t around_powers[] = {1023, 1024, 1025, 4095, 4096, 4097, LARGEST};
    for (size_t k = 0; k < sizeof around_powers / sizeof *around_powers; k++)
        assert_true(is_bijection(UINT64_MAX, around_powers[k]));
}

static void test_random__a_permutation_of_the_largest_size_stays_inside(void **state)
{
    (void)state;
    uint64_t n = UINT64_C(1) << 32;
    for (uint64_t k = 0; k < 1000; k++) {
        assert_true(pare_random_permute(9, n, n - 1 - k) < n);
        assert_true(pare_random_permute(9, n / 2 + 1, k) <= n / 2);
    }
}

static void test_random__seeds_name_different_permutations(void **state)
{
    (void)state;
    size_t equal = 0;
    for (uint64_t k = 0; k < 1000; k++)
        equal += pare_random_permute(1, 1000, k) == pare_random_permute(2, 1000, k);
    assert_true(equal < 20);
    for (uint64_t k = 0; k < 1000; k++)
        assert_int_equal(pare_random_permute(1, 1000, k), pare_random_permute(1, 1000, k));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random__the_sequence_is_that_of_its_source),
        cmocka_unit_test(test_random__below_stays_below_and_reaches_every_value),
        cmocka_unit_test(test_random__a_permutation_is_a_bijection),
        cmocka_unit_test(test_random__a_permutation_of_the_largest_size_stays_inside),
        cmocka_unit_test(test_random__seeds_name_different_permutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
