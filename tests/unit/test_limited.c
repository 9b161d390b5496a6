/* Filtering: what is not admitted costs no test and counts as passed, and nothing else
 * about a strategy changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "engine/limited.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/config.h"
#include "unit/alloc_sweep.h"

enum { UNITS = 14, MAX_TESTS = 4000 };

static const char letters[UNITS + 1] = "abcdefghijklmn";

/* The candidate is there for all letters of a word. */
static bool has_all(const char *bytes, const char *word)
{
    for (; *word; word++)
        if (!strchr(bytes, *word)) return false;
    return true;
}

static void read(const pare_candidate *candidate, char bytes[UNITS + 1])
{
    assert_true(candidate->size <= UNITS);
    pare_candidate_read(candidate, bytes);
    bytes[candidate->size] = '\0';
}

/* Admits what has all letters of the word that is the context. */
static pare_status admits_word(const void *context, const pare_candidate *candidate, bool *admitted,
                               pare_error *err)
{
    char bytes[UNITS + 1];
    (void)err;
    read(candidate, bytes);
    *admitted = has_all(bytes, context);
    return PARE_OK;
}

static pare_status make_list(const pare_list_algorithm *algorithm, pare_strategy **out)
{
    pare_text *text = NULL;
    pare_unit_list *units = NULL;
    pare_config *config = NULL;
    pare_bounds bounds = {.n = UNITS};
    const pare_list_knobs knobs = {.seed = 1};
    pare_status status = pare_text_copy(letters, UNITS, &text, NULL);
    if (!status) status = pare_config_units_new(&bounds, &units, NULL);
    if (!status) status = pare_config_new(units, text, &config, NULL);
    if (!status) status = pare_config_strategy_new(algorithm, &knobs, config, out, NULL);
    pare_config_unref(config);
    pare_config_units_unref(units);
    pare_text_unref(text);
    return status;
}

/* The candidates of a run, one after the other, each with '+' or '-' behind it. */
struct trace {
    char steps[MAX_TESTS][UNITS + 2];
    size_t n;
};

static void add_step(struct trace *trace, const char *bytes, bool fails)
{
    assert_true(trace->n < MAX_TESTS);
    (void)snprintf(trace->steps[trace->n++], sizeof trace->steps[0], "%s%c", bytes,
                   fails ? '+' : '-');
}

/* Asks for the next candidate; false when there is none. */
static bool ask(pare_strategy *strategy, char bytes[UNITS + 1])
{
    pare_next what;
    pare_candidate candidate = {0};
    assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
    if (what == PARE_NEXT_TEST) read(&candidate, bytes);
    pare_candidate_done(&candidate);
    return what == PARE_NEXT_TEST;
}

/* Runs the strategy (taken over) against the failure "all letters of `word`"; what lacks a
 * letter of `needed` is passed and left out of the trace. */
