/* The engine: its life, the best and the current text, and what an outcome leads to.
 *
 * The best is the smallest candidate whose test said FAIL; it is what the user gets.  The
 * current text is what strategies start from: the best, but in an uphill search a text that
 * is larger.  Why uphill: the 1-minimal results of a strategy are local minima, and a detour
 * over a text that is slightly larger often leads to a smaller one (docs/design/default.md).
 *
 * Invariants: the best never grows, but for pare_engine_restore; it is on disk before
 * anything that follows from it is announced or tested (successes that the journal answers
 * were saved by the process that ran them, so writing those is put off).  During an uphill
 * search the current text is larger than the best in the order of text/order.h, or need not fail
 * (pare_uphill_terms.most_blind), and nothing of it is saved.  Only outcomes that retire decide, so
 * all of this is the same for any number of slots, and after a restart from the journal.
 *
 * The loop that runs a strategy is in speculate.c, that of patch pools in pool_parallel.c,
 * and what runs a single test in slots.c.
 * Source: docs/design/architecture.md. */

#include "engine/engine.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "engine/cache.h"
#include "engine/engine_internal.h"
#include "engine/heard.h"
#include "engine/journal.h"
#include "engine/signatures.h"
#include "engine/speculate.h"
#include "engine/vain_edits.h"
#include "os/clock.h"
#include "os/stop.h"
#include "text/candidate.h"
#include "text/order.h"
#include "text/text.h"

enum { CACHE_ENTRIES = 1 << 20 };

/* ---- life ---------------------------------------------------------------------------- */

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
        if (record.kind == PARE_JOURNAL_HEARD) {
            const pare_heard_piece piece = {.text = record.text,
                                            .size = record.text_bytes,
                                            .first = record.text_begins,
                                            .last = record.text_ends};
            pare_status status = pare_heard_load(&engine->heard, &piece, err);
            if (status) return status;
        }
        if (record.kind == PARE_JOURNAL_SKIPPED) {
            uint64_t *at = pare_vector_grow(engine->skipped_at, engine->n_skipped_at,
                                            &engine->skipped_at_capacity, sizeof *at);
            if (!at) return pare_fail_nomem(err);
            engine->skipped_at = at;
            at[engine->n_skipped_at++] = record.size_bytes;
        }
        /* What was left on another way says nothing of this one. */
        if (record.kind == PARE_JOURNAL_FROM_STEP) engine->n_skipped_at = 0;
        /* Signatures are wanted all the same: other failures have them. */
        if (engine->options.no_cache) continue;
        if (record.kind == PARE_JOURNAL_RESTORED) {
            pare_status status = pare_cache_forget(engine->cache, PARE_FAIL, err);
            if (status) return status;
        }
        /* Time-outs and rates were taken when the journal was opened. */
        if (record.kind != PARE_JOURNAL_OUTCOME) continue;
        pare_status status = pare_heard_assign(&engine->heard, record.digest, err);
        if (status) return status;
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
    /* Then the cache holds an outcome only from its verdict to its retirement. */
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

/* Every run has ended (pare_slots_finish), so no slot holds a test. The oracle and the journal
 * are borrowed and stay open. */
void pare_engine_free(pare_engine *engine)
{
    if (!engine) return;
    pare_candidate_done(&engine->best);
    pare_candidate_done(&engine->uphill.current);
    pare_speculate_done(&engine->planner);
    pare_cache_free(engine->cache);
    pare_signatures_done(&engine->signatures);
    pare_heard_done(&engine->heard);
    pare_vain_edits_done(&engine->vain);
    pare_alloc_free(engine->skipped_at);
    pare_alloc_free(engine->jobs);
    pare_alloc_free(engine);
}

/* A copy: it stays as it was while the engine runs on. */
pare_engine_stats pare_engine_statistics(const pare_engine *engine)
{
    return engine->stats;
}

/* ---- the best and the current text --------------------------------------------------- */

/* Whether the current text is another than the best.  A search that has arrived lasts until the
 * caller ends it, but its current text is the best again. */
static bool is_away(const pare_engine *engine)
{
    return engine->uphill.away && !engine->uphill.arrived;
}

/* NULL before a check that failed, since only then there is something that is known to fail. */
const pare_candidate *pare_engine_best(const pare_engine *engine)
{
    return engine->has_best ? &engine->best : NULL;
}

/* As current_text, but read-only and NULL before the check. */
const pare_candidate *pare_engine_current(const pare_engine *engine)
{
    return is_away(engine) ? &engine->uphill.current : pare_engine_best(engine);
}

