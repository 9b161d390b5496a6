/* Excursions: the best never grows, whatever is explored beside it; and tryouts, which find
 * where they begin. */
/* tests: src/engine/pool.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "engine/pool.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/config.h"
#include "support/simulated_oracle.h"
#include "text/order.h"
#include "unit/alloc_sweep.h"

enum { MAX_BYTES = 128, MAX_STEPS = 4096 };

/* It fails if all bytes of one of two sets are there.  The input has the first one; that and
 * the second one, smaller or not, are what an excursion sets out from. */
struct subject {
    bool first[256], second[256];
    unsigned char input[MAX_BYTES], grown[MAX_BYTES];
    size_t n_input, n_grown;
};

static void make_subject(struct subject *subject, uint64_t seed)
{
    pare_random random;
    pare_random_init(&random, seed);
    memset(subject, 0, sizeof *subject);
    size_t n_first = 2 + pare_random_below(&random, 12);
    size_t n_second = 1 + pare_random_below(&random, 14);
    for (size_t i = 0; i < 48; i++) {
        unsigned char byte = (unsigned char)(33 + i);
        if (i < n_first) subject->first[byte] = true;
        if (i >= 24 && i < 24 + n_second) subject->second[byte] = true;
        if (i < 24) subject->input[subject->n_input++] = byte;
        if (i < n_first || i >= 24) subject->grown[subject->n_grown++] = byte;
    }
    for (size_t i = subject->n_grown; i > 1; i--) { /* in any order */
        size_t j = (size_t)pare_random_below(&random, i);
        unsigned char byte = subject->grown[j];
        subject->grown[j] = subject->grown[i - 1];
        subject->grown[i - 1] = byte;
    }
}

static bool holds(const bool *set, const unsigned char *bytes, size_t size)
{
    bool there[256] = {false};
    for (size_t i = 0; i < size; i++)
        there[bytes[i]] = true;
    for (size_t i = 0; i < 256; i++)
        if (set[i] && !there[i]) return false;
    return true;
}

static pare_outcome run_subject(void *context, const unsigned char *bytes, size_t size)
{
    const struct subject *subject = context;
    bool fails = holds(subject->first, bytes, size) || holds(subject->second, bytes, size);
    return fails ? PARE_FAIL : PARE_PASS;
}

/* What was told and saved; `best` is what was saved last. */
struct record {
    size_t n;
    pare_retired step[MAX_STEPS];
    unsigned char best[MAX_BYTES];
    size_t best_size, n_saved;
};

static void keep_step(void *context, const pare_retired *retired)
{
    struct record *record = context;
    assert_true(record->n < MAX_STEPS);
    assert_false(retired->accepted && retired->stepped);
    record->step[record->n++] = *retired;
}

/* Makes *candidate, all-zero, all of `text`. */
static void take_whole(const pare_text *text, pare_candidate *candidate)
{
    pare_candidate_start(candidate, text);
    assert_int_equal(pare_candidate_slice(candidate, 0, pare_text_size(text), NULL), PARE_OK);
}

/* The property: what is saved is smaller in the order than all that was saved before. */
static pare_status save_smaller(void *context, const pare_candidate *best, pare_error *err)
{
    struct record *record = context;
    (void)err;
    if (record->n_saved++) {
        pare_text *text = NULL;
        int order = 0;
        assert_int_equal(pare_text_copy(record->best, record->best_size, &text, NULL), PARE_OK);
        pare_candidate before = {0};
        take_whole(text, &before);
        assert_int_equal(pare_order_compare(best, &before, &order, NULL), PARE_OK);
        assert_true(order < 0);
        pare_candidate_done(&before);
        pare_text_unref(text);
    }
    record->best_size = best->size;
    pare_candidate_read(best, record->best);
    return PARE_OK;
}

static pare_strategy *strategy_over(const pare_text *text, const pare_list_algorithm *algorithm)
{
    const pare_list_knobs knobs = {.granularity = 0};
    pare_bounds bounds = {.n = pare_text_size(text)};
    pare_unit_list *units = NULL;
    pare_config *config = NULL;
    pare_strategy *strategy = NULL;
    assert_int_equal(pare_config_units_new(&bounds, &units, NULL), PARE_OK);
    assert_int_equal(pare_config_new(units, text, &config, NULL), PARE_OK);
    assert_int_equal(pare_config_strategy_new(algorithm, &knobs, config, &strategy, NULL), PARE_OK);
    pare_config_unref(config);
    pare_config_units_unref(units);
    return strategy;
}

