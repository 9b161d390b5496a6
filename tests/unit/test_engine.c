/* The engine runs a strategy ahead without changing what it does. */
/* tests: src/engine/slots.c src/engine/engine.c src/engine/speculate.c
 * src/reduce/list/config.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "engine/engine.h"
#include "reduce/list/config.h"
#include "support/simulated_oracle.h"

enum { MAX_UNITS = 96, MAX_STEPS = 20000 };

/* A random program under test: some bytes are needed, some need an earlier one, some
 * must vanish together, some candidates are unresolved. */
struct subject {
    unsigned char text[MAX_UNITS];
    size_t n;
    bool needed[256];
    int needs[256];   /* byte value that must be there too; -1: none */
    int partner[256]; /* byte value that must be there, or not, likewise; -1: none */
    bool sometimes_unresolved;
    uint64_t seed;
};

static void make_subject(struct subject *subject, uint64_t seed)
{
    pare_random random;
    pare_random_init(&random, seed);
    memset(subject, 0, sizeof *subject);
    subject->seed = seed;
    subject->n = 1 + pare_random_below(&random, MAX_UNITS);
    for (size_t i = 0; i < 256; i++)
        subject->needs[i] = subject->partner[i] = -1;
    for (size_t i = 0; i < subject->n; i++)
        subject->text[i] = (unsigned char)(i + 1);
    size_t n_needed = pare_random_below(&random, 8);
    for (size_t i = 0; i < n_needed; i++)
        subject->needed[1 + pare_random_below(&random, subject->n)] = true;
    bool dependent = pare_random_below(&random, 2), paired = pare_random_below(&random, 3) == 0;
    for (size_t i = 2; dependent && i <= subject->n; i++)
        if (pare_random_below(&random, 2))
            subject->needs[i] = (int)(1 + pare_random_below(&random, i - 1));
    for (size_t i = 1; paired && i + 1 <= subject->n; i += 2)
        subject->partner[i] = (int)i + 1;
    subject->sometimes_unresolved = pare_random_below(&random, 2);
}

static pare_outcome run_subject(void *context, const unsigned char *bytes, size_t size)
{
    const struct subject *subject = context;
    bool there[256] = {false};
    for (size_t i = 0; i < size; i++)
        there[bytes[i]] = true;
    for (int i = 0; i < 256; i++) {
        if (subject->needed[i] && !there[i]) return PARE_PASS;
        if (there[i] && subject->needs[i] >= 0 && !there[subject->needs[i]])
            return subject->sometimes_unresolved ? PARE_UNRESOLVED : PARE_PASS;
        if (subject->partner[i] >= 0 && there[i] != there[subject->partner[i]]) return PARE_PASS;
    }
    return PARE_FAIL;
}

struct trace {
    size_t n;
    pare_retired step[MAX_STEPS];
};

static void keep_step(void *context, const pare_retired *retired)
{
    struct trace *trace = context;
    assert_true(trace->n < MAX_STEPS);
    trace->step[trace->n++] = *retired;
}

static pare_strategy *strategy_over(const pare_text *text, const pare_list_algorithm *algorithm,
                                    const pare_list_knobs *knobs)
{
    pare_bounds bounds = {.n = pare_text_size(text)};
    pare_unit_list *units = NULL;
    pare_config *config = NULL;
    pare_strategy *strategy = NULL;
    assert_int_equal(pare_config_units_new(&bounds, &units, NULL), PARE_OK);
    assert_int_equal(pare_config_new(units, text, &config, NULL), PARE_OK);
    assert_int_equal(pare_config_strategy_new(algorithm, knobs, config, &strategy, NULL), PARE_OK);
    pare_config_unref(config);
    pare_config_units_unref(units);
    return strategy;
}

struct setup {
    unsigned jobs;
    bool no_cache;
    uint64_t max_tests, timing_seed;
    uint64_t interrupt_after;
    pare_guard_terms guard;
    uint64_t stuck_after;
    unsigned n_here; /* slots on this machine, where starting takes */
    long start_ns;
    double start_there_ms;
    unsigned most_slots;
};

