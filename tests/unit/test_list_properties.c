/* What every list algorithm has in common, on random inputs and random oracles, among
 * them some that are not monotone; and equality with brute force where n is small. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "reduce/list/algorithms.h"
#include "unit/support/list_driver.h"
#include "unit/support/list_oracles.h"

enum { MAX_UNITS = 200, N_CASES = 40 };

/* --- oracles ------------------------------------------------------------------------ */

enum shape {
    ANTICHAIN, /* monotone: one of some sets of units must be there */
    DEPENDENT, /* needed units, units that need others, pairs: see list_oracles.h */
    NOISE      /* by a hash of the candidate: as far from monotone as can be */
};

enum { MAX_SETS = 4, MAX_SET = 6 };

struct oracle {
    enum shape shape;
    size_t n;
    bool empty_fails;
    uint32_t sets[MAX_SETS][MAX_SET]; /* ANTICHAIN */
    size_t n_sets, set_sizes[MAX_SETS];
    struct list_oracle dependent;
    uint64_t seed; /* NOISE */
};

static uint64_t hash(uint64_t seed, const uint32_t *kept, size_t n)
{
    pare_random random;
    pare_random_init(&random, seed);
    for (size_t i = 0; i < n; i++)
        random.state = pare_random_next(&random) ^ kept[i];
    return pare_random_next(&random);
}

static bool has_set(const struct oracle *oracle, size_t set, const uint32_t *kept, size_t n)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < oracle->set_sizes[set]; j++)
            found += kept[i] == oracle->sets[set][j];
    return found == oracle->set_sizes[set];
}

static bool fails(const void *context, const uint32_t *kept, size_t n)
{
    const struct oracle *oracle = context;
    if (n == oracle->n) return true;
    if (n == 0) return oracle->empty_fails;
    if (oracle->shape == DEPENDENT) return list_oracle_fails(&oracle->dependent, kept, n);
    if (oracle->shape == NOISE) return hash(oracle->seed, kept, n) % 4 == 0;
    for (size_t i = 0; i < oracle->n_sets; i++)
        if (has_set(oracle, i, kept, n)) return true;
    return false;
}

static void draw_sets(struct oracle *oracle, pare_random *random)
{
    oracle->n_sets = 1 + pare_random_below(random, MAX_SETS);
    for (size_t i = 0; i < oracle->n_sets; i++) {
        size_t most = oracle->n < MAX_SET ? oracle->n : MAX_SET;
        uint64_t seed = pare_random_next(random);
        oracle->set_sizes[i] = 1 + pare_random_below(random, most);
        for (size_t j = 0; j < oracle->set_sizes[i]; j++)
            oracle->sets[i][j] = (uint32_t)pare_random_permute(seed, oracle->n, j);
    }
}

static void draw_oracle(struct oracle *oracle, enum shape shape, pare_random *random)
{
    *oracle = (struct oracle){.shape = shape};
    oracle->n = 1 + pare_random_below(random, MAX_UNITS);
    oracle->seed = pare_random_next(random);
    if (shape == ANTICHAIN) draw_sets(oracle, random);
    if (shape != DEPENDENT) return;
    size_t n_needed = 1 + pare_random_below(random, oracle->n < 8 ? oracle->n : 8);
    list_oracle_scatter(&oracle->dependent, oracle->n, n_needed, random);
    list_oracle_add_deps(&oracle->dependent, random);
    list_oracle_add_pairs(&oracle->dependent, 0, oracle->n, random);
}

/* --- all algorithms on all of them -------------------------------------------------- */

typedef void (*claim)(const struct list_task *task, pare_random *random);

/* Which of the knobs that exist, at random; all of them at their defaults half the time. */
static pare_list_knobs draw_knobs(pare_random *random)
{
    pare_list_knobs knobs = {0};
    if (pare_random_below(random, 2)) return knobs;
    knobs.subsets = (pare_subsets)pare_random_below(random, 4);
    knobs.order = (pare_order)pare_random_below(random, 4);
    knobs.split = (pare_split)pare_random_below(random, 3);
    knobs.fixpoint = (pare_fixpoint)pare_random_below(random, 3);
    static const size_t granularities[] = {0, 2, 3, 8, PARE_GRANULARITY_INF};
    knobs.granularity = granularities[pare_random_below(random, 5)];
    knobs.seed = pare_random_next(random);
    return knobs;
}

