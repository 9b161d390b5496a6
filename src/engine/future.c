/* Futures.  Invariant: a future that is not done holds the candidate that its state gave
 * last, so that its state may be told an outcome of it. */
#include "engine/future.h"

#include "base/alloc.h"
#include "base/status.h"
#include "text/candidate.h"

#include <pare/outcome.h>

/* Asks the state of `future` for its candidate. */
static pare_status ask(pare_future *future, pare_future_keys *keys, pare_error *err)
{
    pare_next what = PARE_NEXT_DONE;
    pare_status status = future->state->ops->next(future->state, &what, &future->candidate, err);
    if (status) return status;
    future->done = what == PARE_NEXT_DONE;
    if (future->done) return PARE_OK;
    future->key = pare_candidate_digest(&future->candidate);
    if (keys->unique) future->key.high += ++keys->next * UINT64_C(0x9e3779b97f4a7c15);
    return PARE_OK;
}

pare_status pare_future_new(pare_strategy *state, pare_future_keys *keys, pare_future **out,
                            pare_error *err)
{
    pare_future *future = pare_alloc_zero(1, sizeof *future);
    if (!future) {
        pare_strategy_free(state);
        return pare_fail_nomem(err);
    }
    future->state = state;
    pare_status status = ask(future, keys, err);
    if (status) {
        pare_future_free(future);
        return status;
    }
    *out = future;
    return PARE_OK;
}

/* Frees one future and hangs its successors before `rest`, linked by after[0]. */
static pare_future *free_one(pare_future *future, pare_future *rest)
{
    for (int outcome = PARE_FAIL; outcome <= PARE_UNRESOLVED; outcome++) {
        pare_future *next = future->after[outcome];
        if (!next) continue;
        next->after[PARE_NO_OUTCOME] = rest;
        rest = next;
    }
    pare_strategy_free(future->state);
    pare_candidate_done(&future->candidate);
    pare_release(future);
    return rest;
}

void pare_future_free(pare_future *future)
{
    while (future)
        future = free_one(future, future->after[PARE_NO_OUTCOME]);
}

pare_outcome pare_future_told(const pare_future *future, pare_outcome outcome)
{
    if (outcome == PARE_UNRESOLVED && !future->state->three_valued) return PARE_PASS;
    return outcome;
}

pare_status pare_future_after(pare_future *future, pare_outcome outcome, pare_future_keys *keys,
                              pare_future **out, pare_error *err)
{
    if (!future->after[outcome]) {
        pare_strategy *copy = NULL;
        pare_status status = future->state->ops->copy(future->state, &copy, err);
        if (status) return status;
        status = copy->ops->tell(copy, outcome, err);
        if (status) {
            pare_strategy_free(copy);
            return status;
        }
        status = pare_future_new(copy, keys, &future->after[outcome], err);
        if (status) return status;
    }
    *out = future->after[outcome];
    return PARE_OK;
}

/* Forgets what would have followed. */
static void free_successors(pare_future *future)
{
    for (int outcome = PARE_FAIL; outcome <= PARE_UNRESOLVED; outcome++) {
        pare_future_free(future->after[outcome]);
        future->after[outcome] = NULL;
    }
}

pare_status pare_future_advance(pare_future **root, pare_outcome outcome, pare_future_keys *keys,
                                pare_error *err)
{
    pare_future *now = *root;
    pare_future *next = now->after[outcome];
    if (next) {
        now->after[outcome] = NULL;
        *root = next;
        pare_future_free(now);
        return PARE_OK;
    }
    /* Nobody looked ahead along this outcome: the true state itself moves on. */
    free_successors(now);
    pare_status status = now->state->ops->tell(now->state, outcome, err);
    if (!status) status = ask(now, keys, err);
    return status;
}