struct result {
    unsigned char bytes[MAX_UNITS];
    size_t size;
    pare_engine_end end;
    pare_engine_stats stats;
    double makespan;
};

static struct result reduce(struct subject *subject, const pare_list_algorithm *algorithm,
                            struct setup setup, struct trace *trace)
{
    static struct simulated_oracle sim;
    struct result result = {.size = 0};
    pare_text *text = NULL;
    pare_engine *engine = NULL;
    pare_verdict verdict;
    pare_list_knobs knobs = {.granularity = 0};
    simulated_init(&sim, setup.jobs, run_subject, subject, setup.timing_seed);
    sim.interrupt_after = setup.interrupt_after;
    sim.stuck_after = setup.stuck_after;
    sim.start_ns = setup.start_ns;
    sim.start_there_ms = setup.start_there_ms;
    sim.head.n_useful = setup.n_here ? setup.jobs : 0;
    sim.head.n_here = setup.n_here;
    trace->n = 0;
    assert_int_equal(pare_text_copy(subject->text, subject->n, &text, NULL), PARE_OK);
    pare_engine_options options = {.oracle = &sim.head,
                                   .no_cache = setup.no_cache,
                                   .max_tests = setup.max_tests,
                                   .context = trace,
                                   .retired = keep_step};
    assert_int_equal(pare_engine_new(&options, &engine, NULL), PARE_OK);
    assert_int_equal(pare_engine_check(engine, text, &verdict, NULL), PARE_OK);
    assert_int_equal(verdict.outcome, PARE_FAIL);
    pare_engine_guard(engine, &setup.guard);
    pare_engine_bound_slots(engine, setup.most_slots);
    assert_int_equal(
        pare_engine_run(engine, strategy_over(text, algorithm, &knobs), &result.end, NULL),
        PARE_OK);
    const pare_candidate *best = pare_engine_best(engine);
    result.size = best->size;
    pare_candidate_read(best, result.bytes);
    result.stats = pare_engine_statistics(engine);
    result.makespan = sim.now;
    assert_int_equal(result.stats.slots_busy, 0);
    pare_engine_free(engine);
    pare_text_unref(text);
    return result;
}

static void assert_same_trace(const struct trace *a, const struct trace *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_int_equal(a->step[i].n, i);
        assert_int_equal(b->step[i].n, i);
        assert_true(pare_digest_equal(a->step[i].digest, b->step[i].digest));
        assert_int_equal(a->step[i].outcome, b->step[i].outcome);
        assert_int_equal(a->step[i].accepted, b->step[i].accepted);
        assert_int_equal(a->step[i].from_cache, b->step[i].from_cache);
    }
}

static struct trace one, many;

/* With sanitizers, which look at the same code each time, one seed in four. */
static uint64_t seeds(uint64_t n)
{
    const char *sanitize = getenv("PARE_SANITIZE");
    return sanitize && *sanitize && !getenv("PARE_TEST_LONG") ? n / 4 : n;
}

static void compare_jobs(bool no_cache, uint64_t first_seed, uint64_t n_seeds)
{
    size_t n_algorithms;
    const pare_list_algorithm *const *algorithms = pare_list_algorithms(&n_algorithms);
    static const unsigned jobs[] = {2, 8};
    for (size_t a = 0; a < n_algorithms; a++) {
        for (uint64_t seed = first_seed; seed < first_seed + seeds(n_seeds); seed++) {
            struct subject subject;
            make_subject(&subject, seed);
            struct result alone = reduce(&subject, algorithms[a],
                                         (struct setup){.jobs = 1, .no_cache = no_cache}, &one);
            assert_int_equal(alone.stats.speculated, 0);
            assert_int_equal(alone.stats.cancelled, 0);
            assert_int_equal(run_subject(&subject, alone.bytes, alone.size), PARE_FAIL);
            for (size_t j = 0; j < 2; j++) {
                struct result together =
                    reduce(&subject, algorithms[a],
                           (struct setup){
                               .jobs = jobs[j], .no_cache = no_cache, .timing_seed = seed * 7 + j},
                           &many);
                assert_int_equal(together.size, alone.size);
                assert_memory_equal(together.bytes, alone.bytes, alone.size);
                assert_same_trace(&one, &many);
            }
        }
    }
}

