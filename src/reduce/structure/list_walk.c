/* The walk over a list from the rear.
 *
 * What stands before an item seldom needs it, so the rear part is next; if it cannot go it is cut.  A part before the rear one has
 * its turn first where it is heavy and promises more: its bytes times how often such parts have gone, against the same of the
 * rear ones.  So where little is needed the rest goes by halves, and not after as many tests as lead
 * down to a line and back; where the rear needs the front, few such tests are in vain: what was tried
 * last counts most.
 *
 * In a list that holds a good part of the text a piece below a sixty-fourth of what is left is not searched for the item
 * that is needed, once two such searches in a row were of no use: it counts as one, and its lines are left to the heap.  A
 * search is of use if what stands before the item goes then, since what used it has gone with the rest of the piece.
 *
 * Once an item of the list is known to be needed, the pieces before it, which its search has left small,
 * are put together to as many items as have an even chance to go, by how many were needed so far.  The list
 * is left to the heap where many tests in a row were in vain and such a group promises little.
 *
 * In a list without blocks the items are records: the lines between two blank ones.  Where a record is needed and
 * nothing in front of it goes, its lines are tried next, as one of them may name what is in front.
 *
 * Invariant: the pieces on the stack are disjoint and in the order of their lines.
 * Source: ours.  Groups with even odds are Hwang's (base/group_odds.h).
 * Test: tests/unit/test_list_walk.c. */
#include "reduce/structure/list_walk.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "reduce/structure/records.h"

enum {
    REAR_PATIENCE = 7, /* tests in vain: is it worth going on? */
    SPENT_SHARE = 50,  /* it is, if a test promises more than this part of what is left */
    COARSE_SHARE =
        64, /* in a heavy list what is below this part of what is left is not searched, */
    COARSE_TEXT = 1 << 13, /* if that is so many bytes: in less, lines are reached soon, */
    IDLE_SEARCHES = 2,     /* and if so many searches for an item let nothing in front of it go */
    HEAVY_SHARE = 8,       /* parts below this part of what is left wait for their turn; */
    AHEAD_TIMES = 2,       /* others have to promise so many times what the rear one does, */
    AHEAD_MISSES = 4,      /* and so many of them in a row that could not go are the last */
    VAIN_RECORDS = 2 /* if nothing went of so many in a row, no other one is gone through early */
};

static const double RECENT =
    0.7; /* of `turns`: each test counts so many times what the next one does */

/* The line after the item that begins in `line`; in a list of records, after the record. */
static uint32_t item_end(const pare_list_walk *walk, const pare_structure *structure, uint32_t line,
                         uint32_t end)
{
    return pare_part_item_end(structure, walk->list.by_records, line, end);
}

/* How many items there are in lines from .. to-1; `most` is enough. */
static uint32_t count_items(const pare_list_walk *walk, const pare_structure *structure,
                            uint32_t from, uint32_t to, uint32_t most)
{
    uint32_t n = 0;
    for (; from < to && n < most; n++)
        from = item_end(walk, structure, from, to);
    return n;
}

/* Opens a list: the pieces of `piece` belong on top of the stack. */
static void open_list(pare_list_walk *walk, const pare_structure *structure,
                      const pare_list_piece *piece, size_t left)
{
    walk->piece = *piece;
    walk->active = true;
    walk->ahead = false;
    walk->at = walk->n_stack;
    walk->list = (pare_walked_list){
        .base = walk->n_stack,
        .heavy = piece->part.bytes > left / HEAVY_SHARE,
        .by_records = pare_records_are_there(structure, piece->part.from, piece->part.to)};
}

void pare_list_walk_begin(pare_list_walk *walk, const pare_structure *structure,
                          const pare_part *part, size_t left)
{
    assert(!walk->active && !walk->n_stack);
    open_list(walk, structure, &(pare_list_piece){.part = *part}, left);
}

/* ---- its end -------------------------------------------------------------------------------- */

