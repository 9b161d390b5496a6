/* ddmin's knobs: each value does what its documentation says, and together they take
 * the steps of Picire's loop, written down here a second time as it works on lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "reduce/list/algorithms.h"
#include "unit/support/list_steps.h"

static void steps(size_t n, pare_list_knobs knobs, const char *outcomes, const char *expected)
{
    list_assert_steps(&pare_list_ddmin, n, &knobs, outcomes, expected);
}

static void test_ddmin__default_is_subsets_first_and_forward(void **state)
{
    (void)state;
    steps(2, (pare_list_knobs){0}, "", "1-2 0-1 0-1 1-2");
    steps(4, (pare_list_knobs){0}, "",
          "2-4 0-2 0-2 2-4 "
          "1-4 0-1,2-4 0-2,3-4 0-3 0-1 1-2 2-3 3-4");
}

static void test_ddmin__subsets_last_tests_complements_first(void **state)
{
    (void)state;
    steps(3, (pare_list_knobs){.subsets = PARE_SUBSETS_LAST}, "",
          "0-1 1-3 1-3 0-1 "
          "0-1 1-2 2-3 1-3 0-1,2-3 0-2");
}

static void test_ddmin__subsets_skip_tests_complements_only(void **state)
{
    (void)state;
    steps(4, (pare_list_knobs){.subsets = PARE_SUBSETS_SKIP}, "", "0-2 2-4 0-1 1-2 2-3 3-4");
}

static void test_ddmin__order_backward_begins_with_the_last_part(void **state)
{
    (void)state;
    steps(4, (pare_list_knobs){.order = PARE_ORDER_BACKWARD}, "",
          "0-2 2-4 2-4 0-2 "
          "0-3 0-2,3-4 0-1,2-4 1-4 3-4 2-3 1-2 0-1");
    steps(4, (pare_list_knobs){.subsets = PARE_SUBSETS_SKIP, .order = PARE_ORDER_BACKWARD}, "",
          "2-4 0-2 3-4 2-3 1-2 0-1");
}

static void test_ddmin__granularity_is_first_number_of_parts_and_factor(void **state)
{
    (void)state;
    steps(9, (pare_list_knobs){.subsets = PARE_SUBSETS_SKIP, .granularity = 3}, "",
          "0-3 3-6 6-9 0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9");
    /* Below 2 it is the default. */
    steps(2, (pare_list_knobs){.subsets = PARE_SUBSETS_SKIP, .granularity = 1}, "", "0-1 1-2");
}

static void test_ddmin__granularity_comes_back_after_the_last_but_one_part(void **state)
{
    (void)state;
    /* Three parts, two, and the one left is split into three again. */
    steps(9, (pare_list_knobs){.subsets = PARE_SUBSETS_SKIP, .granularity = 3}, "++",
          "0-3+ 0-3+ 0-1 1-2 2-3");
}

static void test_ddmin__granularity_inf_tries_single_units_at_once(void **state)
{
    (void)state;
    steps(3, (pare_list_knobs){.subsets = PARE_SUBSETS_SKIP, .granularity = PARE_GRANULARITY_INF},
          "", "0-1 1-2 2-3");
    /* And the others after a success. */
    steps(4, (pare_list_knobs){.subsets = PARE_SUBSETS_SKIP, .granularity = PARE_GRANULARITY_INF},
          "-+", "0-1 1-2+ 1-2 2-3 0-1");
}

static void test_ddmin__zeller_puts_short_parts_first_and_balanced_spreads_them(void **state)
{
    (void)state;
    const char *single = " 0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10";
    char expected[200];
    pare_list_knobs knobs = {.subsets = PARE_SUBSETS_SKIP, .granularity = 4};
    snprintf(expected, sizeof expected, "0-2 2-4 4-7 7-10%s", single);
    steps(10, knobs, "", expected);
    knobs.split = PARE_SPLIT_ZELLER;
    steps(10, knobs, "", expected);
    knobs.split = PARE_SPLIT_BALANCED;
    snprintf(expected, sizeof expected, "0-2 2-5 5-7 7-10%s", single);
    steps(10, knobs, "", expected);
}

