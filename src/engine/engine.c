/* The engine's loop: retire what is known, plan what is worth testing, start and cancel
 * accordingly, wait for one verdict, and again.
 *
 * A plan is made anew after each verdict instead of being mended: it costs O(slots) look-ups
 * (engine/speculate.h) and cannot get out of step with the strategy.  A second part runs one
 * text outside any strategy: the check of the input, probes, measurements, and going back to
 * an earlier best.
 * Invariants: outcomes retire in the order of the strategy, whatever the order in which tests
 * end, so the number of slots changes no step; the best is always a candidate whose test said
 * FAIL; whatever is announced is on disk.
 * Source: docs/design/architecture.md; DustMite's speculation (docs/design/sources.md). */
#include "engine/engine.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "engine/cache.h"
#include "engine/engine_internal.h"
#include "engine/journal.h"
#include "engine/signatures.h"
#include "engine/speculate.h"
#include "engine/strategy.h"
#include "os/clock.h"
#include "run/oracle.h"
#include "text/candidate.h"
#include "text/text.h"

enum { CACHE_ENTRIES = 1 << 20 };

/* Starting a process takes time in which no verdict is heard.  So where starts are costly
 * a verdict is looked for after each, and the plan made again; and a test is started on
 * speculation only if what it is likely to save is more than what it costs: see
 * least_probability.  The factor was measured with processes that sleep 20 ms, at 64
 * slots on two busy cores (docs/lab/benchmarks.md). */
static const double COST_OF_START = 5; /* of a process and its end, in times of starting */

/* Fills cache and signatures with what an earlier process wrote.  Records stand in the order in
 * which they happened: a restored text takes back the FAILs before it, not those after it. */
static pare_status load_journal(pare_engine *engine, pare_error *err)
{
    pare_journal_record record;
    if (!engine->options.journal) return PARE_OK;
    while (pare_journal_next(engine->options.journal, &record)) {
        if (record.kind == PARE_JOURNAL_TEXT) {
            const pare_signature_piece piece = {.text = record.text,
                                                .size = record.text_bytes,
                                                .first = record.text_begins,
                                                .last = record.text_ends};
            pare_status status = pare_signatures_load(&engine->signatures, &piece, err);
            if (status) return status;
        }
        /* Signatures are wanted all the same: other failures have them. */
        if (engine->options.no_cache) continue;
        if (record.kind == PARE_JOURNAL_RESTORED) {
            pare_status status = pare_cache_forget(engine->cache, PARE_FAIL, err);
            if (status) return status;
        }
        if (record.kind != PARE_JOURNAL_OUTCOME) continue;
        pare_cache_put(engine->cache, record.digest, (size_t)record.size_bytes,
                       (pare_known){.outcome = record.outcome,
                                    .ms = record.ms,
                                    .journaled = true,
                                    .signature = record.signature});
    }
    return PARE_OK;
}

/* Without a cache (no_cache) the cache still holds outcomes between verdict and retirement; keys
 * are made unique instead, so nothing is found twice. */
pare_status pare_engine_new(const pare_engine_options *options, pare_engine **out, pare_error *err)
{
    pare_engine *engine = pare_alloc_zero(1, sizeof *engine);
    if (!engine) return pare_fail_nomem(err);
    engine->options = *options;
    engine->n_slots = options->oracle->n_slots;
    engine->keys.unique = options->no_cache;
    pare_speculate_init(&engine->predictor);
    engine->jobs = pare_alloc_zero(engine->n_slots, sizeof *engine->jobs);
    pare_status status =
        engine->jobs ? pare_cache_new(CACHE_ENTRIES, &engine->cache, err) : pare_fail_nomem(err);
    if (!status) status = load_journal(engine, err);
    if (status) {
        pare_engine_free(engine);
        return status;
    }
    *out = engine;
    return PARE_OK;
}

void pare_engine_free(pare_engine *engine)
{
    if (!engine) return;
    pare_candidate_done(&engine->best);
    pare_candidate_done(&engine->uphill.current);
    pare_speculate_done(&engine->planner);
    pare_cache_free(engine->cache);
    pare_signatures_done(&engine->signatures);
    pare_alloc_free(engine->jobs);
    pare_alloc_free(engine);
}

