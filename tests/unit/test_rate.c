/* Rates against published values, and their promises against simulation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "run/rate.h"

static bool happens(pare_random *random, double share)
{
    return (double)pare_random_below(random, 1u << 30) < share * (double)(1u << 30);
}

static pare_rate draw(pare_random *random, double share, uint64_t runs)
{
    pare_rate rate = {.runs = runs};
    for (uint64_t i = 0; i < runs; i++)
        rate.fails += happens(random, share);
    return rate;
}

/* Newcombe 1998 ("Two-sided confidence intervals for the single proportion"), table I,
 * method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29. */
static void test_rates__interval_is_wilsons(void **state)
{
    (void)state;
    static const struct {
        pare_rate rate;
        double low, high;
    } rows[] = {{{81, 263}, 0.2553, 0.3662},
                {{15, 148}, 0.0624, 0.1605},
                {{0, 20}, 0.0000, 0.1611},
                {{1, 29}, 0.0061, 0.1718}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double low, high;
        pare_rate_interval(rows[k].rate, &low, &high);
        assert_float_equal(low, rows[k].low, 0.0001);
        assert_float_equal(high, rows[k].high, 0.0001);
    }
    double low, high;
    pare_rate_interval((pare_rate){0, 0}, &low, &high);
    assert_true(low <= 0 && high >= 1);
}

/* Runs of an input with `share` until `rule` decides; counts them in *runs. */
static pare_rate_decision decide(const pare_rate_rule *rule, double share, pare_random *random,
                                 uint64_t *runs)
{
    pare_rate rate = {.runs = 0};
    pare_rate_decision decision = PARE_RATE_OPEN;
    while (decision == PARE_RATE_OPEN) {
        rate.runs++;
        rate.fails += happens(random, share);
        decision = pare_rate_decide(rule, rate);
    }
    *runs += rate.runs;
    return decision;
}

enum { TRIALS = 1000 };

static void test_rates__errors_stay_below_what_the_rule_allows(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 7);
    static const double usual[] = {0.95, 0.9, 0.5, 0.2};
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++) {
        const pare_rate_rule rule = {.floor = usual[k] / 2,
                                     .usual = usual[k],
                                     .wrong_accept = 0.02,
                                     .wrong_reject = 0.02,
                                     .max_runs = 100000};
        unsigned accepted = 0, kept = 0;
        uint64_t runs = 0;
        for (int i = 0; i < TRIALS; i++) {
            accepted += decide(&rule, rule.floor, &random, &runs) == PARE_RATE_ACCEPT;
            kept += decide(&rule, rule.usual, &random, &runs) == PARE_RATE_ACCEPT;
        }
        assert_true(accepted <= TRIALS * 0.02);
        assert_true(kept >= TRIALS * 0.98);
    }
}

static void test_rates__what_never_fails_is_rejected_soon(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 8);
    static const struct {
        double usual;
        uint64_t most_runs; /* to reject what never fails, with one error in 50 */
    } rows[] = {{1, 1}, {0.9, 3}, {0.5, 10}, {0.2, 30}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const pare_rate_rule rule = {.floor = rows[k].usual / 2,
                                     .usual = rows[k].usual,
                                     .wrong_accept = 0.01,
                                     .wrong_reject = 0.02,
                                     .max_runs = 100000};
        uint64_t never = 0, always = 0;
        assert_int_equal(decide(&rule, 0, &random, &never), PARE_RATE_REJECT);
        assert_int_equal(decide(&rule, 1, &random, &always), PARE_RATE_ACCEPT);
        assert_true(never <= rows[k].most_runs);
        assert_true(always <= 12);
    }
}

/* Whatever the bounds are: what fails as often as usual is accepted within reason. */
static void test_rates__every_rule_comes_to_a_decision(void **state)
{
    (void)state;
    pare_random random;
    unsigned wrong = 0;
    pare_random_init(&random, 10);
    for (int i = 0; i < 3000; i++) {
        double usual = 0.1 + (double)pare_random_below(&random, 900) / 1000.0;
        const pare_rate_rule rule = {.floor = usual / (2 + (double)i / 10000.0),
                                     .usual = usual,
                                     .wrong_accept = 0.01,
                                     .wrong_reject = 0.001,
                                     .max_runs = 20000};
        uint64_t runs = 0;
        wrong += decide(&rule, usual, &random, &runs) != PARE_RATE_ACCEPT;
        assert_true(runs <= 2000);
    }
    assert_true(wrong <= 6);
}