static void test_ddmin__picire_goes_on_beside_the_removed_part(void **state)
{
    (void)state;
    pare_list_knobs knobs = {.subsets = PARE_SUBSETS_SKIP, .granularity = 4};
    /* Part 1 of four goes; then parts 1, 2 and 0 of three.  The offset of 1 becomes 4
     * when three parts become twelve. */
    steps(16, knobs, "-+",
          "0-4 4-8+ 4-8 8-12 0-4 "
          "4-5 5-6 6-7 7-8 8-9 9-10 10-11 11-12 0-1 1-2 2-3 3-4");
    knobs.order = PARE_ORDER_BACKWARD;
    /* Part 2 goes; then the part before it. */
    steps(16, knobs, "-+",
          "12-16 8-12+ 4-8 0-4 8-12 "
          "7-8 6-7 5-6 4-5 3-4 2-3 1-2 0-1 11-12 10-11 9-10 8-9");
}

static void test_ddmin__definition_starts_each_round_with_the_first_part(void **state)
{
    (void)state;
    steps(3, (pare_list_knobs){.granularity = PARE_GRANULARITY_INF}, "----+",
          "1-3 0-1,2-3 0-2 0-1 1-2+ 1-2 0-1 0-1 1-2");
    steps(3, (pare_list_knobs){.granularity = PARE_GRANULARITY_INF, .order = PARE_ORDER_FORWARD},
          "----+", "1-3 0-1,2-3 0-2 0-1 1-2+ 1-2 0-1 1-2 0-1");
}

/* --- random order ------------------------------------------------------------------- */

enum { N_RANDOM = 64 };

static void draw_order(uint64_t seed, char text[LIST_STEPS_TEXT])
{
    const pare_list_knobs knobs = {.subsets = PARE_SUBSETS_SKIP,
                                   .order = PARE_ORDER_RANDOM,
                                   .granularity = PARE_GRANULARITY_INF,
                                   .seed = seed};
    list_steps(&pare_list_ddmin, N_RANDOM, &knobs, "", text);
}

static void test_ddmin__random_order_tries_each_part_once(void **state)
{
    (void)state;
    char text[LIST_STEPS_TEXT];
    bool seen[N_RANDOM] = {false};
    draw_order(1, text);
    size_t n = 0;
    for (const char *at = text; at; at = strchr(at, ' ')) {
        unsigned from = (unsigned)strtoul(at, NULL, 10);
        assert_true(from < N_RANDOM && !seen[from]);
        seen[from] = true;
        n++;
        at++;
    }
    assert_int_equal(n, N_RANDOM);
}

static void test_ddmin__random_order_depends_on_the_seed_alone(void **state)
{
    (void)state;
    char one[LIST_STEPS_TEXT], same[LIST_STEPS_TEXT], other[LIST_STEPS_TEXT];
    draw_order(1, one);
    draw_order(1, same);
    draw_order(2, other);
    assert_string_equal(one, same);
    assert_string_not_equal(one, other);
}

static void test_ddmin__random_order_is_another_in_each_round(void **state)
{
    (void)state;
    const pare_list_knobs knobs = {.subsets = PARE_SUBSETS_SKIP,
                                   .order = PARE_ORDER_RANDOM,
                                   .granularity = PARE_GRANULARITY_INF};
    /* Each of eight rounds ends with its first test; all try another part first. */
    char text[LIST_STEPS_TEXT];
    bool differs = false;
    list_steps(&pare_list_ddmin, N_RANDOM, &knobs, "++++++++", text);
    unsigned long first = strtoul(text, NULL, 10);
    const char *at = text;
    for (size_t round = 1; round < 8; round++) {
        at = strchr(at + 1, ' ');
        if (strtoul(at, NULL, 10) != first) differs = true;
    }
    assert_true(differs);
}

/* --- fixpoint and Picire ------------------------------------------------------------ */