static void run(pare_strategy *strategy, const char *word, const char *needed, struct trace *trace)
{
    char bytes[UNITS + 1];
    trace->n = 0;
    while (ask(strategy, bytes)) {
        bool admitted = has_all(bytes, needed), fails = admitted && has_all(bytes, word);
        if (admitted) add_step(trace, bytes, fails);
        assert_int_equal(strategy->ops->tell(strategy, fails ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
    }
    pare_strategy_free(strategy);
}

/* The last step that failed: the result. */
static const char *last_failing(const struct trace *trace)
{
    size_t i = trace->n;
    while (i > 0 && !strchr(trace->steps[i - 1], '+'))
        i--;
    assert_true(i > 0);
    return trace->steps[i - 1];
}

static void draw_word(pare_random *random, char word[4])
{
    for (size_t i = 0; i < 3; i++)
        word[i] = letters[pare_random_below(random, UNITS)];
    word[pare_random_below(random, 4)] = '\0';
}

static void test_limited__steps_are_those_of_the_algorithm_told_pass(void **state)
{
    static struct trace plain, filtered;
    pare_random random;
    size_t n_algorithms;
    (void)state;
    pare_random_init(&random, 5);
    const pare_list_algorithm *const *algorithms = pare_list_algorithms(&n_algorithms);
    for (size_t round = 0; round < 40 * n_algorithms; round++) {
        const pare_list_algorithm *algorithm = algorithms[round % n_algorithms];
        char word[4] = "", needed[4] = "";
        pare_strategy *by_hand = NULL, *inner = NULL, *strategy = NULL;
        draw_word(&random, word);
        draw_word(&random, needed);
        assert_int_equal(make_list(algorithm, &by_hand), PARE_OK);
        run(by_hand, word, needed, &plain);
        assert_int_equal(make_list(algorithm, &inner), PARE_OK);
        assert_int_equal(pare_limited_filter(inner, admits_word, needed, &strategy, NULL), PARE_OK);
        run(strategy, word, "", &filtered);
        assert_int_equal(plain.n, filtered.n);
        for (size_t i = 0; i < plain.n; i++) {
            assert_string_equal(plain.steps[i], filtered.steps[i]);
            if (!has_all(filtered.steps[i], needed))
                fail_msg("%s proposes '%s' without '%s'", algorithm->info.name, filtered.steps[i],
                         needed);
        }
    }
}

static void test_limited__next_twice_gives_the_same_and_copies_go_their_own_ways(void **state)
{
    pare_strategy *inner = NULL, *strategy = NULL, *copy = NULL;
    char first[UNITS + 1], again[UNITS + 1];
    static struct trace one, other;
    (void)state;
    assert_int_equal(make_list(&pare_list_ddmin, &inner), PARE_OK);
    assert_int_equal(pare_limited_filter(inner, admits_word, "n", &strategy, NULL), PARE_OK);
    assert_true(ask(strategy, first));
    assert_true(ask(strategy, again));
    assert_string_equal(first, again);
    assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
    assert_int_equal(strategy->ops->tell(strategy, PARE_FAIL, NULL), PARE_OK);
    assert_int_equal(copy->ops->tell(copy, PARE_PASS, NULL), PARE_OK);
    run(strategy, "n", "", &one);
    run(copy, "dn", "", &other);
    assert_string_equal(last_failing(&one), "n+");
    assert_string_equal(last_failing(&other), "dn+");
}

static void test_limited__admitting_nothing_costs_no_test(void **state)
{
    pare_strategy *inner = NULL, *strategy = NULL;
    static struct trace trace;
    (void)state;
    assert_int_equal(make_list(&pare_list_ddmin, &inner), PARE_OK);
    assert_int_equal(pare_limited_filter(inner, admits_word, "no such letter!", &strategy, NULL),
                     PARE_OK);
    run(strategy, "", "", &trace);
    assert_int_equal(trace.n, 0);
}

/* --- heads ---------------------------------------------------------------------------------- */

/* Proposes the letters without the last one, twice, and counts what it is asked for. */
struct toy {
    pare_strategy head;
    const pare_text *text; /* borrowed */
    unsigned *settled, *destroyed;
    unsigned told;
};

static pare_status toy_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                            pare_error *err)
{
    struct toy *toy = (struct toy *)strategy;
    *what = toy->told == 2 ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    if (*what == PARE_NEXT_DONE) return PARE_OK;
    pare_candidate_start(candidate, toy->text);
    return pare_candidate_slice(candidate, 0, UNITS - 1 - toy->told, err);
}

static pare_status toy_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    (void)outcome;
    (void)err;
    ((struct toy *)strategy)->told++;
    return PARE_OK;
}

static void toy_free(pare_strategy *strategy)
{
    struct toy *toy = (struct toy *)strategy;
    ++*toy->destroyed;
    free(toy);
}

static pare_status toy_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    struct toy *copy = malloc(sizeof *copy);
    (void)err;
    assert_non_null(copy);
    *copy = *(const struct toy *)strategy;
    *out = &copy->head;
    return PARE_OK;
}

static pare_status toy_settle(pare_strategy *strategy, pare_error *err)
{
    (void)err;
    ++*((struct toy *)strategy)->settled;
    return PARE_OK;
}

static pare_status toy_best(const pare_strategy *strategy, pare_candidate *best, pare_error *err)
{
    pare_candidate_start(best, ((const struct toy *)strategy)->text);
    return pare_candidate_slice(best, 0, 3, err);
}

static pare_status toy_passing(const pare_strategy *strategy, pare_candidate *side, pare_error *err)
{
    pare_candidate_start(side, ((const struct toy *)strategy)->text);
    return pare_candidate_slice(side, 0, 2, err);
}

static double toy_chance(const pare_strategy *strategy)
{
    (void)strategy;
    return 0.75;
}

static pare_status toy_hear(pare_strategy *strategy, const pare_complaints *complaints,
                            pare_error *err)
{
    (void)complaints;
    (void)err;
    ((struct toy *)strategy)->told += 100;
    return PARE_OK;
}

static const pare_strategy_ops bare_ops = {
    .next = toy_next, .tell = toy_tell, .copy = toy_copy, .destroy = toy_free};
static const pare_strategy_ops full_ops = {.next = toy_next,
                                           .tell = toy_tell,
                                           .copy = toy_copy,
                                           .destroy = toy_free,
                                           .settle = toy_settle,
                                           .best = toy_best,
                                           .passing = toy_passing,
                                           .chance = toy_chance,
                                           .hear = toy_hear};

static struct toy *make_toy(const pare_strategy_ops *ops, const pare_text *text, unsigned *settled,
                            unsigned *destroyed)
{
    struct toy *toy = malloc(sizeof *toy);
    assert_non_null(toy);
    *toy = (struct toy){
        .head = {.ops = ops}, .text = text, .settled = settled, .destroyed = destroyed};
    return toy;
}

