/* The first tree in the order of ANTLR's decisions, read off the chart without enumerating.
 *
 * One frame per nonterminal on the way down; nodes come out children first and are put into
 * pre-order at the end (tree_writer.h).  A frame knows its nonterminal, where it starts, and
 * the completed items it may end with.  If there is one derivation only, the items from its
 * end back to its start are its path.  Otherwise all derivations between its start and its
 * ends are collected as links from each place in its productions to the next (backwards from
 * the ends, each item once), and followed forward from the start: of several productions the
 * first; after that, a nonterminal with several possible ends is decided by its own frame,
 * which says where it ended.
 *
 * Invariant: no nonterminal is chosen inside itself with the same span.  When the choice comes
 * to one that is open, the choice that led there is taken back, and the way found first is
 * followed, which never needs itself.  Each end is settled so at most once, so this ends.
 *
 * Bounds: the links of a frame are held while the frames below it are at work, so a text of n letters
 * and n ways for each stretch of it costs n^4.  After MOST_LINKS of them nothing more is decided: what
 * is left is the derivation found first, a tree as good as any other but not ANTLR's.  Rules that
 * derive nothing twice, in turn to n levels, make 2^n nodes without a letter; that is refused.
 *
 * Why not a parse forest (SPPF): it would hold every derivation of every node, where one is
 * wanted; links are collected for ambiguous nodes only, and given up with their frame.
 * Source: see earley.h. */
#include "parse/earley.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/halving.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/parse_tree.h"
#include "parse/productions.h"
#include "parse/tree_writer.h"

/* Links of all frames, also of those that have ended: 5 s and 512 MiB; a test build has a smaller
 * limit, to come to it soon. */
#ifdef PARE_FAULT_INJECTION
enum { MOST_LINKS = 1 << 20 };
#else
enum { MOST_LINKS = 1 << 25 };
#endif

enum { MOST_EMPTY_NODES = 1 << 22, EMPTY_NODES_A_LETTER = 256 };

/* --- derivation links --------------------------------------------------------------- */

/* Keys of links: the place where they start. */
#define AT_START ((uint64_t)0)      /* of the nonterminal */
#define AT_ITEM ((uint64_t)1 << 32) /* | item: after it */
#define AT_LOOP ((uint64_t)2 << 32) /* | set: the head of a loop */

/* A step of a derivation. */
struct link {
    uint64_t key;
    uint32_t to, child; /* item it leads to, and what completed the symbol between */
};

/* A stack of collections.  All-zero but for the chart; ended by links_done. */
struct link_stack {
    const pare_chart *chart; /* borrowed */
    struct link *links;
    size_t n_links, links_capacity;
    uint32_t *work; /* items still to look at */
    size_t n_work, work_capacity;
    uint64_t *seen; /* hash set: collection << 32 | item */
    size_t seen_mask, n_seen;
    uint32_t collection;
    size_t n_made; /* links, also those given up */
    bool failed;   /* memory ran out, or nobody wants the tree any more */
};

/* Makes room for one more mark.  Marks of earlier collections count as free slots, so the
 * table is not emptied between collections, and only marks of this one are moved. */
static bool reserve_seen(struct link_stack *stack)
{
    if (stack->seen && 2 * (stack->n_seen + 1) <= stack->seen_mask) return true;
    size_t size = stack->seen ? 2 * (stack->seen_mask + 1) : 256;
    uint64_t *old = stack->seen, *table = pare_alloc_zero(size, sizeof *table);
    if (!table) return false;
    for (size_t i = 0; old && i <= stack->seen_mask; i++) {
        if (old[i] >> 32 != stack->collection) continue;
        size_t at = (uint32_t)old[i] * 0x9E3779B1u & (size - 1);
        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = old[i];
    }
    pare_alloc_free(old);
    stack->seen = table;
    stack->seen_mask = size - 1;
    return true;
}

/* Puts the item on the work list unless this collection has had it. */
static void want(struct link_stack *stack, uint32_t item)
{
    if (item >= PARE_ITEM_NOTHING || stack->failed) return;
    uint32_t *work =
        pare_vector_reserve(stack->work, &stack->work_capacity, stack->n_work + 1, sizeof *work);
    if (work) stack->work = work;
    if (!work || !reserve_seen(stack)) {
        stack->failed = true;
        return;
    }
    /* A slot with a mark of an earlier collection is free, so it ends the search. */
    uint64_t mark = (uint64_t)stack->collection << 32 | item;
    size_t at = item * 0x9E3779B1u & stack->seen_mask;
    for (; stack->seen[at] >> 32 == stack->collection; at = (at + 1) & stack->seen_mask) {
        if (stack->seen[at] == mark) return;
    }
    stack->seen[at] = mark;
    stack->n_seen++;
    stack->work[stack->n_work++] = item;
}