/* The text that candidates are made from and compared with. */
static pare_candidate *current_text(pare_engine *engine)
{
    return is_away(engine) ? &engine->uphill.current : &engine->best;
}

/* What the user takes for the size of a candidate. */
size_t pare_engine_content_bytes(const pare_engine *engine, const pare_candidate *candidate)
{
    const pare_engine_options *options = &engine->options;
    return options->content_bytes ? options->content_bytes(options->context, candidate)
                                  : candidate->size;
}

/* Saves the best if that was put off. */
pare_status pare_engine_save_best(pare_engine *engine, pare_error *err)
{
    /* Called before each start, so this is the common case. */
    if (!engine->best_unsaved) return PARE_OK;
    assert(engine->has_best);
    if (engine->options.save) {
        pare_status status = engine->options.save(engine->options.context, &engine->best, err);
        if (status) return status;
    }
    engine->best_unsaved = false;
    return PARE_OK;
}

/* Whether the candidate is all of its base, which has a store of its own in one piece.  Then the
 * same text is given out again, by which readers know what they have parsed already. */
static bool is_settled(const pare_candidate *current)
{
    const pare_text *base = current->base;
    if (current->n_pieces != 1 || current->pieces[0].literal || current->pieces[0].offset != 0)
        return false;
    return current->pieces[0].size == pare_text_size(base) && pare_text_bytes(base) &&
           pare_text_size(base) == pare_text_store_size(base);
}

/* Makes the current text one of its own store, in one piece: candidates of the next strategy are then made
 * of a store that holds nothing else. */
