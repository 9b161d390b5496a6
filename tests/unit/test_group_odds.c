/* Odds of groups: against the chance that is computed unit by unit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/group_odds.h"

/* The chance that `n` units go together: the first may stand beside a needed one. */
static double chance(const pare_group_odds *odds, unsigned n)
{
    const double density = ((double)odds->n_needed - 0.5) / ((double)odds->n_seen + 1);
    double product = 1 - density;
    if (odds->was_needed) product = 1 - ((double)odds->n_runs + 0.25) / ((double)odds->n_pairs + 1);
    while (--n)
        product *= 1 - density;
    return product;
}

static void test_group_odds__nothing_is_known_before_a_unit_was_needed(void **state)
{
    (void)state;
    pare_group_odds odds = {0};
    assert_true(pare_group_odds_even(&odds) < 1);
    pare_group_odds_note(&odds, 100, false);
    assert_true(pare_group_odds_even(&odds) < 1);
    pare_group_odds_note(&odds, 1, true);
    assert_true(pare_group_odds_even(&odds) >= 1);
}

/* One unit fewer has at least an even chance to go, one more has less. */
static void test_group_odds__groups_have_an_even_chance(void **state)
{
    (void)state;
    for (unsigned gap = 2; gap < 200; gap += 7) {
        pare_group_odds odds = {0};
        for (unsigned k = 0; k < 6; k++) {
            pare_group_odds_note(&odds, gap, false);
            pare_group_odds_note(&odds, 1, true);
            if (k % 2) pare_group_odds_note(&odds, 1, true);
        }
        pare_group_odds_note(&odds, gap, false);
        const unsigned n = (unsigned)pare_group_odds_even(&odds);
        assert_true(n >= 1);
        assert_true(n == 1 || chance(&odds, n) >= 0.5);
        assert_true(chance(&odds, n + 1) < 0.5);
    }
}

static void test_group_odds__beside_needed_units_groups_are_smaller(void **state)
{
    (void)state;
    pare_group_odds odds = {0};
    for (unsigned k = 0; k < 4; k++) {
        pare_group_odds_note(&odds, 50, false);
        pare_group_odds_note(&odds, 1, true);
        pare_group_odds_note(&odds, 1, true);
    }
    const double beside = pare_group_odds_even(&odds);
    pare_group_odds_note(&odds, 1, false);
    assert_true(beside < pare_group_odds_even(&odds));
    assert_int_equal(odds.n_seen, 4 * 52 + 1);
    assert_int_equal(odds.n_needed, 8);
    assert_int_equal(odds.n_pairs, 8);
    assert_int_equal(odds.n_runs, 4);
}

/* The neighbour of the first one that is needed is tried by itself, as long as few of them went so. */
static void test_group_odds__neighbours_are_tried_alone_where_a_search_is_long(void **state)
{
    (void)state;
    pare_group_odds odds = {0};
    pare_group_odds_note(&odds, 600, false);
    pare_group_odds_note(&odds, 1, true);
    assert_true(pare_group_odds_even(&odds) == 1);
    assert_true(pare_group_odds_apart(&odds) > 200);
    for (unsigned k = 0; k < 3; k++) {
        pare_group_odds_note(&odds, 600, false);
        pare_group_odds_note(&odds, 1, true);
    }
    assert_true(pare_group_odds_even(&odds) > 200);
    pare_group_odds_note(&odds, 1, false);
    assert_true(pare_group_odds_even(&odds) == pare_group_odds_apart(&odds));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group_odds__nothing_is_known_before_a_unit_was_needed),
        cmocka_unit_test(test_group_odds__groups_have_an_even_chance),
        cmocka_unit_test(test_group_odds__beside_needed_units_groups_are_smaller),
        cmocka_unit_test(test_group_odds__neighbours_are_tried_alone_where_a_search_is_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
