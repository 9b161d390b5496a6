/* GRABR: the recursion of the seed's reduce_subtree as a stack of frames, so that the strategy
 * can be copied between any two tests and a deep tree needs no deep call stack.
 *
 * A replacement at node c changes only what stands at c and after it, so the nodes of all
 * frames, which are above or before c, keep their indices.  The bottom frame stands above the
 * root, so that the root is a child like any other.
 * Invariant: the child at hand of the top frame is the node for which `found` was made, and
 * item `at` of it is what was proposed.
 * Source: seed 002, GrammarReducer of The Fuzzing Book; see the header for deviations. */
#include "reduce/tree/grabr.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/shared.h"
#include "parse/parse_tree.h"
#include "reduce/tree/derivation.h"
#include "reduce/tree/tree.h"
#include "text/candidate.h"

#include <pare/outcome.h>

enum { ABOVE_ROOT = PARE_NO_NODE };

/* One call of reduce_subtree. */
struct frame {
    uint32_t node;  /* ABOVE_ROOT: its only child is the root */
    uint32_t child; /* the child at hand; after_children(): all are done */
    bool below;     /* its children are settled: goes on below them */
    bool reduced;   /* something below it was replaced */
    bool again;     /* a child was replaced in this round */
};

/* What can be put in the place of one child; shared by the copies of a state, and not
 * changed once it is made. */
struct found {
    size_t refs;
    pare_reductions list;
};

/* The strategy's state; copies share frames and what was found. */
struct grabr {
    pare_strategy head;
    pare_grabr_options options;
    pare_derivation *tree; /* one reference */
    pare_shared *frames;   /* of struct frame */
    size_t n_frames;
    bool started, reduced; /* reduced: what the outermost call returned */
    long depth;
    struct found *found; /* for the child at hand; NULL: not looked for yet */
    size_t at;           /* the one that is tried */
};

static struct grabr *of(pare_strategy *strategy)
{
    return (struct grabr *)strategy;
}

/* Drops what was found for the child at hand. */
static void forget(struct grabr *self)
{
    struct found *found = self->found;
    self->found = NULL;
    if (!found || --found->refs) return;
    pare_reductions_done(&found->list);
    pare_alloc_free(found);
}

/* Whether the reduction of the root only reduces one of its children, which is that child's
 * own business: an expansion that the root has already, with at most one other part. */
static bool is_childs(const pare_derivation *tree, const pare_reduction *reduction,
                      const pare_part *parts)
{
    uint32_t others = 0, child = 1;
    if (reduction->as_is) return false;
    for (uint32_t i = 0; i < reduction->n; i++, child = tree->nodes[child].after) {
        if (child >= tree->n_nodes) return false;
        const pare_part *part = &parts[reduction->first + i];
        pare_tree_symbol symbol = tree->nodes[child].symbol;
        if (part->symbol.kind != symbol.kind || part->symbol.symbol != symbol.symbol) return false;
        others += part->node != child;
    }
    return child == tree->n_nodes && others <= 1;
}

/* Drops the reductions of the root that its child is offered anyway. */
static void drop_childs(const pare_derivation *tree, pare_reductions *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++)
        if (!is_childs(tree, &list->items[i], list->parts)) list->items[kept++] = list->items[i];
    list->n = kept;
}

/* Looks for what can be put in the place of `child`. */
static pare_status look(struct grabr *self, uint32_t child, pare_error *err)
{
    self->found = pare_alloc_zero(1, sizeof *self->found);
    if (!self->found) return pare_fail_nomem(err);
    self->found->refs = 1;
    self->at = 0;
    pare_reduction_place place = {child, self->tree->nodes[child].symbol, self->depth};
    pare_status status =
        pare_reductions_all(self->tree, place, &self->options.reductions, &self->found->list, err);
    if (status) forget(self);
    if (!status && child == 0) drop_childs(self->tree, &self->found->list);
    return status;
}

/* The top frame, for writing: the stack is copied if another state shares it. */
static pare_status top(struct grabr *self, struct frame **out, pare_error *err)
{
    void *own = NULL;
    pare_status status = pare_shared_own(&self->frames, self->n_frames, self->n_frames, &own, err);
    if (!status) *out = (struct frame *)own + self->n_frames - 1;
    return status;
}

/* Pushes a frame for the children of `node`. */
static pare_status call(struct grabr *self, uint32_t node, pare_error *err)
{
    void *own = NULL;
    pare_status status =
        pare_shared_own(&self->frames, self->n_frames, self->n_frames + 1, &own, err);
    if (status) return status;
    uint32_t child = node == ABOVE_ROOT ? 0 : node + 1;
    ((struct frame *)own)[self->n_frames++] = (struct frame){.node = node, .child = child};
    return PARE_OK;
}

/* The index after the last child of the frame's node. */
static uint32_t after_children(const struct grabr *self, const struct frame *frame)
{
    return frame->node == ABOVE_ROOT ? self->tree->n_nodes : self->tree->nodes[frame->node].after;
}

