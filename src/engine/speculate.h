/* Speculation: which tests are worth their slots, most probable first.
 *
 * From the true state, futures are explored in the order of their probability, which is
 * the product of the predicted probabilities of the outcomes that lead to them.  Known
 * outcomes are followed; every other candidate met is wanted.  The first wanted one is
 * always the test that the strategy needs next.
 * Source: DustMite's predicted lookahead (list-reducers §2.4), simulated in
 * parallel-simulation.py, spec(..., "prob").  Deviation: the success rate is learned
 * apart for each pair of preceding outcomes, because successes of run growth come in
 * runs, and for each order of magnitude of what a candidate leaves out, because the more
 * that is, the less likely it can go; a strategy that knows better is asked.  One thread. */
#ifndef PARE_ENGINE_SPECULATE_H
#define PARE_ENGINE_SPECULATE_H

#include "base/digest.h"
#include "engine/cache.h"
#include "engine/future.h"

#include <pare/outcome.h>

/* Outcomes seen lately, the older ones weighing less. */
typedef struct pare_recent {
    double fails, n;
} pare_recent;

enum { PARE_PREDICTOR_SIZES = 33 };

/* Learned probability of FAIL, by the two outcomes before, and by the bits of the number
 * of bytes left out. */
typedef struct pare_predictor {
    double fail_rate[4];
    pare_recent by_size[4][PARE_PREDICTOR_SIZES];
    unsigned context; /* the last two outcomes of the true state, a bit each: 1 is FAIL */
} pare_predictor;

void pare_predictor_init(pare_predictor *predictor);

/* Takes the outcome of the root's candidate. */
void pare_predictor_learn(pare_predictor *predictor, const pare_future *root, pare_outcome outcome);

/* One future to look at: the one after `outcome` of `parent`, or `parent` itself for
 * PARE_NO_OUTCOME. */
typedef struct pare_path {
    double probability;
    uint64_t order; /* breaks ties: first pushed, first looked at */
    pare_future *parent;
    pare_outcome outcome;
    unsigned context;
} pare_path;

/* One test that the plan wants. */
typedef struct pare_want {
    const pare_future *future; /* valid until the root advances */
    bool running;              /* for the engine's use; false in a new plan */
} pare_want;

/* The planner's memory, kept from plan to plan.  All-zero is empty. */
typedef struct pare_planner {
    pare_path *heap; /* owned */
    size_t n_heap, heap_capacity;
    pare_want *wanted; /* owned; most probable first */
    size_t n_wanted, wanted_capacity;
    uint32_t *index; /* owned; a hash table of places in `wanted`, from 1; 0: free */
    size_t index_mask;
    uint64_t order;
} pare_planner;

void pare_planner_done(pare_planner *planner);

/* How much may be wanted: at most `slots` futures, 1 .. , none less probable than `least`
 * (0 .. 1). */
typedef struct pare_scope {
    size_t slots;
    double least;
} pare_scope;

/* Fills planner->wanted with futures in `scope` whose candidates differ and whose
 * outcomes are not in `cache`.  Cost: O(slots) copies of the strategy the first time a
 * future is looked at, none after.  Errors: those of the strategy, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_planner_plan(pare_planner *planner, pare_future *root,
                                         const pare_predictor *predictor, pare_cache *cache,
                                         pare_future_keys *keys, const pare_scope *scope,
                                         pare_error *err);

/* The wanted test of that key, or NULL; valid until the next plan.  O(1). */
pare_want *pare_planner_find(const pare_planner *planner, pare_digest key);

#endif
