/* Filtering: asks the inner strategy again until it proposes something admitted. */
#include "engine/filter.h"

#include "base/alloc.h"
#include "base/status.h"
#include "text/candidate.h"

#include <pare/outcome.h>

struct filter {
    pare_strategy head;
    pare_strategy *inner; /* owned */
    pare_admits admits;
    const void *context; /* borrowed */
};

static struct filter *of(pare_strategy *strategy)
{
    return (struct filter *)strategy;
}

static pare_status filter_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                               pare_error *err)
{
    struct filter *self = of(strategy);
    for (;;) {
        bool admitted = true;
        pare_status status = self->inner->ops->next(self->inner, what, candidate, err);
        if (!status && *what == PARE_NEXT_TEST)
            status = self->admits(self->context, candidate, &admitted, err);
        if (status || admitted) return status;
        status = self->inner->ops->tell(self->inner, PARE_PASS, err);
        if (status) return status;
    }
}

static pare_status filter_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct filter *self = of(strategy);
    return self->inner->ops->tell(self->inner, outcome, err);
}

static void filter_free(pare_strategy *strategy)
{
    pare_strategy_free(of(strategy)->inner);
    pare_release(strategy);
}

static pare_status filter_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const struct filter *self = (const struct filter *)strategy;
    struct filter *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *self;
    pare_status status = self->inner->ops->copy(self->inner, &copy->inner, err);
    if (status)
        pare_release(copy);
    else
        *out = &copy->head;
    return status;
}

static pare_status filter_settle(pare_strategy *strategy, pare_error *err)
{
    struct filter *self = of(strategy);
    return self->inner->ops->settle ? self->inner->ops->settle(self->inner, err) : PARE_OK;
}

static pare_status filter_best(const pare_strategy *strategy, pare_candidate *best, pare_error *err)
{
    const struct filter *self = (const struct filter *)strategy;
    return self->inner->ops->best(self->inner, best, err);
}

pare_status pare_filter_new(pare_strategy *inner, pare_admits admits, const void *context,
                            pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops plain = {.next = filter_next,
                                            .tell = filter_tell,
                                            .copy = filter_copy,
                                            .destroy = filter_free,
                                            .settle = filter_settle};
    static const pare_strategy_ops with_best = {.next = filter_next,
                                                .tell = filter_tell,
                                                .copy = filter_copy,
                                                .destroy = filter_free,
                                                .settle = filter_settle,
                                                .best = filter_best};
    struct filter *self = pare_alloc(1, sizeof *self);
    if (!self) {
        pare_strategy_free(inner);
        return pare_fail_nomem(err);
    }
    *self = (struct filter){.head = {.ops = inner->ops->best ? &with_best : &plain,
                                     .three_valued = inner->three_valued,
                                     .ordered = inner->ordered},
                            .inner = inner,
                            .admits = admits,
                            .context = context};
    *out = &self->head;
    return PARE_OK;
}
