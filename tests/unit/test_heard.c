/* Complaints by candidate, and strategies that hear them: slots, the journal and the cache change
 * nothing of what they hear. */
/* tests: src/engine/heard.c src/engine/speculate.c src/engine/slots.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "engine/engine.h"
#include "engine/heard.h"
#include "support/scratch.h"
#include "support/simulated_oracle.h"
#include "unit/alloc_sweep.h"

/* ---- the store ------------------------------------------------------------------------ */

static pare_complaints complaints_of(uint32_t line)
{
    pare_complaints list = {.n = 0};
    pare_complaints_add(&list, &(pare_complaint){.line = line, .name = "x"});
    return list;
}

static void test_heard__tells_silence_from_no_complaints(void **state)
{
    pare_heard heard = {.n = 0};
    pare_printed text;
    pare_complaints none = {.n = 0}, some = complaints_of(7), got;
    (void)state;
    assert_int_equal(pare_heard_put(&heard, (pare_digest){1, 1}, NULL, &text, NULL), PARE_OK);
    assert_int_equal(text.size, 0);
    assert_int_equal(pare_heard_put(&heard, (pare_digest){1, 2}, &none, &text, NULL), PARE_OK);
    assert_int_equal(pare_heard_put(&heard, (pare_digest){1, 3}, &some, &text, NULL), PARE_OK);
    assert_int_equal(pare_heard_of(&heard, (pare_digest){1, 1}), PARE_HEARD_SILENT);
    assert_int_equal(pare_heard_of(&heard, (pare_digest){1, 2}), PARE_HEARD_COMPILES);
    assert_int_equal(pare_heard_of(&heard, (pare_digest){1, 3}), PARE_HEARD_COMPLAINTS);
    assert_int_equal(pare_heard_of(&heard, (pare_digest){1, 4}), PARE_HEARD_NOT);
    pare_heard_get(&heard, (pare_digest){1, 3}, &got);
    assert_int_equal(got.n, 1);
    assert_int_equal(got.item[0].line, 7);
    pare_heard_get(&heard, (pare_digest){1, 4}, &got);
    assert_int_equal(got.n, 0);
    pare_heard_done(&heard);
}

/* Gives the text of `from` to `to` in pieces of `size` bytes. */
static void load_pieces(pare_heard *to, pare_printed text, size_t size)
{
    for (size_t at = 0; at == 0 || at < text.size; at += size) {
        size_t left = text.size - at;
        pare_heard_piece piece = {.text = text.size ? text.text + at : "",
                                  .size = left < size ? left : size,
                                  .first = at == 0,
                                  .last = left <= size};
        assert_int_equal(pare_heard_load(to, &piece, NULL), PARE_OK);
    }
}

static void test_heard__pieces_of_a_journal_give_the_same(void **state)
{
    pare_heard heard = {.n = 0}, loaded = {.n = 0};
    pare_complaints some = complaints_of(1234);
    pare_printed text;
    (void)state;
    assert_int_equal(pare_heard_put(&heard, (pare_digest){0, 9}, &some, &text, NULL), PARE_OK);
    load_pieces(&loaded, text, 5);
    assert_int_equal(pare_heard_assign(&loaded, (pare_digest){0, 9}, NULL), PARE_OK);
    assert_int_equal(pare_heard_of(&loaded, (pare_digest){0, 9}), PARE_HEARD_COMPLAINTS);
    /* It was of that outcome only. */
    assert_int_equal(pare_heard_assign(&loaded, (pare_digest){0, 8}, NULL), PARE_OK);
    assert_int_equal(pare_heard_of(&loaded, (pare_digest){0, 8}), PARE_HEARD_NOT);
    load_pieces(&loaded, (pare_printed){"", 0}, 5);
    assert_int_equal(pare_heard_assign(&loaded, (pare_digest){0, 7}, NULL), PARE_OK);
    assert_int_equal(pare_heard_of(&loaded, (pare_digest){0, 7}), PARE_HEARD_SILENT);
    load_pieces(&loaded, (pare_printed){"+damaged\n", 9}, 5);
    assert_int_equal(pare_heard_assign(&loaded, (pare_digest){0, 6}, NULL), PARE_OK);
    assert_int_equal(pare_heard_of(&loaded, (pare_digest){0, 6}), PARE_HEARD_NOT);
    pare_heard_done(&heard);
    pare_heard_done(&loaded);
}

