/* The strategy over the structure of a text.
 *
 * A heap holds parts: runs of items of one list.  The heaviest is taken next, of about equal ones
 * the rear one.  A run is left out; if it cannot go it is cut in two where its bytes are halved,
 * rather where a record begins (after a blank line, or before a line that begins as the run does)
 * than elsewhere.  An element that holds most of the bytes stands alone.  A block that cannot go
 * is tried in three ways: its largest inner block in its place, its body in its place, the block
 * without its body.  What takes its place is moved left to its margin, so indentation keeps its
 * meaning.  The way that has succeeded most so far is tried first.
 *
 * In a list that is gone through from the rear a part before the rear one has its turn first where it
 * is heavy and promises more: its bytes times how often such parts have gone, against the same of the
 * rear ones.  So where little is needed the rest goes by halves, and not after as many tests as lead
 * down to a line and back; where the rear needs the front, few such tests are in vain: what was tried
 * last counts most.
 *
 * In a list that holds a good part of the text a piece below a hundredth of what is left is not searched for the item
 * that is needed: it counts as one, and its lines are left to the heap.
 *
 * Once an item of that list is known to be needed, the pieces before it, which its search has left small,
 * are put together to as many items as have an even chance to go, by how many were needed so far.  The list
 * is left to the heap where many tests in a row were in vain and such a group promises little.
 *
 * In a list without blocks the items are records: the lines between two blank ones.  Where a record is needed and
 * nothing in front of it goes, its lines are tried next, as one of them may name what is in front.
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
 * arXiv 2104.03637).  Groups with even odds are Hwang's (base/group_odds.h).  The order of the ways was
 * measured, see docs/design/structure.md.
 * Memory: 2 bytes a line for each state, and a candidate's pieces.  Test:
 * tests/unit/test_structure_reduction.c. */
#include "reduce/structure/structure_reduction.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/group_odds.h"
#include "base/heap.h"
#include "base/shared.h"
#include "reduce/structure/line_table.h"
#include "reduce/structure/records.h"
#include "text/candidate.h"
#include "text/text.h"

enum {
    LIGHT_SHARE = 200,   /* parts below this part of what is left are not tried */
    PATIENCE = 40,       /* tests in a row for nothing, */
    PATIENCE_SHARE = 16, /* and this part of all tests so far besides */
    WINDOW = 16,         /* tests; PARE_STRUCTURE_WHILE_IT_PAYS ends if in so many */
    GOOD_SHARE = 10,     /* less than this part of what was left went, */
    BEGINNING = 10,      /* or if in the first so many */
    LITTLE_SHARE = 100,  /* less than this part of all */
    REAR_PATIENCE =
        7, /* in vain in a list that is gone through from the rear: is it worth going on? */
    COARSE_SHARE =
        64, /* in a heavy list what is below this part of what is left is not searched, */
    COARSE_TEXT = 1 << 13, /* if that is so many bytes: in less, lines are reached soon */
    SPENT_SHARE = 50,      /* it is, if a test promises more than this part of what is left */
    HEAVY_SHARE = 8,       /* parts of it below this part of what is left wait for their turn; */
    AHEAD_TIMES = 2,       /* others have to promise so many times what the rear one does, */
    AHEAD_MISSES = 4,      /* and so many of them in a row that could not go are the last */
    VAIN_RECORDS = 2, /* if nothing went of so many in a row, no other one is gone through early */
    RUN = 6,          /* items that begin with one word are of one kind */
    MOST_PARTS = 140, /* on the stack: each split leaves less than three quarters of the bytes */
    MOST_MOVED = 1 << 14, /* lines that are moved left; of more, margins stay */
    GONE = UINT16_MAX     /* of a line's state */
};

/* The ways to change a part. */
enum way { CHILD, BODY, EMPTY, N_WAYS, WHOLE = N_WAYS, NOTHING };

/* Neighbours in one list: lines from .. to-1. */
struct part {
    uint32_t from, to;
    uint32_t bytes;
    bool refused;    /* it cannot go as a whole */
    bool waits;      /* in the list: for its turn */
    uint32_t family; /* in the list: of the pieces of one part, the same; 0: of none */
    uint32_t
        origin; /* the same of all pieces of a part that was cut ahead of its turn; 0: it was not */
};

