/* Pools on many slots at once: what they come to, whatever tests end first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "engine/pool.h"
#include "support/pool_subject.h"
#include "support/scratch.h"
#include "support/simulated_oracle.h"

enum { MOST_STEPS = 4000 };

static pare_outcome test_subject(void *context, const unsigned char *bytes, size_t size)
{
    return still_fails(context, bytes, size) ? PARE_FAIL : PARE_PASS;
}

/* What retired, and what was saved when. */
struct log {
    size_t n, saved_size;
    pare_retired steps[MOST_STEPS];
};

static void keep_step(void *context, const pare_retired *retired)
{
    struct log *log = context;
    assert_true(log->n < MOST_STEPS);
    bool saved = retired->accepted && !retired->from_cache; /* those of a journal: later */
    if (saved) assert_int_equal(retired->size_bytes, log->saved_size);
    log->steps[log->n++] = *retired;
}

static pare_status keep_size(void *context, const pare_candidate *best, pare_error *err)
{
    struct log *log = context;
    (void)err;
    assert_true(log->saved_size == 0 || best->size <= log->saved_size);
    log->saved_size = best->size;
    return PARE_OK;
}

struct setup {
    unsigned jobs;
    bool deterministic, no_cache, tree;
    uint64_t max_tests, interrupt_after, timing_seed;
    pare_journal *journal; /* NULL: none */
    pare_pool_options pool;
};

struct result {
    unsigned char best[2 * MOST_CELLS];
    size_t size;
    pare_engine_end end;
    pare_engine_stats stats;
};

static const pare_pool_options PLAIN = {.sweep = true, .shorter = true};

/* Runs a pool over `patches`; its status, and *result if that is PARE_OK. */
static pare_status run_pool(struct subject *subject, pare_patches *patches,
                            const struct setup *setup, struct log *log, struct result *result,
                            pare_error *err)
{
    static struct simulated_oracle sim;
    pare_engine *engine = NULL;
    pare_verdict verdict;
    log->n = log->saved_size = 0;
    simulated_init(&sim, setup->jobs, test_subject, subject, setup->timing_seed);
    sim.interrupt_after = setup->interrupt_after;
    const pare_engine_options options = {.oracle = &sim.head,
                                         .journal = setup->journal,
                                         .deterministic = setup->deterministic,
                                         .no_cache = setup->no_cache,
                                         .max_tests = setup->max_tests,
                                         .context = log,
                                         .save = keep_size,
                                         .retired = keep_step};
    pare_status status = pare_engine_new(&options, &engine, err);
    if (!status) status = pare_engine_check(engine, patches->text, &verdict, err);
    if (!status) status = pare_engine_run_pool(engine, patches, &setup->pool, &result->end, err);
    if (!status) {
        const pare_candidate *best = pare_engine_best(engine);
        result->size = best->size;
        pare_candidate_read(best, result->best);
        result->stats = pare_engine_statistics(engine);
        assert_int_equal(result->stats.slots_busy, 0);
    }
    pare_engine_free(engine);
    return status;
}

static struct result run(struct subject *subject, struct setup setup, struct log *log)
{
    struct result result = {.size = 0};
    pare_patches *patches = make_patches(subject->n, setup.tree);
    assert_int_equal(run_pool(subject, patches, &setup, log, &result, NULL), PARE_OK);
    pare_patches_unref(patches);
    return result;
}

static struct log one, many;

static void test_pool_parallel__the_result_is_minimal_for_any_number_of_slots(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 3);
    static const unsigned jobs[] = {3, 5, 16, 64};
    for (uint64_t round = 0; round < 800; round++) {
        struct subject subject;
        make_subject(&subject, &random, 1 + pare_random_below(&random, MOST_CELLS));
        struct setup setup = {.jobs = jobs[round % 4],
                              .tree = round / 4 % 2,
                              .no_cache = round % 7 == 0,
                              .timing_seed = round,
                              .pool = PLAIN};
        setup.pool.together = round % 3 == 0;
        setup.pool.order = round % 5 ? PARE_POOL_LARGEST : PARE_POOL_LISTED;
        struct result result = run(&subject, setup, &one);
        assert_int_equal(result.end, PARE_END_DONE);
        assert_true(still_fails(&subject, result.best, result.size));
        assert_minimal(&subject, result.best, result.size);
    }
}

