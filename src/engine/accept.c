/* What an outcome leads to: announced to the caller, the new best, another failure saved.
 *
 * Invariants: the best is a candidate whose test said FAIL, and never grows (but for
 * pare_engine_restore); it is on disk before anything that follows from it is announced or
 * tested.  Saving is put off for successes that the journal answers, since the process that
 * ran them saved them.
 * Smaller is decided by size, and between equal sizes by the total order of text/order.h
 * where the strategy asks for that, so that the result does not depend on the way to it. */
#include "engine/engine_internal.h"

#include <assert.h>

#include <pare/outcome.h>

#include "engine/cache.h"
#include "engine/engine.h"
#include "engine/signatures.h"
#include "text/candidate.h"
#include "text/order.h"

/* What the user takes for the size of a candidate. */
size_t pare_accept_content_bytes(const pare_engine *engine, const pare_candidate *candidate)
{
    const pare_engine_options *options = &engine->options;
    return options->content_bytes ? options->content_bytes(options->context, candidate)
                                  : candidate->size;
}

/* Saves the best if that was put off. */
pare_status pare_accept_save(pare_engine *engine, pare_error *err)
{
    if (!engine->best_unsaved) return PARE_OK;
    assert(engine->has_best);
    if (engine->options.save) {
        pare_status status = engine->options.save(engine->options.context, &engine->best, err);
        if (status) return status;
    }
    engine->best_unsaved = false;
    return PARE_OK;
}

/* Gives an outcome its number and announces it. */
void pare_accept_announce(pare_engine *engine, pare_retired *retired, pare_known *known)
{
    bool first = !known->retired;
    known->retired = true;
    retired->n = engine->stats.retired++;
    retired->outcome = known->outcome;
    retired->signature = pare_signatures_text(&engine->signatures, known->signature);
    retired->from_cache = !first || known->journaled;
    retired->ms = retired->from_cache ? 0 : (double)known->ms;
    if (retired->from_cache) engine->stats.cache_hits++;
    if (first && retired->n > 0) engine->stats.tests++;
    if (engine->options.retired) engine->options.retired(engine->options.context, retired);
}

/* Makes *candidate (moved from) the best.  Replayed successes are saved by the first test that is
 * started after them (pare_slots_start). */
pare_status pare_accept_candidate(pare_engine *engine, pare_candidate *candidate, bool journaled,
                                  pare_error *err)
{
    pare_candidate_move(&engine->best, candidate);
    engine->has_best = true;
    engine->best_unsaved = true;
    engine->stats.successes++;
    return journaled ? PARE_OK : pare_accept_save(engine, err);
}

/* Accepts a candidate that failed and is smaller than the current text.  The sizes are compared first:
 * the order reads bytes only of candidates of one size. */
pare_status pare_accept_smaller(pare_engine *engine, pare_candidate *candidate, bool ordered,
                                pare_known known, pare_retired *retired, pare_error *err)
{
    const pare_candidate *current = pare_engine_current(engine);
    int order = candidate->size < current->size ? -1 : 1;
    if (known.outcome != PARE_FAIL || candidate->size > current->size) return PARE_OK;
    if (ordered) {
        pare_status status = pare_order_compare(candidate, current, &order, err);
        if (status) return status;
    }
    if (order >= 0) return PARE_OK;
    if (engine->uphill.away) return pare_uphill_search_step(engine, candidate, known, retired, err);
    retired->accepted = true;
    pare_cache_bound(engine->cache, candidate->size + 1); /* as large ones may come */
    return pare_accept_candidate(engine, candidate, known.journaled, err);
}

/* Hands the candidate of another failure to the caller, who keeps the smallest of each. */
pare_status pare_accept_other(const pare_engine *engine, const pare_candidate *candidate,
                              pare_known known, pare_error *err)
{
    const char *signature = pare_signatures_text(&engine->signatures, known.signature);
    if (!signature || !engine->options.other) return PARE_OK;
    return engine->options.other(engine->options.context, candidate, signature, err);
}
