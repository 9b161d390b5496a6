/* The sequential form of a pool, a strategy that the engine can run ahead like any other; and a
 * plainer strategy over patches, which stops at the first success (see there).
 *
 * The state holds the set of accepted changes and a queue of what is still to try; copies
 * share both until one of them writes (base/shared.h), so that running ahead is cheap.
 * A failing first half explains that its group did, so it is no news about how often
 * patches can be made; nor is there a test of a second half when the first one was
 * accepted, since that would be the group again.
 *
 * Invariant: what is in the queue, in `item` and in `accepted`, and what was tried alone,
 * with their parts, is all the list has. */

#include "engine/pool.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/shared.h"
#include "engine/pool_plan.h"
#include "engine/pool_queue.h"
#include "engine/strategy.h"
#include "engine/tried_digests.h"
#include "text/candidate.h"
#include "text/text.h"

/* Everything that is shared is counted by reference, so a copy costs O(1) until it writes. */
struct pool {
    pare_strategy head;
    pare_pool_plan *plan;   /* one reference */
    pare_pool_set accepted; /* one reference */
    size_t size;            /* bytes of the text with the accepted changes */
    size_t n_accepted;      /* candidates that failed */
    pare_tried_digests tried;
    pare_pool_queue queue;
    pare_pool_rate rate;
    uint32_t at, misses; /* of the sweep: place in the order; patches in a row that stayed */

    bool asked;            /* `trial` is what `next` gave last */
    pare_pool_trial trial; /* one reference */
};

/* The state, of which a strategy is the head. */
static struct pool *of(pare_strategy *strategy)
{
    return (struct pool *)strategy;
}

/* Works on a state that is half made, too. */
static void pool_free(pare_strategy *strategy)
{
    struct pool *self = of(strategy);
    pare_pool_plan_unref(self->plan);
    pare_pool_plan_set_unref(&self->accepted);
    pare_pool_queue_trial_done(&self->trial);
    pare_tried_digests_release(&self->tried);
    pare_shared_release(self->queue.items);
    pare_alloc_free(self);
}

/* ---- next and tell ---------------------------------------------------------------- */

/* Makes the candidate for `item` on top of what was accepted. *verdict tells whether it is worth a
 * test (then `trial` is set), has to be split, or adds nothing. */
static pare_status consider(struct pool *self, pare_pool_item item, pare_candidate *candidate,
                            pare_pool_verdict *verdict, pare_error *err)
{
    const pare_pool_trial_base base = {.plan = self->plan,
                                       .set = &self->accepted,
                                       .than = &self->accepted,
                                       .size = self->size,
                                       .tried = &self->tried};
    return pare_pool_queue_try(&base, item, &self->trial, candidate, verdict, err);
}

/* Goes through the queue to the next candidate; *verdict is PARE_POOL_SKIP when there is none. */
static pare_status next_queued(struct pool *self, pare_candidate *candidate,
                               pare_pool_verdict *verdict, pare_error *err)
{
    *verdict = PARE_POOL_SKIP;
    while (self->queue.n && *verdict != PARE_POOL_TEST) {
        pare_pool_item rest;
        /* Room for the rest of a range and two halves. */
        pare_status status = pare_pool_queue_own(&self->queue, 3, err);
        if (status) return status;
        pare_pool_item item = pare_pool_queue_first(&self->queue, self->plan, &self->rate, &rest);
        status = consider(self, item, candidate, verdict, err);
        if (status) return status;
        pare_pool_queue_drop(&self->queue, self->plan, rest);
        if (*verdict == PARE_POOL_SPLIT) pare_pool_queue_split(&self->queue, self->plan, item);
    }
    return PARE_OK;
}

/* Moves the sweep to the next place, and from the last one to the first. */
static void sweep_on(struct pool *self)
{
    self->at = self->at + 1 < self->plan->n ? self->at + 1 : 0;
    self->misses++;
}

/* The final sweep: goes round all patches, trying each alone, until every one of them was refused
 * since the last success. Then the result is 1-minimal in patches. */
