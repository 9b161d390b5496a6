/* Speculation: which tests are worth their slots, most probable first.
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
 * test that the strategy needs next.  One thread.
 * Source: DustMite's lookahead (docs/design/sources.md).  Deviations: the success rate is learned
 * separately for each pair of preceding outcomes, because successes of run growth come in
 * runs, and for each order of magnitude of what a candidate leaves out, because large
 * removals succeed less often; a strategy that can predict for itself is asked instead. */
#ifndef PARE_ENGINE_SPECULATE_H
#define PARE_ENGINE_SPECULATE_H

#include "base/digest.h"
#include "base/hash_index.h"
#include "engine/cache.h"
#include "engine/strategy.h"
#include "text/candidate.h"

/* ---- futures -------------------------------------------------------------------------- */

typedef struct pare_future pare_future;

struct pare_future {
    pare_strategy *state;                    /* owned; has been asked for its candidate */
    bool done;                               /* the strategy ends here: there is no candidate */
    pare_candidate candidate;                /* unless done */
    pare_digest key;                         /* where the candidate's outcome will be found */
    pare_future *after[PARE_UNRESOLVED + 1]; /* owned; by outcome; NULL: not looked at yet */
};

/* How keys are made. */
typedef struct pare_future_keys {
    bool unique;   /* every future has a key of its own: nothing is shared */
    uint64_t next; /* with unique: the next one */
} pare_future_keys;

/* The future in which `state` is asked for its first candidate.  Takes `state` over, on
 * failure too.  On PARE_OK the caller owns *out.  Errors: those of next, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_speculate_new(pare_strategy *state, pare_future_keys *keys,
                                          pare_future **out, pare_error *err);
void pare_speculate_free(pare_future *future); /* with all that follows; NULL is a no-op */

/* What the strategy is told when the program under test said `outcome`. */
pare_outcome pare_speculate_told(const pare_future *future, pare_outcome outcome);

/* The future after `outcome` (as told), made if need be; borrowed from `future`.
 * Errors: those of the strategy, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_speculate_after(pare_future *future, pare_outcome outcome,
                                            pare_future_keys *keys, pare_future **out,
                                            pare_error *err);

/* Replaces *root by the future after `outcome` (as told) and frees the rest; the
 * root's candidate must have been moved out before if it is still wanted.
 * Errors: those of the strategy, PARE_E_NOMEM; *root is then only fit to be freed. */
PARE_CHECK pare_status pare_speculate_advance(pare_future **root, pare_outcome outcome,
                                              pare_future_keys *keys, pare_error *err);

/* ---- prediction ----------------------------------------------------------------------- */

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

void pare_speculate_init(pare_predictor *predictor);

/* Takes the outcome of the root's candidate. */
void pare_speculate_learn(pare_predictor *predictor, const pare_future *root, pare_outcome outcome);

/* ---- planning --------------------------------------------------------------------------- */

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
    pare_path *heap; /* owned; most probable first (base/heap.h) */
    size_t n_heap, heap_capacity;
    pare_want *wanted; /* owned; most probable first */
    size_t n_wanted, wanted_capacity;
    pare_hash_index index; /* owned; places in `wanted`, by key */
    uint64_t order;
} pare_planner;

void pare_speculate_done(pare_planner *planner);

/* What a plan is made from: predictions, what is known, and how much may be wanted.  All
 * borrowed for the call. */
typedef struct pare_plan_request {
    const pare_predictor *predictor;
    pare_cache *cache; /* candidates whose outcome it has are not wanted */
    pare_future_keys *keys;
    size_t slots; /* most futures that may be wanted, from 1 */
    double least; /* probability that each must have, 0 .. 1 */
} pare_plan_request;

/* Fills planner->wanted with futures whose candidates differ and whose outcomes are not
 * known, as `request` says.  Cost: O(slots) copies of the strategy the first time a future is
 * looked at, none after.  Errors: those of the strategy, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_speculate_plan(pare_planner *planner, pare_future *root,
                                           const pare_plan_request *request, pare_error *err);

/* The wanted test of that key, or NULL; valid until the next plan.  O(1). */
pare_want *pare_speculate_find(const pare_planner *planner, pare_digest key);

#endif