/* ---- the budget -------------------------------------------------------------------- */

/* Whether the run ends here, and why.  Asked before each retirement, so that a limit on tests is
 * kept exactly, whatever runs in the slots. */
pare_decision pare_engine_budget(const pare_engine *engine)
{
    const pare_engine_options *options = &engine->options;
    if (options->use_target &&
        pare_accept_content_bytes(engine, &engine->best) <= options->target_size_bytes)
        return (pare_decision){true, PARE_END_TARGET};
    bool tests = options->max_tests && engine->stats.tests >= options->max_tests;
    bool time = options->deadline_ms && pare_clock_ms() >= options->deadline_ms;
    if (tests || time) return (pare_decision){true, PARE_END_BUDGET};
    return (pare_decision){pare_uphill_search_is_over(engine), PARE_END_UPHILL};
}

/* ---- retiring ------------------------------------------------------------------- */

/* Accepts what the strategy says is its best, when that has changed. */
static pare_status accept_own(pare_engine *engine, const pare_strategy *state, pare_known known,
                              pare_retired *retired, pare_error *err)
{
    pare_candidate best = {0};
    pare_status status = state->ops->best(state, &best, err);
    if (!status && engine->uphill.away) { /* from there only what is smaller comes back */
        pare_known fails = {.outcome = PARE_FAIL, .journaled = known.journaled};
        status = pare_accept_smaller(engine, &best, true, fails, retired, err);
    } else if (!status && !pare_digest_equal(pare_candidate_digest(&best),
                                             pare_candidate_digest(&engine->best))) {
        retired->accepted = true;
        status = pare_accept_candidate(engine, &best, known.journaled, err);
    }
    pare_candidate_done(&best);
    return status;
}

/* Retires the outcome of the root, which is known. */
static pare_status retire(pare_engine *engine, pare_future **root, pare_known known,
                          pare_error *err)
{
    pare_future *now = *root;
    assert(!now->done);
    pare_digest key = now->key;
    pare_retired retired = {.digest = pare_candidate_digest(&now->candidate),
                            .size_bytes = pare_accept_content_bytes(engine, &now->candidate)};
    /* The strategy may know two outcomes only; statistics and trace get the true one. */
    pare_outcome told = pare_speculate_told(now, known.outcome);
    bool own_best = now->state->ops->best != NULL;
    pare_status status = PARE_OK;
    pare_speculate_learn(&engine->predictor, now, told);
    status = pare_accept_other(engine, &now->candidate, known, err);
    if (!status && !own_best)
        status =
            pare_accept_smaller(engine, &now->candidate, now->state->ordered, known, &retired, err);
    if (status) return status;
    status = pare_speculate_advance(root, told, &engine->keys, err);
    if (!status && own_best) status = accept_own(engine, (*root)->state, known, &retired, err);
    if (status) return status;
    pare_accept_announce(engine, &retired, &known);
    pare_known *entry = pare_cache_get(engine->cache, key);
    /* The cache may have dropped it meanwhile. */
    if (entry) entry->retired = true;
    if (known.outcome == PARE_FAIL && (*root)->state->ops->settle)
        status = (*root)->state->ops->settle((*root)->state, err);
    return status;
}

/* Retires all that is known, in order; says whether the run ends here. */
static pare_status retire_known(pare_engine *engine, pare_future **root, pare_decision *decision,
                                pare_error *err)
{
    for (;;) {
        *decision = (pare_decision){(*root)->done, PARE_END_DONE};
        if (decision->end) return PARE_OK;
        *decision = pare_engine_budget(engine);
        if (decision->end) return PARE_OK;
        /* Not known yet: its test runs, or will be planned. */
        const pare_known *known = pare_cache_get(engine->cache, (*root)->key);
        if (!known) return PARE_OK;
        pare_status status = retire(engine, root, *known, err);
        if (status) return status;
    }
}

/* ---- running -------------------------------------------------------------------- */

/* How probable it must be that a test is needed for it to be started on speculation: it
 * saves at most its own time, and costs the time of starting and ending it. */