pare_status pare_engine_settle(pare_engine *engine, const pare_text **text, pare_error *err)
{
    /* `shared` is the current text over the store that it came from, `flat` a copy over its own. */
    pare_candidate *current = current_text(engine);
    pare_text *flat = NULL, *shared = NULL;
    pare_candidate whole = {0};
    pare_status noted = pare_vain_edits_settle(&engine->vain, err);
    if (noted) return noted;
    if (is_settled(current)) {
        *text = current->base;
        return PARE_OK;
    }
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

/* ---- what an outcome leads to -------------------------------------------------------- */

/* Counts a test that has retired: what it removed is gone from the current text already. */
static void count_yield(pare_engine *engine)
{
    const pare_candidate *current = pare_engine_current(engine);
    if (engine->guard.counts && current)
        pare_limited_count(&engine->guard.count, current->size, true);
}

/* Gives an outcome its number and announces it. */
void pare_engine_announce(pare_engine *engine, pare_retired *retired, pare_known *known)
{
    /* An outcome counts as a test once, when it is told the first time; later it is a hit of the
     * cache. */
    bool first = !known->retired;
    known->retired = true;
    retired->n = engine->stats.retired++;
    retired->outcome = known->outcome;
    retired->signature = pare_signatures_text(&engine->signatures, known->signature);
    retired->from_cache = !first || known->journaled;
    retired->repeated = !first;
    retired->ms = retired->from_cache ? 0 : (double)known->ms;
    if (retired->from_cache) engine->stats.cache_hits++;
    /* Number 0 is the check of the input, which no budget counts. */
    if (first && retired->n > 0) {
        engine->stats.tests++;
        count_yield(engine);
    }
    if (engine->gained) engine->stats.gained_at = engine->stats.tests;
    engine->gained = false;
    if (engine->options.retired) engine->options.retired(engine->options.context, retired);
}

/* A different edit may make it fail, but not one that changes the same between the same
 * neighbours.  Hands the candidate of another failure to the caller, who keeps the smallest of each. */
pare_status pare_engine_accept_other(pare_engine *engine, const pare_candidate *candidate,
                                     pare_known known, pare_error *err)
{
    pare_status status = PARE_OK;
    if (engine->options.tested) engine->options.tested(engine->options.context, candidate);
    if (known.outcome != PARE_FAIL) status = pare_vain_edits_add(&engine->vain, candidate, err);
    if (status) return status;
    const char *signature = pare_signatures_text(&engine->signatures, known.signature);
    if (!signature || !engine->options.other) return PARE_OK;
    return engine->options.other(engine->options.context, candidate, signature, err);
}

/* Makes *candidate (moved from) the best.  Replayed successes are saved by the first test that is
 * started after them (pare_slots_start). */
pare_status pare_engine_accept(pare_engine *engine, pare_candidate *candidate, bool journaled,
                               pare_error *err)
{
    /* The test itself retires after this. */
    engine->gained |= !engine->has_best || candidate->size < engine->best.size;
    pare_candidate_move(&engine->best, candidate);
    engine->has_best = true;
    engine->best_unsaved = true;
    engine->stats.successes++;
    return journaled ? PARE_OK : pare_engine_save_best(engine, err);
}

/* The search may now go on for `patience` more tests without a step, but not beyond the end that
 * was set when it began. `until` and `end` are counts of tests over the engine's life, like
 * stats.tests. */
static void be_patient(pare_uphill_search *search, uint64_t tests)
{
    uint64_t until = tests + search->patience;
    search->until = until < search->end ? until : search->end;
    assert(search->until <= search->end);
}

pare_outcome pare_engine_counts_as(const pare_engine *engine, pare_outcome outcome)
{
    return is_away(engine) && engine->uphill.most_blind && outcome == PARE_UNRESOLVED ? PARE_FAIL
                                                                                      : outcome;
}

/* As step_uphill where a step may be UNRESOLVED.  Such a text is never saved; one that fails and is
 * smaller than the best is the best, and the search goes on from it. */
static pare_status step_blindly(pare_engine *engine, pare_candidate *candidate, pare_known known,
                                pare_retired *retired, pare_error *err)
{
    pare_uphill_search *search = &engine->uphill;
    pare_status status = PARE_OK;
    if (known.outcome == PARE_FAIL) {
        pare_candidate best = {0};
        int order = 0;
        status = pare_order_compare(candidate, &engine->best, &order, err);
        if (!status && order < 0) {
            search->gained = retired->accepted = true;
            status = pare_candidate_copy(&best, candidate, err);
            if (!status) status = pare_engine_accept(engine, &best, known.journaled, err);
        }
        pare_candidate_done(&best);
        if (status) return status;
    }
    search->n_blind = known.outcome == PARE_FAIL ? 0 : search->n_blind + 1;
    pare_candidate_move(&search->current, candidate);
    retired->stepped = !retired->accepted;
    engine->stats.steps += retired->stepped;
    be_patient(search, engine->stats.tests + 1); /* after this one */
    return PARE_OK;
}

/* Takes a candidate that failed and is smaller than the current text of an uphill search. If it is
 * smaller than the best, too, the search has arrived: the candidate is the new best. Otherwise it
 * is one more step, which nobody saves: the user is only ever given the best. */
static pare_status step_uphill(pare_engine *engine, pare_candidate *candidate, pare_known known,
                               pare_retired *retired, pare_error *err)
{
    int order = 0;
    assert(is_away(engine));
    if (engine->uphill.most_blind) return step_blindly(engine, candidate, known, retired, err);
    pare_status status = pare_order_compare(candidate, &engine->best, &order, err);
    if (status) return status;
    if (order >= 0) {
        pare_candidate_move(&engine->uphill.current, candidate);
        retired->stepped = true;
        engine->stats.steps++;
        be_patient(&engine->uphill, engine->stats.tests + 1); /* after this one */
        return PARE_OK;
    }
    engine->uphill.arrived = true;
    retired->accepted = true;
    pare_candidate_done(&engine->uphill.current);
    pare_cache_bound(engine->cache, candidate->size + 1);
    return pare_engine_accept(engine, candidate, known.journaled, err);
}

/* Accepts a candidate that failed and is smaller than the current text: as the best, or as a step
 * of an uphill search. Outcomes other than FAIL, and candidates that are not smaller, are no error
 * and change nothing. */
pare_status pare_engine_accept_smaller(pare_engine *engine, pare_candidate *candidate, bool ordered,
                                       pare_known known, pare_retired *retired, pare_error *err)
{
    /* Sizes decide first: the order reads bytes, and is asked only about candidates of one size.
     * A strategy without `ordered` gets no more than the sizes. */
    const pare_candidate *current = pare_engine_current(engine);
    int order = candidate->size < current->size ? -1 : 1;
    if (pare_engine_counts_as(engine, known.outcome) != PARE_FAIL ||
        candidate->size > current->size)
        return PARE_OK;
    if (ordered) {
        pare_status status = pare_order_compare(candidate, current, &order, err);
        if (status) return status;
    }
    if (order >= 0) return PARE_OK;
    if (engine->uphill.away) return step_uphill(engine, candidate, known, retired, err);
    retired->accepted = true;
    pare_cache_bound(engine->cache, candidate->size + 1); /* as large ones may come */
    return pare_engine_accept(engine, candidate, known.journaled, err);
}

/* ---- uphill searches ----------------------------------------------------------------- */

/* Makes `from`, which may be larger than the best, the current text. The cache's bound rises to its
 * size: entries of candidates up to that size will be asked for again. */
pare_status pare_engine_start_uphill(pare_engine *engine, const pare_candidate *from,
                                     const pare_uphill_terms *terms, pare_error *err)
{
    pare_uphill_search *search = &engine->uphill;
    pare_status status = pare_candidate_copy(&search->current, from, err);
    if (status) return status;
    search->away = true;
    search->patience = terms->patience;
    search->most_blind = terms->most_blind;
    /* In tests over the engine's life, so that neither number has to be counted down. */
    search->end = engine->stats.tests + terms->most;
    be_patient(search, engine->stats.tests);
    pare_cache_bound(engine->cache, from->size + 1);
    return PARE_OK;
}

/* Returns whether the search led to a new best.  A no-op when none is under way. */
bool pare_engine_end_uphill(pare_engine *engine)
{
    /* If the search arrived, the bound was set when the new best was accepted. */
    bool arrived = engine->uphill.arrived || engine->uphill.gained;
    if (is_away(engine)) pare_cache_bound(engine->cache, engine->best.size + 1);
    pare_candidate_done(&engine->uphill.current);
    engine->uphill = (pare_uphill_search){.away = false};
    return arrived;
}

/* ---- edits in vain ---------------------------------------------------------------------- */

/* A pare_admits whose context is the engine: false for an edit that was tried in vain before, which
 * the cache cannot know because the rest of the text is another one now. */
pare_status pare_engine_is_new_edit(const void *context, const pare_candidate *candidate,
                                    bool *is_new, pare_error *err)
{
    const pare_engine *engine = context;
    (void)err;
    /* Steps of a blind search are edits that did not fail. */
    *is_new = engine->uphill.most_blind || !pare_vain_edits_has(&engine->vain, candidate);
    return PARE_OK;
}

/* ---- the guard ------------------------------------------------------------------------ */

/* Counting begins anew, with the current text. */
void pare_engine_guard(pare_engine *engine, const pare_guard_terms *terms)
{
    const pare_candidate *current = pare_engine_current(engine);
    engine->guard = (pare_engine_yield){
        .after = terms->after, .kept = terms->kept, .counts = terms->yield.tests > 0};
    if (engine->guard.counts)
        pare_limited_begin(&engine->guard.count, current ? current->size : 0, &terms->yield);
}

/* How many more tests may follow before the guard ends the run, if none of them gains anything. Two
 * limits, of which the tighter counts: the patience since the last gain (`after`, in tests, which
 * grows with the test number of that gain; `kept` of it is reserved for later phases), and the
 * early stop that this phase's yield has earned. */
uint64_t pare_engine_guarded_tests(const pare_engine *engine)
{
    const pare_engine_yield *guard = &engine->guard;
    const uint64_t vain = engine->stats.tests - engine->stats.gained_at + guard->kept;
    const uint64_t most = guard->after ? guard->after(engine->stats.gained_at) : UINT64_MAX;
    uint64_t left = most > vain ? most - vain : 0;
    if (guard->counts && pare_limited_left(&guard->count) < left)
        left = pare_limited_left(&guard->count);
    return left;
}

bool pare_engine_slot(const pare_engine *engine, unsigned slot, pare_slot_event *out)
{
    if (slot >= engine->n_slots || engine->jobs[slot].state == JOB_FREE) return false;
    const pare_engine_job *job = &engine->jobs[slot];
    *out = (pare_slot_event){.size_bytes = job->size_bytes,
                             .ms = (double)(pare_clock_ns() - job->start_ns) / 1e6,
                             .given_up = job->state == JOB_CANCELLED};
    return true;
}

/* How many tests are left by the patience and the user's budget together; UINT64_MAX if neither
 * sets a limit. The patience that is reserved for later phases (`kept`) counts as left here. */
uint64_t pare_engine_tests_left(const pare_engine *engine)
{
    const pare_engine_stats *stats = &engine->stats;
    uint64_t left = UINT64_MAX;
    if (engine->guard.after) {
        const uint64_t until = stats->gained_at + engine->guard.after(stats->gained_at);
        left = until > stats->tests ? until - stats->tests : 0;
    }
    const uint64_t max = engine->options.max_tests;
    if (max && max - stats->tests < left) left = max - stats->tests;
    return left;
}

/* ---- what the user wants to be left --------------------------------------------------- */

/* Whether the phase is to be skipped: an earlier process skipped it at this test (the journal says
 * so, and a resumed run must take the same way), or somebody asks for it now. */
static bool is_to_skip(const pare_engine *engine)
{
    const bool again = engine->next_skip < engine->n_skipped_at &&
                       engine->stats.retired >= engine->skipped_at[engine->next_skip];
    return again || pare_stop_phases_skipped(engine->options.requests) != engine->n_skipped;
}

/* Several requests since the last look count as one: whoever asked twice saw the same phase twice.
 * The journal notes the number of retired tests, hits of the cache included, because that number is
 * the same in a run that is resumed while the number of tests that ran is not. */
pare_status pare_engine_leave(pare_engine *engine, pare_engine_end why, pare_error *err)
{
    const unsigned wanted = pare_stop_phases_skipped(engine->options.requests);
    if (why != PARE_END_SKIPPED) return PARE_OK;
    if (wanted == engine->n_skipped) {
        assert(engine->next_skip < engine->n_skipped_at);
        engine->next_skip++;
        return PARE_OK;
    }
    engine->n_skipped = wanted;
    if (!engine->options.journal) return PARE_OK;
    return pare_journal_add(
        engine->options.journal,
        &(pare_journal_record){.kind = PARE_JOURNAL_SKIPPED, .size_bytes = engine->stats.retired},
        err);
}

/* From here on the run does not follow the run in the journal, so the phases that were skipped
 * there must not be skipped here. Their records stay in the journal before the one written now. */
pare_status pare_engine_go_from(pare_engine *engine, uint64_t step, pare_error *err)
{
    engine->n_skipped_at = engine->next_skip = 0;
    if (!engine->options.journal) return PARE_OK;
    return pare_journal_add(
        engine->options.journal,
        &(pare_journal_record){.kind = PARE_JOURNAL_FROM_STEP, .size_bytes = step}, err);
}

/* ---- the budget ---------------------------------------------------------------------- */

/* Whether an uphill search found something smaller than the best, or ran out of tests. */
static bool uphill_is_over(const pare_engine *engine)
{
    const pare_uphill_search *search = &engine->uphill;
    const bool lost = search->most_blind && search->n_blind >= search->most_blind;
    return search->away && (search->arrived || lost || engine->stats.tests >= search->until);
}

/* Whether the run ends here, and why.  Asked before each retirement, so that a limit on tests is
 * kept exactly, whatever runs in the slots. */
pare_decision pare_engine_budget(const pare_engine *engine)
{
    const pare_engine_options *options = &engine->options;
    if (options->use_target &&
        pare_engine_content_bytes(engine, &engine->best) <= options->target_size_bytes)
        return (pare_decision){true, PARE_END_TARGET};
    /* Deadlines are compared with the clock at each look: no timer runs. */
    bool tests = options->max_tests && engine->stats.tests >= options->max_tests;
    bool time = options->deadline_ms && pare_clock_ms() >= options->deadline_ms;
    if (tests || time) return (pare_decision){true, PARE_END_BUDGET};
    if (uphill_is_over(engine)) return (pare_decision){true, PARE_END_UPHILL};
    if (is_to_skip(engine)) return (pare_decision){true, PARE_END_SKIPPED};
    return (pare_decision){!pare_engine_guarded_tests(engine), PARE_END_VAIN};
}

/* ---- taking outcomes back ------------------------------------------------------------ */

/* Goes back to an earlier best: the FAILs since were luck.  It is written to the journal first, or
 * a process that goes on from it would take them for true. */
pare_status pare_engine_restore(pare_engine *engine, const pare_text *text, pare_error *err)
{
    pare_candidate whole = {0};
    pare_candidate_start(&whole, text);
    pare_status status = pare_candidate_slice(&whole, 0, pare_text_size(text), err);
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
        engine->stats.gained_at = engine->stats.tests; /* it all begins anew */
        /* Saved at once below: the file of the better result must not stay. */
        engine->best_unsaved = true;
        status = pare_engine_save_best(engine, err);
    }
    pare_candidate_done(&whole);
    return status;
}

/* Slots keep their number: only fewer of them are filled. */
void pare_engine_bound_slots(pare_engine *engine, unsigned most)
{
    engine->most_slots = most;
}

/* What was forgotten is told as PASS again only if its test runs again and says so. */
pare_status pare_engine_forget_passes(pare_engine *engine, pare_error *err)
{
    pare_vain_edits_done(&engine->vain);
    return pare_cache_forget(engine->cache, PARE_PASS, err);
}