/* Leaves what remains of the list to the heap, and goes on with that around it. */
static pare_status end_list(pare_list_walk *walk, const pare_structure *structure, size_t left,
                            pare_part_heap *heap, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = walk->list.base; !status && i < walk->n_stack; i++) {
        const pare_part *part = &walk->stack[i].part;
        status = pare_part_heap_put(heap, structure, part->from, part->to, part->refused, err);
    }
    walk->n_stack = walk->list.base;
    if (walk->inside)
        walk->n_vain_records = left < walk->left_outside ? 0 : walk->n_vain_records + 1;
    walk->active = walk->inside;
    walk->list = walk->inside ? walk->outer : (pare_walked_list){.base = 0};
    walk->inside = false;
    return status;
}

/* Whether the list is worth less than the heap: many tests in a row were
 * in vain, and what the next group promises for each test, with the search if it cannot go, is little. */
static bool is_spent(const pare_list_walk *walk, const pare_structure *structure, size_t left)
{
    if (walk->list.n_misses < REAR_PATIENCE) return false;
    if (walk->inside) return walk->list.n_misses >= 2 * REAR_PATIENCE;
    const double even = pare_group_odds_apart(&walk->list.odds);
    double bytes = 0, items = 1;
    for (size_t i = walk->list.base; i < walk->n_stack; i++) {
        const pare_part *part = &walk->stack[i].part;
        bytes += part->bytes;
        items += count_items(walk, structure, part->from, part->to, UINT32_MAX);
    }
    const double group = even < items ? bytes * even / items : bytes;
    return group / (2 + log2(even + 1)) < (double)left / SPENT_SHARE;
}

pare_status pare_list_walk_leave(pare_list_walk *walk, const pare_structure *structure, size_t left,
                                 pare_part_heap *heap, pare_error *err)
{
    pare_status status = PARE_OK;
    while (!status && walk->active &&
           (walk->n_stack == walk->list.base || is_spent(walk, structure, left)))
        status = end_list(walk, structure, left, heap, err);
    return status;
}

/* ---- the next part -------------------------------------------------------------------------- */

/* How often it worked, as if it had once before and had not once. */
static double rate_of(const pare_list_luck *luck)
{
    return (luck->wins + 1.0) / (luck->tries + 2.0);
}

/* Which piece is next: the rear one, or a heavy one that promises more. */
static size_t choose(const pare_list_walk *walk, size_t left)
{
    size_t best = walk->n_stack - 1;
    double most = walk->stack[best].part.bytes * rate_of(&walk->turns[0]) * AHEAD_TIMES;
    for (size_t i = walk->n_ahead < AHEAD_MISSES ? best : walk->list.base; i-- > walk->list.base;) {
        const pare_list_piece *piece = &walk->stack[i];
        const double promise = piece->part.bytes * rate_of(&walk->turns[1]);
        if (piece->part.bytes < left / HEAVY_SHARE || promise <= most || piece->waits) continue;
        best = i;
        most = promise;
    }
    return best;
}

/* Whether the parts of the list hardly need each other, as far as what was tried ahead of its turn
 * shows. */
static bool is_loose(const pare_list_walk *walk)
{
    return walk->early.wins * 2 > walk->early.tries;
}

/* Puts the last piece on the stack to the one before it. */
static void join_last(pare_list_walk *walk)
{
    pare_list_piece *last = &walk->stack[--walk->n_stack];
    assert(last[-1].part.to == last->part.from);
    last[-1].part.to = last->part.to;
    last[-1].part.bytes += last->part.bytes;
}

/* Puts the rear pieces that were cut ahead of their turn together again: behind them something has
 * gone since, so that all of them may go. */
static void join_rear(pare_list_walk *walk)
{
    pare_list_piece *last = &walk->stack[walk->n_stack - 1];
    while (walk->n_stack > walk->list.base + 1 && last->origin && last[-1].origin == last->origin &&
           last[-1].part.to == last->part.from) {
        join_last(walk);
        last--;
        last->part.refused = false;
        last->family = 0;
    }
    last->origin = 0;
}

