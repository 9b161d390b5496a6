/* The first look at a large tree: elements of lists go, where that is worth much.
 *
 * A list is gone through from the rear, by halves: nothing that stands before an element needs
 * it, mostly, and what is small there (a call) keeps what is large before it (the function).
 * An element that holds nearly all of the bytes stands alone, so that what is light beside it
 * goes without it.  Once PARE_HEAVY_PATIENCE tests in a row left nothing out, what remains of
 * the list is put back, and of all that was put back the heaviest part is tried next: a run of
 * neighbours, cut where its bytes are halved, or a single element, opened when it cannot go.
 * Parts of less than a hundredth of the text are left to the run that follows, and so is the
 * candidate without anything.
 *
 * So the first hundred tests go to where the bytes are.
 *
 * Source: ours.  From the rear by halves is Perses' list minimiser (Sun, Li, Zhang, Gu and
 * Su, ICSE 2018), the heaviest first its order of nodes; that a part is cut by the weight of
 * its elements, not by their number, is Weighted Delta Debugging's (Zhou et al., ICSE 2025).
 * Measured: docs/lab/default.md.
 *
 * Two places where parts wait: a stack, for the list that is gone through from the rear, and a
 * heap for all other parts.
 *
 * The stack gives the list minimiser its order (rear
 * halves first) without renumbering, as in node_list.c; the heap gives the heaviest part next,
 * compared by powers of two, so that parts of about equal weight are taken from the rear.
 * Invariant: parts are disjoint, and nothing in one has gone or been opened; a part below a
 * node is made when that node could not go.  So a part is always all that is left of it.
 * Memory: 16 bytes a part of which something is left, shared between copies. */

#include <assert.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/heap.h"
#include "base/shared.h"
#include "engine/strategy.h"
#include "parse/parse_tree.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/tree_algorithm.h"
#include "reduce/tree/tree_state.h"
#include "text/candidate.h"

enum {
    SMALLEST_SHARE = 100, /* parts below this part of the text are not tried by weight */
    REST_SHARE = 4,       /* an element stands alone when the rest holds less than this part */
    MOST_PARTS = 140      /* on the stack: half of a list's elements, or less than a quarter of its
                             bytes, is left with each two of them */
};

/* Neighbours, the first to the last, below one parent. */
struct part {
    uint32_t first, last;
    uint32_t bytes; /* of the elements */
    bool list;      /* all of one of which nothing was tried */
};

/* The strategy's state. */
struct heavy {
    pare_strategy head;
    pare_tree_state *state; /* one reference */
    pare_shared *heap;      /* of struct part, see is_tried_before */
    size_t n_heap;
    struct part stack[MOST_PARTS];
    size_t n_stack;
    bool by_rear;          /* the list on the stack is gone through */
    unsigned n_fails;      /* by_rear: tests in a row that left out nothing, */
    bool deep;             /* since it came to a single element */
    struct part part;      /* taken last */
    pare_tree_edits edits; /* that leave it out; none: it is not being tested */
};

/* The state, of which a strategy is the head. */
static struct heavy *of(pare_strategy *strategy)
{
    return (struct heavy *)strategy;
}

/* The node as it was parsed: hoists are not made here, so places and nodes are the same. */
static const pare_tree_node *node_at(const struct heavy *self, uint32_t node)
{
    return &pare_tree_state_tree(self->state)->nodes[node];
}

/* Bytes that go when the node goes; the gap after it is not counted. */
static uint32_t bytes_of(const struct heavy *self, uint32_t node)
{
    return node_at(self, node)->end - node_at(self, node)->begin;
}

/* The next sibling in play; PARE_NO_NODE: none. */
static uint32_t after(const struct heavy *self, uint32_t node)
{
    return pare_tree_state_after(self->state, node);
}

/* By the power of two in what would go; of equal ones the rear one first. */
static bool is_tried_before(const void *a, const void *b, const void *context)
{
    const struct part *x = a, *y = b;
    unsigned heavy = pare_heap_magnitude(x->bytes), light = pare_heap_magnitude(y->bytes);
    (void)context;
    return heavy != light ? heavy > light : x->first > y->first;
}

static const pare_heap_order heap_order = {.item_bytes = sizeof(struct part),
                                           .before = is_tried_before};

/* Adds a part to the heap.  What is light is left to the run that follows this one. */
static pare_status push(struct heavy *self, struct part part, pare_error *err)
{
    void *own = NULL;
    if (part.bytes < bytes_of(self, 0) / SMALLEST_SHARE) return PARE_OK;
    pare_status status = pare_shared_own(&self->heap, self->n_heap, self->n_heap + 1, &own, err);
    if (!status) pare_heap_push(&heap_order, own, self->n_heap++, &part);
    return status;
}