/* Wants the item and all others that complete its group in its set. */
static void want_ends(struct link_stack *stack, uint32_t item)
{
    if (item >= PARE_ITEM_NOTHING) return;
    want(stack, item);
    for (uint32_t w = pare_chart_more_ends(stack->chart, item); w != PARE_NO_ITEM;
         w = stack->chart->ways[w].next)
        want(stack, stack->chart->ways[w].before);
}

/* Appends a link to this collection. */
static void add_link(struct link_stack *stack, uint64_t key, uint32_t to, uint32_t child)
{
    struct link *grown = pare_vector_reserve(stack->links, &stack->links_capacity,
                                             stack->n_links + 1, sizeof *grown);
    if (!grown) {
        stack->failed = true;
        return;
    }
    if (pare_interrupt_asked_at(++stack->n_made)) stack->failed = true;
    stack->links = grown;
    stack->links[stack->n_links++] = (struct link){key, to, child};
}

/* Whether this way would be a round of a loop that took nothing: no way, since it would go on
 * for ever. */
static bool is_idle_round(const struct link_stack *stack, uint32_t to, uint32_t before,
                          uint32_t child)
{
    return child == PARE_ITEM_NOTHING && before != PARE_NO_ITEM &&
           pare_item_is_complete(stack->chart, to) && pare_item_is_round(stack->chart, before);
}

/* Adds one way by which item `to` came, and wants the item it came from. */
static void add_way(struct link_stack *stack, uint32_t to, uint32_t before, uint32_t child)
{
    if (is_idle_round(stack, to, before, child)) return;
    add_link(stack, before == PARE_NO_ITEM ? AT_START : AT_ITEM | before, to, child);
    want(stack, before);
}

/* Adds the links that lead to one item.  The item after a loop's own recursion is none of the
 * loop's productions: it stands for the head of the loop, and what completed the round before
 * comes next. */
static void collect_item(struct link_stack *stack, uint32_t item)
{
    const pare_item *i = &stack->chart->items[item];
    if (pare_item_is_round(stack->chart, item)) {
        add_link(stack, AT_LOOP | pare_chart_position(stack->chart, item), item, PARE_NO_ITEM);
        want_ends(stack, i->child);
        return;
    }
    add_way(stack, item, i->before, i->child);
    for (uint32_t w = pare_chart_more_ways(stack->chart, item); w != PARE_NO_ITEM;
         w = stack->chart->ways[w].next)
        add_way(stack, item, stack->chart->ways[w].before, stack->chart->ways[w].child);
}

/* By where links start, then by where they lead: items of a set are in the order in which they
 * were found. */