static pare_status next_swept(struct pool *self, pare_candidate *candidate,
                              pare_pool_verdict *verdict, pare_error *err)
{
    *verdict = PARE_POOL_SKIP;
    /* Without a success each patch was tried alone on the text as it is: there is nothing to
     * sweep. */
    if (!self->plan->options.sweep || !self->n_accepted) return PARE_OK;
    while (self->misses < self->plan->n) {
        const pare_pool_item item = {{self->at, 1}, PARE_POOL_SWEPT};
        pare_status status = consider(self, item, candidate, verdict, err);
        if (status || *verdict == PARE_POOL_TEST) return status;
        sweep_on(self);
    }
    return PARE_OK;
}

/* Asked twice, it gives the same candidate again, from the set that it kept. */
static pare_status pool_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                             pare_error *err)
{
    struct pool *self = of(strategy);
    pare_pool_verdict verdict = PARE_POOL_TEST;
    *what = PARE_NEXT_TEST;
    if (self->asked)
        return pare_patches_candidate(self->plan->patches, pare_pool_plan_changes(&self->trial.set),
                                      self->trial.set.n, candidate, err);
    pare_status status = next_queued(self, candidate, &verdict, err);
    if (!status && verdict != PARE_POOL_TEST) status = next_swept(self, candidate, &verdict, err);
    self->asked = !status && verdict == PARE_POOL_TEST;
    if (!self->asked) *what = PARE_NEXT_DONE;
    return status;
}

/* The set that was tested is the base from now on. A success may make other patches possible, so
 * the sweep counts its refusals anew. */
static void accept(struct pool *self)
{
    pare_pool_plan_set_unref(&self->accepted);
    self->accepted = pare_pool_plan_set_ref(self->trial.set);
    self->size = self->trial.size;
    self->n_accepted++;
    self->misses = 0;
}

/* Memory is taken before anything changes: on failure the state is as before. */
static pare_status pool_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct pool *self = of(strategy);
    assert(self->asked); /* an outcome is of the candidate that was given last */
    const pare_pool_item item = self->trial.item;
    bool fails = outcome == PARE_FAIL;
    /* An item that did not work leaves at most two halves. */
    pare_status status = pare_pool_queue_own(&self->queue, 2, err);
    if (!status) status = pare_tried_digests_add(&self->tried, self->trial.digest, err);
    if (status) return status;
    pare_pool_queue_learn(&self->rate, item, fails);
    /* A union that failed may have left out patches that conflicted with it; those are still to be
     * tried. */
    if (!fails || !self->trial.whole) pare_pool_queue_split(&self->queue, self->plan, item);
    if (item.kind == PARE_POOL_SWEPT) sweep_on(self);
    if (fails) accept(self);
    self->asked = false;
    pare_pool_queue_trial_done(&self->trial);
    return PARE_OK;
}

/* For the planner: a pool knows more about its next outcome than the general predictor. */
static double pool_chance(const pare_strategy *strategy)
{
    const struct pool *self = (const struct pool *)strategy;
    return pare_pool_queue_chance(&self->rate, self->trial.item);
}

/* ---- life ------------------------------------------------------------------------- */

/* Copies the struct and takes a reference for everything in it that is shared; O(1). */
static pare_status pool_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    struct pool *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *(const struct pool *)strategy;
    pare_pool_plan_ref(copy->plan);
    pare_shared_retain(copy->accepted.changes);
    pare_shared_retain(copy->trial.set.changes);
    pare_tried_digests_retain(&copy->tried);
    pare_shared_retain(copy->queue.items);
    *out = &copy->head;
    return PARE_OK;
}

static const pare_strategy_ops pool_ops = {.next = pool_next,
                                           .tell = pool_tell,
                                           .copy = pool_copy,
                                           .destroy = pool_free,
                                           .chance = pool_chance};

/* Queues all patches, and marks the text as it is as tried, since a candidate that equals it would
 * be no progress. */
static pare_status begin(struct pool *self, pare_error *err)
{
    const pare_text *text = self->plan->patches->text;
    const pare_pool_range roots = {0, self->plan->n_roots};
    /* If most patches are expected to be possible, the first trial is all of them at once (without
     * the parts of others). */
    bool together = self->plan->options.together;
    self->size = pare_text_size(text);
    pare_status status = pare_pool_queue_own(&self->queue, 1, err);
    if (status) return status;
    pare_pool_queue_push(&self->queue, self->plan,
                         (pare_pool_item){roots, together ? PARE_POOL_TOGETHER : PARE_POOL_FRESH});
    return pare_tried_digests_add(&self->tried, pare_text_digest(text), err);
}

