/* Slots: starting and cancelling tests, taking their verdicts, ending all of them.
 *
 * Invariants: a slot is free, or runs one test, or is waiting for the end of a cancelled one;
 * stats.slots_busy counts those that are not free.  An outcome is in the cache and in the
 * journal as soon as its verdict was taken, so a process that is killed loses the tests in
 * flight and nothing else.  A verdict of a cancelled test is dropped: it may be the
 * cancellation's.
 * Source: docs/design/architecture.md; the moving means of what a start and a test take are
 * exponential, with a cap, because one stalled process must not decide what is started. */
#include "engine/engine_internal.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/digest.h"
#include "base/fail.h"
#include "engine/cache.h"
#include "engine/engine.h"
#include "engine/heard.h"
#include "engine/journal.h"
#include "engine/signatures.h"
#include "os/clock.h"
#include "os/stop.h"
#include "run/oracle.h"
#include "run/printed.h"
#include "text/candidate.h"
#include "text/text.h"

/* Weight of the newest sample in the means below, which so follow the last twenty tests or so. */
static const double LEARNING = 0.05;
enum { PAUSE_LOOK_MS = 100 }; /* how often it is looked whether a pause is over */

/* Moves an exponential mean towards a duration. A duration that is far off counts as no more
 * than four times the mean: one stalled process must not decide what is started. */
static void learn(double *mean_ms, double ms)
{
    if (*mean_ms <= 0) *mean_ms = ms;
    /* A cap on the sample, not on the mean: a test that did become slow is followed within some
     * dozen runs. */
    if (ms > 4 * *mean_ms) ms = 4 * *mean_ms;
    *mean_ms += LEARNING * (ms - *mean_ms);
}

/* The best is saved first, so that it is on disk before anything that follows from it is
 * tested.  A failure leaves the slot free. */
pare_status pare_slots_start(pare_engine *engine, unsigned slot, const pare_candidate *candidate,
                             pare_digest key, pare_error *err)
{
    pare_oracle *oracle = engine->options.oracle;
    pare_status status = pare_engine_save_best(engine, err);
    /* Saving the best is no part of what a start costs. */
    uint64_t start_ns = pare_clock_ns();
    if (!status) status = oracle->ops->start(oracle, slot, candidate, err);
    if (status) return status;
    learn(&engine->start_ms[oracle->is_elsewhere], (double)(pare_clock_ns() - start_ns) / 1e6);
    engine->jobs[slot] = (pare_engine_job){.state = JOB_RUNNING,
                                           .key = key,
                                           .listened = engine->listens,
                                           .digest = pare_candidate_digest(candidate),
                                           .size_bytes = candidate->size,
                                           .start_ns = start_ns};
    engine->stats.slots_busy++;
    return PARE_OK;
}

/* Tells the oracle what to listen to in tests from here on; it is asked only when that changes.
 * False if it cannot listen. */
bool pare_slots_listen(pare_engine *engine, pare_listening listens)
{
    pare_oracle *oracle = engine->options.oracle;
    if (listens != engine->listens) {
        bool can = oracle->ops->listen && oracle->ops->listen(oracle, listens);
        engine->listens = can ? listens : PARE_LISTEN_NOT;
    }
    return engine->listens != PARE_LISTEN_NOT;
}

/* The slot stays taken until the oracle says that the test has ended. */
void pare_slots_cancel(pare_engine *engine, unsigned slot)
{
    engine->options.oracle->ops->cancel(engine->options.oracle, slot);
    engine->jobs[slot].state = JOB_CANCELLED;
}

/* Writes a text into the journal, in pieces that fit a record: the signature of a failure that is
 * new, or the complaints that belong to the outcome written next. */
static pare_status journal_text(const pare_engine *engine, pare_journal_kind kind, const char *text,
                                size_t left, pare_error *err)
{
    /* An empty text is one piece, too, that begins and ends it. */
    pare_status status = PARE_OK;
    for (bool begins = true, ends = false; engine->options.journal && !ends && !status;) {
        pare_journal_record piece = {.kind = kind, .text_begins = begins};
        piece.text_bytes = left < sizeof piece.text ? (uint8_t)left : (uint8_t)sizeof piece.text;
        if (piece.text_bytes) memcpy(piece.text, text, piece.text_bytes);
        begins = false;
        if (piece.text_bytes) text += piece.text_bytes;
        left -= piece.text_bytes;
        piece.text_ends = ends = left == 0;
        status = pare_journal_add(engine->options.journal, &piece, err);
    }
    return status;
}

