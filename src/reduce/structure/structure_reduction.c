/* The strategy over the structure of a text.
 *
 * A heap holds parts: runs of items of one list.  The heaviest is taken next, of about equal ones
 * the rear one.  A run is left out; if it cannot go it is cut (part.h).  A block that cannot go
 * is tried in three ways: its largest inner block in its place, its body in its place, the block
 * without its body.  What takes its place is moved left to its margin, so indentation keeps its
 * meaning.  The way that has succeeded most so far is tried first.
 *
 * A list is gone through from the rear (list_walk.h) before anything on the heap has its turn.
 *
 * What is light (less than a two-hundredth of what is left) is left to the run that follows, which
 * sees the structure of the rest; so is everything once PATIENCE tests in a row, and a sixteenth of all so far
 * besides, were in vain: what has paid for long may be worth more.
 *
 * Invariant: parts are disjoint, and none of their lines has gone when they are taken; so a part is
 * all that is left of it.  `state` says of each line whether it has gone, or how many bytes of its
 * margin have.
 * Source: ours.  Heaviest first is Perses' order (Sun et al., ICSE 2018), as in
 * reduce/tree/heavy_lists.c; the body in the place of its block is hoisting (Hodovan et al.,
 * arXiv 2104.03637).  The order of the ways was measured, see docs/design/structure.md.
 * Memory: 2 bytes a line for each state, and a candidate's pieces.  Test:
 * tests/unit/test_structure_reduction.c. */
#include "reduce/structure/structure_reduction.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/shared.h"
#include "reduce/structure/line_table.h"
#include "reduce/structure/list_walk.h"
#include "reduce/structure/part.h"
#include "text/candidate.h"
#include "text/text.h"

enum {
    LIGHT_SHARE = 200,    /* parts below this part of what is left are not tried */
    PATIENCE = 40,        /* tests in a row for nothing, */
    PATIENCE_SHARE = 16,  /* and this part of all tests so far besides */
    WINDOW = 16,          /* tests; PARE_STRUCTURE_WHILE_IT_PAYS ends if in so many */
    GOOD_SHARE = 10,      /* less than this part of what was left went, */
    BEGINNING = 10,       /* or if in the first so many, */
    AT_ONCE = 5,          /* with PARE_STRUCTURE_IF_IT_PAYS_AT_ONCE these, */
    LITTLE_SHARE = 100,   /* less than this part of all */
    MOST_MOVED = 1 << 14, /* lines that are moved left; of more, margins stay */
    GONE = UINT16_MAX     /* of a line's state */
};

/* The ways to change a part: the largest inner block in its place, its body in its place, the block
 * without its body; WHOLE: all of it goes; NOTHING: the next part is to be taken. Of
 *
 * if (a) {
 *     for (;;) {
 *         f();
 *     }
 * }
 *
 * CHILD leaves the loop, BODY the same here, EMPTY the first and the last line. */
enum way { CHILD, BODY, EMPTY, N_WAYS, WHOLE = N_WAYS, NOTHING };

/* How often a way was tried, and succeeded. */
struct luck {
    uint32_t tries, wins;
};

/* The strategy's state. */
struct reduction {
    pare_strategy head;
    pare_structure *structure; /* one reference */
    pare_shared *state;        /* of uint16_t, for each line: GONE, or bytes cut off its margin */
    pare_shared *proposal;     /* the state of the candidate; NULL: none is being tested */
    size_t left;               /* bytes in `state` */
    size_t proposed;           /* bytes in `proposal` */
    pare_part_heap heap;
    pare_list_walk walk;
    pare_part part; /* taken last */
    enum way way;   /* what is tried with it; NOTHING: it is done */
    unsigned tried; /* bits of the ways that were tried with it */
    struct luck luck[N_WAYS];
    unsigned n_vain; /* tests in a row */
    unsigned n_all;  /* tests */
    pare_structure_effort effort;
    unsigned n_tests; /* since `left_before` bytes were left */
    size_t left_before;
};