/* A strategy over what strategies start from. */
static pare_engine_end run(pare_engine *engine, const pare_list_algorithm *algorithm)
{
    const pare_text *text = NULL;
    pare_engine_end end;
    assert_int_equal(pare_engine_settle(engine, &text, NULL), PARE_OK);
    assert_int_equal(pare_engine_run(engine, strategy_over(text, algorithm), &end, NULL), PARE_OK);
    return end;
}

static void set_out(pare_engine *engine, const unsigned char *bytes, size_t size,
                    pare_uphill_terms terms)
{
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
    pare_candidate from = {0};
    take_whole(text, &from);
    assert_int_equal(pare_engine_start_uphill(engine, &from, &terms, NULL), PARE_OK);
    pare_candidate_done(&from);
    pare_text_unref(text);
}

/* How a reduction with one excursion went. */
struct story {
    pare_engine_end end; /* of the excursion's run */
    bool found;
    uint64_t tests;      /* on the excursion */
    size_t before, size; /* bytes of the best, before and after it */
    unsigned char bytes[MAX_BYTES];
};

static struct simulated_oracle sim;

static pare_engine *begin_with(struct subject *subject, simulated_test run_text, unsigned jobs,
                               uint64_t max_tests, struct record *record)
{
    pare_engine *engine = NULL;
    pare_text *text = NULL;
    pare_verdict verdict;
    simulated_init(&sim, jobs, run_text, subject, jobs);
    *record = (struct record){.n = 0};
    const pare_engine_options options = {.oracle = &sim.head,
                                         .max_tests = max_tests,
                                         .context = record,
                                         .save = save_smaller,
                                         .retired = keep_step};
    assert_int_equal(pare_engine_new(&options, &engine, NULL), PARE_OK);
    assert_int_equal(pare_text_copy(subject->input, subject->n_input, &text, NULL), PARE_OK);
    assert_int_equal(pare_engine_check(engine, text, &verdict, NULL), PARE_OK);
    pare_text_unref(text);
    return engine;
}

static pare_engine *begin(struct subject *subject, unsigned jobs, uint64_t max_tests,
                          struct record *record)
{
    return begin_with(subject, run_subject, jobs, max_tests, record);
}

static struct story tell(struct subject *subject, unsigned jobs, pare_uphill_terms terms,
                         struct record *record)
{
    struct story story = {.found = false};
    pare_engine *engine = begin(subject, jobs, 0, record);
    assert_int_equal(run(engine, &pare_list_adaptive), PARE_END_DONE);
    story.before = pare_engine_best(engine)->size;
    story.tests = pare_engine_statistics(engine).tests;
    set_out(engine, subject->grown, subject->n_grown, terms);
    assert_int_equal(pare_engine_best(engine)->size, story.before);
    assert_int_equal(pare_engine_current(engine)->size, subject->n_grown);
    story.end = run(engine, &pare_list_adaptive);
    story.found = pare_engine_end_uphill(engine);
    story.tests = pare_engine_statistics(engine).tests - story.tests;
    assert_ptr_equal(pare_engine_current(engine), pare_engine_best(engine));
    assert_int_equal(run(engine, &pare_list_adaptive), PARE_END_DONE);
    story.size = pare_engine_best(engine)->size;
    pare_candidate_read(pare_engine_best(engine), story.bytes);
    assert_int_equal(run_subject(subject, story.bytes, story.size), PARE_FAIL);
    pare_engine_free(engine);
    return story;
}

static struct record one, many;

static const pare_uphill_terms ENDLESS = {.patience = MAX_STEPS, .most = MAX_STEPS};

