/* Probation: counts the tests since the text last became smaller by the share asked for. */
#include "engine/probation.h"

#include "base/alloc.h"

struct probation {
    pare_strategy head;
    pare_strategy *inner; /* owned */
    pare_probation terms;
    size_t proposed;  /* bytes of the candidate at hand */
    size_t now, then; /* bytes: of the smallest failing candidate; when counting began */
    unsigned tests;   /* since then */
    bool proven;      /* it was worth its tests once */
};

static struct probation *of(pare_strategy *strategy)
{
    return (struct probation *)strategy;
}

static bool is_over(const struct probation *self)
{
    return self->tests >= (self->proven ? self->terms.tests : self->terms.first);
}

static pare_status probation_next(pare_strategy *strategy, pare_next *what,
                                  pare_candidate *candidate, pare_error *err)
{
    struct probation *self = of(strategy);
    *what = PARE_NEXT_DONE;
    if (is_over(self)) return PARE_OK;
    pare_status status = self->inner->ops->next(self->inner, what, candidate, err);
    if (!status && *what == PARE_NEXT_TEST) self->proposed = candidate->size;
    return status;
}

static pare_status probation_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct probation *self = of(strategy);
    self->tests++;
    if (outcome == PARE_FAIL && self->proposed < self->now) self->now = self->proposed;
    if ((double)self->now <= (double)self->then * (1 - self->terms.share)) {
        self->then = self->now;
        self->tests = 0;
        self->proven = true;
    }
    return self->inner->ops->tell(self->inner, outcome, err);
}

static void probation_free(pare_strategy *strategy)
{
    pare_strategy_free(of(strategy)->inner);
    pare_release(strategy);
}

static pare_status probation_copy(const pare_strategy *strategy, pare_strategy **out,
                                  pare_error *err)
{
    const struct probation *self = (const struct probation *)strategy;
    struct probation *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *self;
    pare_status status = self->inner->ops->copy(self->inner, &copy->inner, err);
    if (status)
        pare_release(copy);
    else
        *out = &copy->head;
    return status;
}

static pare_status probation_settle(pare_strategy *strategy, pare_error *err)
{
    struct probation *self = of(strategy);
    return self->inner->ops->settle ? self->inner->ops->settle(self->inner, err) : PARE_OK;
}

static pare_status probation_best(const pare_strategy *strategy, pare_candidate *best,
                                  pare_error *err)
{
    const struct probation *self = (const struct probation *)strategy;
    return self->inner->ops->best(self->inner, best, err);
}

static const pare_strategy_ops plain = {.next = probation_next,
                                        .tell = probation_tell,
                                        .copy = probation_copy,
                                        .destroy = probation_free,
                                        .settle = probation_settle};

static const pare_strategy_ops with_best = {.next = probation_next,
                                            .tell = probation_tell,
                                            .copy = probation_copy,
                                            .destroy = probation_free,
                                            .settle = probation_settle,
                                            .best = probation_best};

pare_status pare_probation_new(pare_strategy *inner, size_t size, const pare_probation *terms,
                               pare_strategy **out, pare_error *err)
{
    struct probation *self = pare_alloc(1, sizeof *self);
    if (!self) {
        pare_strategy_free(inner);
        return pare_fail_nomem(err);
    }
    *self = (struct probation){.head = {.ops = inner->ops->best ? &with_best : &plain,
                                        .three_valued = inner->three_valued},
                               .inner = inner,
                               .terms = *terms,
                               .now = size,
                               .then = size};
    *out = &self->head;
    return PARE_OK;
}
