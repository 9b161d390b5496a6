/* A sequential strategy: a small copyable state machine that proposes candidates.
 *
 * A strategy never runs anything.  The engine asks for the next candidate, finds its
 * outcome and tells it; it may copy the state and tell the copy a predicted outcome, to
 * see what would be proposed then, and throw the copy away.  Whatever is not in the
 * state does not exist: two copies told the same outcomes propose the same candidates.
 *
 * Protocol: next, tell, next, tell, ... until next says PARE_NEXT_DONE.  `next` called
 * twice without a tell between gives the same candidate.  One thread. */
#ifndef PARE_ENGINE_STRATEGY_H
#define PARE_ENGINE_STRATEGY_H

#include <pare/outcome.h>

#include "base/fail.h"
#include "run/complaints.h"
#include "text/candidate.h"

typedef struct pare_strategy pare_strategy;

typedef enum pare_next {
    PARE_NEXT_TEST, /* *candidate is to be tested */
    PARE_NEXT_DONE
} pare_next;

typedef struct pare_strategy_ops {
    /* Fills *candidate (initialised or all-zero) or says that it is done.
     * Errors: PARE_E_NOMEM; the state is as it was. */
    pare_status (*next)(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                        pare_error *err);

    /* Takes the outcome of the candidate that `next` gave last: FAIL, PASS, or, with
     * `three_valued`, UNRESOLVED.  Errors: PARE_E_NOMEM; the state is then only fit to
     * be freed. */
    pare_status (*tell)(pare_strategy *strategy, pare_outcome outcome, pare_error *err);

    /* An independent copy; never called of one that is `alone`.  Errors: PARE_E_NOMEM. */
    pare_status (*copy)(const pare_strategy *strategy, pare_strategy **out, pare_error *err);

    void (*destroy)(pare_strategy *strategy);

    /* Called on the true state after each success that was told to it: a chance to
     * give memory back.  What `next` proposes must not change.  May be NULL. */
    pare_status (*settle)(pare_strategy *strategy, pare_error *err);

    /* Fills *best (initialised or all-zero) with the failing candidate that the strategy
     * stands on, which need not be the smallest one.  NULL: the best is the smallest
     * candidate that failed.  Errors: PARE_E_NOMEM. */
    pare_status (*best)(const pare_strategy *strategy, pare_candidate *best, pare_error *err);

    /* The same of the passing candidate that it stands on, for a strategy that narrows from two sides;
     * it is told of, and decides nothing.  NULL: there is none.  Errors: PARE_E_NOMEM. */
    pare_status (*passing)(const pare_strategy *strategy, pare_candidate *side, pare_error *err);

    /* How probable it is, as far as the strategy can tell, that the candidate which `next`
     * gave last fails: 0 .. 1.  It decides only what is tested ahead.  NULL: it is learned
     * from the outcomes. */
    double (*chance)(const pare_strategy *strategy);

    /* Called right before `tell`, and only with `hears` set, for FAIL only with `hears_fails`: what
     * the test of the candidate, or a compiler beside it, complained of.  Not called where nothing
     * was said, so a strategy has to do without.  Two copies hear the same of the same candidate;
     * one that looks ahead may hear nothing.  May be NULL.  Errors: PARE_E_NOMEM, as in tell. */
    pare_status (*hear)(pare_strategy *strategy, const pare_complaints *complaints,
                        pare_error *err);
} pare_strategy_ops;

/* The head of every implementation. */
struct pare_strategy {
    const pare_strategy_ops *ops;
    bool three_valued; /* wants to know UNRESOLVED from PASS */
    bool hears;        /* wants to hear what is wrong with the candidate that `next` gave last; may
                          change from one to the next.  Costs the time of a compiler's run for each
                          candidate that does not fail, if its test hides what it prints */
    bool hears_fails;  /* with `hears`: of a candidate that fails, too, at the same cost: where its
                          compiler was */
    bool
        excused; /* what was heard last of a candidate is also said of what is left: it lacks nothing */
    bool asks;    /* the candidate that `next` gave last is no change, only to be heard of */
    bool alone;   /* it cannot be copied: nothing is tested ahead of it, whatever the slots */
    bool ordered; /* candidates as large as the best that are smaller in the order
                          (text/order.h) are to be the best too; else only shorter ones */
};

static inline void pare_strategy_free(pare_strategy *strategy)
{
    if (strategy) strategy->ops->destroy(strategy);
}

#endif