static void test_pool_parallel__nothing_is_tested_twice(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 31);
    for (uint64_t round = 0; round < 100; round++) {
        struct subject subject;
        make_subject(&subject, &random, MOST_CELLS);
        run(&subject, (struct setup){.jobs = 8, .tree = round % 2, .pool = PLAIN}, &one);
        for (size_t i = 0; i < one.n; i++)
            for (size_t k = 0; k < i; k++)
                assert_false(pare_digest_equal(one.steps[i].digest, one.steps[k].digest));
    }
}

static void test_pool_parallel__deterministic_is_the_same_for_any_number_of_slots(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 4);
    for (uint64_t round = 0; round < 100; round++) {
        struct subject subject;
        make_subject(&subject, &random, MOST_CELLS);
        struct result alone =
            run(&subject, (struct setup){.jobs = 1, .tree = round % 2, .pool = PLAIN}, &one);
        struct result together = run(&subject,
                                     (struct setup){.jobs = 8,
                                                    .deterministic = true,
                                                    .tree = round % 2,
                                                    .timing_seed = round,
                                                    .pool = PLAIN},
                                     &many);
        assert_int_equal(alone.size, together.size);
        assert_memory_equal(alone.best, together.best, alone.size);
        assert_int_equal(one.n, many.n);
        for (size_t i = 0; i < one.n; i++)
            assert_true(pare_digest_equal(one.steps[i].digest, many.steps[i].digest));
    }
}

static void test_pool_parallel__stays_within_the_budget(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 6);
    for (uint64_t round = 0; round < 100; round++) {
        struct subject subject;
        make_subject(&subject, &random, MOST_CELLS);
        struct result result = run(
            &subject, (struct setup){.jobs = 8, .max_tests = 1 + round % 20, .pool = PLAIN}, &one);
        assert_true(result.stats.tests <= 1 + round % 20);
        assert_true(still_fails(&subject, result.best, result.size));
    }
}

static void test_pool_parallel__an_interruption_keeps_the_best(void **state)
{
    (void)state;
    for (uint64_t stop = 1; stop < 40; stop++) {
        pare_random random;
        struct subject subject;
        pare_random_init(&random, 7);
        make_subject(&subject, &random, MOST_CELLS);
        struct result result =
            run(&subject, (struct setup){.jobs = 6, .interrupt_after = stop, .pool = PLAIN}, &one);
        assert_true(still_fails(&subject, result.best, result.size));
        if (one.saved_size) assert_int_equal(result.size, one.saved_size);
        if (result.end != PARE_END_DONE) assert_int_equal(result.end, PARE_END_INTERRUPTED);
    }
}

static pare_journal *open_journal(pare_journal_found expected)
{
    static const pare_journal_key key = {.test = {1, 2}, .input = {3, 4}};
    pare_journal *journal = NULL;
    pare_journal_found found;
    assert_int_equal(pare_journal_open("journal", &key, PARE_SYNC_SECOND, &journal, &found, NULL),
                     PARE_OK);
    assert_int_equal(found, expected);
    return journal;
}

/* What was known is answered by the journal, though tests end in another order. */
static void test_pool_parallel__goes_on_from_a_journal(void **state)
{
    (void)state;
    for (uint64_t stop = 5; stop < 60; stop += 9) {
        pare_random random;
        struct subject subject;
        pare_random_init(&random, 7);
        make_subject(&subject, &random, MOST_CELLS);
        struct setup setup = {.jobs = 8, .interrupt_after = stop, .pool = PLAIN};
        setup.journal = open_journal(PARE_JOURNAL_NEW);
        struct result first = run(&subject, setup, &one);
        pare_journal_close(setup.journal);
        setup.journal = open_journal(PARE_JOURNAL_RESUMED);
        setup.interrupt_after = 0;
        setup.timing_seed = stop;
        struct result second = run(&subject, setup, &many);
        assert_true(first.stats.tests_run < 8 || second.stats.cache_hits > 1);
        assert_minimal(&subject, second.best, second.size);
        assert_int_equal(pare_journal_remove(setup.journal, NULL), PARE_OK);
    }
}

