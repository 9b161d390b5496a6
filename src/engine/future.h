/* Futures: a strategy run ahead along outcomes that are not known yet.
 *
 * A future is a state of the strategy together with the candidate that it asks about;
 * each outcome of that candidate leads to another future.  The root is the true state.
 * Retiring the root's outcome makes one of its successors the root and forgets the
 * others, the way a processor retires one side of a branch.  Futures are made when they
 * are looked at, by copying the state and telling the copy.  One thread.
 * Source: DustMite's lookahead (list-reducers §2.4). */
#ifndef PARE_ENGINE_FUTURE_H
#define PARE_ENGINE_FUTURE_H

#include "base/digest.h"
#include "engine/strategy.h"
#include "text/candidate.h"

#include <pare/outcome.h>

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
PARE_CHECK pare_status pare_future_new(pare_strategy *state, pare_future_keys *keys,
                                       pare_future **out, pare_error *err);
void pare_future_free(pare_future *future); /* with all that follows; NULL is a no-op */

/* What the strategy is told when the program under test said `outcome`. */
pare_outcome pare_future_told(const pare_future *future, pare_outcome outcome);

/* The future after `outcome` (as told), made if need be; borrowed from `future`.
 * Errors: those of the strategy, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_future_after(pare_future *future, pare_outcome outcome,
                                         pare_future_keys *keys, pare_future **out,
                                         pare_error *err);

/* Replaces *root by the future after `outcome` (as told) and frees the rest; the
 * root's candidate must have been moved out before if it is still wanted.
 * Errors: those of the strategy, PARE_E_NOMEM; *root is then only fit to be freed. */
PARE_CHECK pare_status pare_future_advance(pare_future **root, pare_outcome outcome,
                                           pare_future_keys *keys, pare_error *err);

#endif
