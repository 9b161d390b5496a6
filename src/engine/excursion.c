/* Excursions: the ground beside the best.
 *
 * Invariant: away and not arrived, the ground is larger than the best in the order; nothing of
 * it is saved.  Only outcomes that retire decide, so excursions are the same for any number of
 * slots, and replayed from the journal. */
#include "engine/cache.h"
#include "engine/engine.h"
#include "engine/engine_internal.h"
#include "text/candidate.h"
#include "text/order.h"

static bool is_away(const pare_engine *engine)
{
    return engine->excursion.away && !engine->excursion.arrived;
}

pare_candidate *pare_excursion_ground(pare_engine *engine)
{
    return is_away(engine) ? &engine->excursion.ground : &engine->best;
}

const pare_candidate *pare_engine_ground(const pare_engine *engine)
{
    return is_away(engine) ? &engine->excursion.ground : pare_engine_best(engine);
}

bool pare_excursion_is_over(const pare_engine *engine)
{
    const pare_excursion *excursion = &engine->excursion;
    return excursion->away && (excursion->arrived || engine->stats.tests >= excursion->until);
}

static void be_patient(pare_excursion *excursion, uint64_t tests)
{
    uint64_t until = tests + excursion->patience;
    excursion->until = until < excursion->end ? until : excursion->end;
}

pare_status pare_engine_set_out(pare_engine *engine, const pare_candidate *from,
                                const pare_excursion_terms *terms, pare_error *err)
{
    pare_excursion *excursion = &engine->excursion;
    pare_status status = pare_candidate_copy(&excursion->ground, from, err);
    if (status) return status;
    excursion->away = true;
    excursion->patience = terms->patience;
    excursion->end = engine->stats.tests + terms->most;
    be_patient(excursion, engine->stats.tests);
    pare_cache_bound(engine->cache, from->size + 1);
    return PARE_OK;
}

bool pare_engine_return(pare_engine *engine)
{
    bool arrived = engine->excursion.arrived;
    if (is_away(engine)) pare_cache_bound(engine->cache, engine->best.size + 1);
    pare_candidate_done(&engine->excursion.ground);
    engine->excursion = (pare_excursion){.away = false};
    return arrived;
}

pare_status pare_excursion_step(pare_engine *engine, pare_candidate *candidate, pare_known known,
                                pare_retired *retired, pare_error *err)
{
    int order = 0;
    pare_status status = pare_order_compare(candidate, &engine->best, &order, err);
    if (status) return status;
    if (order >= 0) {
        pare_candidate_move(&engine->excursion.ground, candidate);
        retired->stepped = true;
        engine->stats.steps++;
        be_patient(&engine->excursion, engine->stats.tests + 1); /* behind this one */
        return PARE_OK;
    }
    engine->excursion.arrived = true;
    retired->accepted = true;
    pare_candidate_done(&engine->excursion.ground);
    pare_cache_bound(engine->cache, candidate->size + 1);
    return pare_accept_candidate(engine, candidate, known.journaled, err);
}