/* How often a way was tried, and succeeded. */
struct luck {
    uint32_t tries, wins;
};

/* The same, where each test counts RECENT times what the next one does. */
struct recent_luck {
    double tries, wins;
};

static const double RECENT = 0.7;

/* A list that is gone through from the rear. */
struct list {
    pare_group_odds odds; /* of its items, from the rear */
    size_t base;          /* parts on the stack that are of other lists */
    bool by_records;      /* its items are records */
    bool searching;       /* the rear pieces hold an item that is needed, which is looked for */
    bool heavy;           /* it is a good part of what was left when it was begun */
    bool deep;            /* a single item of it was reached, */
    unsigned n_misses;    /* and so many tests in a row since were in vain */
};

/* The strategy's state. */
struct reduction {
    pare_strategy head;
    pare_structure *structure; /* one reference */
    pare_shared *state;        /* of uint16_t, for each line: GONE, or bytes cut off its margin */
    pare_shared *proposal;     /* the state of the candidate; NULL: none is being tested */
    size_t left;               /* bytes in `state` */
    size_t proposed;           /* bytes in `proposal` */
    pare_shared *heap;         /* of struct part */
    size_t n_heap;
    struct part stack[MOST_PARTS]; /* of the list that is gone through from the rear */
    size_t n_stack;
    size_t at; /* where the pieces of the part at hand belong there */
    uint32_t n_families;
    uint32_t origin;             /* of the pieces that are put there */
    bool ahead;                  /* it was not the rear one */
    struct luck early;           /* of parts ahead of their turn */
    unsigned n_ahead;            /* of these in a row could not go */
    struct recent_luck turns[2]; /* of rear ones, of those ahead of their turn */
    bool by_rear;                /* there is such a list */
    struct list list;            /* what is known of it, */
    struct list outer;           /* and of the one that has it as a record, */
    bool inside;                 /* if there is such a one: */
    size_t left_outside;         /* bytes that were left when the record was opened */
    unsigned n_vain_records;     /* of so many of them in a row nothing went */
    struct part part;            /* taken last */
    enum way way;                /* what is tried with it; NOTHING: it is done */
    unsigned tried;              /* bits of the ways that were tried with it */
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
    const pare_line *lines = self->structure->table.lines;
    return lines[to].begin - lines[from].begin;
}

/* The line after the item that begins in `line`; in a list of records, after the record. */
static uint32_t item_end(const struct reduction *self, uint32_t line, uint32_t end)
{
    return self->list.by_records ? pare_records_end(self->structure, line, end)
                                 : pare_structure_item_end(self->structure, line, end);
}

/* The block that the part is, with the blank lines after it; NULL: the part is no single block. */
static const pare_structure_block *block_of(const struct reduction *self, const struct part *part)
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

/* ---- the heap ------------------------------------------------------------------------------- */

/* By the power of two of their bytes; of equal ones the rear one. */
static bool is_tried_before(const void *a, const void *b, const void *context)
{
    const struct part *x = a, *y = b;
    unsigned heavy = pare_heap_magnitude(x->bytes), light = pare_heap_magnitude(y->bytes);
    (void)context;
    return heavy != light ? heavy > light : x->from > y->from;
}

static const pare_heap_order heap_order = {.item_bytes = sizeof(struct part),
                                           .before = is_tried_before};

/* Adds the lines as a part, if there are any.  Errors: PARE_E_NOMEM. */
static pare_status put(struct reduction *self, uint32_t from, uint32_t to, bool refused,
                       pare_error *err)
{
    void *own = NULL;
    if (from >= to) return PARE_OK;
    const struct part part = {from, to, bytes_of(self, from, to), refused, false, 0, 0};
    pare_status status = pare_shared_own(&self->heap, self->n_heap, self->n_heap + 1, &own, err);
    if (!status) pare_heap_push(&heap_order, own, self->n_heap++, &part);
    return status;
}