/* Sets *number to that of the other failure that the verdict shows, for the cache and the journal,
 * where entries have a fixed size; 0: it shows none. */
static pare_status number_signature(pare_engine *engine, const pare_verdict *verdict,
                                    uint16_t *number, pare_error *err)
{
    bool is_new = false;
    *number = 0;
    if (!verdict->signature || verdict->outcome == PARE_FAIL) return PARE_OK;
    pare_status status =
        pare_signatures_number(&engine->signatures, verdict->signature, number, &is_new, err);
    if (status || !is_new) return status;
    return journal_text(engine, PARE_JOURNAL_TEXT, verdict->signature, strlen(verdict->signature),
                        err);
}

/* Keeps the complaints of a test that was listened to. They go into the journal before its outcome,
 * because reading assigns them to the next outcome there. */
static pare_status note_heard(pare_engine *engine, const pare_engine_job *job,
                              const pare_verdict *verdict, pare_error *err)
{
    pare_printed text;
    if (!job->listened) return PARE_OK;
    engine->stats.checked += verdict->check_ms > 0;
    engine->stats.check_ms += verdict->check_ms;
    if (verdict->outcome == PARE_FAIL && job->listened != PARE_LISTEN_ALL) return PARE_OK;
    pare_status status = pare_heard_put(&engine->heard, job->key, verdict->complaints, &text, err);
    if (status) return status;
    return journal_text(engine, PARE_JOURNAL_HEARD, text.text, text.size, err);
}

/* Records the outcome of a test that ended. A test that ran a second time only to be listened to
 * stays retired if it was: it is no new test. */
static pare_status record(pare_engine *engine, const pare_engine_job *job,
                          const pare_verdict *verdict, pare_error *err)
{
    /* Tests that ran, needed or not; stats.tests counts those that retired. */
    engine->stats.tests_run++;
    engine->stats.oracle_ms += verdict->duration_ms;
    learn(&engine->test_ms, verdict->duration_ms);
    if (verdict->start_ms > 0) learn(&engine->start_there_ms, verdict->start_ms);
    uint16_t signature = 0;
    pare_status status = number_signature(engine, verdict, &signature, err);
    if (!status) status = note_heard(engine, job, verdict, err);
    if (status) return status;
    const pare_known *before = job->listened ? pare_cache_get(engine->cache, job->key) : NULL;
    pare_cache_put(engine->cache, job->key, job->size_bytes,
                   (pare_known){.outcome = verdict->outcome,
                                .retired = before && before->retired,
                                .ms = (float)verdict->duration_ms,
                                .signature = signature});
    if (!engine->options.journal) return PARE_OK;
    /* The digest, not the key: keys that were made unique mean nothing to another process. */
    return pare_journal_add(engine->options.journal,
                            &(pare_journal_record){.kind = PARE_JOURNAL_OUTCOME,
                                                   .outcome = verdict->outcome,
                                                   .ms = (float)verdict->duration_ms,
                                                   .digest = job->digest,
                                                   .size_bytes = job->size_bytes,
                                                   .signature = signature},
                            err);
}

/* Frees a slot whose run has ended. */
static void free_slot(pare_engine *engine, unsigned slot)
{
    assert(slot < engine->n_slots && engine->stats.slots_busy > 0);
    engine->jobs[slot].state = JOB_FREE;
    engine->stats.slots_busy--;
    engine->stats.busy_ms += (double)(pare_clock_ns() - engine->jobs[slot].start_ns) / 1e6;
}

/* Frees the slot of a test that ended and records its outcome, if it has one. */
static pare_status take(pare_engine *engine, const pare_verdict *verdict, pare_error *err)
{
    /* A copy: the slot is free from here on. */
    pare_engine_job job = engine->jobs[verdict->slot];
    free_slot(engine, verdict->slot);
    if (!verdict->cancelled) return record(engine, &job, verdict, err);
    engine->stats.cancelled++;
    return PARE_OK;
}

/* Counts tests that will never be heard of as cancelled. Their slots stay taken, so no run may
 * follow. */
static void abandon(pare_engine *engine)
{
    engine->stats.cancelled += engine->stats.slots_busy;
    engine->stats.slots_busy = 0;
}

/* Ends all tests and waits until every slot is free.  An oracle that was asked to stop
 * may give no verdict any more; it waits for its tests when it is freed. */