static void test_heard__a_full_store_forgets_and_goes_on(void **state)
{
    pare_heard heard = {.n = 0};
    pare_complaints some = complaints_of(1);
    pare_printed text;
    (void)state;
    for (uint64_t k = 1; k <= 70000; k++)
        assert_int_equal(pare_heard_put(&heard, (pare_digest){k, k}, &some, &text, NULL), PARE_OK);
    assert_int_equal(pare_heard_of(&heard, (pare_digest){1, 1}), PARE_HEARD_NOT);
    assert_int_equal(pare_heard_of(&heard, (pare_digest){70000, 70000}), PARE_HEARD_COMPLAINTS);
    pare_heard_done(&heard);
}

static pare_status put_and_load(void *context)
{
    pare_heard heard = {.n = 0}, loaded = {.n = 0};
    pare_complaints some = complaints_of(3);
    pare_printed text;
    (void)context;
    pare_status status = pare_heard_put(&heard, (pare_digest){0, 9}, &some, &text, NULL);
    const pare_heard_piece piece = {.text = "+", .size = 1, .first = true, .last = true};
    if (!status) status = pare_heard_load(&loaded, &piece, NULL);
    if (!status) status = pare_heard_assign(&loaded, (pare_digest){0, 1}, NULL);
    pare_heard_done(&heard);
    pare_heard_done(&loaded);
    return status;
}

static void test_heard__out_of_memory_is_a_clean_error(void **state)
{
    (void)state;
    sweep_allocations(put_and_load, NULL);
}

/* ---- a program that does not always compile ---------------------------------------------- */

enum { N_UNITS = 48, MAX_STEPS = 4000 };

/* Byte v is the unit v - 1.  Bytes 9, 20 and 31 are the failure; each fourth byte needs the one
 * before it, or the candidate does not compile. */
static uint32_t missing_for(const unsigned char *bytes, size_t size)
{
    bool there[256] = {false};
    for (size_t i = 0; i < size; i++)
        there[bytes[i]] = true;
    for (uint32_t v = 4; v <= N_UNITS; v += 4)
        if (there[v] && !there[v - 1]) return v;
    return 0;
}

static pare_outcome run_program(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    bool fails = memchr(bytes, 9, size) && memchr(bytes, 20, size) && memchr(bytes, 31, size);
    return fails && !missing_for(bytes, size) ? PARE_FAIL : PARE_PASS;
}

/* The oracle says what is wrong, when it is listened to. */
struct compiler {
    struct simulated_oracle sim;
    const pare_oracle_ops *inner;
    bool listens, cannot;
    unsigned n_listened;
    struct {
        bool listened;
        uint32_t missing;
        pare_complaints complaints;
    } slot[64];
};

static pare_status start(pare_oracle *oracle, unsigned slot, const pare_candidate *candidate,
                         pare_error *err)
{
    struct compiler *self = (struct compiler *)oracle;
    unsigned char bytes[N_UNITS];
    pare_candidate_read(candidate, bytes);
    self->slot[slot].listened = self->listens;
    self->slot[slot].missing = missing_for(bytes, candidate->size);
    self->n_listened += self->listens;
    return self->inner->start(oracle, slot, candidate, err);
}

static void cancel(pare_oracle *oracle, unsigned slot)
{
    ((struct compiler *)oracle)->inner->cancel(oracle, slot);
}