static void test_engine__jobs_change_neither_bytes_nor_trace(void **state)
{
    (void)state;
    compare_jobs(false, 1, 200);
}

static void test_engine__with_one_slot_to_fill_nothing_is_tried_ahead(void **state)
{
    (void)state;
    struct subject subject;
    const pare_list_algorithm *ddmin = pare_list_algorithm_find("ddmin");
    make_subject(&subject, 1);
    const struct result alone = reduce(&subject, ddmin, (struct setup){.jobs = 1}, &one);
    const struct result result =
        reduce(&subject, ddmin, (struct setup){.jobs = 8, .most_slots = 1}, &many);
    assert_same_trace(&one, &many);
    assert_int_equal(result.stats.speculated, 0);
    assert_int_equal(result.stats.tests_run, alone.stats.tests_run);
}

/* A busy machine takes longer to start a test than the test itself takes: trying ahead is not worth
 * it there, and is on other machines, which only have to be told. */
static void test_engine__a_costly_start_here_does_not_idle_other_machines(void **state)
{
    (void)state;
    struct subject subject;
    const long start_ns = 2000000; /* a simulated test takes 1 ms */
    make_subject(&subject, 7);
    struct setup setup = {.jobs = 8, .start_ns = start_ns, .max_tests = 30};
    struct result here = reduce(&subject, pare_list_algorithm_find("ddmin"), setup, &one);
    assert_int_equal(here.stats.speculated, 0);
    setup.n_here = 1;
    struct result away = reduce(&subject, pare_list_algorithm_find("ddmin"), setup, &many);
    assert_true(away.stats.speculated > 0);
    assert_same_trace(&one, &many);
    /* Workers on this machine, say, or with more slots than cores: as slow as here, they are spared. */
    setup.start_there_ms = 2;
    struct result slow = reduce(&subject, pare_list_algorithm_find("ddmin"), setup, &many);
    assert_true(slow.stats.speculated < away.stats.speculated / 2);
    assert_same_trace(&one, &many);
    /* Slower than here: that may be over. */
    setup.start_ns = 0;
    setup.start_there_ms = 1000;
    struct result fast = reduce(&subject, pare_list_algorithm_find("ddmin"), setup, &many);
    assert_true(fast.stats.speculated > away.stats.speculated / 2);
}

/* Where trying ahead was not worth it, it is as soon as one test takes much longer than the others. */
static void test_engine__a_test_that_takes_long_has_company(void **state)
{
    (void)state;
    struct subject subject;
    make_subject(&subject, 7);
    struct setup setup = {.jobs = 8, .start_ns = 2000000, .max_tests = 30};
    struct result alone = reduce(&subject, pare_list_algorithm_find("ddmin"), setup, &one);
    assert_int_equal(alone.stats.speculated, 0);
    assert_true(one.n > 4);
    setup.stuck_after = 3;
    struct result stuck = reduce(&subject, pare_list_algorithm_find("ddmin"), setup, &many);
    assert_true(stuck.stats.speculated > 0);
    assert_same_trace(&one, &many);
}

static void test_engine__jobs_change_nothing_without_cache_either(void **state)
{
    (void)state;
    compare_jobs(true, 1000, 40);
}

static bool is_subsequence(const unsigned char *part, size_t n_part, const unsigned char *all,
                           size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n && k < n_part; i++)
        k += all[i] == part[k];
    return k == n_part;
}

/* The classics never test the empty candidate, so their last unit counts as needed. */
static bool tests_nothing(const pare_list_algorithm *algorithm)
{
    static const char *const classics[] = {"ddmin", "ddmin-parallel", "ddmin-complement",
                                           "lithium"};
    for (size_t i = 0; i < sizeof classics / sizeof *classics; i++)
        if (strcmp(algorithm->info.name, classics[i]) == 0) return false;
    return true;
}