/* The operations that a strategy need not have are there and do theirs, or are not there. */
static void assert_has_ops(pare_strategy *strategy, bool full)
{
    const pare_strategy_ops *ops = strategy->ops;
    const pare_complaints nothing = {.n = 0};
    pare_candidate best = {0}, side = {0};
    assert_int_equal(ops->best != NULL, full);
    assert_int_equal(ops->passing != NULL, full);
    assert_int_equal(ops->chance != NULL, full);
    assert_int_equal(ops->hear != NULL, full);
    assert_int_equal(ops->settle != NULL, full);
    if (!full) return;
    assert_int_equal(ops->settle(strategy, NULL), PARE_OK);
    assert_int_equal(ops->best(strategy, &best, NULL), PARE_OK);
    assert_int_equal(best.size, 3);
    assert_int_equal(ops->passing(strategy, &side, NULL), PARE_OK);
    assert_int_equal(side.size, 2);
    assert_float_equal((float)ops->chance(strategy), 0.75F, 1e-6F);
    assert_int_equal(ops->hear(strategy, &nothing, NULL), PARE_OK);
    pare_candidate_done(&best);
    pare_candidate_done(&side);
}

static void test_limited__has_the_head_of_what_is_inside(void **state)
{
    pare_text *text = NULL;
    (void)state;
    assert_int_equal(pare_text_copy(letters, UNITS, &text, NULL), PARE_OK);
    for (unsigned k = 0; k < 4; k++) {
        unsigned settled = 0, destroyed = 0;
        bool full = k & 1, ordered = k & 2;
        struct toy *toy = make_toy(full ? &full_ops : &bare_ops, text, &settled, &destroyed);
        pare_strategy *strategy = NULL, *copy = NULL;
        toy->head.ordered = ordered;
        toy->head.three_valued = !ordered;
        assert_int_equal(pare_limited_filter(&toy->head, admits_word, "", &strategy, NULL),
                         PARE_OK);
        assert_int_equal(strategy->ordered, ordered);
        assert_int_equal(strategy->three_valued, !ordered);
        assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
        pare_strategy_free(strategy);
        assert_has_ops(copy, full);
        assert_int_equal(settled, full);
        pare_strategy_free(copy);
        assert_int_equal(destroyed, 2);
    }
    pare_text_unref(text);
}

/* Fails the first time it is asked; the context counts. */
static pare_status fails_once(const void *context, const pare_candidate *candidate, bool *admitted,
                              pare_error *err)
{
    unsigned *asked = (unsigned *)(uintptr_t)context;
    (void)candidate;
    if (!(*asked)++) return pare_fail_nomem(err);
    *admitted = true;
    return PARE_OK;
}

static void test_limited__a_failing_predicate_leaves_the_state_alone(void **state)
{
    pare_text *text = NULL;
    unsigned settled = 0, destroyed = 0, asked = 0;
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    pare_next what;
    (void)state;
    assert_int_equal(pare_text_copy(letters, UNITS, &text, NULL), PARE_OK);
    struct toy *toy = make_toy(&full_ops, text, &settled, &destroyed);
    assert_int_equal(pare_limited_filter(&toy->head, fails_once, &asked, &strategy, NULL), PARE_OK);
    assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_E_NOMEM);
    assert_int_equal(toy->told, 0);
    assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
    assert_int_equal(what, PARE_NEXT_TEST);
    assert_int_equal(candidate.size, UNITS - 1);
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    pare_text_unref(text);
}

static pare_status run_once(void *context)
{
    pare_strategy *inner = NULL, *strategy = NULL, *copy = NULL;
    pare_status status = make_list(&pare_list_ddmin, &inner);
    if (!status) status = pare_limited_filter(inner, admits_word, context, &strategy, NULL);
    assert_int_equal(strategy != NULL, status == PARE_OK);
    if (!status) status = strategy->ops->copy(strategy, &copy, NULL);
    pare_next what = PARE_NEXT_TEST;
    pare_candidate candidate = {0};
    while (!status && what == PARE_NEXT_TEST) {
        status = copy->ops->next(copy, &what, &candidate, NULL);
        if (!status && what == PARE_NEXT_TEST) status = copy->ops->tell(copy, PARE_PASS, NULL);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(copy);
    pare_strategy_free(strategy);
    return status;
}

static void test_limited__survives_each_allocation_failing(void **state)
{
    char word[] = "ab";
    (void)state;
    sweep_allocations(run_once, word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limited__steps_are_those_of_the_algorithm_told_pass),
        cmocka_unit_test(test_limited__next_twice_gives_the_same_and_copies_go_their_own_ways),
        cmocka_unit_test(test_limited__admitting_nothing_costs_no_test),
        cmocka_unit_test(test_limited__has_the_head_of_what_is_inside),
        cmocka_unit_test(test_limited__a_failing_predicate_leaves_the_state_alone),
        cmocka_unit_test(test_limited__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