static pare_status wait_for(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                            pare_verdict *verdict, pare_error *err)
{
    struct compiler *self = (struct compiler *)oracle;
    pare_status status = self->inner->wait(oracle, timeout_ms, what, verdict, err);
    if (status || *what != PARE_WAIT_VERDICT || verdict->cancelled) return status;
    if (!self->slot[verdict->slot].listened) return PARE_OK;
    uint32_t missing = self->slot[verdict->slot].missing;
    self->slot[verdict->slot].complaints = complaints_of(missing);
    if (!missing) self->slot[verdict->slot].complaints.n = 0;
    verdict->complaints = &self->slot[verdict->slot].complaints;
    verdict->check_ms = 0.5;
    return PARE_OK;
}

static void destroy(pare_oracle *oracle)
{
    (void)oracle;
}

static bool listen(pare_oracle *oracle, pare_listening listens)
{
    struct compiler *self = (struct compiler *)oracle;
    if (self->cannot) return false;
    self->listens = listens;
    return true;
}

static void compiler_init(struct compiler *self, unsigned jobs, uint64_t seed)
{
    static const pare_oracle_ops ops = {
        .start = start, .cancel = cancel, .wait = wait_for, .destroy = destroy, .listen = listen};
    memset(self, 0, sizeof *self);
    simulated_init(&self->sim, jobs, run_program, NULL, seed);
    self->inner = self->sim.head.ops;
    self->sim.head.ops = &ops;
}

/* ---- a strategy that hears ----------------------------------------------------------------- */

/* Deletes unit by unit; where it hears that another lacks that unit, it tries both at once. */
struct pairs {
    pare_strategy head;
    const pare_text *text;
    uint64_t kept;
    unsigned at, extra, heard; /* extra, heard: 1 + the unit; 0: none */
    unsigned hears_until;      /* deaf from this unit on */
};

static uint64_t without(const struct pairs *self)
{
    uint64_t kept = self->kept & ~(UINT64_C(1) << self->at);
    return self->extra ? kept & ~(UINT64_C(1) << (self->extra - 1)) : kept;
}

static pare_status next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                        pare_error *err)
{
    struct pairs *self = (struct pairs *)strategy;
    pare_status status = PARE_OK;
    while (self->at < N_UNITS && !(self->kept >> self->at & 1))
        self->at++;
    *what = self->at < N_UNITS ? PARE_NEXT_TEST : PARE_NEXT_DONE;
    self->head.hears = self->at < self->hears_until;
    if (*what == PARE_NEXT_DONE) return PARE_OK;
    uint64_t kept = without(self);
    pare_candidate_start(candidate, self->text);
    for (unsigned k = 0; k < N_UNITS && !status; k++)
        if (kept >> k & 1) status = pare_candidate_slice(candidate, k, 1, err);
    return status;
}

static pare_status hear(pare_strategy *strategy, const pare_complaints *complaints, pare_error *err)
{
    (void)err;
    assert_true(complaints->n > 0);
    assert_true(strategy->hears);
    ((struct pairs *)strategy)->heard = complaints->item[0].line;
    return PARE_OK;
}

static pare_status tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct pairs *self = (struct pairs *)strategy;
    (void)err;
    if (outcome == PARE_FAIL) self->kept = without(self);
    bool again = outcome != PARE_FAIL && self->heard && !self->extra;
    self->extra = again ? self->heard : 0;
    if (!again) self->at++;
    self->heard = 0;
    return PARE_OK;
}

static pare_status copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    struct pairs *made = pare_alloc(1, sizeof *made);
    if (!made) return pare_fail_nomem(err);
    *made = *(const struct pairs *)strategy;
    *out = &made->head;
    return PARE_OK;
}

static void free_pairs(pare_strategy *strategy)
{
    pare_alloc_free(strategy);
}