static void check_shape(claim check, const pare_list_algorithm *algorithm, enum shape shape)
{
    static struct oracle oracle;
    pare_random random;
    pare_random_init(&random, (uint64_t)shape + 1);
    for (size_t i = 0; i < N_CASES; i++) {
        draw_oracle(&oracle, shape, &random);
        struct list_task task = {.algorithm = algorithm,
                                 .n = oracle.n,
                                 .knobs = draw_knobs(&random),
                                 .predicate = fails,
                                 .context = &oracle,
                                 .max_tests = 4 * oracle.n * oracle.n + 100};
        check(&task, &random);
    }
}

static void check_all(claim check)
{
    size_t n;
    const pare_list_algorithm *const *table = pare_list_algorithms(&n);
    long before = pare_alloc_live();
    for (size_t i = 0; i < n; i++) {
        check_shape(check, table[i], ANTICHAIN);
        check_shape(check, table[i], DEPENDENT);
        check_shape(check, table[i], NOISE);
    }
    assert_int_equal(pare_alloc_live(), before);
}

/* --- claims ------------------------------------------------------------------------- */

static void check_result(const struct list_task *task, pare_random *random)
{
    (void)random;
    struct list_run run;
    list_reduce(task, &run);
    assert_true(run.n_kept <= task->n);
    assert_true(task->predicate(task->context, run.kept, run.n_kept));
    for (size_t i = 0; i < run.n_kept; i++) {
        assert_true(run.kept[i] < task->n);
        if (i) assert_true(run.kept[i - 1] < run.kept[i]);
    }
    list_run_done(&run);
}

static void test_list__result_fails_is_a_subset_and_is_found_in_bounded_tests(void **state)
{
    (void)state;
    check_all(check_result);
}

/* No single unit can go from `run`. */
static void assert_one_minimal(const struct list_task *task, struct list_run *run)
{
    for (size_t out = 0; out < run->n_kept; out++) {
        size_t n = 0;
        for (size_t i = 0; i < run->n_kept; i++)
            if (i != out) run->candidate[n++] = run->kept[i];
        assert_false(task->predicate(task->context, run->candidate, n));
    }
}

static void check_minimal(const struct list_task *task, pare_random *random)
{
    (void)random;
    const struct oracle *oracle = task->context;
    if (!task->algorithm->info.one_minimal && oracle->shape != ANTICHAIN) return;
    struct list_run run;
    list_reduce(task, &run);
    if (run.n_kept > 1 || task->algorithm->info.one_minimal) assert_one_minimal(task, &run);
    list_run_done(&run);
}

/* Also those that do not promise it, if the oracle is monotone. */
static void test_list__result_is_one_minimal_where_promised(void **state)
{
    (void)state;
    check_all(check_minimal);
}

static bool same_edit(const pare_edit *a, const pare_edit *b)
{
    if (a->n_ranges != b->n_ranges) return false;
    return !a->n_ranges || memcmp(a->ranges, b->ranges, a->n_ranges * sizeof *a->ranges) == 0;
}

static void check_next_twice(const struct list_task *task, pare_random *random)
{
    (void)random;
    struct list_run run;
    pare_edit again = {0};
    bool done = false;
    list_run_init(&run, task);
    assert_int_equal(task->algorithm->start(run.state, task->n, &task->knobs, 0, NULL), PARE_OK);
    while (list_propose(task, &run)) {
        pare_edit_reset(&again);
        assert_int_equal(task->algorithm->next(run.state, &done, &again, NULL), PARE_OK);
        assert_false(done);
        assert_true(same_edit(&run.edit, &again));
        list_tell(task, &run, task->predicate(task->context, run.candidate, run.n_candidate));
    }
    if (task->algorithm->release) task->algorithm->release(run.state);
    pare_edit_done(&again);
    list_run_done(&run);
}

static void test_list__next_twice_proposes_the_same(void **state)
{
    (void)state;
    check_all(check_next_twice);
}

static void *copy_state(const pare_list_algorithm *algorithm, const void *state)
{
    void *copy = malloc(algorithm->state_bytes);
    assert_non_null(copy);
    memcpy(copy, state, algorithm->state_bytes);
    if (algorithm->retain) algorithm->retain(copy);
    return copy;
}