/* Puts the rear pieces together as long as they have more than an even chance to go. */
static void gather_rear(pare_list_walk *walk, const pare_structure *structure)
{
    const uint32_t most = (uint32_t)pare_group_odds_even(&walk->list.odds);
    while (walk->n_stack > walk->list.base + 1) {
        const pare_list_piece *last = &walk->stack[walk->n_stack - 1], *before = last - 1;
        const uint32_t a = last->family, b = before->family;
        if (last->part.refused || before->part.refused || before->waits ||
            before->part.to != last->part.from ||
            count_items(walk, structure, before->part.from, last->part.to, most + 1) > most)
            break;
        for (size_t i = 0; i < walk->n_stack; i++)
            if (walk->stack[i].family == a || walk->stack[i].family == b) walk->stack[i].family = 0;
        join_last(walk);
    }
}

bool pare_list_walk_take(pare_list_walk *walk, const pare_structure *structure, size_t left)
{
    assert(walk->active && walk->n_stack > walk->list.base);
    if (!is_loose(walk)) join_rear(walk);
    if (!walk->list.searching) gather_rear(walk, structure);
    walk->at = choose(walk, left);
    walk->ahead = walk->at + 1 < walk->n_stack;
    walk->piece = walk->stack[walk->at];
    walk->n_stack--;
    memmove(walk->stack + walk->at, walk->stack + walk->at + 1,
            (walk->n_stack - walk->at) * sizeof *walk->stack);
    return !walk->piece.part.refused || !is_loose(walk);
}

/* ---- what came of it ------------------------------------------------------------------------ */

/* Counts what came of a test of the part at hand as a whole. */
static void count_turn(pare_list_walk *walk, bool went)
{
    pare_list_luck *recent = &walk->turns[walk->ahead];
    recent->tries = recent->tries * RECENT + 1;
    recent->wins = recent->wins * RECENT + went;
    if (!walk->ahead) return;
    walk->early.tries++;
    walk->early.wins += went;
    walk->n_ahead = went ? 0 : walk->n_ahead + 1;
}

/* Once all other pieces of a part that could not go have gone, the last one cannot: its own pieces are
 * next, without a test of it. */
static void note_last_piece(pare_list_walk *walk)
{
    pare_list_piece *last = NULL;
    for (size_t i = 0; i < walk->n_stack; i++) {
        if (walk->stack[i].family != walk->piece.family) continue;
        if (last) return;
        last = &walk->stack[i];
    }
    if (last && walk->piece.family) last->part.refused = true;
}

/* Counts whether the search for an item was of use, by the first test of something heavy before it, or the first one in
 * vain.  A group of many items goes as often as not; but if the few lines beside the item have to stay, too, it is one of many
 * that need each other. */
static void count_search(pare_list_walk *walk, bool went, size_t left)
{
    const bool light = walk->piece.part.bytes < left / COARSE_SHARE;
    if (!walk->found || (went && light)) return;
    walk->found = false;
    walk->n_idle = went ? 0 : walk->n_idle + (light ? IDLE_SEARCHES : 1);
}

void pare_list_walk_note(pare_list_walk *walk, const pare_structure *structure, size_t left,
                         bool went)
{
    const pare_part *part = &walk->piece.part;
    assert(walk->active && part->from <= part->to);
    count_turn(walk, went);
    if (went) note_last_piece(walk);
    if (walk->ahead) return;
    count_search(walk, went, left);
    if (went)
        pare_group_odds_note(&walk->list.odds,
                             count_items(walk, structure, part->from, part->to, UINT32_MAX), false);
    walk->list.n_misses = went || !walk->list.deep ? 0 : walk->list.n_misses + 1;
}

/* ---- a part that cannot go ------------------------------------------------------------------ */

/* Puts lines where pieces of the part at hand wait; if there is no room, on the heap. */
static pare_status put(pare_list_walk *walk, const pare_structure *structure, uint32_t from,
                       uint32_t to, pare_part_heap *heap, pare_error *err)
{
    if (walk->n_stack == PARE_LIST_WALK_PIECES)
        return pare_part_heap_put(heap, structure, from, to, false, err);
    if (from == to) return PARE_OK;
    memmove(walk->stack + walk->at + 1, walk->stack + walk->at,
            (walk->n_stack - walk->at) * sizeof *walk->stack);
    walk->stack[walk->at++] = (pare_list_piece){
        .part = {.from = from, .to = to, .bytes = pare_part_bytes(structure, from, to)},
        .family = walk->n_families,
        .origin = walk->origin};
    walk->n_stack++;
    return PARE_OK;
}