static int by_key(const void *a, const void *b)
{
    const struct link *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Whether the nonterminal may derive nothing: one of its ends says so. */
static bool ends_with_nothing(const pare_finish *ends, size_t n_ends)
{
    for (size_t i = 0; i < n_ends; i++) {
        if (ends[i].item == PARE_ITEM_NOTHING) return true;
    }
    return false;
}

/* Wants the items by which the nonterminal of `item` derives nothing in set `set`,
 * production by production, where it also may derive something. */
static void want_empty_ends(struct link_stack *stack, uint32_t item, uint32_t set)
{
    uint32_t group = stack->chart->items[item].group;
    uint32_t end = stack->chart->set_first[set + 1];
    for (uint32_t i = stack->chart->set_first[set]; i < end; i++) {
        if (stack->chart->items[i].group == group && pare_item_is_complete(stack->chart, i))
            want(stack, i);
    }
}

/* Collects the links of all derivations between `from` and the ends, sorted by where they
 * start.  Ends that derive nothing have no item; they are found again from the items of the
 * set that the nonterminal starts in. */
static void collect_links(struct link_stack *stack, const pare_finish *ends, size_t n_ends,
                          uint32_t from)
{
    bool nothing = ends_with_nothing(ends, n_ends);
    size_t first_link = stack->n_links;
    stack->collection++;
    stack->n_seen = 0;
    for (size_t i = 0; i < n_ends; i++) {
        want_ends(stack, ends[i].item);
        /* Any item of the group leads to the others; once is enough. */
        if (nothing && ends[i].item < PARE_ITEM_NOTHING) {
            want_empty_ends(stack, ends[i].item, from);
            nothing = false;
        }
    }
    while (stack->n_work > 0 && !stack->failed)
        collect_item(stack, stack->work[--stack->n_work]);
    stack->n_work = 0;
    size_t n = stack->n_links - first_link;
    /* find_options bisects them. */
    if (n > 1) qsort(stack->links + first_link, n, sizeof *stack->links, by_key);
}

/* Frees the stack and makes it all-zero, so that it can be used again. */
static void links_done(struct link_stack *stack)
{
    pare_alloc_free(stack->links);
    pare_alloc_free(stack->work);
    pare_alloc_free(stack->seen);
    memset(stack, 0, sizeof *stack);
}

/* How a frame is followed: along one path of items, along links with decisions, or through a
 * null production. */
enum mode { PATH, GRAPH, NOTHING };

/* The end of an item that was not looked up: only GRAPH frames ask for it, and look it up then. */
#define UNKNOWN_POSITION UINT32_MAX

/* A nonterminal on the way down. */
struct frame {
    enum mode mode;
    bool waits; /* GRAPH: for a child to end */
    uint32_t nonterminal, alternative;
    pare_tree_place begin;
    size_t at, base; /* PATH: next item and bottom in path; NOTHING: dotted state */
    uint64_t key;    /* GRAPH: where it stands */
    size_t first_link, n_links, first_end, n_ends;
    size_t option, n_options; /* GRAPH: links it decides among */
};

/* The state of a choice: the frames, and the stacks that they share.  Each frame owns the top
 * of those it uses, and gives it up when it ends. */
struct chooser {
    const pare_chart *chart;
    const pare_productions *p;
    pare_tree_writer writer;
    uint32_t last_alternative;
    struct frame *frames;
    size_t n_frames, frames_capacity;
    uint32_t *path;
    size_t n_path, path_capacity;
    pare_finish *ends;
    size_t n_ends, ends_capacity;
    struct link_stack links;
    size_t n_empty; /* nodes for what derives nothing */
    size_t n_steps; /* of `follow` */
    bool is_over;   /* there are too many empty nodes */
    uint64_t *open; /* bit per item: a GRAPH frame that ends with it is open, or it is settled:
                       its first way is taken */
};

/* --- nodes -------------------------------------------------------------------------- */

/* Moves the writer to the item's set, over the letters of a hole. */
static void skip_to_item(struct chooser *c, uint32_t item)
{
    pare_tree_writer_skip(&c->writer, pare_chart_position(c->chart, item));
}

/* A node around all that was made since the frame began. */
static void wrap(struct chooser *c, const struct frame *f, pare_node_kind kind, uint32_t symbol,
                 uint32_t alternative)
{
    pare_tree_writer_wrap(&c->writer, f->begin, kind, symbol, alternative);
}

/* A quantifier's node, unless nothing was made: empty quantifiers make none. */
static void wrap_quantifier(struct chooser *c, const struct frame *f, pare_node_kind kind)
{
    if (c->writer.n > f->begin.n_nodes)
        wrap(c, f, kind, c->p->nonterminals[f->nonterminal].symbol, f->alternative);
}

/* A production of the frame's nonterminal has ended.  Each round of a left-recursive rule is a
 * node around all rounds before it. */
static void end_production(struct chooser *c, const struct frame *f)
{
    const pare_nonterminal *n = &c->p->nonterminals[f->nonterminal];
    if (n->kind == PARE_NONTERMINAL_LEFT)
        wrap(c, f, PARE_NODE_RULE, n->symbol, c->last_alternative);
}

/* Gives up what a GRAPH frame holds. */
static void close_graph(struct chooser *c, const struct frame *f)
{
    for (size_t i = 0; i < f->n_ends; i++) {
        uint32_t item = c->ends[f->first_end + i].item;
        if (item < PARE_ITEM_NOTHING) c->open[item / 64] &= ~((uint64_t)1 << item % 64);
    }
    c->links.n_links = f->first_link;
    c->n_ends = f->first_end;
}

/* Ends the innermost frame: its node is written, and what it held is given up. */
static void finish(struct chooser *c)
{
    assert(c->n_frames > 0);
    const struct frame *f = &c->frames[--c->n_frames];
    const pare_nonterminal *n = &c->p->nonterminals[f->nonterminal];
    switch (n->kind) {
    case PARE_NONTERMINAL_RULE: wrap(c, f, PARE_NODE_RULE, n->symbol, f->alternative); break;
    /* The loop around this production makes the rule's node, and needs the alternative for it. */
    case PARE_NONTERMINAL_PRIMARY:
    case PARE_NONTERMINAL_OPERATOR: c->last_alternative = f->alternative; break;
    case PARE_NONTERMINAL_OPTIONAL: wrap_quantifier(c, f, PARE_NODE_OPTIONAL); break;
    case PARE_NONTERMINAL_STAR: wrap_quantifier(c, f, PARE_NODE_STAR); break;
    case PARE_NONTERMINAL_PLUS: wrap_quantifier(c, f, PARE_NODE_PLUS); break;
    case PARE_NONTERMINAL_ITEM: wrap_quantifier(c, f, PARE_NODE_ITEM); break;
    /* Its rounds have made their nodes; blocks make none. */
    case PARE_NONTERMINAL_LEFT:
    case PARE_NONTERMINAL_BLOCK: break;
    }
    if (f->mode == PATH) c->n_path = f->base;
    if (f->mode == GRAPH) close_graph(c, f);
}

/* --- frames ------------------------------------------------------------------------- */

/* Opens a frame, which begins at the letter that the writer stands before.  NULL when memory
 * is out, which the writer notes. */
static struct frame *push_frame(struct chooser *c, uint32_t nonterminal, enum mode mode)
{
    struct frame *grown =
        pare_vector_reserve(c->frames, &c->frames_capacity, c->n_frames + 1, sizeof *grown);
    if (!grown) {
        c->writer.failed = true;
        return NULL;
    }
    c->frames = grown;
    struct frame *f = &c->frames[c->n_frames++];
    *f = (struct frame){
        .mode = mode, .nonterminal = nonterminal, .begin = pare_tree_writer_place(&c->writer)};
    return f;
}

/* A frame for a nonterminal that derives nothing: it goes through its null production, since
 * rules make nodes also when they are empty. */
static void push_nothing(struct chooser *c, uint32_t nonterminal)
{
    const size_t most = MOST_EMPTY_NODES + (size_t)c->writer.letters->n * EMPTY_NODES_A_LETTER;
    c->is_over |= ++c->n_empty > most;
    c->writer.failed |= c->is_over;
    struct frame *f = push_frame(c, nonterminal, NOTHING);
    if (!f) return;
    const pare_production *production =
        &c->p->productions[c->p->nonterminals[nonterminal].null_production];
    f->at = production->first_state;
    f->alternative = production->alternative;
}

/* Puts an item on the stack of paths. */
static bool push_path_item(struct chooser *c, uint32_t item)
{
    uint32_t *grown = pare_vector_reserve(c->path, &c->path_capacity, c->n_path + 1, sizeof *grown);
    if (!grown) {
        c->writer.failed = true;
        return false;
    }
    c->path = grown;
    c->path[c->n_path++] = item;
    return true;
}

/* Puts the items from the end `item` back to the start on the stack.  False, and nothing put,
 * when there is more than one way and not `first_only`. */
static bool find_path(struct chooser *c, uint32_t item, bool first_only)
{
    size_t base = c->n_path;
    bool end = true; /* item completes the group */
    while (item < PARE_ITEM_NOTHING) {
        const pare_item *i = &c->chart->items[item];
        bool unique =
            !(i->state & PARE_ITEM_MORE_WAYS) && !(end && (i->state & PARE_ITEM_MORE_ENDS));
        if (!unique && !first_only) {
            c->n_path = base;
            return false;
        }
        if (!push_path_item(c, item)) return false;
        /* Before a round comes the round before it, whose end is the child. */
        end = pare_item_is_round(c->chart, item);
        item = end ? i->child : i->before;
    }
    return true;
}

/* The bits are needed for ambiguous nonterminals only, so they are made with the first of
 * them. */
static bool reserve_open(struct chooser *c)
{
    if (c->open) return true;
    c->open = pare_alloc_zero(c->chart->n_items / 64 + 1, sizeof *c->open);
    return c->open != NULL;
}

/* The possible end that is open already, or was settled; PARE_NO_ITEM: none. */
static uint32_t find_cycle(const struct chooser *c, size_t first_end, size_t n_ends)
{
    for (size_t i = first_end; c->open && i < first_end + n_ends; i++) {
        uint32_t item = c->ends[i].item;
        if (item < PARE_ITEM_NOTHING && c->open[item / 64] >> item % 64 & 1) return item;
    }
    return PARE_NO_ITEM;
}

/* A frame for the path on top of the stack, from `base` on. */
static void push_path(struct chooser *c, uint32_t nonterminal, size_t base)
{
    struct frame *f = push_frame(c, nonterminal, PATH);
    if (!f) return;
    f->base = base;
    /* Items stand last first: it is followed downwards. */
    f->at = c->n_path;
}

/* A frame for an ambiguous nonterminal: its ends are marked as open, and its links collected. */
static void push_graph(struct chooser *c, uint32_t nonterminal, size_t first_end, size_t n_ends)
{
    if (!reserve_open(c)) c->writer.failed = true;
    struct frame *f = c->writer.failed ? NULL : push_frame(c, nonterminal, GRAPH);
    if (!f) return;
    f->first_end = first_end;
    f->n_ends = n_ends;
    f->key = c->p->nonterminals[nonterminal].kind == PARE_NONTERMINAL_STAR
                 ? AT_LOOP | c->writer.cursor
                 : AT_START;
    for (size_t i = first_end; i < first_end + n_ends; i++) {
        uint32_t item = c->ends[i].item;
        if (item >= PARE_ITEM_NOTHING) continue;
        c->open[item / 64] |= (uint64_t)1 << item % 64;
        if (c->ends[i].position == UNKNOWN_POSITION)
            c->ends[i].position = pare_chart_position(c->chart, item);
    }
    f->first_link = c->links.n_links;
    collect_links(&c->links, c->ends + first_end, n_ends, c->writer.cursor);
    f->n_links = c->links.n_links - f->first_link;
    if (c->links.failed) c->writer.failed = true;
}

/* The end of a frame in the set; PARE_NO_ITEM: none. */
static uint32_t end_in_set(const struct chooser *c, const struct frame *f, uint32_t set)
{
    for (size_t i = f->first_end; i < f->first_end + f->n_ends; i++) {
        if (c->ends[i].position == set && c->ends[i].item < PARE_ITEM_NOTHING)
            return c->ends[i].item;
    }
    return PARE_NO_ITEM;
}

/* Finds the open frame that ends with `item`, and of the GRAPH frames from there on the
 * outermost.  False when there is none, or when one in between cannot have the same span: then
 * the choice is not a cycle. */
static bool find_choice(const struct chooser *c, uint32_t item, size_t *choice)
{
    uint32_t set = pare_chart_position(c->chart, item);
    bool any = false;
    /* Only frames that begin where the writer stands can have the same span. */
    for (size_t i = c->n_frames; i-- > 0 && c->frames[i].begin.cursor == c->writer.cursor;) {
        const struct frame *f = &c->frames[i];
        if (f->mode == PATH && c->path[f->base] == item) return any;
        if (f->mode != GRAPH) continue;
        uint32_t end = end_in_set(c, f, set);
        if (end == PARE_NO_ITEM) return false;
        *choice = i;
        any = true;
        if (end == item) return true;
    }
    return false;
}

/* Takes back all that was done since the GRAPH frame began, and follows the way found first to
 * its end in the set of `item`; that end counts as settled from now on. */
static void settle(struct chooser *c, size_t choice, uint32_t item)
{
    struct frame f = c->frames[choice];
    uint32_t end = end_in_set(c, &f, pare_chart_position(c->chart, item));
    /* They end without their nodes, which are taken back below. */
    while (c->n_frames > choice) {
        const struct frame *top = &c->frames[--c->n_frames];
        if (top->mode == PATH) c->n_path = top->base;
        if (top->mode == GRAPH) close_graph(c, top);
    }
    pare_tree_writer_go_back(&c->writer, f.begin);
    /* Closing the frame has cleared the bit; a settled end keeps it. */
    c->open[end / 64] |= (uint64_t)1 << end % 64;
    size_t base = c->n_path;
    if (find_path(c, end, true)) push_path(c, f.nonterminal, base);
}

/* Whether so many links were made that no more decisions are to be taken. */
static bool is_spent(const struct chooser *c)
{
    return c->links.n_made > MOST_LINKS;
}

/* Leaves the last one of several possible ends, by which most letters are taken, when no more
 * decisions are to be taken. */
static void decide_no_more(struct chooser *c, size_t first_end)
{
    if (!is_spent(c)) return;
    c->ends[first_end] = c->ends[c->n_ends - 1];
    c->n_ends = first_end + 1;
}

/* Opens a frame for the nonterminal that may end with ends[first_end ..], the top of `ends`:
 * without any choice if there is one end and one way to it. */
static void push_child(struct chooser *c, uint32_t nonterminal, size_t first_end)
{
    assert(first_end < c->n_ends);
    decide_no_more(c, first_end);
    size_t n = c->n_ends - first_end, base = c->n_path;
    uint32_t item = c->ends[first_end].item;
    uint32_t cycle = find_cycle(c, first_end, n);
    size_t choice;
    if (cycle == PARE_NO_ITEM && n == 1 && item == PARE_ITEM_NOTHING) {
        c->n_ends = first_end;
        push_nothing(c, nonterminal);
    } else if (cycle != PARE_NO_ITEM && find_choice(c, cycle, &choice)) {
        settle(c, choice, cycle);
    } else if (cycle != PARE_NO_ITEM || (n == 1 && find_path(c, item, is_spent(c)))) {
        /* There is no choice to take back: the derivation that was found first never needs
         * itself. */
        if (cycle != PARE_NO_ITEM) find_path(c, cycle, true);
        c->n_ends = first_end;
        push_path(c, nonterminal, base);
    } else {
        push_graph(c, nonterminal, first_end, n);
    }
}

/* Adds a possible end of the nonterminal about to get a frame. */
static void add_end(struct chooser *c, uint32_t position, uint32_t item)
{
    pare_finish *grown =
        pare_vector_reserve(c->ends, &c->ends_capacity, c->n_ends + 1, sizeof *grown);
    if (!grown) {
        c->writer.failed = true;
        return;
    }
    c->ends = grown;
    c->ends[c->n_ends++] = (pare_finish){position, item};
}

/* Goes into a symbol that can be entered in one way. */
static void enter(struct chooser *c, uint32_t symbol, uint32_t child)
{
    if (symbol & PARE_TERMINAL) {
        pare_tree_writer_take(&c->writer);
    } else if (child == PARE_ITEM_NOTHING) {
        push_nothing(c, symbol);
    } else {
        size_t first_end = c->n_ends;
        add_end(c, UNKNOWN_POSITION, child);
        if (!c->writer.failed) push_child(c, symbol, first_end);
    }
}

/* --- following ---------------------------------------------------------------------- */

/* Follows the path by one symbol; false at its end.  The items stand last first. */
static bool step_path(struct chooser *c)
{
    struct frame *f = &c->frames[c->n_frames - 1];
    /* The item stepped over last may have completed a round. */
    if (f->at < c->n_path && pare_item_is_complete(c->chart, c->path[f->at])) end_production(c, f);
    if (f->at == f->base) return false;
    uint32_t item = c->path[--f->at], state = pare_item_state(c->chart, item);
    const pare_production *production = pare_item_production(c->chart, item);
    if (state == production->first_state + 1) f->alternative = production->alternative;
    uint32_t child = c->chart->items[item].child;
    if (child == PARE_ITEM_SKIPPED) {
        skip_to_item(c, item);
        return true;
    }
    /* The rounds before are items of the path themselves.  An empty base has no item: it is
     * entered for its nodes, unless it is that of a star, which makes none. */
    bool star = c->p->nonterminals[f->nonterminal].kind == PARE_NONTERMINAL_STAR;
    if (!pare_item_is_round(c->chart, item) || (child == PARE_ITEM_NOTHING && !star))
        enter(c, c->p->next[state - 1], child);
    return true;
}

/* Enters the next symbol of a null production, which are all nonterminals; false at its end. */
static bool step_nothing(struct chooser *c)
{
    struct frame *f = &c->frames[c->n_frames - 1];
    uint32_t symbol = c->p->next[f->at];
    if (symbol == PARE_DOT_END) {
        end_production(c, f);
        return false;
    }
    f->at++;
    push_nothing(c, symbol);
    return true;
}

/* Finds the links that start at f->key by bisection; they stand in a row. */
static void find_options(const struct chooser *c, struct frame *f)
{
    pare_halving search = {.low = f->first_link, .high = f->first_link + f->n_links};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, c->links.links[search.middle].key < f->key);
    size_t end = search.low;
    while (end < f->first_link + f->n_links && c->links.links[end].key == f->key)
        end++;
    f->option = search.low;
    f->n_options = end - search.low;
}