static void free_state(const pare_list_algorithm *algorithm, void *state)
{
    if (algorithm->release) algorithm->release(state);
    free(state);
}

/* A copy that is told anything for some steps, then forgotten. */
static void run_ahead(const struct list_task *task, const void *state, pare_random *random)
{
    void *copy = copy_state(task->algorithm, state);
    pare_edit edit = {0};
    for (size_t left = pare_random_below(random, 12); left; left--) {
        bool done = false;
        pare_edit_reset(&edit);
        assert_int_equal(task->algorithm->next(copy, &done, &edit, NULL), PARE_OK);
        if (done) break;
        bool guess = pare_random_below(random, 3) == 0;
        assert_int_equal(task->algorithm->tell(copy, guess, NULL), PARE_OK);
    }
    pare_edit_done(&edit);
    free_state(task->algorithm, copy);
}

/* The true state, and beside it one that is copied and replaced by its copy. */
static void check_copies(const struct list_task *task, pare_random *random)
{
    const pare_list_algorithm *algorithm = task->algorithm;
    struct list_run run;
    pare_edit edit = {0};
    bool done = false;
    list_run_init(&run, task);
    assert_int_equal(algorithm->start(run.state, task->n, &task->knobs, 0, NULL), PARE_OK);
    void *beside = copy_state(algorithm, run.state);
    while (list_propose(task, &run)) {
        pare_edit_reset(&edit);
        assert_int_equal(algorithm->next(beside, &done, &edit, NULL), PARE_OK);
        assert_true(!done && same_edit(&run.edit, &edit));
        run_ahead(task, beside, random);
        bool outcome = task->predicate(task->context, run.candidate, run.n_candidate);
        list_tell(task, &run, outcome);
        assert_int_equal(algorithm->tell(beside, outcome, NULL), PARE_OK);
        if (pare_random_below(random, 4) == 0) {
            free_state(algorithm, beside);
            beside = copy_state(algorithm, run.state);
        }
    }
    assert_int_equal(algorithm->next(beside, &done, &edit, NULL), PARE_OK);
    assert_true(done);
    free_state(algorithm, beside);
    if (algorithm->release) algorithm->release(run.state);
    pare_edit_done(&edit);
    list_run_done(&run);
}

static void test_list__copies_agree_and_leave_the_original_alone(void **state)
{
    (void)state;
    check_all(check_copies);
}

/* --- small and special inputs ------------------------------------------------------- */

static bool always_fails(const void *context, const uint32_t *kept, size_t n)
{
    (void)context;
    (void)kept;
    (void)n;
    return true;
}

static size_t left_of(const char *name, size_t n, size_t *tests)
{
    struct list_task task = {.algorithm = pare_list_algorithm_find(name),
                             .n = n,
                             .predicate = always_fails,
                             .max_tests = 1000};
    struct list_run run;
    list_reduce(&task, &run);
    size_t left = run.n_kept;
    *tests = run.tests;
    list_run_done(&run);
    return left;
}

static void test_list__nothing_is_tested_when_there_are_no_units(void **state)
{
    (void)state;
    size_t n, tests;
    const pare_list_algorithm *const *table = pare_list_algorithms(&n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(left_of(table[i]->info.name, 0, &tests), 0);
        assert_int_equal(tests, 0);
    }
}

static void test_list__empty_candidate_is_tested_only_where_documented(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t left_of_1, left_of_9;
    } cases[] = {
        {"ddmin", 1, 1},
        {"ddmin-parallel", 1, 1},
        {"ddmin-complement", 1, 1},
        {"ddmin-blog", 1, 0},
        {"ddrmin", 1, 1},
        {"quickxplain", 0, 0},
        {"group-testing", 0, 0},
        {"adaptive", 0, 0},
        {"lithium", 1, 1},
        {"probdd", 0, 0},
        {"cdd", 0, 0},
        {"sweep", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t tests;
        assert_int_equal(left_of(cases[i].name, 1, &tests), cases[i].left_of_1);
        assert_int_equal(tests, 1 - cases[i].left_of_1);
        assert_int_equal(left_of(cases[i].name, 9, &tests), cases[i].left_of_9);
    }
}

