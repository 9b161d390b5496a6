/* The first patch of a list that fails: tried one by one, in the order given.
 *
 * The list is shared by all copies of the state, which hold only a place in it; so running
 * ahead costs nothing.  A linear scan, because the patches of an uphill step are few and
 * not monotone: nothing is learned about one from the outcome of another.
 * Invariant: every patch before `at` was tested and did not fail. */
#include "engine/first_success.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/shared.h"
#include "text/candidate.h"

/* `head` comes first, so that a pointer to it is one to the state. */
struct state {
    pare_strategy head;
    pare_patches *patches; /* one reference */
    pare_shared *picked;   /* one reference; uint32_t each */
    size_t n, at;
    bool failed; /* the patch at `at` did */
};

static struct state *of(pare_strategy *strategy)
{
    return (struct state *)strategy;
}

/* Gives the same candidate until it is told its outcome. */
static pare_status state_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                              pare_error *err)
{
    struct state *self = of(strategy);
    bool done = self->failed || self->at == self->n;
    *what = done ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    if (done) return PARE_OK;
    const uint32_t *picked = pare_shared_items(self->picked);
    uint32_t patch = picked[self->at];
    return pare_patches_candidate(self->patches, pare_patch_changes(self->patches, patch),
                                  self->patches->patches[patch].n_changes, candidate, err);
}

/* A success ends the scan; `at` then is the place that is asked for. */
static pare_status state_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct state *self = of(strategy);
    (void)err;
    assert(!self->failed && self->at < self->n);
    self->failed = outcome == PARE_FAIL;
    if (!self->failed) self->at++;
    return PARE_OK;
}

/* Works on a state that is half made, too: every pointer may be NULL. */
static void state_free(pare_strategy *strategy)
{
    struct state *self = of(strategy);
    pare_patches_unref(self->patches);
    pare_shared_release(self->picked);
    pare_alloc_free(self);
}

/* O(1): a copy has a place of its own in the same list. */
static pare_status state_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    struct state *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    /* All of it, then a reference for each pointer that was copied. */
    *copy = *(const struct state *)strategy;
    pare_patches_ref(copy->patches);
    pare_shared_retain(copy->picked);
    *out = &copy->head;
    return PARE_OK;
}

static const pare_strategy_ops state_ops = {
    .next = state_next, .tell = state_tell, .copy = state_copy, .destroy = state_free};

/* The list is copied once, for all copies of the state; `first` is where the scan begins. */
pare_status pare_first_success_new(pare_patches *patches, const uint32_t *picked, size_t n,
                                   size_t first, pare_strategy **out, pare_error *err)
{
    assert(first <= n);
    struct state *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_strategy){.ops = &state_ops, .ordered = true};
    self->patches = pare_patches_ref(patches);
    self->n = n;
    self->at = first;
    void *items = NULL;
    pare_status status = pare_shared_new(n, sizeof *picked, &self->picked, err);
    if (!status) status = pare_shared_own(&self->picked, 0, n, &items, err);
    if (status) {
        state_free(&self->head);
        return status;
    }
    if (n) memcpy(items, picked, n * sizeof *picked);
    *out = &self->head;
    return PARE_OK;
}

/* The place of the patch that failed; n when none did. */
size_t pare_first_success_place(const pare_strategy *strategy)
{
    const struct state *self = (const struct state *)strategy;
    return self->failed ? self->at : self->n;
}