/* The outermost call has returned, or none was made: makes one, or says that all is done. */
static pare_status drive(struct grabr *self, bool *done, pare_error *err)
{
    if (!self->started) {
        self->depth = self->options.by_depth ? 1 : PARE_ANY_DEPTH;
    } else if (!self->options.by_depth) {
        *done = true;
        return PARE_OK;
    } else {
        self->depth = self->reduced ? 1 : self->depth + 1;
    }
    self->started = true;
    self->reduced = false;
    /* The tree's height shrinks with it, so the last depths are never tried in vain. */
    *done = self->options.by_depth && self->depth >= (long)self->tree->height;
    return *done ? PARE_OK : call(self, ABOVE_ROOT, err);
}

/* The top frame goes on with the next child, or begins another round, or goes below. */
static void go_on(struct grabr *self, struct frame *frame)
{
    uint32_t end = after_children(self, frame);
    forget(self);
    if (frame->child < end) frame->child = self->tree->nodes[frame->child].after;
    if (frame->child < end || frame->below) return;
    frame->below = !frame->again;
    frame->again = false;
    frame->child = frame->node == ABOVE_ROOT ? 0 : frame->node + 1;
}

/* Pops the top frame: its outcome goes to the frame below, or to the driver. */
static pare_status give_back(struct grabr *self, const struct frame *frame, pare_error *err)
{
    bool reduced = frame->reduced;
    self->n_frames--;
    if (!self->n_frames) {
        self->reduced = reduced;
        return PARE_OK;
    }
    struct frame *above = NULL;
    pare_status status = top(self, &above, err);
    if (status) return status;
    above->reduced = above->reduced || reduced;
    go_on(self, above);
    return PARE_OK;
}

/* One step of the top frame; *proposed when there is something to test. */
static pare_status step(struct grabr *self, bool *proposed, pare_error *err)
{
    struct frame *frame = NULL;
    assert(self->n_frames > 0);
    pare_status status = top(self, &frame, err);
    if (status) return status;
    const pare_derivation_node *nodes = self->tree->nodes;
    if (frame->child >= after_children(self, frame)) return give_back(self, frame, err);
    if (frame->below) {
        if (nodes[frame->child].after > frame->child + 1) return call(self, frame->child, err);
        go_on(self, frame);
        return PARE_OK;
    }
    if (!self->found) status = look(self, frame->child, err);
    if (status) return status;
    *proposed = self->at < self->found->list.n;
    if (!*proposed) go_on(self, frame);
    return PARE_OK;
}

/* Steps until a frame has something to propose, or the driver has nothing left to call. */
static pare_status grabr_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                              pare_error *err)
{
    struct grabr *self = of(strategy);
    for (bool done = false, proposed = false;;) {
        pare_status status = self->n_frames ? step(self, &proposed, err) : drive(self, &done, err);
        if (status) return status;
        if (done) {
            *what = PARE_NEXT_DONE;
            return PARE_OK;
        }
        if (!proposed) continue;
        const struct frame *frames = pare_shared_items(self->frames);
        *what = PARE_NEXT_TEST;
        return pare_derivation_candidate(self->tree, frames[self->n_frames - 1].child,
                                         &self->found->list.items[self->at],
                                         self->found->list.parts, candidate, err);
    }
}

/* After a success the tree is another one, in which the frames' nodes have the same indices;
 * the child at hand is settled for this round. */
static pare_status grabr_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct grabr *self = of(strategy);
    assert(self->found && self->at < self->found->list.n);
    if (outcome != PARE_FAIL) {
        self->at++;
        return PARE_OK;
    }
    struct frame *frame = NULL;
    pare_derivation *after = NULL;
    pare_status status = top(self, &frame, err);
    if (!status)
        status =
            pare_derivation_replace(self->tree, frame->child, &self->found->list.items[self->at],
                                    self->found->list.parts, &after, err);
    if (status) return status;
    pare_derivation_unref(self->tree);
    self->tree = after;
    frame->reduced = frame->again = true;
    go_on(self, frame);
    return PARE_OK;
}

static void grabr_free(pare_strategy *strategy)
{
    struct grabr *self = of(strategy);
    forget(self);
    pare_shared_release(self->frames);
    pare_derivation_unref(self->tree);
    pare_alloc_free(self);
}

/* Frames and what was found are shared; both are replaced, never written, while shared. */
static pare_status grabr_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const struct grabr *self = (const struct grabr *)strategy;
    struct grabr *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *self;
    if (copy->found) copy->found->refs++;
    pare_derivation_ref(copy->tree);
    pare_shared_retain(copy->frames);
    *out = &copy->head;
    return PARE_OK;
}

pare_status pare_grabr_new(const pare_tree *tree, const pare_grabr_options *options,
                           pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {
        .next = grabr_next, .tell = grabr_tell, .copy = grabr_copy, .destroy = grabr_free};
    struct grabr *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head.ops = &ops;
    self->options = *options;
    pare_status status = pare_derivation_new(tree, &self->tree, err);
    if (!status) status = pare_shared_new(16, sizeof(struct frame), &self->frames, err);
    if (status)
        grabr_free(&self->head);
    else
        *out = &self->head;
    return status;
}