/* Leaves the options of the first production only; its number, or PARE_NO_INDEX. */
static uint32_t prefer_production(const struct chooser *c, struct frame *f)
{
    uint32_t best = PARE_NO_INDEX;
    for (size_t i = 0; i < f->n_options; i++) {
        uint32_t own =
            c->p->production[pare_item_state(c->chart, c->links.links[f->option + i].to)];
        if (own < best) best = own;
    }
    size_t kept = 0;
    for (size_t i = 0; i < f->n_options; i++) {
        struct link link = c->links.links[f->option + i];
        if (c->p->production[pare_item_state(c->chart, link.to)] == best)
            c->links.links[f->option + kept++] = link;
    }
    f->n_options = kept;
    return best;
}

/* Whether the frame's nonterminal may derive nothing. */
static bool may_be_nothing(const struct chooser *c, const struct frame *f)
{
    return ends_with_nothing(c->ends + f->first_end, f->n_ends);
}

/* Whether it may end in that set. */
static bool may_end_at(const struct chooser *c, const struct frame *f, uint32_t position)
{
    for (size_t i = 0; i < f->n_ends; i++) {
        if (c->ends[f->first_end + i].position == position) return true;
    }
    return false;
}

/* Puts the frame after the item `to`.  At the end of a round, that is the head of its loop. */
static void stand_after(struct chooser *c, struct frame *f, uint32_t to)
{
    f->key = AT_ITEM | to;
    if (c->p->next[pare_item_state(c->chart, to)] != PARE_DOT_END) return;
    end_production(c, f);
    if (pare_is_loop(&c->p->nonterminals[f->nonterminal])) f->key = AT_LOOP | c->writer.cursor;
}