static void test_engine__result_is_failing_part_and_one_minimal_where_promised(void **state)
{
    (void)state;
    size_t n_algorithms;
    const pare_list_algorithm *const *algorithms = pare_list_algorithms(&n_algorithms);
    for (size_t a = 0; a < n_algorithms; a++) {
        for (uint64_t seed = 5000; seed < 5000 + seeds(100); seed++) {
            struct subject subject;
            make_subject(&subject, seed);
            struct result result = reduce(&subject, algorithms[a], (struct setup){.jobs = 4}, &one);
            assert_true(is_subsequence(result.bytes, result.size, subject.text, subject.n));
            assert_int_equal(result.end, PARE_END_DONE);
            for (size_t i = 0; algorithms[a]->info.one_minimal && i < result.size; i++) {
                unsigned char less[MAX_UNITS];
                memcpy(less, result.bytes, i);
                memcpy(less + i, result.bytes + i + 1, result.size - i - 1);
                if (run_subject(&subject, less, result.size - 1) == PARE_FAIL &&
                    (result.size > 1 || tests_nothing(algorithms[a])))
                    fail_msg("%s, seed %d: unit %zu of %zu can go", algorithms[a]->info.name,
                             (int)seed, i, result.size);
            }
        }
    }
}

static void test_engine__cache_answers_repeated_candidates(void **state)
{
    (void)state;
    const pare_list_algorithm *ddmin = pare_list_algorithm_find("ddmin");
    for (uint64_t seed = 1; seed < 50; seed++) {
        struct subject subject;
        make_subject(&subject, seed);
        struct result result = reduce(&subject, ddmin, (struct setup){.jobs = 1}, &one);
        for (size_t i = 0; i < one.n; i++)
            for (size_t k = 0; k < i; k++)
                if (pare_digest_equal(one.step[i].digest, one.step[k].digest))
                    assert_true(one.step[i].from_cache);
        assert_int_equal(result.stats.tests_run + result.stats.cache_hits, one.n);
    }
}

static void test_engine__test_budget_ends_at_the_same_step_for_all_jobs(void **state)
{
    (void)state;
    const pare_list_algorithm *ddmin = pare_list_algorithm_find("ddmin");
    for (uint64_t seed = 1; seed < 60; seed++) {
        struct subject subject;
        make_subject(&subject, seed);
        uint64_t budget = 1 + seed % 17;
        struct result a =
            reduce(&subject, ddmin, (struct setup){.jobs = 1, .max_tests = budget}, &one);
        struct result b =
            reduce(&subject, ddmin,
                   (struct setup){.jobs = 8, .max_tests = budget, .timing_seed = seed}, &many);
        assert_same_trace(&one, &many);
        assert_true(a.stats.tests <= budget);
        assert_int_equal(a.end, b.end);
        assert_int_equal(a.size, b.size);
    }
}

/* Forty bytes, of which none can go. */
static void need_all(struct subject *subject)
{
    memset(subject, 0, sizeof *subject);
    memset(subject->needs, -1, sizeof subject->needs);
    memset(subject->partner, -1, sizeof subject->partner);
    for (subject->n = 0; subject->n < 40; subject->n++) {
        subject->text[subject->n] = (unsigned char)(subject->n + 1);
        subject->needed[subject->n + 1] = true;
    }
}

static uint64_t ten_after(uint64_t gained_at)
{
    (void)gained_at;
    return 10;
}

/* Tests since the last one that removed a byte. */
static uint64_t vain_tests(const struct trace *trace)
{
    uint64_t n = 0;
    for (size_t i = 1; i < trace->n; i++)
        n = trace->step[i].accepted ? 0 : n + !trace->step[i].from_cache;
    return n;
}