static void test_list__a_million_units_take_few_steps(void **state)
{
    (void)state;
    static const char *const names[] = {"ddmin-blog",    "ddrmin",   "quickxplain",
                                        "group-testing", "adaptive", "lithium"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t tests;
        assert_true(left_of(names[i], 1000000, &tests) <= 1);
        assert_true(tests <= 100);
    }
}

/* --- brute force -------------------------------------------------------------------- */

enum { TABLE_UNITS = 10, N_TABLES = 300 };

/* Outcomes of all candidates, by the bits of the units kept. */
struct table {
    size_t n;
    bool fails[1 << TABLE_UNITS];
};

static uint32_t mask_of(const uint32_t *kept, size_t n)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < n; i++)
        mask |= UINT32_C(1) << kept[i];
    return mask;
}

static bool looks_up(const void *context, const uint32_t *kept, size_t n)
{
    const struct table *table = context;
    return table->fails[mask_of(kept, n)];
}

/* Fails where one of some random sets is included; the empty candidate passes. */
static void draw_monotone(struct table *table, pare_random *random)
{
    *table = (struct table){.n = 1 + pare_random_below(random, TABLE_UNITS)};
    uint32_t all = (UINT32_C(1) << table->n) - 1;
    for (size_t sets = 1 + pare_random_below(random, 5); sets; sets--) {
        uint32_t set = 1 + (uint32_t)pare_random_below(random, all);
        for (uint32_t mask = 0; mask <= all; mask++)
            table->fails[mask] |= (mask & set) == set;
    }
}

static void draw_any(struct table *table, pare_random *random)
{
    *table = (struct table){.n = 1 + pare_random_below(random, TABLE_UNITS)};
    uint32_t all = (UINT32_C(1) << table->n) - 1;
    for (uint32_t mask = 1; mask <= all; mask++)
        table->fails[mask] = mask == all || pare_random_below(random, 3) == 0;
}

static uint32_t reduce_table(const pare_list_algorithm *algorithm, const struct table *table)
{
    struct list_task task = {.algorithm = algorithm,
                             .n = table->n,
                             .predicate = looks_up,
                             .context = table,
                             .max_tests = 4000};
    struct list_run run;
    list_reduce(&task, &run);
    uint32_t mask = mask_of(run.kept, run.n_kept);
    list_run_done(&run);
    return mask;
}

static bool is_one_minimal(const struct table *table, uint32_t mask)
{
    if (!table->fails[mask]) return false;
    for (size_t i = 0; i < table->n; i++)
        if (mask >> i & 1 && table->fails[mask & ~(UINT32_C(1) << i)]) return false;
    return true;
}

static void test_list__monotone_results_are_one_minimal_by_brute_force(void **state)
{
    (void)state;
    size_t n;
    const pare_list_algorithm *const *algorithms = pare_list_algorithms(&n);
    pare_random random;
    pare_random_init(&random, 1);
    for (size_t i = 0; i < N_TABLES; i++) {
        static struct table table;
        draw_monotone(&table, &random);
        for (size_t a = 0; a < n; a++)
            assert_true(is_one_minimal(&table, reduce_table(algorithms[a], &table)));
    }
}

static void test_list__promised_minimality_holds_for_any_table(void **state)
{
    (void)state;
    size_t n;
    const pare_list_algorithm *const *algorithms = pare_list_algorithms(&n);
    pare_random random;
    pare_random_init(&random, 2);
    for (size_t i = 0; i < N_TABLES; i++) {
        static struct table table;
        draw_any(&table, &random);
        for (size_t a = 0; a < n; a++)
            if (algorithms[a]->info.one_minimal)
                assert_true(is_one_minimal(&table, reduce_table(algorithms[a], &table)));
    }
}

/* --- references, as their sources write them ---------------------------------------- */

static size_t count(uint32_t mask)
{
    return (size_t)__builtin_popcount(mask);
}

/* The units of `mask` numbered from .. to-1. */
static uint32_t slice(uint32_t mask, size_t from, size_t to)
{
    uint32_t part = 0;
    size_t i = 0;
    for (uint32_t bit = 1; bit <= mask && bit; bit <<= 1) {
        if (!(mask & bit)) continue;
        if (i >= from && i < to) part |= bit;
        i++;
    }
    return part;
}

