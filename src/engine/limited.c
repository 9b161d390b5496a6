/* Limited strategies: one wrapper for both limits, a filter of candidates and an early stop.
 *
 * The wrapper forwards every operation to the strategy inside and adds two things: `next`
 * asks again as long as a candidate is not admitted, and says that it is done when the
 * count of useless tests has run out.
 * Invariant: the inner strategy has been told an outcome for each candidate it proposed but
 * the last; so it never learns that there is a wrapper.
 * Source: the early stop is C-Vise's and Shrink Ray's practice of abandoning a pass that
 * does not pay (docs/design/sources.md); here it counts outcomes instead of time. */
#include "engine/limited.h"

#include <assert.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "run/complaints.h"
#include "text/candidate.h"

/* The wrapper's state is copied with the inner one, so running ahead sees the count as it would
 * be. */
struct limited {
    pare_strategy head;
    pare_strategy_ops ops; /* of the head: what the strategy inside cannot do is NULL here, too */
    pare_strategy *inner;  /* owned */
    pare_admits admits;    /* NULL: every candidate is admitted */
    const void *context;   /* borrowed */
    bool stops;            /* `count` applies */
    size_t proposed;       /* bytes of the candidate proposed last */
    pare_early_stop count;
};

/* ---- the count ---------------------------------------------------------------------- */

/* Begins to count: `now` is the smallest size seen so far, `then` the size when this count
 * began. */
void pare_limited_begin(pare_early_stop *count, size_t size, const pare_early_stop_terms *terms)
{
    assert(terms->first > 0 && terms->tests > 0);
    *count = (pare_early_stop){.terms = *terms, .now = size, .then = size};
}

/* Counts a test. Once the text has shrunk by the share that the terms demand, a new count begins,
 * with the terms for strategies that have proven themselves. */
void pare_limited_count(pare_early_stop *count, size_t size, bool fails)
{
    count->tests++;
    if (fails && size < count->now) count->now = size;
    if ((double)count->now > (double)count->then * (1 - count->terms.share)) return;
    count->then = count->now;
    count->tests = 0;
    count->proven = true;
}

/* Tests that are left until the strategy is stopped; 0: it is to stop. */
unsigned pare_limited_left(const pare_early_stop *count)
{
    unsigned most = count->proven ? count->terms.tests : count->terms.first;
    return count->tests < most ? most - count->tests : 0;
}

/* ---- the wrapper -------------------------------------------------------------------- */

/* The wrapper, of which a strategy is the head. */
static struct limited *of(pare_strategy *strategy)
{
    return (struct limited *)strategy;
}

/* To the strategy inside, a candidate that is not admitted looks like one that was tested and
 * passed. */
static pare_status limited_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                                pare_error *err)
{
    struct limited *self = of(strategy);
    *what = PARE_NEXT_DONE;
    if (self->stops && !pare_limited_left(&self->count)) return PARE_OK;
    for (;;) {
        bool admitted = true;
        pare_status status = self->inner->ops->next(self->inner, what, candidate, err);
        if (status || *what == PARE_NEXT_DONE) return status;
        self->proposed = candidate->size;
        self->head.hears = self->inner->hears;
        self->head.hears_fails = self->inner->hears_fails;
        self->head.asks = self->inner->asks;
        if (self->admits) status = self->admits(self->context, candidate, &admitted, err);
        if (status || admitted) return status;
        status = self->inner->ops->tell(self->inner, PARE_PASS, err);
        if (status) return status;
    }
}

/* Every outcome counts, whatever the strategy makes of it. */
static pare_status limited_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct limited *self = of(strategy);
    if (self->stops) pare_limited_count(&self->count, self->proposed, outcome == PARE_FAIL);
    pare_status status = self->inner->ops->tell(self->inner, outcome, err);
    self->head.excused = self->inner->excused;
    return status;
}

/* The context of the filter is the caller's. */
static void limited_free(pare_strategy *strategy)
{
    pare_strategy_free(of(strategy)->inner);
    pare_alloc_free(strategy);
}