/* Goes on after a child has ended: the option taken is the one whose item is in the set where
 * the child ended. */
static void resume(struct chooser *c, struct frame *f)
{
    f->waits = false;
    uint32_t to = c->links.links[f->option].to;
    for (size_t i = 1; i < f->n_options; i++) {
        uint32_t other = c->links.links[f->option + i].to;
        if (pare_chart_position(c->chart, other) == c->writer.cursor) to = other;
    }
    stand_after(c, f, to);
}

/* Whether an option skips letters. If some options do and some do not the first one is taken,
 * because what comes after a hole says nothing about which is right. */
static bool some_skip(const struct chooser *c, const struct frame *f)
{
    for (size_t i = 0; i < f->n_options; i++) {
        if (c->links.links[f->option + i].child == PARE_ITEM_SKIPPED) return true;
    }
    return false;
}

/* Goes into the symbol that all options have in common.  Where several ends are possible, its
 * own frame decides. */
static void enter_options(struct chooser *c, struct frame *f)
{
    if (some_skip(c, f)) f->n_options = 1;
    uint32_t to = c->links.links[f->option].to,
             symbol = c->p->next[pare_item_state(c->chart, to) - 1];
    size_t first_end = c->n_ends, option = f->option, n = f->n_options;
    f->waits = true;
    if (c->links.links[option].child == PARE_ITEM_SKIPPED) {
        skip_to_item(c, to);
        return;
    }
    /* There is only one derivation, so nothing has to be decided. */
    if (n == 1 && (symbol & PARE_TERMINAL || c->links.links[option].child == PARE_ITEM_NOTHING)) {
        enter(c, symbol, c->links.links[option].child);
        return;
    }
    for (size_t i = 0; i < n && !c->writer.failed; i++)
        add_end(c, pare_chart_position(c->chart, c->links.links[option + i].to),
                c->links.links[option + i].child);
    if (!c->writer.failed) push_child(c, symbol, first_end);
}