/* Of the tests after a gain, three are kept for something else. */
static void test_engine__guard_ends_what_earns_nothing_at_the_same_step_for_all_jobs(void **state)
{
    static struct trace traces[2];
    static struct subject subject;
    (void)state;
    need_all(&subject);
    static const pare_guard_terms guards[] = {{.after = ten_after, .kept = 3},
                                              {.yield = {.first = 7, .tests = 7, .share = 0.1}}};
    for (size_t i = 0; i < 2; i++) {
        struct setup setup = {.jobs = 1, .guard = guards[i]};
        struct result alone = reduce(&subject, &pare_list_sweep, setup, &traces[0]);
        setup.jobs = 5;
        struct result five = reduce(&subject, &pare_list_sweep, setup, &traces[1]);
        assert_int_equal(alone.end, PARE_END_VAIN);
        assert_int_equal(five.end, PARE_END_VAIN);
        assert_int_equal(vain_tests(&traces[0]), 7);
        assert_int_equal(traces[0].n, traces[1].n);
    }
}

/* Without terms a guard ends nothing. */
static void test_engine__all_zero_guard_lets_everything_pass(void **state)
{
    static struct trace traces[1];
    static struct subject subject;
    (void)state;
    need_all(&subject);
    struct result result = reduce(&subject, &pare_list_sweep, (struct setup){.jobs = 1}, traces);
    assert_int_equal(result.end, PARE_END_DONE);
    assert_int_equal(result.stats.gained_at, 0);
}

static void test_engine__interruption_keeps_the_best_so_far(void **state)
{
    (void)state;
    const pare_list_algorithm *lithium = pare_list_algorithm_find("lithium");
    for (uint64_t stop = 1; stop < 40; stop++) {
        struct subject subject;
        make_subject(&subject, 77);
        struct result result =
            reduce(&subject, lithium, (struct setup){.jobs = 4, .interrupt_after = stop}, &one);
        assert_int_equal(run_subject(&subject, result.bytes, result.size), PARE_FAIL);
        if (result.end != PARE_END_DONE) assert_int_equal(result.end, PARE_END_INTERRUPTED);
    }
}

static void test_engine__out_of_memory_is_a_clean_error_everywhere(void **state)
{
    (void)state;
    struct subject subject;
    make_subject(&subject, 12);
    static struct simulated_oracle sim;
    const pare_list_algorithm *algorithm = pare_list_algorithm_find("ddmin");
    pare_list_knobs knobs = {.granularity = 0};
    long live = pare_alloc_live();
    for (size_t n = 0;; n++) {
        pare_text *text = NULL;
        pare_engine *engine = NULL;
        pare_verdict verdict;
        pare_engine_end end;
        pare_error err = {.status = PARE_OK};
        simulated_init(&sim, 4, run_subject, &subject, 1);
        assert_int_equal(pare_text_copy(subject.text, subject.n, &text, NULL), PARE_OK);
        pare_strategy *strategy = strategy_over(text, algorithm, &knobs);
        pare_alloc_fault_after(n);
        pare_engine_options options = {.oracle = &sim.head};
        pare_status status = pare_engine_new(&options, &engine, &err);
        if (!status) status = pare_engine_check(engine, text, &verdict, &err);
        if (!status)
            status = pare_engine_run(engine, strategy, &end, &err);
        else
            pare_strategy_free(strategy);
        bool hit = pare_alloc_fault_hit();
        pare_alloc_fault_after(SIZE_MAX);
        if (status) {
            assert_int_equal(status, PARE_E_NOMEM);
            assert_int_equal(err.status, PARE_E_NOMEM);
        }
        pare_engine_free(engine);
        pare_text_unref(text);
        assert_int_equal(pare_alloc_live(), live);
        if (!hit) break;
    }
}

/* Needs its first byte, and then fails with a chance in 100 that is the second one. */
static pare_outcome run_by_chance(void *context, const unsigned char *bytes, size_t size)
{
    pare_random *random = context;
    if (size < 2 || bytes[0] != '!') return PARE_PASS;
    return pare_random_below(random, 100) < bytes[1] ? PARE_FAIL : PARE_PASS;
}