static void test_rates__an_open_question_ends_as_a_rejection(void **state)
{
    (void)state;
    const pare_rate_rule rule = {
        .floor = 0.4, .usual = 0.6, .wrong_accept = 0.01, .wrong_reject = 0.01, .max_runs = 10};
    assert_int_equal(pare_rate_decide(&rule, (pare_rate){0, 0}), PARE_RATE_OPEN);
    assert_int_equal(pare_rate_decide(&rule, (pare_rate){4, 9}), PARE_RATE_OPEN);
    assert_int_equal(pare_rate_decide(&rule, (pare_rate){5, 10}), PARE_RATE_REJECT);
}

/* Few passes reject what is gone: with one error in seven, as header and manual say. */
static void test_rates__so_many_passes_reject(void **state)
{
    (void)state;
    static const struct {
        double usual;
        uint64_t passes;
    } rows[] = {{1, 1}, {0.95, 1}, {0.8, 2}, {0.7, 2}, {0.5, 4}, {0.2, 11}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const pare_rate_rule rule = {.floor = rows[k].usual / 2,
                                     .usual = rows[k].usual,
                                     .wrong_accept = 0.26,
                                     .wrong_reject = 0.15,
                                     .max_runs = 1000};
        assert_int_equal(pare_rate_passes_to_reject(&rule), rows[k].passes);
    }
}

/* However few candidates are good, half of the good ones are accepted. */
static void test_rates__expectation_keeps_the_odds_of_a_wrong_rejection(void **state)
{
    (void)state;
    pare_rate_rule rule = {
        .floor = 0.4, .usual = 0.8, .wrong_accept = 0.26, .wrong_reject = 0.15, .max_runs = 1000};
    assert_float_equal(pare_rate_expect(&rule, 0.9).wrong_reject, 0.15, 1e-9);
    rule.adapts = true;
    assert_float_equal(pare_rate_expect(&rule, PARE_RATE_GOOD).wrong_reject, 0.15, 1e-9);
    assert_true(pare_rate_expect(&rule, 0.5).wrong_reject < 0.03);
    assert_float_equal(pare_rate_expect(&rule, 0).wrong_reject, 0.5, 1e-9);
}

static void test_rates__drop_is_newcombes(void **state)
{
    (void)state;
    const pare_rate earlier = {56, 70}, later = {48, 80}; /* Newcombe 1998, table II, (a) */
    assert_float_equal(pare_rate_drop(earlier, later, 1.959964), 0.0524, 0.0001);
    assert_true(pare_rate_drop(earlier, earlier, 1) < 0);
}

/* Two inputs with the same share hold 95 times in 100; one that fails less often by the
 * tolerance does not, 95 times in 100. */
static void test_rates__comparison_has_the_power_that_its_runs_promise(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 9);
    static const double shares[] = {0.9, 0.5, 0.2};
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        uint64_t runs = pare_rate_runs_needed(draw(&random, shares[k], 2000), 0.05);
        unsigned same = 0, less = 0;
        for (int i = 0; i < 300; i++) {
            pare_rate earlier = draw(&random, shares[k], runs);
            same += pare_rate_holds(earlier, draw(&random, shares[k], runs), 0.05);
            less += pare_rate_holds(earlier, draw(&random, shares[k] - 0.05, runs), 0.05);
        }
        assert_true(same >= 270);
        assert_true(less <= 30);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates__interval_is_wilsons),
        cmocka_unit_test(test_rates__errors_stay_below_what_the_rule_allows),
        cmocka_unit_test(test_rates__what_never_fails_is_rejected_soon),
        cmocka_unit_test(test_rates__every_rule_comes_to_a_decision),
        cmocka_unit_test(test_rates__an_open_question_ends_as_a_rejection),
        cmocka_unit_test(test_rates__so_many_passes_reject),
        cmocka_unit_test(test_rates__expectation_keeps_the_odds_of_a_wrong_rejection),
        cmocka_unit_test(test_rates__drop_is_newcombes),
        cmocka_unit_test(test_rates__comparison_has_the_power_that_its_runs_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