static pare_status drain(pare_engine *engine, pare_error *err)
{
    pare_oracle *oracle = engine->options.oracle;
    pare_status status = PARE_OK;
    for (unsigned i = 0; i < engine->n_slots; i++)
        if (engine->jobs[i].state == JOB_RUNNING) pare_slots_cancel(engine, i);
    while (!status && engine->stats.slots_busy) {
        pare_wait what = PARE_WAIT_TIMEOUT;
        pare_verdict verdict;
        status = oracle->ops->wait(oracle, -1, &what, &verdict, err);
        if (!status && what == PARE_WAIT_VERDICT) status = take(engine, &verdict, err);
        if (!status && what == PARE_WAIT_INTERRUPTED) abandon(engine);
    }
    return status;
}

/* How long to wait at most for what the user sees or asks for: the next tick, the next plan, the end of
 * a pause; -1: for ever. */
static int64_t patience_for_user(const pare_engine *engine)
{
    int64_t tick = engine->options.tick_ms ? engine->options.tick_ms : -1;
    if (engine->replan_ms && (tick < 0 || tick > engine->replan_ms)) tick = engine->replan_ms;
    if (pare_stop_is_paused(engine->options.requests) && (tick < 0 || tick > PAUSE_LOOK_MS))
        tick = PAUSE_LOOK_MS;
    return tick;
}

/* The same, but not beyond the deadline, at which the caller ends. */
static int64_t patience(const pare_engine *engine)
{
    int64_t tick = patience_for_user(engine);
    if (!engine->options.deadline_ms) return tick;
    uint64_t now = pare_clock_ms();
    uint64_t deadline = engine->options.deadline_ms;
    int64_t left = deadline > now ? (int64_t)(deadline - now) : 0;
    return tick < 0 || left < tick ? left : tick;
}

/* Ends a run: no test is left, and the best is on disk.  The first failure is the one that is
 * told. */
pare_status pare_slots_finish(pare_engine *engine, pare_status status, pare_error *err)
{
    pare_error later = {0};
    pare_status last = drain(engine, &later);
    pare_status saved = pare_engine_save_best(engine, &later);
    if (!last) last = saved;
    if (status || !last) return status;
    if (err) *err = later;
    return last;
}

/* Slots that may be busy at once. */
static unsigned most_busy(const pare_engine *engine)
{
    const unsigned most = engine->most_slots;
    return most && most < engine->n_slots ? most : engine->n_slots;
}

/* Slots worth filling: not more than there are tests left in the budget, or in the uphill search. */
size_t pare_slots_useful(const pare_engine *engine)
{
    uint64_t max = engine->options.max_tests;
    const unsigned most = most_busy(engine);
    /* The budget was looked at before, so neither difference is negative. */
    uint64_t left = max ? max - engine->stats.tests : most;
    const pare_uphill_search *search = &engine->uphill;
    if (search->away && search->until - engine->stats.tests < left)
        left = search->until - engine->stats.tests;
    const uint64_t guarded = pare_engine_guarded_tests(engine);
    if (guarded < left) left = guarded;
    const unsigned useful = engine->options.oracle->n_useful;
    const unsigned n_slots = useful && useful < most ? useful : most;
    return left < n_slots ? (size_t)left : n_slots;
}

/* Waits for one verdict, a stop, or the next tick; with `more` tests to start it only looks. */
pare_status pare_slots_wait(pare_engine *engine, bool more, pare_decision *decision,
                            pare_error *err)
{
    pare_oracle *oracle = engine->options.oracle;
    pare_wait what = PARE_WAIT_TIMEOUT;
    pare_verdict verdict;
    /* With more to start, a verdict is only looked for. */
    int64_t timeout_ms = more ? 0 : patience(engine);
    pare_status status = oracle->ops->wait(oracle, timeout_ms, &what, &verdict, err);
    if (status) return status;
    *decision = (pare_decision){what == PARE_WAIT_INTERRUPTED, PARE_END_INTERRUPTED};
    if (what == PARE_WAIT_VERDICT) return take(engine, &verdict, err);
    const bool is_tick = !more && !(engine->replan_ms && timeout_ms == engine->replan_ms);
    if (what == PARE_WAIT_TIMEOUT && is_tick && engine->options.tick)
        engine->options.tick(engine->options.context);
    return PARE_OK;
}

/* No strategy asks for tests during pauses and measurements, so they look at the time limit
 * themselves. */