/* Leaves what remains of the list to the heap, and goes on with that around it. */
static pare_status end_rear(struct reduction *self, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = self->list.base; !status && i < self->n_stack; i++)
        status = put(self, self->stack[i].from, self->stack[i].to, self->stack[i].refused, err);
    self->n_stack = self->list.base;
    if (self->inside)
        self->n_vain_records = self->left < self->left_outside ? 0 : self->n_vain_records + 1;
    self->by_rear = self->inside;
    self->list = self->inside ? self->outer : (struct list){.base = 0};
    self->inside = false;
    return status;
}

/* Puts lines where parts of the list at hand wait. */
static pare_status put_part(struct reduction *self, uint32_t from, uint32_t to, pare_error *err)
{
    if (!self->by_rear || self->n_stack == MOST_PARTS) return put(self, from, to, false, err);
    if (from == to) return PARE_OK;
    memmove(self->stack + self->at + 1, self->stack + self->at,
            (self->n_stack - self->at) * sizeof *self->stack);
    self->stack[self->at++] = (struct part){.from = from,
                                            .to = to,
                                            .bytes = bytes_of(self, from, to),
                                            .family = self->n_families,
                                            .origin = self->origin};
    self->n_stack++;
    return PARE_OK;
}

/* How often it worked, as if it had once before and had not once. */
static double rate_of(const struct luck *luck)
{
    return (luck->wins + 1.0) / (luck->tries + 2.0);
}

/* How often it worked of late, likewise. */
static double recent_rate_of(const struct recent_luck *luck)
{
    return (luck->wins + 1.0) / (luck->tries + 2.0);
}

/* Which part of the list is next: the rear one, or a heavy one that promises more. */
static size_t next_in_list(const struct reduction *self)
{
    size_t best = self->n_stack - 1;
    double most = self->stack[best].bytes * recent_rate_of(&self->turns[0]) * AHEAD_TIMES;
    for (size_t i = self->n_ahead < AHEAD_MISSES ? best : self->list.base; i-- > self->list.base;) {
        const double promise = self->stack[i].bytes * recent_rate_of(&self->turns[1]);
        if (self->stack[i].bytes < self->left / HEAVY_SHARE || promise <= most ||
            self->stack[i].waits)
            continue;
        best = i;
        most = promise;
    }
    return best;
}

/* Counts what came of a test of the part at hand, of the list, as a whole. */
static void count_turn(struct reduction *self, bool went)
{
    struct recent_luck *recent = &self->turns[self->ahead];
    recent->tries = recent->tries * RECENT + 1;
    recent->wins = recent->wins * RECENT + went;
    if (!self->ahead) return;
    self->early.tries++;
    self->early.wins += went;
    self->n_ahead = went ? 0 : self->n_ahead + 1;
}

/* Once all other pieces of a part that could not go have gone, the last one cannot: its own pieces are
 * next, without a test of it. */
static void note_last_piece(struct reduction *self)
{
    struct part *last = NULL;
    for (size_t i = 0; i < self->n_stack; i++) {
        if (self->stack[i].family != self->part.family) continue;
        if (last) return;
        last = &self->stack[i];
    }
    if (last && self->part.family) last->refused = true;
}

/* Whether the parts of the list hardly need each other, as far as what was tried ahead of its turn
 * shows. */
static bool is_loose(const struct reduction *self)
{
    return self->early.wins * 2 > self->early.tries;
}

/* Puts the rear pieces that were cut ahead of their turn together again: behind them something has
 * gone since, so that all of them may go. */
static void join_rear(struct reduction *self)
{
    struct part *last = &self->stack[self->n_stack - 1];
    while (self->n_stack > self->list.base + 1 && last->origin && last[-1].origin == last->origin &&
           last[-1].to == last->from) {
        last[-1].to = last->to;
        last[-1].bytes += last->bytes;
        last[-1].refused = false;
        last[-1].family = 0;
        last--;
        self->n_stack--;
    }
    last->origin = 0;
}

/* How many items there are in lines from .. to-1; `most` is enough. */
static uint32_t count_items(const struct reduction *self, uint32_t from, uint32_t to, uint32_t most)
{
    uint32_t n = 0;
    for (; from < to && n < most; n++)
        from = item_end(self, from, to);
    return n;
}