static struct reduction *of(pare_strategy *strategy)
{
    return (struct reduction *)strategy;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static const uint16_t *state_of(const pare_shared *state)
{
    return pare_shared_items(state);
}

/* Bytes of the lines as they were. */
static uint32_t bytes_of(const struct reduction *self, uint32_t from, uint32_t to)
{
    return pare_part_bytes(self->structure, from, to);
}

/* The block that the part is, with the blank lines after it; NULL: the part is several items, or a
 * line. */
static const pare_structure_block *block_of(const struct reduction *self, const pare_part *part)
{
    if (pare_structure_item_end(self->structure, part->from, part->to) < part->to) return NULL;
    return pare_structure_block_at(self->structure, part->from, part->to);
}

/* Bytes of a state. */
static size_t size_of(const struct reduction *self, const uint16_t *state)
{
    size_t size = 0;
    for (uint32_t i = 0; i < self->structure->table.n_lines; i++)
        if (state[i] != GONE) size += bytes_of(self, i, i + 1) - state[i];
    return size;
}

/* ---- the next part -------------------------------------------------------------------------- */

/* How often it worked, as if it had once before and had not once. */
static double rate_of(const struct luck *luck)
{
    return (luck->wins + 1.0) / (luck->tries + 2.0);
}

/* Whether the last tests have shown that little goes any more: less than a hundredth of all in the
 * first ten, or less than a tenth of what was left in sixteen. Only a run that is to end then asks.
 */
static bool has_slowed_down(struct reduction *self)
{
    if (self->effort == PARE_STRUCTURE_TO_THE_END) return false;
    const unsigned beginning =
        self->effort == PARE_STRUCTURE_IF_IT_PAYS_AT_ONCE ? AT_ONCE : BEGINNING;
    const size_t all = bytes_of(self, 0, self->structure->table.n_lines);
    if (self->n_all == beginning && self->left > all - all / LITTLE_SHARE) return true;
    if (self->n_tests < WINDOW) return false;
    const bool slow = self->left > self->left_before - self->left_before / GOOD_SHARE;
    self->n_tests = 0;
    self->left_before = self->left;
    return slow;
}

/* Takes the next part: the next of the list that is gone through, or the heaviest item of the heap;
 * *done: nothing is left, what is left is too light, or the patience is used up. A part that was
 * refused before (a list whose lines could not go together) is not tried again, but taken apart. */
static pare_status take(struct reduction *self, bool *done, pare_error *err)
{
    pare_list_walk *walk = &self->walk;
    pare_status status = pare_list_walk_leave(walk, self->structure, self->left, &self->heap, err);
    *done = (!self->heap.n && !walk->active) ||
            self->n_vain >= PATIENCE + self->n_all / PATIENCE_SHARE || has_slowed_down(self);
    if (status || *done) return status;
    self->tried = 0;
    if (walk->active) {
        self->way = pare_list_walk_take(walk, self->structure, self->left) ? WHOLE : NOTHING;
        self->part = walk->piece.part;
        return PARE_OK;
    }
    status = pare_part_heap_take(&self->heap, &self->part, err);
    if (status) return status;
    *done = self->part.bytes < self->left / LIGHT_SHARE;
    self->way = self->part.refused ? NOTHING : WHOLE;
    return PARE_OK;
}

/* Leaves lines to the heap. */
static pare_status put(struct reduction *self, uint32_t from, uint32_t to, bool refused,
                       pare_error *err)
{
    return pare_part_heap_put(&self->heap, self->structure, from, to, refused, err);
}

/* Leaves the pieces of the part at hand to the heap: two halves, or what is before a giant item,
 * it, and what is after it. */
static pare_status split(struct reduction *self, pare_error *err)
{
    const pare_part part = self->part;
    const pare_part_cuts cuts = pare_part_cut(self->structure, false, &part);
    pare_status status = put(self, part.from, cuts.cut, false, err);
    if (!status) status = put(self, cuts.cut, cuts.rest, false, err);
    return status ? status : put(self, cuts.rest, part.to, false, err);
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* The heaviest block in the body, if it holds more than half of it; else NULL. */
static const pare_structure_block *child_of(const struct reduction *self,
                                            const pare_structure_block *block)
{
    for (uint32_t at = block->body; at < block->closer;) {
        const uint32_t end = pare_structure_item_end(self->structure, at, block->closer);
        const pare_structure_block *child =
            pare_structure_block_at(self->structure, at, block->closer);
        if (child && bytes_of(self, at, end) > bytes_of(self, block->body, block->closer) / 2)
            return child;
        at = end;
    }
    return NULL;
}

/* Lets the lines go. */
static void drop(uint16_t *state, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        state[i] = GONE;
}

/* Moves the lines left, the first of them to the margin of `header`, the others by as many bytes,
 * so that they keep their depths against each other. A line with a smaller margin goes as far left
 * as it can. Nothing moves right. */
static void move_left(const struct reduction *self, uint16_t *state, uint32_t header, uint32_t from,
                      uint32_t to)
{
    const pare_line *lines = self->structure->table.lines;
    if (to - from > MOST_MOVED || from == to) return;
    const int to_margin = lines[header].margin - (state[header] == GONE ? 0 : state[header]);
    const int margin = lines[from].margin - (state[from] == GONE ? 0 : state[from]);
    for (uint32_t i = from; margin > to_margin && i < to; i++) {
        if (state[i] == GONE || !lines[i].first) continue;
        const int room = lines[i].margin - state[i], by = margin - to_margin;
        state[i] = (uint16_t)(state[i] + (room < by ? room : by));
    }
}

/* The body takes the place of the block. Lines that begin further parts (`else`) go, and what these
 * hold is moved left as well: of "if a / b / else / c" the lines b and c stay. */
static void keep_body(const struct reduction *self, uint16_t *state,
                      const pare_structure_block *block)
{
    move_left(self, state, block->first, block->body, block->closer);
    drop(state, block->first, block->body);
    drop(state, block->closer, block->end);
    for (uint32_t at = block->body; at < block->closer;
         at = pare_structure_item_end(self->structure, at, block->closer)) {
        const pare_structure_block *part =
            pare_structure_block_at(self->structure, at, block->closer);
        if (!part || !part->middle) continue;
        move_left(self, state, block->first, part->body, part->closer);
        drop(state, part->first, part->body);
    }
}

/* Makes the state after `self->way`. */
static void apply(const struct reduction *self, uint16_t *state)
{
    const pare_structure_block *block = block_of(self, &self->part), *child;
    switch (self->way) {
    case WHOLE: drop(state, self->part.from, self->part.to); break;
    case BODY: keep_body(self, state, block); break;
    case EMPTY: drop(state, block->body, block->closer); break;
    case CHILD:
        child = child_of(self, block);
        move_left(self, state, block->first, child->first, child->end);
        drop(state, block->first, child->first);
        drop(state, child->end, block->end);
        break;
    case NOTHING: break;
    }
}

/* Whether the way leads anywhere else with this block. */
static bool is_open(const struct reduction *self, const pare_structure_block *block, enum way way)
{
    if (self->tried & 1u << way || block->body == block->closer) return false;
    return way != CHILD || child_of(self, block);
}

/* Sets the way to try next with the block: that which has succeeded most so far, untried ones
 * counting as one half; NOTHING: all were tried. */
static void choose(struct reduction *self, const pare_structure_block *block)
{
    double best = 0;
    self->way = NOTHING;
    for (enum way way = CHILD; way < N_WAYS; way++) {
        const double rate = rate_of(&self->luck[way]);
        if (rate <= best || !is_open(self, block, way)) continue;
        self->way = way;
        best = rate;
    }
}

/* Leaves what is in a block to the heap: its body as a list that is refused (EMPTY has shown that
 * it cannot go), its header lines, and its last lines with the blank ones behind them. */
static pare_status open_block(struct reduction *self, const pare_structure_block *block,
                              pare_error *err)
{
    const uint32_t to = self->part.to;
    pare_status status = put(self, block->body, block->closer, true, err);
    if (!status) status = put(self, block->first, block->body, false, err);
    return status ? status : put(self, block->closer, to, false, err);
}

/* After a part could not go, or could not be changed in the way that was tried: the next way, or
 * its pieces. */
static pare_status go_on(struct reduction *self, pare_error *err)
{
    const pare_part part = self->part;
    const pare_structure_block *block = block_of(self, &part);
    self->way = NOTHING;
    const bool is_list = pare_structure_item_end(self->structure, part.from, part.to) < part.to;
    /* All of a list: the heap has nothing to say before it was gone through once. */
    if (is_list && part.refused && !self->walk.active)
        pare_list_walk_begin(&self->walk, self->structure, &part, self->left);
    if (self->walk.active)
        return pare_list_walk_refuse(&self->walk, self->structure, self->left, &self->heap, err);
    if (is_list) return split(self, err);
    if (!block) return PARE_OK;
    choose(self, block);
    return self->way == NOTHING ? open_block(self, block, err) : PARE_OK;
}

/* Leaves what is left of a block that was changed to the heap: the body that took its place, the
 * inner block, or header and end. None of these has gone, as the invariant wants it. */
static pare_status take_rest(struct reduction *self, pare_error *err)
{
    const pare_part part = self->part;
    const pare_structure_block *block = block_of(self, &part), *child;
    const enum way way = self->way;
    self->way = NOTHING;
    if (way == WHOLE) return PARE_OK;
    if (way == BODY) return put(self, block->body, block->closer, true, err);
    if (way == CHILD) {
        child = child_of(self, block);
        return put(self, child->first, child->end, true, err);
    }
    pare_status status = put(self, block->first, block->body, false, err);
    return status ? status : put(self, block->closer, block->end, false, err);
}

/* ---- the strategy ---------------------------------------------------------------------------- */

/* Appends one run of bytes of the file. */
static pare_status add_bytes(const struct reduction *self, size_t from, size_t to,
                             pare_candidate *candidate, pare_error *err)
{
    if (from == to) return PARE_OK;
    return pare_candidate_slice(candidate, self->structure->before + from, to - from, err);
}

/* Prints what is before the file, the lines that are left, and what is after it. */
static pare_status print(const struct reduction *self, const uint16_t *state,
                         pare_candidate *candidate, pare_error *err)
{
    const pare_structure *structure = self->structure;
    const pare_line *lines = structure->table.lines;
    const size_t n = structure->table.n_lines, after = structure->before + lines[n].begin;
    size_t from = 0, to = 0; /* bytes of the file that are not appended yet */
    pare_candidate_start(candidate, structure->text);
    pare_status status =
        structure->before ? pare_candidate_slice(candidate, 0, structure->before, err) : PARE_OK;
    for (size_t i = 0; !status && i < n; i++) {
        if (state[i] == GONE) continue;
        if (lines[i].begin + state[i] != to) {
            status = add_bytes(self, from, to, candidate, err);
            from = lines[i].begin + state[i];
        }
        to = lines[i + 1].begin;
    }
    if (!status) status = add_bytes(self, from, to, candidate, err);
    if (!status && after < pare_text_size(structure->text))
        status =
            pare_candidate_slice(candidate, after, pare_text_size(structure->text) - after, err);
    return status;
}

/* Makes the proposal for the way at hand; none where it would leave nothing, or everything: then
 * self->proposal stays NULL, and there is nothing to be tested. */
static pare_status propose(struct reduction *self, pare_error *err)
{
    const uint32_t n = self->structure->table.n_lines;
    pare_shared *proposal = NULL;
    void *items = NULL;
    pare_status status = pare_shared_new(n, sizeof(uint16_t), &proposal, err);
    if (!status) status = pare_shared_own(&proposal, 0, n, &items, err);
    if (status) {
        pare_shared_release(proposal);
        return status;
    }
    memcpy(items, state_of(self->state), n * sizeof(uint16_t));
    apply(self, items);
    self->proposed = size_of(self, items);
    if (self->proposed && self->proposed < self->left) {
        self->proposal = proposal;
        return PARE_OK;
    }
    pare_shared_release(proposal);
    return PARE_OK;
}

/* Proposals that would change nothing, or leave nothing, are passed over without a test. */
static pare_status reduction_next(pare_strategy *strategy, pare_next *what,
                                  pare_candidate *candidate, pare_error *err)
{
    struct reduction *self = of(strategy);
    bool done = false;
    while (!self->proposal) {
        pare_status status = PARE_OK;
        if (self->way == NOTHING) {
            status = take(self, &done, err);
            if (done) *what = PARE_NEXT_DONE;
            if (status || done) return status;
        }
        if (self->way != NOTHING) status = propose(self, err);
        if (!status && !self->proposal) {
            if (self->way < N_WAYS) self->tried |= 1u << self->way;
            status = go_on(self, err);
        }
        if (status) return status;
    }
    *what = PARE_NEXT_TEST;
    return print(self, state_of(self->proposal), candidate, err);
}

/* Counts what came of the proposal: how often each way has worked decides which way is tried first,
 * and the misses in a row end the search. A proposal that fails is the new state. */
static pare_status reduction_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct reduction *self = of(strategy);
    const bool fails = outcome == PARE_FAIL;
    assert(self->proposal && self->way != NOTHING);
    if (self->way < N_WAYS) {
        self->tried |= 1u << self->way;
        self->luck[self->way].tries++;
        self->luck[self->way].wins += fails;
    }
    if (self->walk.active) pare_list_walk_note(&self->walk, self->structure, self->left, fails);
    self->n_tests++;
    self->n_all++;
    self->n_vain = fails ? 0 : self->n_vain + 1;
    if (!fails) {
        pare_shared_release(self->proposal);
        self->proposal = NULL;
        return go_on(self, err);
    }
    pare_shared_release(self->state);
    self->state = self->proposal;
    self->left = self->proposed;
    self->proposal = NULL;
    return take_rest(self, err);
}

/* Works on a state that is half made, too. */
static void reduction_free(pare_strategy *strategy)
{
    struct reduction *self = of(strategy);
    pare_shared_release(self->state);
    pare_shared_release(self->proposal);
    pare_shared_release(self->heap.items);
    pare_structure_unref(self->structure);
    pare_alloc_free(self);
}

/* Arrays are shared until one of the copies writes. */
static pare_status reduction_copy(const pare_strategy *strategy, pare_strategy **out,
                                  pare_error *err)
{
    const struct reduction *self = (const struct reduction *)strategy;
    struct reduction *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *self;
    pare_structure_ref(copy->structure);
    pare_shared_retain(copy->state);
    pare_shared_retain(copy->proposal);
    pare_shared_retain(copy->heap.items);
    *out = &copy->head;
    return PARE_OK;
}

/* The first state: every line is there. */
static pare_status start(struct reduction *self, pare_error *err)
{
    const uint32_t n = self->structure->table.n_lines;
    void *items = NULL;
    pare_status status = pare_shared_new(n, sizeof(uint16_t), &self->state, err);
    if (!status) status = pare_shared_own(&self->state, 0, n, &items, err);
    if (!status) status = pare_part_heap_init(&self->heap, err);
    if (status) return status;
    memset(items, 0, n * sizeof(uint16_t));
    self->left = self->left_before = bytes_of(self, 0, n);
    self->way = NOTHING;
    return put(self, 0, n, true, err);
}

pare_status pare_structure_reduction_new(pare_structure *structure, pare_structure_effort effort,
                                         pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {.next = reduction_next,
                                          .tell = reduction_tell,
                                          .copy = reduction_copy,
                                          .destroy = reduction_free};
    struct reduction *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head.ops = &ops;
    self->structure = pare_structure_ref(structure);
    self->effort = effort;
    pare_status status = start(self, err);
    if (status)
        reduction_free(&self->head);
    else
        *out = &self->head;
    return status;
}