static void test_uphill_search__the_best_only_ever_becomes_smaller(void **state)
{
    (void)state;
    size_t n_found = 0, n_lost = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct subject subject;
        make_subject(&subject, seed);
        struct story story = tell(&subject, 1, ENDLESS, &one);
        assert_true(story.size <= story.before);
        assert_int_equal(story.found, story.end == PARE_END_UPHILL);
        if (!story.found) assert_int_equal(story.size, story.before);
        n_found += story.size < story.before;
        n_lost += !story.found;
    }
    assert_true(n_found > 50);
    assert_true(n_lost > 50);
}

static void test_uphill_search__it_ends_when_its_tests_are_spent(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct subject subject;
        make_subject(&subject, seed);
        const pare_uphill_terms terms = {.patience = 1 + seed % 7, .most = 1 + seed % 23};
        struct story story = tell(&subject, 1, terms, &one);
        assert_true(story.tests <= terms.most);
        if (!story.found && story.end == PARE_END_UPHILL)
            assert_true(story.tests == terms.most || story.tests >= terms.patience);
    }
}

static void test_uphill_search__patience_begins_anew_with_each_step(void **state)
{
    (void)state;
    struct subject subject = {.n_input = 0};
    make_subject(&subject, 1);
    memset(subject.second, 0, sizeof subject.second); /* nothing is to be found */
    pare_engine *engine = begin(&subject, 1, 0, &one);
    assert_int_equal(run(engine, &pare_list_sweep), PARE_END_DONE);
    set_out(engine, subject.grown, subject.n_grown,
            (pare_uphill_terms){.patience = 3, .most = MAX_STEPS});
    size_t first = one.n, quiet = 0;
    pare_engine_end end = run(engine, &pare_list_sweep);
    for (size_t i = first; i < one.n; i++) {
        assert_true(quiet < 3);
        quiet = one.step[i].stepped ? 0 : quiet + !one.step[i].from_cache;
    }
    if (end == PARE_END_UPHILL) assert_int_equal(quiet, 3);
    assert_false(pare_engine_end_uphill(engine));
    pare_engine_free(engine);
}

static void test_uphill_search__jobs_change_neither_bytes_nor_trace(void **state)
{
    (void)state;
    static const unsigned jobs[] = {2, 8, 64};
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct subject subject;
        make_subject(&subject, seed);
        const pare_uphill_terms terms = {.patience = 2 + seed % 9, .most = 3 + seed % 40};
        struct story alone = tell(&subject, 1, terms, &one);
        for (size_t j = 0; j < 3; j++) {
            struct story together = tell(&subject, jobs[j], terms, &many);
            assert_int_equal(together.size, alone.size);
            assert_memory_equal(together.bytes, alone.bytes, alone.size);
            assert_int_equal(together.end, alone.end);
            assert_int_equal(many.n, one.n);
            for (size_t i = 0; i < one.n; i++) {
                assert_true(pare_digest_equal(one.step[i].digest, many.step[i].digest));
                assert_int_equal(one.step[i].accepted, many.step[i].accepted);
                assert_int_equal(one.step[i].stepped, many.step[i].stepped);
                assert_int_equal(one.step[i].from_cache, many.step[i].from_cache);
            }
        }
    }
}

static void test_uphill_search__the_budget_holds_and_the_best_stays(void **state)
{
    (void)state;
    struct subject subject;
    make_subject(&subject, 3);
    pare_engine *engine = begin(&subject, 1, 0, &one);
    assert_int_equal(run(engine, &pare_list_adaptive), PARE_END_DONE);
    uint64_t tests = pare_engine_statistics(engine).tests;
    pare_engine_free(engine);

    engine = begin(&subject, 4, tests + 2, &many);
    assert_int_equal(run(engine, &pare_list_adaptive), PARE_END_DONE);
    size_t best = pare_engine_best(engine)->size;
    set_out(engine, subject.grown, subject.n_grown, ENDLESS);
    assert_int_equal(run(engine, &pare_list_adaptive), PARE_END_BUDGET);
    assert_int_equal(pare_engine_statistics(engine).tests, tests + 2);
    assert_int_equal(pare_engine_best(engine)->size, best);
    assert_int_equal(many.best_size, best);
    assert_false(pare_engine_end_uphill(engine));
    pare_engine_free(engine);
}

/* ---- where what is unresolved counts ----------------------------------------------------- */

/* A fault of two faces: bytes that hold the first set have it, and a third of these fail, as if by
 * what happens to lie in memory; of the others most are unresolved. */