/* The inner strategy is copied by its own rules, the limits by value. */
static pare_status limited_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const struct limited *self = (const struct limited *)strategy;
    struct limited *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *self;
    copy->head.ops = &copy->ops;
    pare_status status = self->inner->ops->copy(self->inner, &copy->inner, err);
    if (status)
        pare_alloc_free(copy);
    else
        *out = &copy->head;
    return status;
}

/* ---- what a strategy need not have: forwarded where the one inside has it --------------- */

static pare_status limited_settle(pare_strategy *strategy, pare_error *err)
{
    pare_strategy *inner = of(strategy)->inner;
    return inner->ops->settle(inner, err);
}

static pare_status limited_best(const pare_strategy *strategy, pare_candidate *best,
                                pare_error *err)
{
    const pare_strategy *inner = ((const struct limited *)strategy)->inner;
    return inner->ops->best(inner, best, err);
}

static pare_status limited_passing(const pare_strategy *strategy, pare_candidate *side,
                                   pare_error *err)
{
    const pare_strategy *inner = ((const struct limited *)strategy)->inner;
    return inner->ops->passing(inner, side, err);
}

static double limited_chance(const pare_strategy *strategy)
{
    const pare_strategy *inner = ((const struct limited *)strategy)->inner;
    return inner->ops->chance(inner);
}

/* Whether the strategy inside wants to hear may change with each candidate, so the wrapper's head
 * copies it each time. */
static pare_status limited_hear(pare_strategy *strategy, const pare_complaints *complaints,
                                pare_error *err)
{
    pare_strategy *inner = of(strategy)->inner;
    return inner->ops->hear(inner, complaints, err);
}

/* The engine looks at which operations there are: one that has `best` decides what the best is, and
 * for one that has `hear` the test is watched once.  So the wrapper has those of the strategy inside. */
static pare_strategy_ops ops_around(const pare_strategy_ops *inner)
{
    return (pare_strategy_ops){.next = limited_next,
                               .tell = limited_tell,
                               .copy = limited_copy,
                               .destroy = limited_free,
                               .settle = inner->settle ? limited_settle : NULL,
                               .best = inner->best ? limited_best : NULL,
                               .passing = inner->passing ? limited_passing : NULL,
                               .chance = inner->chance ? limited_chance : NULL,
                               .hear = inner->hear ? limited_hear : NULL};
}

/* Takes `inner` over; the limits are set by the caller. */
static pare_status wrap(pare_strategy *inner, struct limited **out, pare_error *err)
{
    struct limited *self = pare_alloc_zero(1, sizeof *self);
    if (!self) {
        pare_strategy_free(inner);
        return pare_fail_nomem(err);
    }
    self->ops = ops_around(inner->ops);
    self->head.ops = &self->ops;
    self->head.three_valued = inner->three_valued;
    self->head.alone = inner->alone;
    self->inner = inner;
    *out = self;
    return PARE_OK;
}

/* Takes `inner` over, also on failure.  A filter leaves the order of candidates as it is. */
pare_status pare_limited_filter(pare_strategy *inner, pare_admits admits, const void *context,
                                pare_strategy **out, pare_error *err)
{
    struct limited *self = NULL;
    bool ordered = inner->ordered;
    pare_status status = wrap(inner, &self, err);
    if (status) return status;
    self->head.ordered = ordered;
    self->admits = admits;
    self->context = context;
    *out = &self->head;
    return PARE_OK;
}

/* Takes `inner` over, also on failure.  `size` is that of the text at the start. */
pare_status pare_limited_early_stop(pare_strategy *inner, size_t size,
                                    const pare_early_stop_terms *terms, pare_strategy **out,
                                    pare_error *err)
{
    struct limited *self = NULL;
    pare_status status = wrap(inner, &self, err);
    if (status) return status;
    self->stops = true;
    pare_limited_begin(&self->count, size, terms);
    *out = &self->head;
    return PARE_OK;
}