static pare_status keep_size(void *context, const pare_candidate *best, pare_error *err)
{
    (void)err;
    *(size_t *)context = best->size;
    return PARE_OK;
}

static void test_engine__measures_how_often_the_best_fails(void **state)
{
    (void)state;
    static struct simulated_oracle sim;
    pare_random random;
    pare_text *text = NULL;
    pare_engine *engine = NULL;
    pare_engine_end end;
    pare_measured measured = {.timed_out = 0};
    pare_verdict verdict = {.outcome = PARE_PASS};
    pare_random_init(&random, 1);
    simulated_init(&sim, 5, run_by_chance, &random, 2);
    assert_int_equal(pare_text_copy("!Fxx", 4, &text, NULL), PARE_OK); /* 'F' is 70 */
    assert_int_equal(pare_engine_new(&(pare_engine_options){.oracle = &sim.head}, &engine, NULL),
                     PARE_OK);
    while (verdict.outcome != PARE_FAIL)
        assert_int_equal(pare_engine_check(engine, text, &verdict, NULL), PARE_OK);
    assert_int_equal(pare_engine_measure(engine, text, 1001, &measured, &end, NULL), PARE_OK);
    assert_int_equal(end, PARE_END_DONE);
    assert_int_equal(measured.rate.runs, 1001);
    assert_float_equal(pare_rate_share(measured.rate), 0.7, 0.05);
    assert_int_equal(pare_engine_statistics(engine).measured, 1001);
    assert_int_equal(pare_engine_statistics(engine).slots_busy, 0);
    sim.interrupt_after = sim.finished + 10;
    assert_int_equal(pare_engine_measure(engine, text, 1000, &measured, &end, NULL), PARE_OK);
    assert_int_equal(end, PARE_END_INTERRUPTED);
    assert_int_equal(measured.rate.runs, 1011);
    pare_engine_free(engine);
    pare_text_unref(text);
}

/* Tests of the same duration end in order, so the time is the number of those after each other. */
static void test_engine__measures_in_as_many_slots_as_it_may_fill(void **state)
{
    (void)state;
    static struct simulated_oracle sim;
    static const unsigned most[] = {0, 1, 2};
    static const float rounds[] = {2, 10, 5};
    pare_random random;
    pare_engine *engine = NULL;
    pare_text *text = NULL;
    pare_engine_end end;
    pare_random_init(&random, 1);
    simulated_init(&sim, 5, run_by_chance, &random, 2);
    sim.sigma = 0;
    assert_int_equal(pare_text_copy("!Fxx", 4, &text, NULL), PARE_OK);
    assert_int_equal(pare_engine_new(&(pare_engine_options){.oracle = &sim.head}, &engine, NULL),
                     PARE_OK);
    for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
        pare_measured measured = {.timed_out = 0};
        const double since = sim.now;
        pare_engine_bound_slots(engine, most[k]);
        assert_int_equal(pare_engine_measure(engine, text, 10, &measured, &end, NULL), PARE_OK);
        assert_int_equal(measured.rate.runs, 10);
        assert_float_equal((float)(sim.now - since), rounds[k], 1e-3F);
    }
    pare_engine_free(engine);
    pare_text_unref(text);
}

static void allow_few(void *context)
{
    unsigned *ticks = context;
    assert_true(++*ticks < 1000);
}