/* Cells 0 and 1 can each go, not both: what was hoped for must be taken back. */
static pare_outcome either_or(void *context, const unsigned char *bytes, size_t size)
{
    bool there[2] = {false};
    (void)context;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] == 128 || bytes[i] == 129) there[bytes[i] - 128] = true;
    return there[0] || there[1] ? PARE_FAIL : PARE_PASS;
}

static void test_pool_parallel__takes_back_what_cannot_be_made_together(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        static struct simulated_oracle sim;
        pare_engine *engine = NULL;
        pare_engine_end end;
        pare_verdict verdict;
        pare_patches *patches = make_patches(12, seed % 2);
        simulated_init(&sim, 12, either_or, NULL, seed);
        const pare_engine_options options = {.oracle = &sim.head};
        assert_int_equal(pare_engine_new(&options, &engine, NULL), PARE_OK);
        assert_int_equal(pare_engine_check(engine, patches->text, &verdict, NULL), PARE_OK);
        assert_int_equal(pare_engine_run_pool(engine, patches, &PLAIN, &end, NULL), PARE_OK);
        assert_int_equal(pare_engine_best(engine)->size, 1);
        pare_engine_free(engine);
        pare_patches_unref(patches);
    }
}

/* Tests that did not make the text smaller by the share asked for, since the last that did. */
static size_t for_nothing(const struct log *log, size_t size, double share, bool *proven)
{
    size_t now = size, then = size, n = 0;
    *proven = false;
    for (size_t i = 1; i < log->n; i++) { /* the first is the check */
        const pare_retired *step = &log->steps[i];
        n++;
        if (step->outcome == PARE_FAIL && step->size_bytes < now) now = step->size_bytes;
        if ((double)now > (double)then * (1 - share)) continue;
        then = now;
        n = 0;
        *proven = true;
    }
    return n;
}

static void test_pool_parallel__with_an_early_stop_it_ends_after_tests_for_nothing(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 41);
    size_t n_set_aside = 0;
    for (uint64_t round = 0; round < 400; round++) {
        struct subject subject;
        bool proven;
        make_subject(&subject, &random, MOST_CELLS);
        const pare_early_stop_terms terms = {.first = 1 + (unsigned)round % 7,
                                             .tests = 1 + (unsigned)round % 11,
                                             .share = 0.05 * (double)(round % 5)};
        struct setup setup = {.jobs = 8, .tree = round % 2, .timing_seed = round, .pool = PLAIN};
        setup.pool.terms = &terms;
        struct result result = run(&subject, setup, &one);
        assert_int_equal(result.end, PARE_END_DONE);
        assert_true(still_fails(&subject, result.best, result.size));
        size_t n = for_nothing(&one, 2 * subject.n, terms.share, &proven);
        size_t most = proven ? terms.tests : terms.first;
        n_set_aside += n >= most;
        /* What is hoped for at the end is confirmed, or halved until it is. */
        assert_in_range(n, 0, most + 2 * MOST_CELLS);
        if (!result.stats.successes) assert_in_range(n, 0, most);
        if (n < most) assert_minimal(&subject, result.best, result.size);
    }
    assert_in_range(n_set_aside, 100, 400);
}

static bool has_cell(const unsigned char *bytes, size_t size, unsigned char cell)
{
    return memchr(bytes, cell, size) != NULL;
}

/* Cells 1 and 2 are kept, one of them at least. */
static bool keeps(const unsigned char *bytes, size_t size)
{
    return has_cell(bytes, size, 129) || has_cell(bytes, size, 130);
}

static pare_status admits_keeping(const void *context, const pare_candidate *candidate,
                                  bool *admitted, pare_error *err)
{
    static unsigned char bytes[2 * MOST_CELLS];
    (void)context;
    (void)err;
    pare_candidate_read(candidate, bytes);
    *admitted = keeps(bytes, candidate->size);
    return PARE_OK;
}