static pare_outcome run_chaos(void *context, const unsigned char *bytes, size_t size)
{
    const struct subject *subject = context;
    uint32_t sum = 2166136261u;
    if (!holds(subject->first, bytes, size)) return PARE_PASS;
    if (size == subject->n_input) return PARE_FAIL;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 16777619u;
    sum = (sum ^ sum >> 15) * 0x2c1b3c6du >> 24;
    return sum % 6 < 2 ? PARE_FAIL : sum % 6 < 5 ? PARE_UNRESOLVED : PARE_PASS;
}

/* One face alone: all but the input is unresolved. */
static pare_outcome run_hang(void *context, const unsigned char *bytes, size_t size)
{
    const struct subject *subject = context;
    if (!holds(subject->first, bytes, size)) return PARE_PASS;
    return size == subject->n_input ? PARE_FAIL : PARE_UNRESOLVED;
}

/* A sweep, then a blind search from its result; *before: bytes of that. */
static pare_engine *search_blindly(struct subject *subject, simulated_test run_text, unsigned jobs,
                                   uint64_t most_blind, struct record *record, size_t *before)
{
    const pare_uphill_terms terms = {
        .patience = MAX_STEPS, .most = MAX_STEPS, .most_blind = most_blind};
    unsigned char best[MAX_BYTES];
    pare_engine *engine = begin_with(subject, run_text, jobs, 0, record);
    assert_int_equal(run(engine, &pare_list_sweep), PARE_END_DONE);
    *before = pare_engine_best(engine)->size;
    pare_candidate_read(pare_engine_best(engine), best);
    set_out(engine, best, *before, terms);
    (void)run(engine, &pare_list_sweep);
    return engine;
}

static void test_uphill_search__through_unresolved_only_what_fails_is_the_best(void **state)
{
    (void)state;
    size_t n_found = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct subject subject;
        unsigned char bytes[MAX_BYTES];
        size_t before;
        make_subject(&subject, seed);
        pare_engine *engine = search_blindly(&subject, run_chaos, 1, MAX_STEPS, &one, &before);
        const size_t reached = pare_engine_current(engine)->size;
        const bool found = pare_engine_end_uphill(engine);
        const pare_candidate *best = pare_engine_best(engine);
        assert_ptr_equal(pare_engine_current(engine), best);
        assert_int_equal(found, best->size < before);
        assert_true(reached <= best->size);
        pare_candidate_read(best, bytes);
        assert_int_equal(run_chaos(&subject, bytes, best->size), PARE_FAIL);
        assert_int_equal(one.best_size, best->size);
        assert_memory_equal(one.best, bytes, best->size);
        n_found += found;
        pare_engine_free(engine);
    }
    assert_true(n_found > 75);
}

static void test_uphill_search__through_unresolved_it_is_given_up_where_nothing_fails(void **state)
{
    (void)state;
    for (uint64_t most = 1; most < 5; most++) {
        struct subject subject;
        size_t before;
        make_subject(&subject, most);
        pare_engine *engine = search_blindly(&subject, run_hang, 1, most, &one, &before);
        size_t n_stepped = 0;
        for (size_t i = 0; i < one.n; i++)
            n_stepped += one.step[i].stepped;
        assert_int_equal(n_stepped, most);
        assert_int_equal(before, subject.n_input);
        assert_false(pare_engine_end_uphill(engine));
        assert_int_equal(pare_engine_best(engine)->size, before);
        pare_engine_free(engine);
    }
}

static void test_uphill_search__through_unresolved_jobs_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct subject subject;
        size_t before;
        make_subject(&subject, seed);
        pare_engine_free(search_blindly(&subject, run_chaos, 1, 1 + seed % 9, &one, &before));
        pare_engine_free(search_blindly(&subject, run_chaos, 2 + (unsigned)(seed % 7), 1 + seed % 9,
                                        &many, &before));
        assert_int_equal(many.n, one.n);
        assert_int_equal(many.best_size, one.best_size);
        assert_memory_equal(many.best, one.best, one.best_size);
        for (size_t i = 0; i < one.n; i++) {
            assert_true(pare_digest_equal(one.step[i].digest, many.step[i].digest));
            assert_int_equal(one.step[i].stepped, many.step[i].stepped);
        }
    }
}

