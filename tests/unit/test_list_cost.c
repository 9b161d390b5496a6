/* What the list algorithms cost, in tests, on three kinds of synthetic oracles: a table
 * on the terminal, and coarse bounds, so that a change that makes one of them dear is
 * noticed.  Means of three seeds, without a cache. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "reduce/list/algorithms.h"
#include "unit/support/list_driver.h"
#include "unit/support/list_oracles.h"

/* The table is of one seed, for ddmin without a cache is slow; bounds hold for means. */
enum { N_SEEDS = 3, N_TABLE_SEEDS = 1 };

enum kind { SCATTERED, DEPS, PAIRS };

/* Means over the seeds. */
struct cost {
    size_t tests, left;
};

static void make_oracle(struct list_oracle *oracle, enum kind kind, size_t n_needed, uint64_t seed)
{
    pare_random random;
    pare_random_init(&random, seed * 7919 + n_needed);
    list_oracle_scatter(oracle, LIST_ORACLE_UNITS, n_needed, &random);
    if (kind == DEPS) list_oracle_add_deps(oracle, &random);
    if (kind == PAIRS) list_oracle_add_pairs(oracle, 0, LIST_ORACLE_UNITS, &random);
}

static struct cost measure_seeds(const pare_list_algorithm *algorithm, const pare_list_knobs *knobs,
                                 enum kind kind, size_t n_needed, uint64_t n_seeds)
{
    struct cost cost = {0};
    for (uint64_t seed = 0; seed < n_seeds; seed++) {
        struct list_oracle oracle;
        make_oracle(&oracle, kind, n_needed, seed);
        struct list_task task = {.algorithm = algorithm,
                                 .n = LIST_ORACLE_UNITS,
                                 .predicate = list_oracle_fails,
                                 .context = &oracle,
                                 .max_tests = 5000000};
        if (knobs) task.knobs = *knobs;
        struct list_run run;
        list_reduce(&task, &run);
        assert_true(list_oracle_fails(&oracle, run.kept, run.n_kept));
        cost.tests += run.tests;
        cost.left += run.n_kept;
        list_run_done(&run);
    }
    cost.tests /= n_seeds;
    cost.left /= n_seeds;
    return cost;
}

static struct cost measure(const pare_list_algorithm *algorithm, const pare_list_knobs *knobs,
                           enum kind kind, size_t n_needed)
{
    return measure_seeds(algorithm, knobs, kind, n_needed, N_SEEDS);
}

static const struct column {
    const char *name;
    enum kind kind;
    size_t n_needed;
} columns[] = {
    {"scattered 8", SCATTERED, 8}, {"scattered 64", SCATTERED, 64}, {"deps 8", DEPS, 8},
    {"deps 32", DEPS, 32},         {"pairs 16", PAIRS, 16},
};

enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void print_row(const char *name, const pare_list_algorithm *algorithm,
                      const pare_list_knobs *knobs)
{
    char line[200];
    int at = snprintf(line, sizeof line, "%-22s", name);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        struct cost cost =
            measure_seeds(algorithm, knobs, columns[i].kind, columns[i].n_needed, N_TABLE_SEEDS);
        at += snprintf(line + at, sizeof line - (size_t)at, " %7zu/%-5zu", cost.tests, cost.left);
    }
    print_message("%s\n", line);
}

static void test_list__prints_what_each_algorithm_costs(void **state)
{
    (void)state;
    char line[200];
    int at = snprintf(line, sizeof line, "%-22s", "tests/left, n = 1024");
    for (size_t i = 0; i < N_COLUMNS; i++)
        at += snprintf(line + at, sizeof line - (size_t)at, " %13s", columns[i].name);
    print_message("%s\n", line);
    size_t n;
    const pare_list_algorithm *const *table = pare_list_algorithms(&n);
    for (size_t i = 0; i < n; i++) { /* ddmin-parallel takes the steps of ddmin */
        if (table[i] == &pare_list_ddmin_parallel) continue;
        print_row(table[i]->info.name, table[i], NULL);
    }
    const pare_list_knobs recommended = {.subsets = PARE_SUBSETS_SKIP,
                                         .order = PARE_ORDER_BACKWARD};
    print_row("ddmin skip backward", &pare_list_ddmin, &recommended);
    const pare_list_knobs eight = {
        .subsets = PARE_SUBSETS_SKIP, .order = PARE_ORDER_BACKWARD, .granularity = 8};
    print_row("  and granularity 8", &pare_list_ddmin, &eight);
    const pare_list_knobs forward = {.order = PARE_ORDER_FORWARD};
    print_row("probdd forward", &pare_list_probdd, &forward);
    print_row("cdd forward", &pare_list_cdd, &forward);
}