static pare_strategy *pairs_new(const pare_text *text, unsigned hears_until)
{
    static const pare_strategy_ops ops = {
        .next = next, .tell = tell, .copy = copy, .destroy = free_pairs, .hear = hear};
    struct pairs *self = pare_alloc_zero(1, sizeof *self);
    assert_non_null(self);
    *self = (struct pairs){.head = {.ops = &ops},
                           .text = text,
                           .kept = (UINT64_C(1) << N_UNITS) - 1,
                           .hears_until = hears_until};
    return &self->head;
}

/* ---- runs ---------------------------------------------------------------------------------- */

struct trace {
    size_t n;
    pare_digest digest[MAX_STEPS];
    pare_outcome outcome[MAX_STEPS];
};

static void keep_step(void *context, const pare_retired *retired)
{
    struct trace *trace = context;
    assert_true(trace->n < MAX_STEPS);
    trace->digest[trace->n] = retired->digest;
    trace->outcome[trace->n++] = retired->outcome;
}

struct setup {
    unsigned jobs, hears_until;
    bool cannot, twice; /* twice: a deaf run comes first */
    bool no_cache;
    pare_journal *journal;
};

struct result {
    size_t size;
    unsigned n_listened;
    pare_engine_stats stats;
};

static struct result reduce(struct setup setup, struct trace *trace)
{
    static struct compiler compiler;
    unsigned char bytes[N_UNITS];
    struct result result;
    pare_text *text = NULL;
    pare_engine *engine = NULL;
    pare_engine_end end;
    pare_verdict verdict;
    compiler_init(&compiler, setup.jobs, 7 + setup.jobs);
    compiler.cannot = setup.cannot;
    for (unsigned k = 0; k < N_UNITS; k++)
        bytes[k] = (unsigned char)(k + 1);
    trace->n = 0;
    assert_int_equal(pare_text_copy(bytes, N_UNITS, &text, NULL), PARE_OK);
    const pare_engine_options options = {.oracle = &compiler.sim.head,
                                         .journal = setup.journal,
                                         .no_cache = setup.no_cache,
                                         .context = trace,
                                         .retired = keep_step};
    assert_int_equal(pare_engine_new(&options, &engine, NULL), PARE_OK);
    assert_int_equal(pare_engine_check(engine, text, &verdict, NULL), PARE_OK);
    if (setup.twice)
        assert_int_equal(pare_engine_run(engine, pairs_new(text, 0), &end, NULL), PARE_OK);
    assert_int_equal(pare_engine_run(engine, pairs_new(text, setup.hears_until), &end, NULL),
                     PARE_OK);
    result = (struct result){.size = pare_engine_best(engine)->size,
                             .n_listened = compiler.n_listened,
                             .stats = pare_engine_statistics(engine)};
    assert_false(compiler.listens);
    pare_engine_free(engine);
    pare_text_unref(text);
    return result;
}

static void assert_same_trace(const struct trace *a, const struct trace *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t k = 0; k < a->n; k++) {
        assert_true(pare_digest_equal(a->digest[k], b->digest[k]));
        assert_int_equal(a->outcome[k], b->outcome[k]);
    }
}

static struct trace first, second;

static void test_heard__slots_change_nothing_of_what_is_heard(void **state)
{
    static const unsigned jobs[] = {2, 3, 8, 40};
    (void)state;
    for (unsigned no_cache = 0; no_cache < 2; no_cache++) {
        struct setup setup = {.jobs = 1, .hears_until = N_UNITS, .no_cache = no_cache};
        struct result alone = reduce(setup, &first);
        assert_int_equal(alone.size, 4); /* 9, 20 with 19, 31 */
        for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++) {
            setup.jobs = jobs[k];
            assert_int_equal(reduce(setup, &second).size, alone.size);
            assert_same_trace(&first, &second);
        }
    }
}