/* Puts the rear pieces together as long as they have more than an even chance to go. */
static void gather_rear(struct reduction *self)
{
    const uint32_t most = (uint32_t)pare_group_odds_even(&self->list.odds);
    while (self->n_stack > self->list.base + 1) {
        struct part *last = &self->stack[self->n_stack - 1];
        if (last->refused || last[-1].refused || last[-1].waits || last[-1].to != last->from ||
            count_items(self, last[-1].from, last->to, most + 1) > most)
            break;
        for (size_t i = 0; i < self->n_stack; i++)
            if (self->stack[i].family == last->family || self->stack[i].family == last[-1].family)
                self->stack[i].family = 0;
        last[-1].to = last->to;
        last[-1].bytes += last->bytes;
        self->n_stack--;
    }
}

/* Takes the next part of the list. */
static void take_from_list(struct reduction *self)
{
    if (!is_loose(self)) join_rear(self);
    if (!self->list.searching) gather_rear(self);
    self->at = next_in_list(self);
    self->ahead = self->at + 1 < self->n_stack;
    self->part = self->stack[self->at];
    self->n_stack--;
    memmove(self->stack + self->at, self->stack + self->at + 1,
            (self->n_stack - self->at) * sizeof *self->stack);
    self->way = self->part.refused && is_loose(self) ? NOTHING : WHOLE;
}

/* Whether the last tests have shown that little goes any more. */
static bool has_slowed_down(struct reduction *self)
{
    if (self->effort != PARE_STRUCTURE_WHILE_IT_PAYS) return false;
    const size_t all = bytes_of(self, 0, self->structure->table.n_lines);
    if (self->n_tests == BEGINNING && self->left > all - all / LITTLE_SHARE) return true;
    if (self->n_tests < WINDOW) return false;
    const bool slow = self->left > self->left_before - self->left_before / GOOD_SHARE;
    self->n_tests = 0;
    self->left_before = self->left;
    return slow;
}

/* Whether the list that is gone through from the rear is worth less than the heap: many tests in a row were
 * in vain, and what the next group promises for each test, with the search if it cannot go, is little. */
static bool list_is_spent(const struct reduction *self)
{
    if (self->list.n_misses < REAR_PATIENCE) return false;
    if (self->inside) return self->list.n_misses >= 2 * REAR_PATIENCE;
    const double even = pare_group_odds_apart(&self->list.odds);
    double bytes = 0, items = 1;
    for (size_t i = self->list.base; i < self->n_stack; i++) {
        bytes += self->stack[i].bytes;
        items += count_items(self, self->stack[i].from, self->stack[i].to, UINT32_MAX);
    }
    const double group = even < items ? bytes * even / items : bytes;
    return group / (2 + log2(even + 1)) < (double)self->left / SPENT_SHARE;
}

/* Takes the next part: the next of the current list, or the heaviest item; *done: nothing is left,
 * what is left is too light, or the patience is used up. */