/* Part i of n: each takes floor(rest / parts left). */
static uint32_t delta(uint32_t c, size_t n, size_t part)
{
    size_t start = 0, stop = 0;
    for (size_t i = 0; i <= part; i++) {
        start = stop;
        stop = start + (count(c) - start) / (n - i);
    }
    return slice(c, start, stop);
}

/* Seed 001, definition 1, with its four cases. */
static uint32_t ddmin_2(const struct table *table, uint32_t c, size_t n)
{
    if (count(c) < 2) return c;
    for (size_t i = 0; i < n; i++)
        if (table->fails[delta(c, n, i)]) return ddmin_2(table, delta(c, n, i), 2);
    for (size_t i = 0; i < n; i++)
        if (table->fails[c & ~delta(c, n, i)])
            return ddmin_2(table, c & ~delta(c, n, i), n - 1 > 2 ? n - 1 : 2);
    if (n < count(c)) return ddmin_2(table, c, 2 * n < count(c) ? 2 * n : count(c));
    return c;
}

/* Seed 000, ddrmin; `around` is what stands before and behind. */
static uint32_t ddrmin(const struct table *table, uint32_t current, uint32_t around)
{
    size_t n = count(current);
    if (n == 1) return current;
    uint32_t first = slice(current, 0, n / 2), second = slice(current, n / 2, n);
    if (table->fails[first | around]) return ddrmin(table, first, around);
    if (table->fails[second | around]) return ddrmin(table, second, around);
    uint32_t s1 = ddrmin(table, first, around | second);
    return s1 | ddrmin(table, second, around | s1);
}

/* Junker's QX. */
static uint32_t qx(const struct table *table, uint32_t b, uint32_t d, uint32_t c)
{
    size_t n = count(c);
    if (d && table->fails[b]) return 0;
    if (n == 1) return c;
    uint32_t c1 = slice(c, 0, n / 2), c2 = slice(c, n / 2, n);
    uint32_t x2 = qx(table, b | c1, c1, c2);
    return x2 | qx(table, b | x2, x2, c1);
}

static void test_ddmin__equals_the_recursive_definition_on_any_table(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 3);
    for (size_t i = 0; i < N_TABLES; i++) {
        static struct table table;
        draw_any(&table, &random);
        uint32_t expected = ddmin_2(&table, (UINT32_C(1) << table.n) - 1, 2);
        assert_int_equal(reduce_table(&pare_list_ddmin, &table), expected);
        assert_int_equal(reduce_table(&pare_list_ddmin_parallel, &table), expected);
    }
}

static void test_ddrmin__equals_the_recursive_source_on_any_table(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 4);
    for (size_t i = 0; i < N_TABLES; i++) {
        static struct table table;
        draw_any(&table, &random);
        uint32_t expected = ddrmin(&table, (UINT32_C(1) << table.n) - 1, 0);
        assert_int_equal(reduce_table(&pare_list_ddrmin, &table), expected);
    }
}

/* On monotone oracles its sweep finds nothing more. */
static void test_quickxplain__equals_the_recursive_source_on_monotone_tables(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 5);
    for (size_t i = 0; i < N_TABLES; i++) {
        static struct table table;
        draw_monotone(&table, &random);
        uint32_t expected = qx(&table, 0, 0, (UINT32_C(1) << table.n) - 1);
        assert_int_equal(reduce_table(&pare_list_quickxplain, &table), expected);
    }
}

/* --- memory ------------------------------------------------------------------------- */

static bool needs_every_third(const void *context, const uint32_t *kept, size_t n)
{
    size_t needed = 0;
    for (size_t i = 0; i < n; i++)
        needed += kept[i] % 3 == 0;
    return needed == *(const size_t *)context;
}

/* The calls of the protocol, made again when memory is out. */
static void start_again(const struct list_task *task, struct list_run *run)
{
    const pare_list_algorithm *algorithm = task->algorithm;
    long before = pare_alloc_live();
    pare_status status = algorithm->start(run->state, task->n, &task->knobs, 0, NULL);
    if (!status) return;
    assert_int_equal(status, PARE_E_NOMEM);
    if (algorithm->release) algorithm->release(run->state);
    assert_int_equal(pare_alloc_live(), before);
    assert_int_equal(algorithm->start(run->state, task->n, &task->knobs, 0, NULL), PARE_OK);
}