static pare_outcome test_kept(void *context, const unsigned char *bytes, size_t size)
{
    assert_true(keeps(bytes, size));
    return test_subject(context, bytes, size);
}

/* Each of the two can go by itself: what is hoped for is not admitted, either. */
static void test_pool_parallel__tests_only_what_is_admitted(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 43);
    for (uint64_t round = 0; round < 200; round++) {
        static struct simulated_oracle sim;
        struct subject subject;
        pare_engine *engine = NULL;
        pare_engine_end end;
        pare_verdict verdict;
        unsigned char best[2 * MOST_CELLS];
        make_subject(&subject, &random, 8 + round % (MOST_CELLS - 8));
        pare_patches *patches = make_patches(subject.n, false);
        pare_pool_options pool = PLAIN;
        pool.admits = admits_keeping;
        simulated_init(&sim, round % 2 ? 12 : 3, test_kept, &subject, round);
        const pare_engine_options options = {.oracle = &sim.head};
        assert_int_equal(pare_engine_new(&options, &engine, NULL), PARE_OK);
        assert_int_equal(pare_engine_check(engine, patches->text, &verdict, NULL), PARE_OK);
        assert_int_equal(pare_engine_run_pool(engine, patches, &pool, &end, NULL), PARE_OK);
        pare_candidate_read(pare_engine_best(engine), best);
        assert_true(keeps(best, pare_engine_best(engine)->size));
        pare_engine_free(engine);
        pare_patches_unref(patches);
    }
}

static void test_pool_parallel__few_patches_are_tried_in_one_order(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 44);
    for (uint64_t round = 0; round < 20; round++) {
        struct subject subject;
        make_subject(&subject, &random, MOST_CELLS);
        struct setup setup = {.jobs = 8, .timing_seed = round, .pool = PLAIN};
        setup.pool.many = 2 * MOST_CELLS + 1;
        run(&subject, (struct setup){.jobs = 1, .pool = PLAIN}, &one);
        run(&subject, setup, &many);
        assert_int_equal(one.n, many.n);
        for (size_t i = 0; i < one.n; i++)
            assert_true(pare_digest_equal(one.steps[i].digest, many.steps[i].digest));
    }
}

static void test_pool_parallel__out_of_memory_is_a_clean_error_everywhere(void **state)
{
    (void)state;
    pare_random random;
    struct subject subject;
    pare_random_init(&random, 14);
    make_subject(&subject, &random, 16);
    pare_patches *patches = make_patches(subject.n, true);
    long live = pare_alloc_live();
    for (size_t n = 0;; n++) {
        pare_error err = {.status = PARE_OK};
        struct result result;
        const struct setup setup = {.jobs = 6, .tree = true, .pool = PLAIN};
        pare_alloc_fault_after(n);
        pare_status status = run_pool(&subject, patches, &setup, &one, &result, &err);
        bool hit = pare_alloc_fault_hit();
        pare_alloc_fault_after(SIZE_MAX);
        if (status) assert_int_equal(status, PARE_E_NOMEM);
        assert_int_equal(pare_alloc_live(), live);
        if (!hit) break;
    }
    pare_patches_unref(patches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool_parallel__the_result_is_minimal_for_any_number_of_slots),
        cmocka_unit_test(test_pool_parallel__nothing_is_tested_twice),
        cmocka_unit_test(test_pool_parallel__deterministic_is_the_same_for_any_number_of_slots),
        cmocka_unit_test(test_pool_parallel__stays_within_the_budget),
        cmocka_unit_test(test_pool_parallel__an_interruption_keeps_the_best),
        cmocka_unit_test(test_pool_parallel__goes_on_from_a_journal),
        cmocka_unit_test(test_pool_parallel__takes_back_what_cannot_be_made_together),
        cmocka_unit_test(test_pool_parallel__with_an_early_stop_it_ends_after_tests_for_nothing),
        cmocka_unit_test(test_pool_parallel__tests_only_what_is_admitted),
        cmocka_unit_test(test_pool_parallel__few_patches_are_tried_in_one_order),
        cmocka_unit_test(test_pool_parallel__out_of_memory_is_a_clean_error_everywhere),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
