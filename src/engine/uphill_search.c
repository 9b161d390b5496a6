/* Uphill search: candidates are accepted that are larger than the best, in the hope of a smaller
 * one beyond them.
 *
 * While away, the current text takes the place of the best: candidates are made of it and compared
 * with it.  Each step (a candidate that fails and is smaller than the current text) renews the
 * patience; a candidate smaller than the best ends the search as the new best; patience or tests
 * running out end it without a trace.  Why: 1-minimal results of a strategy are local minima, and
 * a detour over one that is slightly larger often leads to a smaller one.
 *
 * Invariant: away and not arrived, the current text is larger than the best in the order; nothing
 * of it is saved.  Only outcomes that retire decide, so searches are the same for any number of
 * slots, and replayed from the journal. */
#include "engine/cache.h"

#include <assert.h>
#include "engine/engine.h"
#include "engine/engine_internal.h"
#include "text/candidate.h"
#include "text/order.h"

/* Arrived, the search is over but for telling so: the best is the current text again. */
static bool is_away(const pare_engine *engine)
{
    return engine->uphill.away && !engine->uphill.arrived;
}

/* What candidates are made of and compared with. */
pare_candidate *pare_uphill_search_current(pare_engine *engine)
{
    return is_away(engine) ? &engine->uphill.current : &engine->best;
}

const pare_candidate *pare_engine_current(const pare_engine *engine)
{
    return is_away(engine) ? &engine->uphill.current : pare_engine_best(engine);
}

bool pare_uphill_search_is_over(const pare_engine *engine)
{
    const pare_uphill_search *search = &engine->uphill;
    return search->away && (search->arrived || engine->stats.tests >= search->until);
}

/* So many tests more without a step, but not beyond the end that was set at the start. */
static void be_patient(pare_uphill_search *search, uint64_t tests)
{
    uint64_t until = tests + search->patience;
    search->until = until < search->end ? until : search->end;
    assert(search->until <= search->end);
}

/* The cache's bound rises to the size of `from`: candidates that large are asked for again. */
pare_status pare_engine_start_uphill(pare_engine *engine, const pare_candidate *from,
                                     const pare_uphill_terms *terms, pare_error *err)
{
    pare_uphill_search *search = &engine->uphill;
    pare_status status = pare_candidate_copy(&search->current, from, err);
    if (status) return status;
    search->away = true;
    search->patience = terms->patience;
    search->end = engine->stats.tests + terms->most;
    be_patient(search, engine->stats.tests);
    pare_cache_bound(engine->cache, from->size + 1);
    return PARE_OK;
}

/* Returns whether the search led to a new best.  A no-op when none is under way. */
bool pare_engine_end_uphill(pare_engine *engine)
{
    bool arrived = engine->uphill.arrived;
    if (is_away(engine)) pare_cache_bound(engine->cache, engine->best.size + 1);
    pare_candidate_done(&engine->uphill.current);
    engine->uphill = (pare_uphill_search){.away = false};
    return arrived;
}

/* Takes a candidate that failed and is smaller than the current text: as the next one, or, if it
 * is smaller than the best too, as the new best. */
pare_status pare_uphill_search_step(pare_engine *engine, pare_candidate *candidate,
                                    pare_known known, pare_retired *retired, pare_error *err)
{
    int order = 0;
    assert(is_away(engine));
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
    return pare_accept_candidate(engine, candidate, known.journaled, err);
}