/* Decides at a loop's head; false when the loop ends.  A lazy loop ends as soon as it may. */
static bool step_loop(struct chooser *c, struct frame *f)
{
    find_options(c, f);
    bool lazy = c->p->nonterminals[f->nonterminal].lazy;
    if (f->n_options == 0 || (lazy && may_end_at(c, f, c->writer.cursor))) return false;
    /* Another round: goes on before the item that stands for the loop so far. */
    f->key = AT_ITEM | c->links.links[f->option].to;
    return true;
}

/* Makes the frame one that derives nothing. */
static void become_nothing(struct chooser *c, struct frame *f)
{
    const pare_production *production =
        &c->p->productions[c->p->nonterminals[f->nonterminal].null_production];
    close_graph(c, f);
    f->mode = NOTHING;
    f->at = production->first_state;
    f->alternative = production->alternative;
}

/* The first production that completes the option's child. */
static uint32_t first_production(const struct chooser *c, uint32_t child)
{
    uint32_t best = c->p->production[pare_item_state(c->chart, child)];
    for (uint32_t w = pare_chart_more_ends(c->chart, child); w != PARE_NO_ITEM;
         w = c->chart->ways[w].next) {
        uint32_t own = c->p->production[pare_item_state(c->chart, c->chart->ways[w].before)];
        if (own < best) best = own;
    }
    return best;
}