/* Bounds a fifth to a half above what was measured. */
static const struct bound {
    const char *algorithm;
    enum kind kind;
    size_t n_needed, most_tests;
} bounds[] = {
    {"ddmin", SCATTERED, 8, 1300},
    {"ddmin-complement", SCATTERED, 8, 400},
    {"ddmin-blog", SCATTERED, 64, 700},
    {"ddrmin", SCATTERED, 64, 600},
    {"quickxplain", SCATTERED, 8, 130},
    {"quickxplain", SCATTERED, 64, 650},
    {"quickxplain", DEPS, 8, 280},
    {"quickxplain", DEPS, 32, 750},
    {"group-testing", SCATTERED, 8, 105},
    {"group-testing", SCATTERED, 64, 520},
    {"group-testing", DEPS, 8, 240},
    {"group-testing", DEPS, 32, 620},
    {"adaptive", SCATTERED, 8, 200},
    {"adaptive", SCATTERED, 64, 800},
    {"adaptive", DEPS, 8, 400},
    {"adaptive", DEPS, 32, 900},
    {"lithium", SCATTERED, 8, 170},
    {"lithium", SCATTERED, 64, 800},
    {"lithium", DEPS, 8, 1200},
    {"probdd", SCATTERED, 64, 800},
    {"probdd", DEPS, 8, 1500},
    {"cdd", SCATTERED, 64, 800},
    {"cdd", DEPS, 8, 1400},
    {"sweep", SCATTERED, 64, 1100},
};

static void test_list__costs_no_more_than_it_did(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        const struct bound *bound = &bounds[i];
        struct cost cost =
            measure(pare_list_algorithm_find(bound->algorithm), NULL, bound->kind, bound->n_needed);
        if (cost.tests > bound->most_tests)
            fail_msg("%s took %zu tests, bound %zu", bound->algorithm, cost.tests,
                     bound->most_tests);
    }
}

static void test_list__scattered_units_leave_nothing_else(void **state)
{
    (void)state;
    size_t n;
    const pare_list_algorithm *const *table = pare_list_algorithms(&n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(measure(table[i], NULL, SCATTERED, 8).left, 8);
}

static void test_ddmin__backward_with_offset_costs_a_tenth_of_starting_over(void **state)
{
    (void)state;
    const pare_list_knobs knobs = {.subsets = PARE_SUBSETS_SKIP, .order = PARE_ORDER_BACKWARD};
    size_t picire = measure(&pare_list_ddmin, &knobs, DEPS, 8).tests;
    assert_true(picire * 10 < measure(&pare_list_ddmin_complement, NULL, DEPS, 8).tests);
}

static void test_probdd__escapes_where_contiguous_scans_are_stuck(void **state)
{
    (void)state;
    size_t probdd = measure(&pare_list_probdd, NULL, PAIRS, 16).left;
    assert_true(probdd * 2 < measure(&pare_list_adaptive, NULL, PAIRS, 16).left);
    assert_true(probdd * 2 < measure(&pare_list_lithium, NULL, PAIRS, 16).left);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list__costs_no_more_than_it_did),
        cmocka_unit_test(test_list__scattered_units_leave_nothing_else),
        cmocka_unit_test(test_ddmin__backward_with_offset_costs_a_tenth_of_starting_over),
        cmocka_unit_test(test_probdd__escapes_where_contiguous_scans_are_stuck),
        cmocka_unit_test(test_list__prints_what_each_algorithm_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