/* ---- tryouts -------------------------------------------------------------------------- */

/* Patches that put 1 .. 4 letters behind a text. */
static pare_patches *make_patches(const pare_text *text)
{
    pare_patches *patches = NULL;
    assert_int_equal(pare_patches_new(text, &patches, NULL), PARE_OK);
    for (size_t i = 1; i <= 4; i++) {
        assert_int_equal(pare_patches_change(patches, 0, 0, "abcd", i, NULL), PARE_OK);
        assert_int_equal(pare_patches_end(patches, PARE_NO_PATCH, NULL, NULL), PARE_OK);
    }
    return patches;
}

static void test_tryout__ends_at_the_first_that_fails_and_goes_on_behind_it(void **state)
{
    (void)state;
    static const uint32_t picked[] = {3, 0, 2};
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy("xy", 2, &text, NULL), PARE_OK);
    pare_patches *patches = make_patches(text);
    static const size_t sizes[] = {6, 3, 5};
    for (size_t fails = 0; fails <= 3; fails++) {
        for (size_t first = 0; first <= fails; first++) {
            pare_strategy *tryout = NULL, *copy = NULL;
            pare_next what;
            pare_candidate candidate = {0};
            assert_int_equal(pare_pool_first_success_new(patches, picked, 3, first, &tryout, NULL),
                             PARE_OK);
            for (size_t i = first; i < 3 && i <= fails; i++) {
                assert_int_equal(pare_pool_first_success_place(tryout), 3);
                assert_int_equal(tryout->ops->next(tryout, &what, &candidate, NULL), PARE_OK);
                assert_int_equal(what, PARE_NEXT_TEST);
                assert_int_equal(candidate.size, sizes[i]);
                pare_outcome outcome = i == fails ? PARE_FAIL : PARE_PASS;
                assert_int_equal(tryout->ops->tell(tryout, outcome, NULL), PARE_OK);
            }
            assert_int_equal(tryout->ops->copy(tryout, &copy, NULL), PARE_OK);
            pare_strategy_free(tryout);
            assert_int_equal(copy->ops->next(copy, &what, &candidate, NULL), PARE_OK);
            assert_int_equal(what, PARE_NEXT_DONE);
            assert_int_equal(pare_pool_first_success_place(copy), fails);
            pare_strategy_free(copy);
            pare_candidate_done(&candidate);
        }
    }
    pare_patches_unref(patches);
    pare_text_unref(text);
}

static pare_status attempt_tryout(void *context)
{
    static const uint32_t picked[] = {0, 1};
    pare_strategy *tryout = NULL, *copy = NULL;
    pare_status status = pare_pool_first_success_new(context, picked, 2, 0, &tryout, NULL);
    if (!status) status = tryout->ops->copy(tryout, &copy, NULL);
    pare_strategy_free(copy);
    pare_strategy_free(tryout);
    return status;
}

static void test_tryout__every_allocation_may_fail(void **state)
{
    (void)state;
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy("xy", 2, &text, NULL), PARE_OK);
    pare_patches *patches = make_patches(text);
    sweep_allocations(attempt_tryout, patches);
    pare_patches_unref(patches);
    pare_text_unref(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uphill_search__the_best_only_ever_becomes_smaller),
        cmocka_unit_test(test_uphill_search__it_ends_when_its_tests_are_spent),
        cmocka_unit_test(test_uphill_search__patience_begins_anew_with_each_step),
        cmocka_unit_test(test_uphill_search__jobs_change_neither_bytes_nor_trace),
        cmocka_unit_test(test_uphill_search__the_budget_holds_and_the_best_stays),
        cmocka_unit_test(test_uphill_search__through_unresolved_only_what_fails_is_the_best),
        cmocka_unit_test(test_uphill_search__through_unresolved_it_is_given_up_where_nothing_fails),
        cmocka_unit_test(test_uphill_search__through_unresolved_jobs_change_nothing),
        cmocka_unit_test(test_tryout__ends_at_the_first_that_fails_and_goes_on_behind_it),
        cmocka_unit_test(test_tryout__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
