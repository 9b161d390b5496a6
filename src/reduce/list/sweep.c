/* sweep: tries each single unit, from the last to the first, round and round, until as
 * many in a row have stayed as there are units.  All these were tried against the same
 * configuration, so it is 1-minimal: that is the proof, and it takes part of a pass
 * less than to start a whole one after the last success.
 *
 * After WINS successes in a row the groups double, as there are lists of units that are alike, of which
 * the failure needs a number: what cannot go is halved, down to a unit.
 *
 * Backward, because in most languages what is used stands before its uses.
 * Guarantee: 1-minimal, also for a single unit: the empty candidate is tested.
 * Source: the definition of 1-minimality, seed 001; the last pass of seed 000's ddmin,
 * reversed and repeated; groups grow as in adaptive.c.  Cost: n tests and at most n more per success.
 * No knobs. */
#include "reduce/list/sweep.h"

#include "reduce/list/algorithms.h"

#include <assert.h>
#include <pare/algorithm.h>

enum { WINS = 4 };

/* Begins at the last unit. */
void pare_sweep_start(pare_sweep *sweep, size_t n)
{
    *sweep = (pare_sweep){.n = n, .at = n, .group = 1};
}

pare_status pare_sweep_next(const pare_sweep *sweep, bool *done, pare_edit *edit, pare_error *err)
{
    *done = sweep->misses >= sweep->n;
    if (*done) return PARE_OK;
    return pare_edit_add(edit, sweep->at - sweep->group, sweep->at, err);
}

/* The group went: what stayed before may go now. */
static void drop(pare_sweep *sweep)
{
    sweep->n -= sweep->group;
    sweep->at -= sweep->group;
    sweep->misses = 0;
    sweep->wins++;
    if (sweep->wins >= WINS) sweep->group *= 2;
}

/* Only single units count as misses: that is the proof. */
static void keep(pare_sweep *sweep)
{
    sweep->wins = 0;
    if (sweep->group > 1) {
        sweep->group /= 2;
        return;
    }
    sweep->misses++;
    sweep->at--;
}

void pare_sweep_tell(pare_sweep *sweep, bool fails)
{
    assert(sweep->at > 0);
    if (fails)
        drop(sweep);
    else
        keep(sweep);
    if (sweep->at == 0) sweep->at = sweep->n;
    if (sweep->group > sweep->at) sweep->group = sweep->at > 0 ? sweep->at : 1;
}

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)knobs;
    (void)run;
    (void)err;
    pare_sweep_start(state, n);
    return PARE_OK;
}

static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    return pare_sweep_next(state, done, edit, err);
}

static pare_status tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    pare_sweep_tell(state, fails);
    return PARE_OK;
}

const pare_list_algorithm pare_list_sweep = {
    .info = {.name = "sweep",
             .summary = "tries single units, last first, until none can go: proves 1-minimality",
             .source = "definition of 1-minimality, Zeller and Hildebrandt, TSE 2002",
             .one_minimal = true},
    .state_bytes = sizeof(pare_sweep),
    .start = start,
    .next = next,
    .tell = tell,
};
