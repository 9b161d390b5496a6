/* Tests of one text outside any strategy: the check of the input, probes, measurements, and
 * going back to an earlier best. */
#include "base/digest.h"
#include "base/status.h"
#include "engine/cache.h"
#include "engine/engine.h"
#include "engine/journal.h"
#include "engine/slots.h"
#include "os/clock.h"
#include "run/oracle.h"
#include "run/rates.h"
#include "text/candidate.h"
#include "text/text.h"

#include <pare/outcome.h>

/* Runs the one test of the input and waits for it. */
static pare_status run_check(pare_engine *engine, const pare_candidate *candidate,
                             pare_verdict *verdict, pare_error *err)
{
    pare_oracle *oracle = engine->options.oracle;
    pare_status status =
        pare_engine_start_test(engine, 0, candidate, pare_candidate_digest(candidate), err);
    if (status) return status;
    for (;;) {
        pare_wait what = PARE_WAIT_TIMEOUT;
        status = oracle->ops->wait(oracle, pare_engine_patience(engine), &what, verdict, err);
        if (status) return status;
        if (what == PARE_WAIT_VERDICT) return pare_engine_take(engine, verdict, err);
        if (what == PARE_WAIT_INTERRUPTED) {
            status = pare_engine_drain(engine, err);
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
    pare_engine_announce(engine, &retired, &known);
    pare_known *told = pare_cache_get(engine->cache, digest);
    if (told) told->retired = true;
    return PARE_OK;
}

/* Makes *candidate (all-zero) all of `text`. */
static pare_status take_whole(const pare_text *text, pare_candidate *candidate, pare_error *err)
{
    pare_candidate_start(candidate, text);
    return pare_candidate_slice(candidate, 0, pare_text_size(text), err);
}

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
        if (engine->jobs[slot].state != JOB_FREE) continue;
        pare_status status = pare_engine_start_test(engine, slot, subject, digest, err);
        if (status) return status;
        --*left;
    }
    return PARE_OK;
}

/* Counts one run that ended. */
static void count_run(pare_engine *engine, const pare_verdict *verdict, pare_rate *rate,
                      uint64_t *timed_out)
{
    engine->jobs[verdict->slot].state = JOB_FREE;
    engine->stats.slots_busy--;
    engine->stats.measured_ms += verdict->duration_ms;
    engine->stats.measured++;
    rate->runs++;
    rate->fails += verdict->outcome == PARE_FAIL;
    *timed_out += verdict->timed_out && verdict->outcome != PARE_FAIL;
}

static bool too_late(const pare_engine *engine)
{
    return engine->options.deadline_ms && pare_clock_ms() >= engine->options.deadline_ms;
}

static pare_status measure(pare_engine *engine, const pare_candidate *subject, uint64_t runs,
                           pare_rate *rate, uint64_t *timed_out, pare_engine_end *end,
                           pare_error *err)
{
    pare_oracle *oracle = engine->options.oracle;
    *end = PARE_END_DONE;
    for (;;) {
        pare_wait what = PARE_WAIT_TIMEOUT;
        pare_verdict verdict;
        pare_status status = start_runs(engine, subject, &runs, err);
        if (status || engine->stats.slots_busy == 0) return status;
        status = oracle->ops->wait(oracle, pare_engine_patience(engine), &what, &verdict, err);
        if (status) return status;
        if (what == PARE_WAIT_VERDICT) {
            count_run(engine, &verdict, rate, timed_out);
            continue;
        }
        if (what == PARE_WAIT_INTERRUPTED || too_late(engine)) {
            *end = what == PARE_WAIT_INTERRUPTED ? PARE_END_INTERRUPTED : PARE_END_BUDGET;
            return PARE_OK;
        }
        if (engine->options.tick) engine->options.tick(engine->options.context);
    }
}

pare_status pare_engine_measure(pare_engine *engine, const pare_text *text, uint64_t runs,
                                pare_rate *rate, uint64_t *timed_out, pare_engine_end *end,
                                pare_error *err)
{
    pare_candidate whole = {0};
    pare_error later = {0};
    pare_status status = take_whole(text, &whole, err);
    if (!status) status = measure(engine, &whole, runs, rate, timed_out, end, err);
    pare_status last = pare_engine_drain(engine, &later);
    if (!status && last && err) *err = later;
    pare_candidate_done(&whole);
    return status ? status : last;
}

pare_status pare_engine_restore(pare_engine *engine, const pare_text *text, pare_error *err)
{
    pare_candidate whole = {0};
    pare_status status = take_whole(text, &whole, err);
    if (!status) status = pare_cache_forget(engine->cache, PARE_FAIL, err);
    if (!status && engine->has_best && engine->options.journal)
        status = pare_journal_add(engine->options.journal,
                                  &(pare_journal_record){.kind = PARE_JOURNAL_RESTORED,
                                                         .digest = pare_candidate_digest(&whole),
                                                         .size_bytes = whole.size},
                                  err);
    if (!status) {
        (void)pare_engine_return(engine);
        pare_cache_bound(engine->cache, whole.size);
        pare_candidate_move(&engine->best, &whole);
        engine->has_best = true;
        engine->best_unsaved = true;
        status = pare_engine_save_best(engine, err);
    }
    pare_candidate_done(&whole);
    return status;
}

pare_status pare_engine_forget_passes(pare_engine *engine, pare_error *err)
{
    return pare_cache_forget(engine->cache, PARE_PASS, err);
}