/* Cuts the part at hand. */
static pare_status cut(pare_list_walk *walk, const pare_structure *structure, pare_part_heap *heap,
                       pare_error *err)
{
    const pare_part part = walk->piece.part;
    const pare_part_cuts cuts = pare_part_cut(structure, walk->list.by_records, &part);
    pare_status status = put(walk, structure, part.from, cuts.cut, heap, err);
    if (!status) status = put(walk, structure, cuts.cut, cuts.rest, heap, err);
    return status ? status : put(walk, structure, cuts.rest, part.to, heap, err);
}

/* Whether to go through the lines of the record at hand, which is needed, before what stands in front of it: nothing
 * of that has gone ahead of its turn, so these lines may need it, and it is more than they are. */
static bool is_worth_opening(const pare_list_walk *walk)
{
    size_t before = 0;
    for (size_t i = walk->list.base; i < walk->n_stack; i++)
        before += walk->stack[i].part.bytes;
    return walk->early.tries >= 2 && walk->early.wins <= 0 && before > walk->piece.part.bytes &&
           walk->n_vain_records < VAIN_RECORDS;
}

/* Goes through the lines of the record at hand, a list by itself: blank lines make no records of it. */
static pare_status open_record(pare_list_walk *walk, const pare_structure *structure, size_t left,
                               pare_part_heap *heap, pare_error *err)
{
    const pare_list_piece record = walk->piece;
    assert(walk->list.by_records && !walk->inside);
    walk->left_outside = left;
    walk->outer = walk->list;
    walk->inside = true;
    open_list(walk, structure, &record, left);
    walk->n_families++;
    walk->origin = 0;
    return cut(walk, structure, heap, err);
}

/* Whether the part at hand counts as a single item that is needed: the tests that lead down to its lines
 * would find less than what is in front of it may lose. */
static bool is_coarse(const pare_list_walk *walk, size_t left)
{
    return walk->n_idle >= IDLE_SEARCHES && walk->list.heavy && !walk->list.by_records &&
           !walk->ahead && !walk->inside && left >= COARSE_TEXT &&
           walk->piece.part.bytes < left / COARSE_SHARE;
}

/* Whether there is something in the part: lines in a record, or a block. */
static bool has_inside(const pare_structure *structure, const pare_part *part)
{
    return pare_structure_item_end(structure, part->from, part->to) < part->to ||
           pare_structure_block_at(structure, part->from, part->to);
}

/* Cuts the part at hand, in which something is needed. */
static pare_status search(pare_list_walk *walk, const pare_structure *structure,
                          pare_part_heap *heap, pare_error *err)
{
    if (!walk->ahead) walk->list.searching = true;
    walk->n_families++;
    walk->origin = !walk->ahead ? 0 : walk->piece.origin ? walk->piece.origin : walk->n_families;
    return cut(walk, structure, heap, err);
}

pare_status pare_list_walk_refuse(pare_list_walk *walk, const pare_structure *structure,
                                  size_t left, pare_part_heap *heap, pare_error *err)
{
    const pare_part part = walk->piece.part;
    const bool coarse = is_coarse(walk, left);
    if (!coarse && item_end(walk, structure, part.from, part.to) < part.to)
        return search(walk, structure, heap, err);
    if (walk->ahead) {
        /* What is behind may need it now, and not when its turn comes. */
        walk->origin = walk->piece.origin;
        pare_status status = put(walk, structure, part.from, part.to, heap, err);
        walk->stack[walk->at - 1].waits = true;
        return status;
    }
    if (!walk->list.deep) walk->list.n_misses = 0;
    walk->list.deep = true;
    walk->found = !coarse;
    pare_group_odds_note(&walk->list.odds, 1, true);
    walk->list.searching = false;
    const bool is_record =
        walk->list.by_records && pare_structure_item_end(structure, part.from, part.to) < part.to;
    if (is_record && is_worth_opening(walk)) return open_record(walk, structure, left, heap, err);
    if (!coarse && !has_inside(structure, &part)) return PARE_OK;
    return pare_part_heap_put(heap, structure, part.from, part.to, true, err);
}