static bool too_late(const pare_engine *engine)
{
    return engine->options.deadline_ms && pare_clock_ms() >= engine->options.deadline_ms;
}

/* Waits as long as the user pauses the run. Tests that end meanwhile are recorded and retired after
 * the pause. */
pare_status pare_slots_pause(pare_engine *engine, pare_decision *decision, pare_error *err)
{
    pare_status status = PARE_OK;
    while (!status && !decision->end && pare_stop_is_paused(engine->options.requests)) {
        if (too_late(engine)) return PARE_OK;
        status = pare_slots_wait(engine, false, decision, err);
    }
    return status;
}

/* ---- one text outside any strategy ---------------------------------------------------- */

/* Runs one test in slot 0 and waits for it; the engine is idle otherwise.  The deadline does not end it:
 * without the outcome there is nothing to say, and the test has a time limit of its own.  An
 * interruption is an error, for the same reason. */
static pare_status run_check(pare_engine *engine, const pare_candidate *candidate,
                             pare_verdict *verdict, pare_error *err)
{
    pare_oracle *oracle = engine->options.oracle;
    pare_status status =
        pare_slots_start(engine, 0, candidate, pare_candidate_digest(candidate), err);
    if (status) return status;
    for (;;) {
        pare_wait what = PARE_WAIT_TIMEOUT;
        status = oracle->ops->wait(oracle, patience_for_user(engine), &what, verdict, err);
        if (status) return status;
        if (what == PARE_WAIT_VERDICT) return take(engine, verdict, err);
        if (what == PARE_WAIT_INTERRUPTED) {
            status = drain(engine, err);
            return status ? status : pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
        }
        if (engine->options.tick) engine->options.tick(engine->options.context);
    }
}

/* Finds the outcome of `whole` and announces it.  From the journal only what is expected
 * is taken: anything else may have been mended. */
static pare_status probe(pare_engine *engine, const pare_candidate *whole, pare_outcome expected,
                         pare_verdict *verdict, pare_error *err)
{
    pare_digest digest = pare_candidate_digest(whole);
    pare_retired retired = {.digest = digest,
                            .size_bytes = pare_engine_content_bytes(engine, whole)};
    /* A process that goes on from a journal finds the outcome there. */
    const pare_known *entry = pare_cache_get(engine->cache, digest);
    pare_known known;
    if (entry && entry->outcome == expected) {
        known = *entry;
        *verdict = (pare_verdict){
            .outcome = known.outcome, .duration_ms = (double)known.ms, .exit_code = -1};
    } else {
        pare_status status = run_check(engine, whole, verdict, err);
        if (status) return status;
        known = (pare_known){.outcome = verdict->outcome, .ms = (float)verdict->duration_ms};
    }
    if (engine->options.tested) engine->options.tested(engine->options.context, whole);
    pare_engine_announce(engine, &retired, &known);
    pare_known *told = pare_cache_get(engine->cache, digest);
    if (told) told->retired = true;
    return PARE_OK;
}

/* The candidate that is `text` itself, in one piece. */
static pare_status take_whole(const pare_text *text, pare_candidate *candidate, pare_error *err)
{
    pare_candidate_start(candidate, text);
    return pare_candidate_slice(candidate, 0, pare_text_size(text), err);
}

/* The first test of all: an input that does not fail is no best. */
pare_status pare_engine_check(pare_engine *engine, const pare_text *text, pare_verdict *verdict,
                              pare_error *err)
{
    pare_candidate whole = {0};
    pare_status status = take_whole(text, &whole, err);
    if (!status) status = probe(engine, &whole, PARE_FAIL, verdict, err);
    if (!status && verdict->outcome == PARE_FAIL) {
        pare_candidate_move(&engine->best, &whole);
        engine->has_best = true;
    }
    pare_candidate_done(&whole);
    return status;
}

/* A test for its outcome only: whatever it says, the best stays. */
pare_status pare_engine_probe(pare_engine *engine, const pare_text *text, pare_outcome expected,
                              pare_verdict *verdict, pare_error *err)
{
    pare_candidate whole = {0};
    pare_status status = take_whole(text, &whole, err);
    if (!status) status = probe(engine, &whole, expected, verdict, err);
    pare_candidate_done(&whole);
    return status;
}

