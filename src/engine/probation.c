/* Probation: counts the tests since the text last became smaller by the share asked for. */
#include "engine/probation.h"

#include "base/alloc.h"
#include "base/status.h"
#include "text/candidate.h"

#include <pare/outcome.h>

struct probation {
    pare_strategy head;
    pare_strategy *inner; /* owned */
    size_t proposed;      /* bytes of the candidate at hand */
    pare_probation_count count;
};

void pare_probation_begin(pare_probation_count *count, size_t size, const pare_probation *terms)
{
    *count = (pare_probation_count){.terms = *terms, .now = size, .then = size};
}

void pare_probation_tell(pare_probation_count *count, size_t size, bool fails)
{
    count->tests++;
    if (fails && size < count->now) count->now = size;
    if ((double)count->now > (double)count->then * (1 - count->terms.share)) return;
    count->then = count->now;
    count->tests = 0;
    count->proven = true;
}

unsigned pare_probation_left(const pare_probation_count *count)
{
    unsigned most = count->proven ? count->terms.tests : count->terms.first;
    return count->tests < most ? most - count->tests : 0;
}

static struct probation *of(pare_strategy *strategy)
{
    return (struct probation *)strategy;
}

static pare_status probation_next(pare_strategy *strategy, pare_next *what,
                                  pare_candidate *candidate, pare_error *err)
{
    struct probation *self = of(strategy);
    *what = PARE_NEXT_DONE;
    if (!pare_probation_left(&self->count)) return PARE_OK;
    pare_status status = self->inner->ops->next(self->inner, what, candidate, err);
    if (!status && *what == PARE_NEXT_TEST) self->proposed = candidate->size;
    return status;
}

static pare_status probation_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct probation *self = of(strategy);
    pare_probation_tell(&self->count, self->proposed, outcome == PARE_FAIL);
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
                               .inner = inner};
    pare_probation_begin(&self->count, size, terms);
    *out = &self->head;
    return PARE_OK;
}
