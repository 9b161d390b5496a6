/* Speculation: what the engine learns and keeps to choose which tests are worth their slots.
 *
 * A future is a state of the strategy together with the candidate that it asks about; each
 * outcome of that candidate leads to another future.  The root is the true state.  Futures
 * are made when they are looked at, by copying the state and telling the copy.  Retiring the
 * root's outcome makes one of its successors the root and forgets the others, the way a
 * processor retires one side of a branch.
 *
 * The planner explores futures in the order of their probability: the product of the
 * predicted probabilities of the outcomes that lead to them.  Outcomes that are known are
 * followed; every other candidate it meets is wanted.  The first wanted one is always the
 * test that the strategy needs next.  One thread.  For this folder only; the loop that goes
 * by the plans is pare_engine_run (engine/engine.h).
 * Source: DustMite's lookahead (docs/design/sources.md).  Deviations: the success rate is learned
 * separately for each pair of preceding outcomes, because successes of run growth come in
 * runs, and for each order of magnitude of what a candidate leaves out, because large
 * removals succeed less often; a strategy that can predict for itself is asked instead. */
#ifndef PARE_ENGINE_SPECULATE_H
#define PARE_ENGINE_SPECULATE_H

#include "base/hash_index.h"

/* How the keys are made under which outcomes are found in the cache. */
typedef struct pare_future_keys {
    bool unique;   /* every future has a key of its own: nothing is shared */
    uint64_t next; /* with unique: the next one */
} pare_future_keys;

/* Recent outcomes; the older ones weigh less. */
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

/* Nothing is known yet: the same rate everywhere. */
void pare_speculate_init(pare_predictor *predictor);

/* The planner's memory, kept from plan to plan so that a plan allocates nothing.  All-zero is
 * empty. */
typedef struct pare_planner {
    struct path *heap; /* owned; most probable first (base/heap.h) */
    size_t n_heap, heap_capacity;
    struct want *wanted; /* owned; the plan: most probable first */
    size_t n_wanted, wanted_capacity;
    pare_hash_index index; /* owned; places in `wanted`, by key */
    uint64_t order;
} pare_planner;

void pare_speculate_done(pare_planner *planner);

#endif