static void test_engine__takes_the_best_back(void **state)
{
    (void)state;
    static struct simulated_oracle sim;
    size_t saved = 0;
    struct subject subject = {.n = 8, .text = "abcdefgh"};
    pare_text *text = NULL;
    pare_engine *engine = NULL;
    pare_engine_end end;
    pare_verdict verdict;
    pare_list_knobs knobs = {.granularity = 0};
    const pare_list_algorithm *algorithm = pare_list_algorithm_find("ddmin");
    for (size_t i = 0; i < 256; i++)
        subject.needs[i] = subject.partner[i] = -1;
    subject.needed['c'] = true;
    simulated_init(&sim, 2, run_subject, &subject, 3);
    assert_int_equal(pare_text_copy(subject.text, subject.n, &text, NULL), PARE_OK);
    pare_engine_options options = {.oracle = &sim.head, .context = &saved, .save = keep_size};
    assert_int_equal(pare_engine_new(&options, &engine, NULL), PARE_OK);
    assert_int_equal(pare_engine_check(engine, text, &verdict, NULL), PARE_OK);
    assert_int_equal(pare_engine_run(engine, strategy_over(text, algorithm, &knobs), &end, NULL),
                     PARE_OK);
    assert_int_equal(saved, 1);
    subject.needed['f'] = true; /* it was luck that "c" alone failed */
    assert_int_equal(pare_engine_restore(engine, text, NULL), PARE_OK);
    assert_int_equal(saved, 8);
    assert_int_equal(pare_engine_best(engine)->size, 8);
    assert_int_equal(pare_engine_run(engine, strategy_over(text, algorithm, &knobs), &end, NULL),
                     PARE_OK);
    assert_int_equal(saved, 2);
    unsigned char bytes[2];
    pare_candidate_read(pare_engine_best(engine), bytes);
    assert_memory_equal(bytes, "cf", 2);
    pare_engine_free(engine);
    pare_text_unref(text);
}

/* The oracle tells nothing in 0 ms: whoever waits no longer than until a deadline that is over would ask
 * it for ever. */
static void test_engine__a_check_is_waited_for_beyond_the_deadline(void **state)
{
    (void)state;
    static struct simulated_oracle sim;
    struct subject subject = {.n = 4, .text = "abcd"};
    pare_text *text = NULL;
    pare_engine *engine = NULL;
    pare_verdict verdict;
    unsigned ticks = 0;
    for (size_t i = 0; i < 256; i++)
        subject.needs[i] = subject.partner[i] = -1;
    simulated_init(&sim, 1, run_subject, &subject, 3);
    assert_int_equal(pare_text_copy(subject.text, subject.n, &text, NULL), PARE_OK);
    pare_engine_options options = {
        .oracle = &sim.head, .deadline_ms = 1, .context = &ticks, .tick_ms = 50, .tick = allow_few};
    assert_int_equal(pare_engine_new(&options, &engine, NULL), PARE_OK);
    assert_int_equal(pare_engine_check(engine, text, &verdict, NULL), PARE_OK);
    assert_int_equal(verdict.outcome, PARE_FAIL);
    assert_int_equal(ticks, 0);
    pare_engine_free(engine);
    pare_text_unref(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine__jobs_change_neither_bytes_nor_trace),
        cmocka_unit_test(test_engine__a_costly_start_here_does_not_idle_other_machines),
        cmocka_unit_test(test_engine__a_test_that_takes_long_has_company),
        cmocka_unit_test(test_engine__jobs_change_nothing_without_cache_either),
        cmocka_unit_test(test_engine__result_is_failing_part_and_one_minimal_where_promised),
        cmocka_unit_test(test_engine__cache_answers_repeated_candidates),
        cmocka_unit_test(test_engine__test_budget_ends_at_the_same_step_for_all_jobs),
        cmocka_unit_test(test_engine__guard_ends_what_earns_nothing_at_the_same_step_for_all_jobs),
        cmocka_unit_test(test_engine__all_zero_guard_lets_everything_pass),
        cmocka_unit_test(test_engine__interruption_keeps_the_best_so_far),
        cmocka_unit_test(test_engine__out_of_memory_is_a_clean_error_everywhere),
        cmocka_unit_test(test_engine__measures_how_often_the_best_fails),
        cmocka_unit_test(test_engine__measures_in_as_many_slots_as_it_may_fill),
        cmocka_unit_test(test_engine__with_one_slot_to_fill_nothing_is_tried_ahead),
        cmocka_unit_test(test_engine__takes_the_best_back),
        cmocka_unit_test(test_engine__a_check_is_waited_for_beyond_the_deadline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