enum { UNITS = 9, MAX_TRACE = 4096, N_TABLES = 150 };

/* Outcomes by the bits of the units kept, and the trace that is expected. */
struct table {
    bool fails[1 << UNITS];
    uint32_t trace[MAX_TRACE];
    size_t n_trace, at;
};

static void draw_table(struct table *table, pare_random *random)
{
    *table = (struct table){0};
    for (size_t mask = 1; mask < 1 << UNITS; mask++)
        table->fails[mask] = pare_random_below(random, 4) == 0;
    table->fails[(1 << UNITS) - 1] = true;
}

static uint32_t mask_of(const uint32_t *kept, size_t n)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < n; i++)
        mask |= UINT32_C(1) << kept[i];
    return mask;
}

static bool looks_up(const void *context, const uint32_t *kept, size_t n)
{
    return ((const struct table *)context)->fails[mask_of(kept, n)];
}

static void compare_trace(void *context, const uint32_t *kept, size_t n, bool fails)
{
    (void)fails;
    struct table *table = context;
    assert_true(table->at < table->n_trace);
    assert_int_equal(mask_of(kept, n), table->trace[table->at++]);
}

static bool try(struct table *table, uint32_t mask)
{
    assert_true(table->n_trace < MAX_TRACE);
    table->trace[table->n_trace++] = mask;
    return table->fails[mask];
}

/* Picire's state: a list of subsets and the offset. */
struct picire {
    struct table *table;
    pare_list_knobs knobs;
    uint32_t subsets[UNITS];
    size_t n, offset;
};

static uint32_t whole(const struct picire *p)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < p->n; i++)
        mask |= p->subsets[i];
    return mask;
}

/* Splits the configuration anew, into `granularity` times as many parts. */
static void split(struct picire *p)
{
    uint32_t rest = whole(p);
    size_t left = (size_t)__builtin_popcount(rest);
    size_t n = p->knobs.granularity < left ? p->n * p->knobs.granularity : left;
    p->n = n < left ? n : left;
    for (size_t i = 0; i < p->n; i++) {
        p->subsets[i] = 0;
        for (size_t take = left / (p->n - i); take; take--, left--) {
            p->subsets[i] |= rest & -rest;
            rest &= rest - 1;
        }
    }
}

static size_t ordered(const struct picire *p, size_t i)
{
    return p->knobs.order == PARE_ORDER_BACKWARD ? p->n - 1 - i : i;
}

static bool to_subset(struct picire *p)
{
    for (size_t i = 0; i < p->n; i++) {
        uint32_t subset = p->subsets[ordered(p, i)];
        if (!try(p->table, subset)) continue;
        p->subsets[0] = subset;
        p->n = 1;
        p->offset = 0;
        return true;
    }
    return false;
}

static bool to_complement(struct picire *p)
{
    for (size_t i = 0; i < p->n; i++) {
        size_t part = (ordered(p, i) + p->offset) % p->n;
        if (!try(p->table, whole(p) & ~p->subsets[part])) continue;
        for (size_t j = part + 1; j < p->n; j++)
            p->subsets[j - 1] = p->subsets[j];
        p->n--;
        p->offset = part;
        return true;
    }
    return false;
}

static bool reduce_round(struct picire *p)
{
    switch (p->knobs.subsets) {
    case PARE_SUBSETS_SKIP: return to_complement(p);
    case PARE_SUBSETS_LAST: return to_complement(p) || to_subset(p);
    default: return to_subset(p) || to_complement(p);
    }
}

static void run_picire(struct picire *p)
{
    p->subsets[0] = (1 << UNITS) - 1;
    p->n = 1;
    for (;;) {
        size_t units = (size_t)__builtin_popcount(whole(p));
        if (units < 2) return;
        if (p->n < 2) split(p);
        if (reduce_round(p)) continue;
        if (p->n >= units) return;
        size_t before = p->n;
        split(p);
        p->offset = p->offset * p->n / before;
    }
}