/* Whether a loop that need not take anything at first should not: there is a way on from
 * there, and what its base would take comes by a later alternative. */
static bool prefers_empty_base(const struct chooser *c, const struct frame *f)
{
    const pare_nonterminal *n = &c->p->nonterminals[f->nonterminal];
    if (!pare_is_loop(n) || !n->nullable) return false;
    /* A copy stands at the head of the loop as if the base were empty. */
    struct frame loop = *f;
    loop.key = AT_LOOP | c->writer.cursor;
    find_options(c, &loop);
    if (loop.n_options == 0 && !may_be_nothing(c, f)) return false;
    /* The base is the first symbol of the loop's first production. */
    uint32_t base = c->p->next[c->p->productions[n->first_production].first_state];
    uint32_t nothing = c->p->nonterminals[base].null_production;
    /* A base that comes by the same alternative as nothing, or an earlier one, is preferred. */
    for (size_t i = 0; i < f->n_options; i++) {
        uint32_t child = c->links.links[f->option + i].child;
        if (child < PARE_ITEM_NOTHING && first_production(c, child) <= nothing) return false;
    }
    return true;
}

/* Decides at the start which production is taken.  False when the frame is to derive nothing
 * first: then it goes on as a NOTHING frame, or after the empty base of a loop. */
static bool step_start(struct chooser *c, struct frame *f)
{
    const pare_nonterminal *n = &c->p->nonterminals[f->nonterminal];
    /* The empty base is a frame of its own; this one goes on at the head of the loop. */
    if (prefers_empty_base(c, f)) {
        f->key = AT_LOOP | c->writer.cursor;
        push_nothing(c, f->nonterminal);
        return false;
    }
    uint32_t best = prefer_production(c, f);
    if (may_be_nothing(c, f) && n->null_production < best) {
        become_nothing(c, f);
        return false;
    }
    if (best != PARE_NO_INDEX) f->alternative = c->p->productions[best].alternative;
    return true;
}