static double least_probability(const pare_engine *engine)
{
    /* Below this a start is not noticed. */
    double cost_ms = engine->start_ms - PARE_FREE_START_MS;
    if (cost_ms <= 0 || engine->test_ms <= 0) return 0;
    double least = COST_OF_START * cost_ms / engine->test_ms;
    return least < 1 ? least : 1;
}

/* Compares what runs with the plan: cancels the tests that it does not want. */
static void cancel_unwanted(pare_engine *engine)
{
    for (unsigned i = 0; i < engine->n_slots; i++) {
        if (engine->jobs[i].state != JOB_RUNNING) continue;
        pare_want *want = pare_speculate_find(&engine->planner, engine->jobs[i].key);
        if (want)
            want->running = true;
        else
            pare_slots_cancel(engine, i);
    }
}

/* The first wanted test that does not run yet, from place *at on; NULL: there is none. */
static pare_want *next_to_start(const pare_engine *engine, size_t *at)
{
    const pare_planner *planner = &engine->planner;
    while (*at < planner->n_wanted && planner->wanted[*at].running)
        ++*at;
    return *at < planner->n_wanted ? &planner->wanted[(*at)++] : NULL;
}

/* Starts the wanted tests that do not run yet, most probable first: all that find a slot,
 * or one where starts are costly; then *more tells whether there are others. */
static pare_status start_wanted(pare_engine *engine, const pare_future *root, bool *more,
                                pare_error *err)
{
    size_t at = 0;
    pare_want *want = next_to_start(engine, &at);
    for (unsigned slot = 0; want && slot < engine->n_slots; slot++) {
        if (engine->jobs[slot].state != JOB_FREE) continue;
        if (*more) return PARE_OK;
        pare_status status =
            pare_slots_start(engine, slot, &want->future->candidate, want->future->key, err);
        if (status) return status;
        /* The root's own test is needed for certain; all others are bets. */
        if (want->future != root) engine->stats.speculated++;
        *more = pare_slots_start_is_slow(engine);
        want = next_to_start(engine, &at);
    }
    *more = false;
    return PARE_OK;
}

/* One turn of the loop.  The plan comes first and cancelling second, so that a test which the new
 * plan wants goes on although the old plan wanted it for another reason. */
static pare_status step(pare_engine *engine, pare_future **root, pare_decision *decision,
                        pare_error *err)
{
    bool more = false;
    pare_status status = retire_known(engine, root, decision, err);
    if (status || decision->end) return status;
    const pare_plan_request request = {.predictor = &engine->predictor,
                                       .cache = engine->cache,
                                       .keys = &engine->keys,
                                       .slots = pare_slots_useful(engine),
                                       .least = least_probability(engine)};
    status = pare_speculate_plan(&engine->planner, *root, &request, err);
    if (status) return status;
    cancel_unwanted(engine);
    status = start_wanted(engine, *root, &more, err);
    if (!status) status = pare_slots_wait(engine, more, decision, err);
    return status;
}

/* Gives back the state where the run ended, so that it can go on later; on failure there is none. */
pare_status pare_engine_run_keeping(pare_engine *engine, pare_strategy **strategy,
                                    pare_engine_end *end, pare_error *err)
{
    pare_future *root = NULL;
    pare_decision decision = {false, PARE_END_DONE};
    pare_status status = pare_speculate_new(*strategy, &engine->keys, &root, err);
    *strategy = NULL;
    /* Every way out leads through pare_slots_finish. */
    while (!status && !decision.end)
        status = step(engine, &root, &decision, err);
    status = pare_slots_finish(engine, status, err);
    if (!status) {
        *end = decision.why;
        *strategy = root->state;
        root->state = NULL;
    }
    pare_speculate_free(root);
    return status;
}

pare_status pare_engine_run(pare_engine *engine, pare_strategy *strategy, pare_engine_end *end,
                            pare_error *err)
{
    pare_status status = pare_engine_run_keeping(engine, &strategy, end, err);
    pare_strategy_free(strategy);
    return status;
}

const pare_candidate *pare_engine_best(const pare_engine *engine)
{
    return engine->has_best ? &engine->best : NULL;
}

/* Makes the current text one of its own store, in one piece: candidates of the next strategy are then made
 * of a store that holds nothing else. */
