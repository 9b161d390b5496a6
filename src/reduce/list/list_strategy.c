/* The bridge from list algorithms, which know positions, to the engine, which knows texts.
 *
 * The state is the algorithm's plain memory and a reference to the configuration; a copy is a
 * memcpy and a reference, so running ahead is cheap.  The bridge also runs an algorithm again
 * until a run removes nothing (fixpoint): no algorithm loops over itself.
 *
 * Invariants: `edit` is what the algorithm proposed last; the algorithm was told the outcome of
 * everything it proposed but that; `config` is what is left after all that failed. */
#include "reduce/list/list_strategy.h"

#include <assert.h>
#include <string.h>

#include <pare/algorithm.h>
#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/list/algorithms.h"
#include "text/candidate.h"

/* One block, so that a copy is one allocation. */
struct list_strategy {
    pare_strategy head;
    const pare_list_algorithm *algorithm;
    pare_list_knobs knobs;
    pare_config *config; /* one reference */
    pare_edit edit;
    size_t run;          /* of the fixpoint, from 0 */
    bool removed;        /* something went in this run */
    bool started;        /* `state` is valid */
    max_align_t state[]; /* algorithm->state_bytes */
};

/* The bridge's state, of which a strategy is the head. */
static struct list_strategy *of(pare_strategy *strategy)
{
    return (struct list_strategy *)strategy;
}

/* The algorithm's state is released only if it was begun: `start` may have failed. */
static void strategy_free(pare_strategy *strategy)
{
    struct list_strategy *self = of(strategy);
    if (self->started && self->algorithm->release) self->algorithm->release(self->state);
    pare_config_unref(self->config);
    pare_edit_done(&self->edit);
    pare_alloc_free(self);
}

/* The user's word, or else the algorithm's default, which is its source's. */
static bool to_fixpoint(const struct list_strategy *self)
{
    if (self->knobs.fixpoint == PARE_FIXPOINT_DEFAULT) return self->algorithm->fixpoint;
    return self->knobs.fixpoint == PARE_FIXPOINT_ON;
}

/* Begins run number `run` of the algorithm over what is left. */
static pare_status begin_run(struct list_strategy *self, size_t run, pare_error *err)
{
    if (self->started && self->algorithm->release) self->algorithm->release(self->state);
    self->started = false;
    pare_status status = self->algorithm->start(self->state, pare_config_count(self->config),
                                                &self->knobs, run, err);
    self->started = !status;
    self->run = run;
    self->removed = false;
    return status;
}

/* A run that is done begins anew as long as the last one removed something. */
static pare_status strategy_next(pare_strategy *strategy, pare_next *what,
                                 pare_candidate *candidate, pare_error *err)
{
    struct list_strategy *self = of(strategy);
    for (;;) {
        bool done = false;
        pare_edit_reset(&self->edit);
        pare_status status = self->algorithm->next(self->state, &done, &self->edit, err);
        if (status) return status;
        if (!done) {
            /* The text as it is would fail again, and the algorithm would take it for progress. */
            assert(pare_edit_count(&self->edit) > 0);
            *what = PARE_NEXT_TEST;
            return pare_config_candidate(self->config, &self->edit, candidate, err);
        }
        if (!to_fixpoint(self) || !self->removed) break;
        status = begin_run(self, self->run + 1, err);
        if (status) return status;
    }
    *what = PARE_NEXT_DONE;
    return PARE_OK;
}

/* The configuration changes before the algorithm hears of it; if that fails, the algorithm was
 * told nothing. */
static pare_status strategy_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct list_strategy *self = of(strategy);
    bool fails = outcome == PARE_FAIL;
    if (fails) {
        pare_config *less = NULL;
        pare_status status = pare_config_less(self->config, &self->edit, &less, err);
        if (status) return status;
        pare_config_unref(self->config);
        self->config = less;
        self->removed = true;
    }
    return self->algorithm->tell(self->state, fails, err);
}

/* The state and that of the algorithm after it, in one block. */
static size_t total_bytes(const pare_list_algorithm *algorithm)
{
    return sizeof(struct list_strategy) + algorithm->state_bytes;
}

/* The algorithm's state is plain memory but for what `retain` counts; the edit owns memory, so its
 * ranges are copied. */
static pare_status strategy_copy(const pare_strategy *strategy, pare_strategy **out,
                                 pare_error *err)
{
    const struct list_strategy *self = (const struct list_strategy *)strategy;
    struct list_strategy *copy = pare_alloc(1, total_bytes(self->algorithm));
    if (!copy) return pare_fail_nomem(err);
    memcpy(copy, self, total_bytes(self->algorithm));
    copy->edit = (pare_edit){0};
    pare_config_ref(copy->config);
    if (copy->started && copy->algorithm->retain) copy->algorithm->retain(copy->state);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < self->edit.n_ranges; i++)
        status =
            pare_edit_add(&copy->edit, self->edit.ranges[i].from, self->edit.ranges[i].to, err);
    if (status) {
        strategy_free(&copy->head);
        return status;
    }
    *out = &copy->head;
    return PARE_OK;
}

/* The engine calls this after a success, on the true state only. */
static pare_status strategy_settle(pare_strategy *strategy, pare_error *err)
{
    return pare_config_settle(of(strategy)->config, err);
}

static const pare_strategy_ops list_ops = {.next = strategy_next,
                                           .tell = strategy_tell,
                                           .copy = strategy_copy,
                                           .destroy = strategy_free,
                                           .settle = strategy_settle};

pare_status pare_list_strategy_new(const pare_list_algorithm *algorithm,
                                   const pare_list_knobs *knobs, pare_config *config,
                                   pare_strategy **out, pare_error *err)
{
    struct list_strategy *self = pare_alloc_zero(1, total_bytes(algorithm));
    if (!self) return pare_fail_nomem(err);
    *self = (struct list_strategy){.head = {.ops = &list_ops},
                                   .algorithm = algorithm,
                                   .knobs = *knobs,
                                   .config = pare_config_ref(config)};
    pare_status status = begin_run(self, 0, err);
    if (status) {
        strategy_free(&self->head);
        return status;
    }
    *out = &self->head;
    return PARE_OK;
}
