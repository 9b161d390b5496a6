/* ProbDD and CDD, and the runs of equal rank that they stand on. */
/* tests: src/reduce/list/probdd.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/random.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/probdd.h"
#include "unit/support/list_steps.h"

static const pare_list_knobs forward = {.order = PARE_ORDER_FORWARD};

/* The first `n` steps of a text of steps. */
static const char *first_steps(char *text, size_t n)
{
    char *end = text;
    for (; n && end; n--)
        end = strchr(end + 1, ' ');
    if (end) *end = '\0';
    return text;
}

static void test_probdd__takes_the_least_probable_while_the_gain_rises(void **state)
{
    (void)state;
    char text[LIST_STEPS_TEXT];
    list_steps(&pare_list_probdd, 20, &forward, "", text);
    /* 9 units of p = 0.1, 9 more, then the last two and, as they now have p = 0.163 and
     * six units at most pay, four of the first. */
    assert_string_equal(first_steps(text, 3), "0-9 9-18 0-4,18-20");
}

static void test_probdd__goes_backward_by_default(void **state)
{
    (void)state;
    char text[LIST_STEPS_TEXT];
    list_steps(&pare_list_probdd, 20, NULL, "+", text);
    assert_string_equal(first_steps(text, 2), "11-20+ 2-11");
}

static void test_cdd__size_follows_the_lowest_counter(void **state)
{
    (void)state;
    char text[LIST_STEPS_TEXT];
    list_steps(&pare_list_cdd, 20, &forward, "", text);
    assert_string_equal(first_steps(text, 3), "0-9 9-18 0-7,18-20");
    list_steps(&pare_list_cdd, 20, NULL, "", text);
    assert_string_equal(first_steps(text, 3), "11-20 2-11 0-2,13-20");
}

static void test_ranked__each_unit_is_tried_alone_once_when_none_can_go(void **state)
{
    (void)state;
    list_assert_steps(&pare_list_probdd, 1, NULL, "", "0-1");
    list_assert_steps(&pare_list_cdd, 2, &forward, "", "0-2 0-2 0-2 0-2 0-1 1-2");
    list_assert_steps(&pare_list_probdd, 2, &forward, "", "0-2 0-1 1-2");
}

/* Only both 1 and 2 together, or 0 after them, can go from 0 .. 3. */
static bool unlocks(const void *context, const uint32_t *kept, size_t n)
{
    (void)context;
    uint32_t mask = 0;
    for (size_t i = 0; i < n; i++)
        mask |= UINT32_C(1) << kept[i];
    return mask == 15 || mask == 9 || mask == 8;
}

static void test_ranked__is_one_minimal_without_fixpoint_too(void **state)
{
    (void)state;
    const pare_list_algorithm *algorithms[] = {&pare_list_probdd, &pare_list_cdd};
    for (size_t i = 0; i < 2; i++) {
        struct list_task task = {.algorithm = algorithms[i],
                                 .n = 4,
                                 .knobs = {.fixpoint = PARE_FIXPOINT_OFF},
                                 .predicate = unlocks};
        struct list_run run;
        list_reduce(&task, &run);
        assert_false(run.n_kept == 2 && run.kept[0] == 0 && run.kept[1] == 3);
        list_run_done(&run);
    }
}

/* --- runs --------------------------------------------------------------------------- */

enum { UNITS = 60 };

static size_t limit_by_rank(double rank, size_t before)
{
    (void)before;
    return rank >= 6 ? 0 : (size_t)(12 - 2 * rank);
}

static double add(double rank, double by)
{
    return rank + by;
}

/* The same with one rank for each unit. */
struct plain {
    size_t n;
    double rank[UNITS];
    bool chosen[UNITS];
};

/* The unit of the lowest rank that is not chosen, the first on `side`; n: none. */
static size_t lowest_left(const struct plain *plain, pare_side side)
{
    size_t best = plain->n;
    for (size_t i = 0; i < plain->n; i++) {
        if (plain->chosen[i]) continue;
        bool better = best == plain->n || plain->rank[i] < plain->rank[best] ||
                      (side == PARE_SIDE_LAST && plain->rank[i] == plain->rank[best]);
        if (better) best = i;
    }
    return best;
}

static size_t choose_plainly(struct plain *plain, pare_side side)
{
    size_t n_chosen = 0;
    memset(plain->chosen, 0, sizeof plain->chosen);
    for (;;) {
        size_t i = lowest_left(plain, side);
        if (i == plain->n || limit_by_rank(plain->rank[i], 0) <= n_chosen) return n_chosen;
        plain->chosen[i] = true;
        n_chosen++;
    }
}