/* Takes the first part from the heap, into self->part. */
static pare_status pop(struct heavy *self, pare_error *err)
{
    void *own = NULL;
    pare_status status = pare_shared_own(&self->heap, self->n_heap, self->n_heap, &own, err);
    if (!status) pare_heap_pop(&heap_order, own, self->n_heap--, &self->part);
    return status;
}

/* --- parts of a list --------------------------------------------------------------------- */

/* The nodes from `first` up to, not including, `end`. */
static struct part run_of(const struct heavy *self, uint32_t first, uint32_t end, bool list)
{
    struct part part = {.first = first, .last = first, .list = list};
    for (uint32_t c = first; c != end; c = after(self, c)) {
        part.bytes += bytes_of(self, c);
        part.last = c;
    }
    return part;
}

/* Puts the nodes from `first` up to `end`, if there are any, where parts of this list wait. */
static pare_status put(struct heavy *self, uint32_t first, uint32_t end, pare_error *err)
{
    if (first == end) return PARE_OK;
    struct part part = run_of(self, first, end, false);
    if (!self->by_rear) return push(self, part, err);
    assert(self->n_stack < MOST_PARTS);
    self->stack[self->n_stack++] = part;
    return PARE_OK;
}

/* The element that holds nearly all bytes of the part; PARE_NO_NODE: none does. */
static uint32_t giant_of(const struct heavy *self)
{
    uint32_t end = after(self, self->part.last);
    for (uint32_t c = self->part.first; c != end; c = after(self, c))
        if (bytes_of(self, c) > self->part.bytes - self->part.bytes / REST_SHARE) return c;
    return PARE_NO_NODE;
}

/* The first element of the second half: by number from the rear, else by bytes. */
static uint32_t middle_of(const struct heavy *self)
{
    uint32_t c = self->part.first, end = after(self, self->part.last), bytes = 0, n = 0, i = 0;
    for (uint32_t k = c; k != end; k = after(self, k))
        n++;
    for (; c != self->part.last; c = after(self, c), i++) {
        uint32_t own = bytes_of(self, c);
        bool half = self->by_rear ? i >= n / 2 : bytes + own / 2 >= self->part.bytes / 2;
        if (half && i) break;
        bytes += own;
    }
    return c;
}

/* Makes parts of one of several elements: around an element that holds nearly all bytes, else
 * two. */
static pare_status split(struct heavy *self, pare_error *err)
{
    assert(self->part.first != self->part.last);
    const struct part part = self->part;
    uint32_t end = after(self, part.last), cut = giant_of(self);
    uint32_t rest = cut == PARE_NO_NODE ? end : after(self, cut);
    if (cut == PARE_NO_NODE) cut = middle_of(self);
    pare_status status = put(self, part.first, cut, err);
    if (!status) status = put(self, cut, rest, err);
    return status ? status : put(self, rest, end, err);
}

/* Whether elements of the node may go. */
static bool is_list(const struct heavy *self, uint32_t node)
{
    uint32_t kind = node_at(self, node)->own.kind;
    return kind == PARE_NODE_STAR || kind == PARE_NODE_PLUS || kind == PARE_NODE_OPTIONAL;
}

/* Pushes what stands below a node that could not go: the rounds of a list together, of
 * another node each child. */
static pare_status open_node(struct heavy *self, uint32_t node, pare_error *err)
{
    uint32_t child = pare_tree_state_first(self->state, node);
    pare_status status = PARE_OK;
    bool list = is_list(self, node);
    while (!status && child != PARE_NO_NODE) {
        uint32_t end = list ? PARE_NO_NODE : after(self, child);
        status = push(self, run_of(self, child, end, list), err);
        child = end;
    }
    return status;
}

/* --- which part is next ------------------------------------------------------------------ */

/* Goes through the list that was taken from the heap. */
static void begin_rear(struct heavy *self)
{
    self->by_rear = true;
    self->deep = false;
    self->n_fails = 0;
}

/* Leaves what remains of the list to the heap. */
static pare_status end_rear(struct heavy *self, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < self->n_stack; i++)
        status = push(self, self->stack[i], err);
    self->n_stack = 0;
    self->by_rear = false;
    return status;
}

/* Takes the next part; *done: there is none.  A list on the stack is given up once
 * PARE_HEAVY_PATIENCE tests in a row left nothing out since a single element was reached. */
static pare_status take(struct heavy *self, bool *done, pare_error *err)
{
    pare_status status = PARE_OK;
    /* The list is done, or has stopped paying: its parts take their turn by weight. */
    if (self->by_rear && (!self->n_stack || (self->deep && self->n_fails == PARE_HEAVY_PATIENCE)))
        status = end_rear(self, err);
    *done = !self->n_stack && !self->n_heap;
    if (status || *done) return status;
    if (self->by_rear) {
        self->part = self->stack[--self->n_stack];
        return PARE_OK;
    }
    status = pop(self, err);
    if (!status && self->part.list) begin_rear(self);
    return status;
}