/* Takes one decision; false at the end of the frame. */
static bool step_graph(struct chooser *c)
{
    struct frame *f = &c->frames[c->n_frames - 1];
    if (f->waits) resume(c, f);
    if (f->key >= AT_LOOP) return step_loop(c, f);
    find_options(c, f);
    if (f->key == AT_START && !step_start(c, f)) return true;
    if (f->n_options == 0) return false;
    enter_options(c, f);
    return true;
}

/* Works off the frames until none is left.  This is the recursion over the tree, on a stack of
 * its own: trees may be as deep as the text is long. */
static void follow(struct chooser *c)
{
    while (c->n_frames > 0 && !c->writer.failed) {
        bool more = false;
        if (pare_interrupt_asked_at(++c->n_steps)) c->writer.failed = true;
        switch (c->frames[c->n_frames - 1].mode) {
        case PATH: more = step_path(c); break;
        case GRAPH: more = step_graph(c); break;
        case NOTHING: more = step_nothing(c); break;
        }
        if (!more && !c->writer.failed) finish(c);
    }
}

/* Why no tree was written. */
static pare_status say_failure(const struct chooser *c, pare_error *err)
{
    if (c->is_over)
        return pare_fail(err, PARE_E_LIMIT,
                         "the grammar derives nothing by too many rules: the tree would have more "
                         "than %d nodes without any text",
                         MOST_EMPTY_NODES);
    pare_status status = pare_interrupt_look(err);
    return status ? status : pare_fail_nomem(err);
}

/* The start symbol is the first frame, with all finishes as its ends.  If it was predicted
 * only after a hole, the hole comes first. */
pare_status pare_disambiguate_tree(const pare_chart *chart, const pare_letters *letters,
                                   const pare_finish *finishes, size_t n_finishes,
                                   pare_parse_tree *tree, pare_error *err)
{
    struct chooser c = {
        .chart = chart, .p = chart->p, .writer = {.letters = letters}, .links = {.chart = chart}};
    for (size_t i = 0; i < n_finishes && !c.writer.failed; i++)
        add_end(&c, finishes[i].position, finishes[i].item);
    if (!c.writer.failed) push_child(&c, chart->p->start, 0);
    if (!c.writer.failed) pare_tree_writer_skip(&c.writer, chart->start_set);
    follow(&c);
    assert(c.writer.failed || (c.n_frames == 0 && c.n_path == 0 && c.links.n_links == 0));
    pare_status status =
        c.writer.failed ? say_failure(&c, err) : pare_tree_writer_store(&c.writer, tree, err);
    pare_alloc_free(c.frames);
    pare_alloc_free(c.path);
    pare_alloc_free(c.ends);
    pare_tree_writer_done(&c.writer);
    links_done(&c.links);
    pare_alloc_free(c.open);
    return status;
}