static bool propose_again(const struct list_task *task, struct list_run *run)
{
    bool done = false;
    pare_edit_reset(&run->edit);
    pare_status status = task->algorithm->next(run->state, &done, &run->edit, NULL);
    if (!status && done) return false;
    if (status) assert_int_equal(status, PARE_E_NOMEM);
    return list_propose(task, run);
}

static void tell_again(const struct list_task *task, struct list_run *run, bool outcome)
{
    void *state = run->state;
    if (task->algorithm->tell(state, outcome, NULL) == PARE_OK) {
        run->tests++;
        if (outcome) list_accept(run);
        return;
    }
    list_tell(task, run, outcome);
}

/* Lets `n` allocations succeed and the next one fail; true: it was reached. */
static bool survives_failure(const pare_list_algorithm *algorithm, size_t n, size_t *tests)
{
    const size_t n_needed = 8;
    struct list_task task = {.algorithm = algorithm, .n = 24, .context = &n_needed};
    struct list_run run;
    list_run_init(&run, &task);
    long before = pare_alloc_live();
    pare_alloc_fault_after(n);
    start_again(&task, &run);
    while (propose_again(&task, &run))
        tell_again(&task, &run, needs_every_third(&n_needed, run.candidate, run.n_candidate));
    bool hit = pare_alloc_fault_hit();
    pare_alloc_fault_after(SIZE_MAX);
    *tests = run.tests;
    if (algorithm->release) algorithm->release(run.state);
    list_run_done(&run);
    assert_int_equal(pare_alloc_live(), before);
    return hit;
}

static void test_list__out_of_memory_loses_nothing_and_can_be_repeated(void **state)
{
    (void)state;
    size_t n;
    const pare_list_algorithm *const *algorithms = pare_list_algorithms(&n);
    for (size_t a = 0; a < n; a++) {
        size_t undisturbed, tests;
        assert_false(survives_failure(algorithms[a], 1000000, &undisturbed));
        bool keeps_arrays = algorithms[a]->retain != NULL;
        size_t i = 0;
        while (survives_failure(algorithms[a], i, &tests)) {
            assert_int_equal(tests, undisturbed);
            i++;
        }
        if (keeps_arrays) assert_true(i >= 2);
    }
}

/* --- table -------------------------------------------------------------------------- */

static void test_list__table_finds_each_name_and_no_other(void **state)
{
    (void)state;
    size_t n;
    const pare_list_algorithm *const *table = pare_list_algorithms(&n);
    assert_int_equal(n, 12);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(pare_list_algorithm_find(table[i]->info.name), table[i]);
        assert_true(strlen(table[i]->info.summary) > 0 && strlen(table[i]->info.source) > 0);
        assert_true((table[i]->retain == NULL) == (table[i]->release == NULL));
    }
    assert_null(pare_list_algorithm_find("ddmi"));
    assert_null(pare_list_algorithm_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list__result_fails_is_a_subset_and_is_found_in_bounded_tests),
        cmocka_unit_test(test_list__result_is_one_minimal_where_promised),
        cmocka_unit_test(test_list__next_twice_proposes_the_same),
        cmocka_unit_test(test_list__copies_agree_and_leave_the_original_alone),
        cmocka_unit_test(test_list__nothing_is_tested_when_there_are_no_units),
        cmocka_unit_test(test_list__empty_candidate_is_tested_only_where_documented),
        cmocka_unit_test(test_list__a_million_units_take_few_steps),
        cmocka_unit_test(test_list__monotone_results_are_one_minimal_by_brute_force),
        cmocka_unit_test(test_list__promised_minimality_holds_for_any_table),
        cmocka_unit_test(test_ddmin__equals_the_recursive_definition_on_any_table),
        cmocka_unit_test(test_ddrmin__equals_the_recursive_source_on_any_table),
        cmocka_unit_test(test_quickxplain__equals_the_recursive_source_on_monotone_tables),
        cmocka_unit_test(test_list__out_of_memory_loses_nothing_and_can_be_repeated),
        cmocka_unit_test(test_list__table_finds_each_name_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
