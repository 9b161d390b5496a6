/* The bandit: shares by weight, by what is earned and by what was earned lately. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "campaign/bandit.h"

enum { N = 3 };

/* Spends `n` units, one at a time; each earns what its arm's rate says.  Counts the units. */
static void spend(const pare_bandit *bandit, size_t n, const double *rates, size_t *counts)
{
    for (size_t i = 0; i < n; i++) {
        const size_t next = pare_bandit_next(bandit);
        assert_true(next < bandit->n && !bandit->arms[next].is_out);
        pare_bandit_spend(bandit, next, 1);
        pare_bandit_earn(bandit, next, rates[next]);
        counts[next]++;
    }
    assert_true(pare_bandit_check(bandit));
}

static void test_bandit__without_earnings_shares_are_the_weights(void **state)
{
    (void)state;
    pare_bandit_arm arms[N] = {{.weight = 1}, {.weight = 2}, {.weight = 5}};
    const pare_bandit bandit = {.arms = arms, .n = N, .half_life = 100, .trust = 10};
    const double rates[N] = {0};
    size_t counts[N] = {0};
    spend(&bandit, 800, rates, counts);
    assert_in_range(counts[0], 95, 105);
    assert_in_range(counts[1], 195, 205);
    assert_in_range(counts[2], 495, 505);
}

static void test_bandit__the_best_gets_most_and_nobody_starves(void **state)
{
    (void)state;
    pare_bandit_arm arms[N] = {{.weight = 1}, {.weight = 1}, {.weight = 1}};
    const pare_bandit bandit = {.arms = arms, .n = N, .half_life = 1000, .trust = 30};
    const double rates[N] = {0.01, 1, 0};
    size_t counts[N] = {0};
    spend(&bandit, 10000, rates, counts);
    assert_true(counts[1] > 7500);
    assert_true(counts[0] > 300 && counts[2] > 300);
}

static void test_bandit__equal_rates_are_equal_shares_whatever_they_are(void **state)
{
    (void)state;
    for (double rate = 0.001; rate < 2000; rate *= 10) {
        pare_bandit_arm arms[N] = {{.weight = 1}, {.weight = 1}, {.weight = 1}};
        const pare_bandit bandit = {.arms = arms, .n = N, .half_life = 500, .trust = 30};
        const double rates[N] = {rate, rate, rate};
        size_t counts[N] = {0};
        spend(&bandit, 3000, rates, counts);
        for (size_t i = 0; i < N; i++)
            assert_in_range(counts[i], 950, 1050);
    }
}

static void test_bandit__what_is_doubted_is_tried_later(void **state)
{
    (void)state;
    size_t first[2] = {0};
    for (size_t k = 0; k < 2; k++) {
        pare_bandit_arm arms[2] = {{.weight = 1}, {.weight = 1, .doubt = k ? 0.75 : 0}};
        const pare_bandit bandit = {.arms = arms, .n = 2, .half_life = 1000, .trust = 30};
        while (pare_bandit_next(&bandit) == 0) {
            pare_bandit_spend(&bandit, 0, 1);
            pare_bandit_earn(&bandit, 0, 1);
            first[k]++;
            arms[1].ahead = 5;
        }
    }
    assert_true(first[1] > 3 * first[0] && first[1] < 200);
}

static void test_bandit__shares_follow_rates_that_change(void **state)
{
    (void)state;
    pare_bandit_arm arms[N] = {{.weight = 1}, {.weight = 1}, {.weight = 1}};
    const pare_bandit bandit = {.arms = arms, .n = N, .half_life = 200, .trust = 20};
    const double first[N] = {5, 0.1, 0.1}, second[N] = {0, 0.1, 0};
    size_t counts[N] = {0}, later[N] = {0};
    spend(&bandit, 2000, first, counts);
    assert_true(counts[0] > 1400);
    /* The past has to fade to a fiftieth first. */
    spend(&bandit, 2000, second, counts);
    spend(&bandit, 1000, second, later);
    assert_true(later[1] > 700);
}

static void test_bandit__a_new_arm_is_tried_at_once_and_not_for_long(void **state)
{
    (void)state;
    pare_bandit_arm arms[N] = {{.weight = 1}, {.weight = 1, .is_out = true}, {.weight = 1}};
    const pare_bandit bandit = {.arms = arms, .n = N, .half_life = 1000, .trust = 30};
    const double rates[N] = {1, 0, 1};
    size_t counts[N] = {0}, with[N] = {0};
    spend(&bandit, 5000, rates, counts);
    assert_int_equal(counts[1], 0);
    arms[1].is_out = false;
    assert_int_equal(pare_bandit_next(&bandit), 1);
    spend(&bandit, 1000, rates, with);
    assert_in_range(with[1], 30, 250);
}

static void test_bandit__what_is_under_way_counts(void **state)
{
    (void)state;
    pare_bandit_arm arms[2] = {{.weight = 1}, {.weight = 1}};
    const pare_bandit bandit = {.arms = arms, .n = 2, .half_life = 100, .trust = 10};
    assert_int_equal(pare_bandit_next(&bandit), 0);
    arms[0].ahead = 10;
    assert_int_equal(pare_bandit_next(&bandit), 1);
    arms[1].is_out = true;
    assert_int_equal(pare_bandit_next(&bandit), 0);
    arms[0].is_out = true;
    assert_true(pare_bandit_next(&bandit) == SIZE_MAX);
}

/* Any calls: numbers stay in range, and the same calls give the same choices. */
static void test_bandit__any_calls_keep_the_invariant_and_are_repeated(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 5);
    for (size_t round = 0; round < 200; round++) {
        pare_bandit_arm arms[2][N] = {0};
        const pare_bandit a = {.arms = arms[0], .n = N, .half_life = 50, .trust = 7};
        const pare_bandit b = {.arms = arms[1], .n = N, .half_life = 50, .trust = 7};
        for (size_t i = 0; i < N; i++)
            arms[0][i].weight = arms[1][i].weight = 1 + (double)(pare_random_next(&random) % 9);
        for (size_t i = 0; i < 100; i++) {
            const size_t next = pare_bandit_next(&a);
            const double spent = (double)(pare_random_next(&random) % 1000);
            const double earned = (double)(pare_random_next(&random) % 100000);
            assert_int_equal(pare_bandit_next(&b), next);
            pare_bandit_spend(&a, next, spent);
            pare_bandit_spend(&b, next, spent);
            pare_bandit_earn(&a, next, earned);
            pare_bandit_earn(&b, next, earned);
            assert_true(pare_bandit_check(&a));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bandit__without_earnings_shares_are_the_weights),
        cmocka_unit_test(test_bandit__the_best_gets_most_and_nobody_starves),
        cmocka_unit_test(test_bandit__equal_rates_are_equal_shares_whatever_they_are),
        cmocka_unit_test(test_bandit__what_is_doubted_is_tried_later),
        cmocka_unit_test(test_bandit__shares_follow_rates_that_change),
        cmocka_unit_test(test_bandit__a_new_arm_is_tried_at_once_and_not_for_long),
        cmocka_unit_test(test_bandit__what_is_under_way_counts),
        cmocka_unit_test(test_bandit__any_calls_keep_the_invariant_and_are_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