pare_status pare_engine_settle(pare_engine *engine, const pare_text **text, pare_error *err)
{
    pare_candidate *current = pare_uphill_search_current(engine);
    pare_text *flat = NULL, *shared = NULL;
    pare_candidate whole = {0};
    pare_status status = pare_candidate_text(current, &shared, err);
    /* Nothing to do if the text is all of its store already, in one piece. */
    bool own = !status && pare_text_bytes(shared) &&
               pare_text_size(shared) == pare_text_store_size(shared);
    if (!status && !own) {
        pare_candidate_done(current); /* `shared` has it all; let the rest go */
        pare_candidate_start(current, shared);
        status = pare_candidate_slice(current, 0, pare_text_size(shared), err);
        if (!status) status = pare_text_flatten(shared, &flat, err);
    }
    if (!status) {
        const pare_text *base = own ? shared : flat;
        pare_candidate_start(&whole, base);
        status = pare_candidate_slice(&whole, 0, pare_text_size(base), err);
    }
    if (!status) {
        *text = whole.base;
        pare_candidate_move(current, &whole);
    }
    pare_candidate_done(&whole);
    pare_text_unref(flat);
    pare_text_unref(shared);
    return status;
}

pare_engine_stats pare_engine_statistics(const pare_engine *engine)
{
    return engine->stats;
}

/* ---- one text outside any strategy -------------------------------------------------- */

/* Runs the one test of the input and waits for it. */
static pare_status run_check(pare_engine *engine, const pare_candidate *candidate,
                             pare_verdict *verdict, pare_error *err)
{
    pare_oracle *oracle = engine->options.oracle;
    pare_status status =
        pare_slots_start(engine, 0, candidate, pare_candidate_digest(candidate), err);
    if (status) return status;
    for (;;) {
        pare_wait what = PARE_WAIT_TIMEOUT;
        status = oracle->ops->wait(oracle, pare_slots_patience(engine), &what, verdict, err);
        if (status) return status;
        if (what == PARE_WAIT_VERDICT) return pare_slots_take(engine, verdict, err);
        if (what == PARE_WAIT_INTERRUPTED) {
            status = pare_slots_drain(engine, err);
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
                            .size_bytes = pare_accept_content_bytes(engine, whole)};
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
    pare_accept_announce(engine, &retired, &known);
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
        if (engine->jobs[slot].state != JOB_FREE) continue;
        pare_status status = pare_slots_start(engine, slot, subject, digest, err);
        if (status) return status;
        --*left;
    }
    return PARE_OK;
}

/* Counts one run that ended. */
static void count_run(pare_engine *engine, const pare_verdict *verdict, pare_measured *measured)
{
    assert(engine->stats.slots_busy > 0);
    engine->jobs[verdict->slot].state = JOB_FREE;
    engine->stats.slots_busy--;
    engine->stats.measured_ms += verdict->duration_ms;
    engine->stats.measured++;
    measured->rate.runs++;
    measured->rate.fails += verdict->outcome == PARE_FAIL;
    measured->timed_out += verdict->timed_out && verdict->outcome != PARE_FAIL;
}

/* The time limit holds for measurements too, which no strategy asks for. */
static bool too_late(const pare_engine *engine)
{
    return engine->options.deadline_ms && pare_clock_ms() >= engine->options.deadline_ms;
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
        status = oracle->ops->wait(oracle, pare_slots_patience(engine), &what, &verdict, err);
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
    pare_status last = pare_slots_drain(engine, &later);
    if (!status && last && err) *err = later;
    pare_candidate_done(&whole);
    return status ? status : last;
}

/* Goes back to an earlier best: the FAILs since were luck.  It is written to the journal first, or
 * a process that goes on from it would take them for true. */
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
        (void)pare_engine_end_uphill(engine);
        pare_cache_bound(engine->cache, whole.size);
        pare_candidate_move(&engine->best, &whole);
        engine->has_best = true;
        /* Saved at once below: the file of the better result must not stay. */
        engine->best_unsaved = true;
        status = pare_accept_save(engine, err);
    }
    pare_candidate_done(&whole);
    return status;
}

pare_status pare_engine_forget_passes(pare_engine *engine, pare_error *err)
{
    return pare_cache_forget(engine->cache, PARE_PASS, err);
}
