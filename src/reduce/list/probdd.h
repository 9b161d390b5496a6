/* The state machine that ProbDD and CDD share: tests without the units of lowest rank.
 *
 * Source and guarantee stand in ranked.c; a model says how ranks begin and change. */
#ifndef PARE_REDUCE_LIST_PROBDD_H
#define PARE_REDUCE_LIST_PROBDD_H

#include "reduce/list/algorithms.h"
#include "reduce/list/runs.h"
#include "reduce/list/sweep.h"

#include <pare/algorithm.h>

typedef struct pare_ranked_model {
    double first; /* rank of all units at the start */
    pare_runs_limit limit;
    pare_runs_raised raised; /* after a test that passed; `by` is the product over the
                                units left out of 1 - rank */
} pare_ranked_model;

/* Retained and released by the functions below. */
typedef struct pare_ranked {
    const pare_ranked_model *model; /* static */
    pare_runs runs;
    pare_lowest lowest; /* what is left out now */
    pare_side side;
    size_t n;       /* units */
    size_t n_final; /* units that were found needed alone */
    bool stale;     /* something went after that, so they may not be needed any more */
    bool repeated;  /* another run will follow if this one removes anything */
    bool sweeping;
    pare_sweep sweep;
} pare_ranked;

/* Errors: PARE_E_NOMEM; the state is then released. */
pare_status pare_ranked_start(pare_ranked *ranked, const pare_ranked_model *model, size_t n,
                              const pare_list_knobs *knobs, pare_error *err);

/* Members of pare_list_algorithm; `state` is a pare_ranked. */
pare_status pare_ranked_next(void *state, bool *done, pare_edit *edit, pare_error *err);
pare_status pare_ranked_tell(void *state, bool fails, pare_error *err);
void pare_ranked_retain(void *state);
void pare_ranked_release(void *state);

#endif