static pare_status take(struct reduction *self, bool *done, pare_error *err)
{
    void *own = NULL;
    pare_status status = PARE_OK;
    while (!status && self->by_rear && (self->n_stack == self->list.base || list_is_spent(self)))
        status = end_rear(self, err);
    *done = (!self->n_heap && !self->n_stack) ||
            self->n_vain >= PATIENCE + self->n_all / PATIENCE_SHARE || has_slowed_down(self);
    if (status || *done) return status;
    self->tried = 0;
    if (self->n_stack) {
        take_from_list(self);
        return PARE_OK;
    }
    status = pare_shared_own(&self->heap, self->n_heap, self->n_heap, &own, err);
    if (status) return status;
    pare_heap_pop(&heap_order, own, self->n_heap--, &self->part);
    *done = self->part.bytes < self->left / LIGHT_SHARE;
    self->way = self->part.refused ? NOTHING : WHOLE;
    return PARE_OK;
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* Whether a record begins in `line`: after a blank line, or as the list does. */
static bool begins_record(const struct reduction *self, uint32_t from, uint32_t line)
{
    const pare_line *lines = self->structure->table.lines;
    return !lines[line - 1].first || lines[line].first == lines[from].first;
}

/* The absolute difference of two numbers. */
static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Whether at least RUN items from `at` on begin with one word. */
static bool begins_run(const struct reduction *self, uint32_t at)
{
    const pare_line *lines = self->structure->table.lines;
    const uint32_t word = lines[at].first;
    for (unsigned n = 0; n < RUN; n++) {
        if (at >= self->part.to || lines[at].first != word) return false;
        at = item_end(self, at, self->part.to);
    }
    return true;
}

/* The line at which to cut the part: that where its bytes are halved; a record's beginning counts
 * as if it were a sixth of the bytes nearer, that of a run of items of another kind, after one, a quarter. */
static uint32_t middle_of(const struct reduction *self)
{
    const struct part *part = &self->part;
    uint32_t best = part->to, least = UINT32_MAX;
    const pare_line *lines = self->structure->table.lines;
    uint32_t before = part->from; /* the item before `at`, */
    unsigned n_alike = 1;         /* and how many before it begin as it does, with it */
    for (uint32_t at = item_end(self, part->from, part->to); at < part->to;
         at = item_end(self, at, part->to)) {
        uint32_t off = distance(bytes_of(self, part->from, at), part->bytes / 2);
        const bool changes = lines[at].first != lines[before].first;
        if (!changes || n_alike < RUN || !begins_run(self, at))
            off += begins_record(self, part->from, at) ? part->bytes / 12 : part->bytes / 4;
        if (off < least) {
            least = off;
            best = at;
        }
        n_alike = changes ? 1 : n_alike + 1;
        before = at;
    }
    return best;
}

/* The item that holds more than three quarters of the bytes; an empty range: there is none. */
static uint32_t giant_of(const struct reduction *self)
{
    for (uint32_t at = self->part.from; at < self->part.to;) {
        const uint32_t end = item_end(self, at, self->part.to);
        if (bytes_of(self, at, end) > self->part.bytes / 4 * 3) return at;
        at = end;
    }
    return self->part.to;
}

/* Cuts a run of several items in two, or in three around one that holds most of it. */
static pare_status split(struct reduction *self, pare_error *err)
{
    const struct part part = self->part;
    const uint32_t giant = giant_of(self);
    uint32_t cut = giant, rest = part.to;
    if (giant < part.to)
        rest = item_end(self, giant, part.to);
    else
        cut = middle_of(self);
    pare_status status = put_part(self, part.from, cut, err);
    if (!status) status = put_part(self, cut, rest, err);
    return status ? status : put_part(self, rest, part.to, err);
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* The heaviest block in the body, if it holds more than half of it; else NULL. */
static const pare_structure_block *child_of(const struct reduction *self,
                                            const pare_structure_block *block)
{
    for (uint32_t at = block->body; at < block->closer;) {
        const uint32_t end = item_end(self, at, block->closer);
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

/* Moves the lines left, the first of them to the margin of `header`. */
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

/* The body takes the place of the block; lines that begin further parts go, too. */
static void keep_body(const struct reduction *self, uint16_t *state,
                      const pare_structure_block *block)
{
    move_left(self, state, block->first, block->body, block->closer);
    drop(state, block->first, block->body);
    drop(state, block->closer, block->end);
    for (uint32_t at = block->body; at < block->closer; at = item_end(self, at, block->closer)) {
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

/* Sets the way to try next with the block: that which succeeds most; NOTHING: all were tried. */
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

/* Puts what is in a block where parts wait.  Its body cannot go: that was tried. */
static pare_status open_block(struct reduction *self, const pare_structure_block *block,
                              pare_error *err)
{
    const uint32_t to = self->part.to;
    pare_status status = put(self, block->body, block->closer, true, err);
    if (!status) status = put(self, block->first, block->body, false, err);
    return status ? status : put(self, block->closer, to, false, err);
}

/* The list that was taken is gone through from the rear: what stands before an item seldom needs
 * it. */
static void begin_rear(struct reduction *self)
{
    self->by_rear = true;
    self->ahead = false;
    self->at = self->n_stack;
    self->list = (struct list){
        .base = self->n_stack,
        .heavy = self->part.bytes > self->left / HEAVY_SHARE,
        .by_records = pare_records_are_there(self->structure, self->part.from, self->part.to)};
}

/* Whether to go through the lines of the record at hand, which is needed, before what stands in front of it: nothing
 * of that has gone ahead of its turn, so these lines may need it, and it is more than they are. */
static bool is_worth_opening(const struct reduction *self)
{
    size_t before = 0;
    for (size_t i = self->list.base; i < self->n_stack; i++)
        before += self->stack[i].bytes;
    return self->early.tries >= 2 && !self->early.wins && before > self->part.bytes &&
           self->n_vain_records < VAIN_RECORDS;
}

/* Goes through the lines of the record at hand, a list by itself: blank lines make no records of it. */
static pare_status open_record(struct reduction *self, pare_error *err)
{
    assert(self->list.by_records && !self->inside);
    self->left_outside = self->left;
    self->outer = self->list;
    self->inside = true;
    begin_rear(self);
    self->n_families++;
    self->origin = 0;
    return split(self, err);
}

/* Whether the part at hand counts as a single item that is needed: the tests that lead down to its lines
 * would find less than what is in front of it may lose. */
static bool is_coarse(const struct reduction *self)
{
    return self->list.heavy && !self->list.by_records && !self->ahead && !self->inside &&
           self->left >= COARSE_TEXT && self->part.bytes < self->left / COARSE_SHARE;
}

/* After a part could not go, or could not be changed in the way that was tried: the next way, or
 * its pieces. */
static pare_status go_on(struct reduction *self, pare_error *err)
{
    const struct part part = self->part;
    const pare_structure_block *block = block_of(self, &part);
    self->way = NOTHING;
    const bool is_list = pare_structure_item_end(self->structure, part.from, part.to) < part.to;
    /* All of a list: the heap has nothing to say before it was gone through once. */
    if (is_list && part.refused && !self->by_rear) begin_rear(self);
    const bool coarse = is_coarse(self);
    if (!coarse && item_end(self, part.from, part.to) < part.to) {
        if (self->by_rear && !self->ahead) self->list.searching = true;
        self->n_families++;
        self->origin = !self->ahead ? 0 : part.origin ? part.origin : self->n_families;
        return split(self, err);
    }
    if (self->by_rear && self->ahead) {
        /* What is behind may need it now, and not when its turn comes. */
        self->origin = part.origin;
        pare_status status = put_part(self, part.from, part.to, err);
        self->stack[self->at - 1].waits = true;
        return status;
    }
    if (self->by_rear) {
        if (!self->list.deep) self->list.n_misses = 0;
        self->list.deep = true;
        pare_group_odds_note(&self->list.odds, 1, true);
        self->list.searching = false;
        if (is_list && !coarse && is_worth_opening(self)) return open_record(self, err);
        return block || is_list || coarse ? put(self, part.from, part.to, true, err) : PARE_OK;
    }
    if (!block) return PARE_OK;
    choose(self, block);
    return self->way == NOTHING ? open_block(self, block, err) : PARE_OK;
}

/* Queues what is left of a block that was changed. */
static pare_status take_rest(struct reduction *self, pare_error *err)
{
    const struct part part = self->part;
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

/* Makes the proposal for the way at hand; none where it would leave nothing, or everything. */
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
    if (self->way == WHOLE && self->by_rear) {
        count_turn(self, fails);
        if (fails) note_last_piece(self);
        if (fails && !self->ahead)
            pare_group_odds_note(&self->list.odds,
                                 count_items(self, self->part.from, self->part.to, UINT32_MAX),
                                 false);
    }
    self->n_tests++;
    self->n_all++;
    self->n_vain = fails ? 0 : self->n_vain + 1;
    if (!self->ahead) self->list.n_misses = fails || !self->list.deep ? 0 : self->list.n_misses + 1;
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
    pare_shared_release(self->heap);
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
    pare_shared_retain(copy->heap);
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
    if (!status) status = pare_shared_new(16, sizeof(struct part), &self->heap, err);
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