/* Takes a reference to `patches`, which must not change any more. */
pare_status pare_pool_strategy_new(pare_patches *patches, const pare_pool_options *options,
                                   pare_strategy **out, pare_error *err)
{
    struct pool *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_strategy){.ops = &pool_ops, .ordered = true};
    pare_status status = pare_pool_plan_new(patches, options, &self->plan, err);
    if (!status) status = begin(self, err);
    if (status)
        pool_free(&self->head);
    else
        *out = &self->head;
    return status;
}

/* ---- the first success ---------------------------------------------------------------- */

/* The first patch of a list that fails: tried one by one, in the order given.
 *
 * The list is shared by all copies of the state, which hold only a place in it; so running
 * ahead costs nothing.  A linear scan, because the patches of an uphill step are few and
 * not monotone: nothing is learned about one from the outcome of another.
 * Invariant: every patch before `at` was tested and did not fail. */

/* `head` comes first, so that a pointer to it is one to the state. */
struct first {
    pare_strategy head;
    pare_patches *patches; /* one reference */
    pare_shared *picked;   /* one reference; uint32_t each */
    size_t n, at;
    bool failed; /* the patch at `at` did */
};

static struct first *first_of(pare_strategy *strategy)
{
    return (struct first *)strategy;
}

/* Gives the same candidate until it is told its outcome. */
static pare_status first_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                              pare_error *err)
{
    struct first *self = first_of(strategy);
    bool done = self->failed || self->at == self->n;
    *what = done ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    if (done) return PARE_OK;
    const uint32_t *picked = pare_shared_items(self->picked);
    uint32_t patch = picked[self->at];
    return pare_patches_candidate(self->patches, pare_patch_changes(self->patches, patch),
                                  self->patches->patches[patch].n_changes, candidate, err);
}

/* A success ends the scan; `at` then is the place that is asked for. */
static pare_status first_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct first *self = first_of(strategy);
    (void)err;
    assert(!self->failed && self->at < self->n);
    self->failed = outcome == PARE_FAIL;
    if (!self->failed) self->at++;
    return PARE_OK;
}

/* Works on a state that is half made, too: every pointer may be NULL. */
static void first_free(pare_strategy *strategy)
{
    struct first *self = first_of(strategy);
    pare_patches_unref(self->patches);
    pare_shared_release(self->picked);
    pare_alloc_free(self);
}

/* O(1): a copy has a place of its own in the same list. */
static pare_status first_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    struct first *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    /* All of it, then a reference for each pointer that was copied. */
    *copy = *(const struct first *)strategy;
    pare_patches_ref(copy->patches);
    pare_shared_retain(copy->picked);
    *out = &copy->head;
    return PARE_OK;
}

static const pare_strategy_ops first_ops = {
    .next = first_next, .tell = first_tell, .copy = first_copy, .destroy = first_free};

/* The list is copied once, for all copies of the state; `first` is where the scan begins. */
pare_status pare_pool_first_success_new(pare_patches *patches, const uint32_t *picked, size_t n,
                                        size_t first, pare_strategy **out, pare_error *err)
{
    assert(first <= n);
    struct first *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_strategy){.ops = &first_ops, .ordered = true};
    self->patches = pare_patches_ref(patches);
    self->n = n;
    self->at = first;
    void *items = NULL;
    pare_status status = pare_shared_new(n, sizeof *picked, &self->picked, err);
    if (!status) status = pare_shared_own(&self->picked, 0, n, &items, err);
    if (status) {
        first_free(&self->head);
        return status;
    }
    if (n) memcpy(items, picked, n * sizeof *picked);
    *out = &self->head;
    return PARE_OK;
}

/* The place of the patch that failed; n when none did. */
size_t pare_pool_first_success_place(const pare_strategy *strategy)
{
    const struct first *self = (const struct first *)strategy;
    return self->failed ? self->at : self->n;
}