/* Starts runs of `subject` in the slots that are free, *left at most. */
static pare_status start_runs(pare_engine *engine, const pare_candidate *subject, uint64_t *left,
                              pare_error *err)
{
    const pare_digest digest = pare_candidate_digest(subject);
    for (unsigned slot = 0; *left > 0 && slot < engine->n_slots; slot++) {
        if (engine->stats.slots_busy >= most_busy(engine)) return PARE_OK;
        if (engine->jobs[slot].state != JOB_FREE) continue;
        pare_status status = pare_slots_start(engine, slot, subject, digest, err);
        if (status) return status;
        --*left;
    }
    return PARE_OK;
}

/* Frees the slot of a measuring run and counts it, apart from the statistics of tests: it
 * decides nothing, and is neither cached nor written to the journal. */
static void count_run(pare_engine *engine, const pare_verdict *verdict, pare_measured *measured)
{
    free_slot(engine, verdict->slot);
    engine->stats.measured_ms += verdict->duration_ms;
    engine->stats.measured++;
    measured->rate.runs++;
    measured->rate.fails += verdict->outcome == PARE_FAIL;
    measured->timed_out += verdict->timed_out && verdict->outcome != PARE_FAIL;
}

/* Runs the test of one text again and again in all slots, past the cache.  Ends when all runs were
 * counted, or early by the stop or the deadline; what still runs then is not counted. */
static pare_status measure(pare_engine *engine, const pare_candidate *subject, uint64_t runs,
                           pare_measured *measured, pare_engine_end *end, pare_error *err)
{
    pare_oracle *oracle = engine->options.oracle;
    *end = PARE_END_DONE;
    for (;;) {
        pare_wait what = PARE_WAIT_TIMEOUT;
        pare_verdict verdict;
        pare_status status = start_runs(engine, subject, &runs, err);
        if (status || engine->stats.slots_busy == 0) return status;
        status = oracle->ops->wait(oracle, patience(engine), &what, &verdict, err);
        if (status) return status;
        if (what == PARE_WAIT_VERDICT) {
            count_run(engine, &verdict, measured);
            continue;
        }
        if (what == PARE_WAIT_INTERRUPTED || too_late(engine)) {
            *end = what == PARE_WAIT_INTERRUPTED ? PARE_END_INTERRUPTED : PARE_END_BUDGET;
            return PARE_OK;
        }
        if (engine->options.tick) engine->options.tick(engine->options.context);
    }
}

/* The first failure is the one that is told: that of draining the slots may follow from it. */
pare_status pare_engine_measure(pare_engine *engine, const pare_text *text, uint64_t runs,
                                pare_measured *measured, pare_engine_end *end, pare_error *err)
{
    pare_candidate whole = {0};
    pare_error later = {0};
    pare_status status = take_whole(text, &whole, err);
    if (!status) status = measure(engine, &whole, runs, measured, end, err);
    /* Runs that were started and are not wanted any more. */
    pare_status last = drain(engine, &later);
    if (!status && last && err) *err = later;
    pare_candidate_done(&whole);
    return status ? status : last;
}

/* It counts as a check: it says nothing of any candidate. */
pare_status pare_slots_watch(pare_engine *engine, pare_error *err)
{
    pare_oracle *oracle = engine->options.oracle;
    const double before_ms = engine->stats.measured_ms;
    const uint64_t before = engine->stats.measured;
    pare_measured ignored = {.timed_out = 0};
    pare_engine_end end;
    if (engine->has_watched) return PARE_OK;
    engine->has_watched = true;
    if (!oracle->ops->watch || !oracle->ops->watch(oracle)) return PARE_OK;
    pare_status status = measure(engine, pare_engine_current(engine), 1, &ignored, &end, err);
    pare_error later = {0};
    pare_status last = drain(engine, &later);
    engine->stats.check_ms += engine->stats.measured_ms - before_ms;
    engine->stats.checked += engine->stats.measured - before;
    engine->stats.measured_ms = before_ms;
    engine->stats.measured = before;
    if (!status && last && err) *err = later;
    return status ? status : last;
}

/* Only an oracle that can be listened to is watched, as when a strategy begins. */
pare_status pare_engine_emitter(pare_engine *engine, const char **text, pare_error *err)
{
    const pare_oracle *oracle = engine->options.oracle;
    *text = NULL;
    const bool listens = pare_slots_listen(engine, PARE_LISTEN_PASSES);
    pare_status status = listens ? pare_slots_watch(engine, err) : PARE_OK;
    (void)pare_slots_listen(engine, PARE_LISTEN_NOT);
    if (!status && listens && oracle->ops->emitter) *text = oracle->ops->emitter(oracle);
    return status;
}