static void assert_same_choice(const struct plain *plain, const pare_edit *edit)
{
    bool chosen[UNITS] = {false};
    for (size_t r = 0; r < edit->n_ranges; r++)
        for (size_t i = edit->ranges[r].from; i < edit->ranges[r].to; i++)
            chosen[i] = true;
    assert_memory_equal(chosen, plain->chosen, plain->n * sizeof *chosen);
}

static void drop_plainly(struct plain *plain)
{
    size_t n = 0;
    for (size_t i = 0; i < plain->n; i++)
        if (!plain->chosen[i]) plain->rank[n++] = plain->rank[i];
    plain->n = n;
}

static void test_runs__equal_one_rank_for_each_unit(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 9);
    for (size_t turn = 0; turn < 200; turn++) {
        pare_runs runs;
        pare_edit edit = {0};
        struct plain plain = {.n = UNITS};
        assert_int_equal(pare_probdd_runs_start(&runs, UNITS, 0, NULL), PARE_OK);
        for (size_t step = 0; step < 60; step++) {
            assert_true(pare_probdd_runs_check(&runs, plain.n));
            pare_side side = pare_random_below(&random, 2) ? PARE_SIDE_LAST : PARE_SIDE_FIRST;
            pare_lowest lowest = pare_probdd_runs_choose(&runs, limit_by_rank, side);
            assert_int_equal(lowest.size, choose_plainly(&plain, side));
            pare_edit_reset(&edit);
            assert_int_equal(pare_probdd_runs_edit(&runs, &lowest, &edit, NULL), PARE_OK);
            assert_same_choice(&plain, &edit);
            if (!lowest.size) break;
            if (pare_random_below(&random, 5) == 0) {
                assert_int_equal(pare_probdd_runs_drop(&runs, &lowest, NULL), PARE_OK);
                drop_plainly(&plain);
                continue;
            }
            double by = 1 + (double)pare_random_below(&random, 2);
            assert_int_equal(pare_probdd_runs_raise(&runs, &lowest, add, by, NULL), PARE_OK);
            for (size_t i = 0; i < plain.n; i++)
                plain.rank[i] += plain.chosen[i] ? by : 0;
        }
        pare_edit_done(&edit);
        pare_probdd_runs_release(&runs);
    }
}

static void test_runs__start_reports_oom_and_is_empty(void **state)
{
    (void)state;
    pare_runs runs;
    long before = pare_alloc_live();
    pare_alloc_fault_after(0);
    assert_int_equal(pare_probdd_runs_start(&runs, 5, 0, NULL), PARE_E_NOMEM);
    pare_alloc_fault_after(SIZE_MAX);
    assert_int_equal(runs.n_runs, 0);
    pare_probdd_runs_release(&runs);
    assert_int_equal(pare_alloc_live(), before);
}

static void test_runs__raise_reports_oom_and_changes_nothing(void **state)
{
    (void)state;
    pare_runs runs;
    assert_int_equal(pare_probdd_runs_start(&runs, UNITS, 0, NULL), PARE_OK);
    pare_runs copy = runs;
    pare_probdd_runs_retain(&copy);
    pare_lowest lowest = pare_probdd_runs_choose(&runs, limit_by_rank, PARE_SIDE_LAST);
    pare_alloc_fault_after(0);
    assert_int_equal(pare_probdd_runs_raise(&runs, &lowest, add, 1, NULL), PARE_E_NOMEM);
    pare_alloc_fault_after(SIZE_MAX);
    pare_lowest again = pare_probdd_runs_choose(&runs, limit_by_rank, PARE_SIDE_LAST);
    assert_int_equal(again.from, lowest.from);
    assert_int_equal(again.size, lowest.size);
    pare_probdd_runs_release(&runs);
    pare_probdd_runs_release(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probdd__takes_the_least_probable_while_the_gain_rises),
        cmocka_unit_test(test_probdd__goes_backward_by_default),
        cmocka_unit_test(test_cdd__size_follows_the_lowest_counter),
        cmocka_unit_test(test_ranked__each_unit_is_tried_alone_once_when_none_can_go),
        cmocka_unit_test(test_ranked__is_one_minimal_without_fixpoint_too),
        cmocka_unit_test(test_runs__equal_one_rank_for_each_unit),
        cmocka_unit_test(test_runs__start_reports_oom_and_is_empty),
        cmocka_unit_test(test_runs__raise_reports_oom_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
