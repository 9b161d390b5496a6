/* Reducing by rank: each unit has a rank, the higher the more likely it is needed.  A
 * test leaves out the units of the lowest ranks, as many as promise the greatest gain.
 * When it fails they go; when it passes their ranks rise, and a unit that was left out
 * alone is final: it stays.  A run ends when all units are final.
 *
 * What the sources ship is not 1-minimal, for three reasons, each answered here:
 *   - they take units of equal rank from the front, where the definitions stand: here
 *     from the back, unless the knob `order` is forward;
 *   - a final unit may become removable by a later success: the run is repeated until
 *     one removes nothing, which has then tried every unit alone;
 *   - with --no-fixpoint a sweep over single units follows when it is needed.
 * Candidates need not be contiguous, which gets them out of local minima where scans
 * are stuck (pairs that must go together).
 * Guarantee: 1-minimal, also for a single unit: the empty candidate is tested. */
#include "reduce/list/ranked.h"

#include <math.h>

#include <pare/algorithm.h>

/* Decides what to leave out next, or that the sweep starts. */
static void choose(pare_ranked *ranked)
{
    ranked->lowest = pare_runs_choose(&ranked->runs, ranked->model->limit, ranked->side);
    if (ranked->lowest.size || ranked->repeated || !ranked->stale) return;
    ranked->sweeping = true;
    pare_sweep_start(&ranked->sweep, ranked->n);
}

pare_status pare_ranked_start(pare_ranked *ranked, const pare_ranked_model *model, size_t n,
                              const pare_list_knobs *knobs, pare_error *err)
{
    *ranked = (pare_ranked){.model = model, .n = n};
    ranked->side = knobs->order == PARE_ORDER_FORWARD ? PARE_SIDE_FIRST : PARE_SIDE_LAST;
    ranked->repeated = knobs->fixpoint != PARE_FIXPOINT_OFF;
    pare_status status = pare_runs_start(&ranked->runs, n, model->first, err);
    if (!status) choose(ranked);
    return status;
}

pare_status pare_ranked_next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const pare_ranked *ranked = state;
    if (ranked->sweeping) return pare_sweep_next(&ranked->sweep, done, edit, err);
    *done = ranked->lowest.size == 0;
    if (*done) return PARE_OK;
    return pare_runs_edit(&ranked->runs, &ranked->lowest, edit, err);
}

static double finally(double rank, double by)
{
    (void)rank;
    (void)by;
    return INFINITY;
}

static pare_status remove_lowest(pare_ranked *ranked, pare_error *err)
{
    pare_status status = pare_runs_drop(&ranked->runs, &ranked->lowest, err);
    if (status) return status;
    ranked->n -= ranked->lowest.size;
    if (ranked->n_final) ranked->stale = true;
    return PARE_OK;
}

static pare_status raise_lowest(pare_ranked *ranked, pare_error *err)
{
    if (ranked->lowest.size == 1) {
        pare_status status = pare_runs_raise(&ranked->runs, &ranked->lowest, finally, 0, err);
        if (!status) ranked->n_final++;
        return status;
    }
    double product = pare_runs_product(&ranked->runs, &ranked->lowest);
    return pare_runs_raise(&ranked->runs, &ranked->lowest, ranked->model->raised, product, err);
}

pare_status pare_ranked_tell(void *state, bool fails, pare_error *err)
{
    pare_ranked *ranked = state;
    if (ranked->sweeping) {
        pare_sweep_tell(&ranked->sweep, fails);
        return PARE_OK;
    }
    pare_status status = fails ? remove_lowest(ranked, err) : raise_lowest(ranked, err);
    if (!status) choose(ranked);
    return status;
}

void pare_ranked_retain(void *state)
{
    pare_ranked *ranked = state;
    pare_runs_retain(&ranked->runs);
}

void pare_ranked_release(void *state)
{
    pare_ranked *ranked = state;
    pare_runs_release(&ranked->runs);
}