static void test_heard__hearing_ends_with_less_and_costs_nothing_where_nobody_hears(void **state)
{
    (void)state;
    struct result deaf = reduce((struct setup){.jobs = 3}, &first);
    struct result hears = reduce((struct setup){.jobs = 3, .hears_until = N_UNITS}, &second);
    assert_int_equal(deaf.n_listened, 0);
    assert_int_equal(deaf.stats.checked, 0);
    assert_int_equal(deaf.stats.told, 0);
    assert_true(hears.size < deaf.size);
    assert_true(hears.stats.rejected > 0 && hears.stats.rejected < hears.stats.told);
    assert_true(hears.stats.heard_fails > 0);
    assert_true(hears.stats.checked > 0 && hears.stats.check_ms > 0);
}

static void test_heard__an_oracle_that_cannot_tell_is_as_deaf(void **state)
{
    (void)state;
    struct result cannot =
        reduce((struct setup){.jobs = 3, .hears_until = N_UNITS, .cannot = true}, &first);
    struct result deaf = reduce((struct setup){.jobs = 3}, &second);
    assert_same_trace(&first, &second);
    assert_int_equal(cannot.stats.tests_run, deaf.stats.tests_run);
    assert_int_equal(deaf.stats.told, 0);
}

static void test_heard__a_strategy_may_stop_hearing(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 8; jobs += 7) {
        struct result half = reduce((struct setup){.jobs = jobs, .hears_until = N_UNITS / 2},
                                    jobs == 1 ? &first : &second);
        assert_true(half.n_listened > 0);
        if (jobs == 1) assert_true(half.n_listened < half.stats.tests_run);
    }
    assert_same_trace(&first, &second);
}

static void test_heard__what_was_tested_unheard_is_tested_again(void **state)
{
    (void)state;
    struct setup setup = {.jobs = 1, .hears_until = N_UNITS, .twice = true};
    struct result alone = reduce(setup, &first);
    setup.jobs = 8;
    struct result many = reduce(setup, &second);
    assert_same_trace(&first, &second);
    assert_int_equal(alone.size, 4);
    assert_int_equal(many.stats.tests, alone.stats.tests); /* a second run is no new test */
    assert_true(alone.stats.tests_run > alone.stats.tests + 1);
}

static void test_heard__the_journal_says_it_again(void **state)
{
    const pare_journal_key key = {.test = {1, 2}, .input = {3, 4}};
    pare_journal *journal = NULL;
    pare_journal_found found;
    (void)state;
    struct setup setup = {.jobs = 3, .hears_until = N_UNITS};
    assert_int_equal(
        pare_journal_open("heard", &key, PARE_SYNC_SECOND, &setup.journal, &found, NULL), PARE_OK);
    (void)reduce(setup, &first);
    pare_journal_close(setup.journal);
    assert_int_equal(pare_journal_open("heard", &key, PARE_SYNC_SECOND, &journal, &found, NULL),
                     PARE_OK);
    assert_int_equal(found, PARE_JOURNAL_RESUMED);
    setup.journal = journal;
    setup.jobs = 1;
    struct result again = reduce(setup, &second);
    pare_journal_close(journal);
    assert_same_trace(&first, &second);
    assert_int_equal(again.stats.tests_run, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heard__tells_silence_from_no_complaints),
        cmocka_unit_test(test_heard__pieces_of_a_journal_give_the_same),
        cmocka_unit_test(test_heard__a_full_store_forgets_and_goes_on),
        cmocka_unit_test(test_heard__out_of_memory_is_a_clean_error),
        cmocka_unit_test(test_heard__slots_change_nothing_of_what_is_heard),
        cmocka_unit_test(test_heard__hearing_ends_with_less_and_costs_nothing_where_nobody_hears),
        cmocka_unit_test(test_heard__an_oracle_that_cannot_tell_is_as_deaf),
        cmocka_unit_test(test_heard__a_strategy_may_stop_hearing),
        cmocka_unit_test(test_heard__what_was_tested_unheard_is_tested_again),
        cmocka_unit_test(test_heard__the_journal_says_it_again),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