static void compare_with_picire(pare_list_knobs knobs, pare_random *random)
{
    static struct table table;
    draw_table(&table, random);
    struct picire p = {.table = &table, .knobs = knobs};
    run_picire(&p);
    struct list_task task = {.algorithm = &pare_list_ddmin,
                             .n = UNITS,
                             .knobs = knobs,
                             .predicate = looks_up,
                             .context = &table,
                             .observer = compare_trace,
                             .observer_context = &table};
    struct list_run run;
    list_reduce(&task, &run);
    assert_int_equal(table.at, table.n_trace);
    assert_int_equal(mask_of(run.kept, run.n_kept), whole(&p));
    list_run_done(&run);
}

static void test_ddmin__takes_the_steps_of_picires_loop_with_its_knobs(void **state)
{
    (void)state;
    static const pare_order orders[] = {PARE_ORDER_FORWARD, PARE_ORDER_BACKWARD};
    static const size_t granularities[] = {2, 3, 4, PARE_GRANULARITY_INF};
    pare_random random;
    pare_random_init(&random, 8);
    for (size_t i = 0; i < N_TABLES; i++)
        for (size_t order = 0; order < 2; order++)
            for (size_t g = 0; g < 4; g++)
                for (int subsets = PARE_SUBSETS_FIRST; subsets <= PARE_SUBSETS_SKIP; subsets++)
                    compare_with_picire((pare_list_knobs){.subsets = (pare_subsets)subsets,
                                                          .order = orders[order],
                                                          .granularity = granularities[g]},
                                        &random);
}

static size_t left_with(pare_fixpoint fixpoint, const struct table *table)
{
    struct list_task task = {.algorithm = &pare_list_ddmin,
                             .n = UNITS,
                             .knobs = {.fixpoint = fixpoint},
                             .predicate = looks_up,
                             .context = table};
    struct list_run run;
    list_reduce(&task, &run);
    size_t left = run.n_kept;
    list_run_done(&run);
    return left;
}

static void test_ddmin__fixpoint_removes_more_at_times_and_is_off_by_default(void **state)
{
    (void)state;
    static struct table table;
    size_t better = 0;
    pare_random random;
    pare_random_init(&random, 10);
    for (size_t i = 0; i < 2000; i++) {
        draw_table(&table, &random);
        size_t off = left_with(PARE_FIXPOINT_OFF, &table);
        size_t on = left_with(PARE_FIXPOINT_ON, &table);
        assert_int_equal(left_with(PARE_FIXPOINT_DEFAULT, &table), off);
        assert_true(on <= off);
        better += on < off;
    }
    assert_true(better > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ddmin__default_is_subsets_first_and_forward),
        cmocka_unit_test(test_ddmin__subsets_last_tests_complements_first),
        cmocka_unit_test(test_ddmin__subsets_skip_tests_complements_only),
        cmocka_unit_test(test_ddmin__order_backward_begins_with_the_last_part),
        cmocka_unit_test(test_ddmin__granularity_is_first_number_of_parts_and_factor),
        cmocka_unit_test(test_ddmin__granularity_comes_back_after_the_last_but_one_part),
        cmocka_unit_test(test_ddmin__granularity_inf_tries_single_units_at_once),
        cmocka_unit_test(test_ddmin__zeller_puts_short_parts_first_and_balanced_spreads_them),
        cmocka_unit_test(test_ddmin__picire_goes_on_beside_the_removed_part),
        cmocka_unit_test(test_ddmin__definition_starts_each_round_with_the_first_part),
        cmocka_unit_test(test_ddmin__random_order_tries_each_part_once),
        cmocka_unit_test(test_ddmin__random_order_depends_on_the_seed_alone),
        cmocka_unit_test(test_ddmin__random_order_is_another_in_each_round),
        cmocka_unit_test(test_ddmin__takes_the_steps_of_picires_loop_with_its_knobs),
        cmocka_unit_test(test_ddmin__fixpoint_removes_more_at_times_and_is_off_by_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