/* A part that cannot go is split in two; a single element is opened, so that lists in it are
 * next. */
static pare_status give_up(struct heavy *self, pare_error *err)
{
    if (self->part.first != self->part.last) return split(self, err);
    if (!self->deep) self->n_fails = 0;
    self->deep = true;
    return open_node(self, self->part.first, err);
}

/* Whether the part is all of the text. */
static bool is_all(const struct heavy *self)
{
    return node_at(self, self->part.first)->begin == node_at(self, 0)->begin &&
           node_at(self, self->part.last)->end == node_at(self, 0)->end;
}

/* Whether the part is of a list, and not all of one that must not become empty. */
static bool may_go(const struct heavy *self)
{
    uint32_t parent = node_at(self, self->part.first)->parent;
    if (parent == PARE_NO_NODE || !is_list(self, parent) || is_all(self)) return false;
    return node_at(self, parent)->own.kind != PARE_NODE_PLUS ||
           pare_tree_state_first(self->state, parent) != self->part.first ||
           after(self, self->part.last) != PARE_NO_NODE;
}

/* Sets the edits that leave out the part. */
static pare_status leave_out(struct heavy *self, pare_error *err)
{
    pare_status status = PARE_OK;
    uint32_t end = after(self, self->part.last);
    for (uint32_t c = self->part.first; !status && c != end; c = after(self, c))
        status = pare_tree_state_edits_add(
            &self->edits, (pare_tree_edit){.change = PARE_TREE_DELETE, .node = c}, err);
    return status;
}

/* --- the strategy ------------------------------------------------------------------------ */

/* A part that may not go by the grammar is split or opened without a test. */
static pare_status heavy_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                              pare_error *err)
{
    struct heavy *self = of(strategy);
    bool done = false;
    while (!self->edits.n) {
        pare_status status = take(self, &done, err);
        if (done) *what = PARE_NEXT_DONE;
        if (status || done) return status;
        status = may_go(self) ? leave_out(self, err) : give_up(self, err);
        if (status) return status;
    }
    *what = PARE_NEXT_TEST;
    return pare_tree_state_candidate(self->state, &self->edits, candidate, err);
}

/* A part that went is never looked at again; one that stays is split or opened at once. */
static pare_status heavy_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct heavy *self = of(strategy);
    pare_tree_state *rest = NULL;
    if (outcome != PARE_FAIL) {
        self->edits.n = 0;
        self->n_fails++;
        return give_up(self, err);
    }
    pare_status status = pare_tree_state_edit(self->state, &self->edits, &rest, err);
    if (status) return status;
    pare_tree_state_unref(self->state);
    self->state = rest;
    self->edits.n = 0;
    self->n_fails = 0;
    return PARE_OK;
}

/* Works on a state that is half made, too. */
static void heavy_free(pare_strategy *strategy)
{
    struct heavy *self = of(strategy);
    pare_tree_state_edits_done(&self->edits);
    pare_shared_release(self->heap);
    pare_tree_state_unref(self->state);
    pare_alloc_free(self);
}

/* The stack is part of the struct; the heap is shared until one of the copies writes. */
static pare_status heavy_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const struct heavy *self = (const struct heavy *)strategy;
    struct heavy *copy = pare_alloc(1, sizeof *copy);
    pare_status status = PARE_OK;
    if (!copy) return pare_fail_nomem(err);
    *copy = *self;
    pare_tree_state_ref(copy->state);
    pare_shared_retain(copy->heap);
    copy->edits = (pare_tree_edits){0};
    for (size_t i = 0; !status && i < self->edits.n; i++)
        status = pare_tree_state_edits_add(&copy->edits, self->edits.items[i], err);
    if (status)
        heavy_free(&copy->head);
    else
        *out = &copy->head;
    return status;
}

static pare_status heavy_settle(pare_strategy *strategy, pare_error *err)
{
    return pare_tree_state_settle(of(strategy)->state, err);
}

/* The root is the first part: it cannot go, so it is opened. */
pare_status pare_heavy_lists_new(pare_tree *tree, pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {.next = heavy_next,
                                          .tell = heavy_tell,
                                          .copy = heavy_copy,
                                          .destroy = heavy_free,
                                          .settle = heavy_settle};
    struct heavy *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head.ops = &ops;
    pare_status status = pare_tree_state_new(tree, &self->state, err);
    if (!status) status = pare_shared_new(16, sizeof(struct part), &self->heap, err);
    if (!status && !pare_tree_state_gone(self->state, 0))
        status = push(self, run_of(self, 0, PARE_NO_NODE, false), err);
    if (status)
        heavy_free(&self->head);
    else
        *out = &self->head;
    return status;
}
