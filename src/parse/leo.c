/* Chains of right recursion: where they lead, and how what was skipped is made again.
 *
 * Tops are found by path compression: a walk upwards over the links notes its top for each
 * group it came by, so that all walks together cost no more than the links there are.  Tops
 * are valid for a run, since the waiters of a group do not change once its set is complete.
 *
 * Expansion goes from the last set to the first: what accepted derivations need is marked,
 * and chains at marked items are completed again link by link, without looking for shorter
 * ways.  Invariants: an item refers to items of its own set or of earlier ones, so that all
 * that is needed of a set is known when its turn comes; the items made of a set are needed,
 * as the chain they are of.  A group's child is the first item that completed it in the set,
 * as in a run; groups that two chains come by are advanced once.  The way noted first never
 * leads back to its item, also where rules derive themselves: it was there before.
 *
 * Both hash tables are keyed by two numbers and emptied often (for a run, for a set); they
 * hold their items in the slots, so a look-up touches one line of the cache.
 * Source: see leo.h. */
#include "parse/earley.h"

#include <assert.h>
#include <string.h>

#include <pare/status.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/productions.h"

#define NONE UINT32_MAX       /* no chain: no link, or a circle */
#define OPEN (UINT32_MAX - 1) /* on the walk under way */

/* The waiters of a group end where those of the next one begin. */
static uint32_t waiters_end(const pare_chart *chart, uint32_t group)
{
    return group + 1 < chart->n_groups ? chart->groups[group + 1].first_waiter
                                       : (uint32_t)chart->n_waiters;
}

/* Whether something of the production after the dot could take the letter: then the item at the
 * dot is not the only one there before that letter, and the chain may go two ways. */
static bool tail_begins(const pare_productions *p, uint32_t state, uint32_t letter)
{
    for (; p->next[state] != PARE_DOT_END; state++) {
        if (pare_symbol_begins(p, p->next[state], letter)) return true;
    }
    return false;
}

/* The link of a group: its only waiter that can go on before the letter, if going on completes its
 * production; PARE_NO_ITEM: there is none, or more than one can go on. */
static uint32_t find_link(const pare_chart *chart, uint32_t group, uint32_t letter)
{
    const pare_productions *p = chart->p;
    uint32_t end = waiters_end(chart, group), found = PARE_NO_ITEM;
    for (uint32_t i = chart->groups[group].first_waiter; i < end; i++) {
        uint32_t state = pare_waiter_state(chart, chart->waiters[i]);
        if (!pare_letter_in(p, chart->look, state + 1, letter)) continue;
        /* A second waiter that can go on, or one that is no link of a right recursion. */
        if (found != PARE_NO_ITEM || !p->right_recursive[state]) return PARE_NO_ITEM;
        if (tail_begins(p, state + 1, letter)) return PARE_NO_ITEM;
        found = i;
    }
    return found;
}

uint32_t pare_leo_end_state(const pare_chart *chart, pare_waiter waiter)
{
    uint32_t state = pare_waiter_state(chart, waiter);
    while (chart->p->next[state] != PARE_DOT_END)
        state++;
    return state;
}

/* --- tops --------------------------------------------------------------------------- */

void pare_leo_reset(pare_leo *leo)
{
    if (leo->n > 0) memset(leo->tops, 0, (leo->mask + 1) * sizeof *leo->tops);
    leo->n = 0;
}

void pare_leo_done(pare_leo *leo)
{
    pare_alloc_free(leo->tops);
    *leo = (pare_leo){0};
}

/* The slot where the top is kept, or the free one where it would go. */
static pare_leo_top *find(const pare_leo *leo, uint32_t group, uint32_t letter)
{
    uint64_t hash = ((uint64_t)group << 32 | letter) * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 32) & leo->mask;
    while (leo->tops[at].waiter && (leo->tops[at].group != group || leo->tops[at].letter != letter))
        at = (at + 1) & leo->mask;
    return &leo->tops[at];
}

/* Makes room for one more top, at most half full; false when memory is out. */
static bool reserve(pare_leo *leo)
{
    if (leo->tops && 2 * (leo->n + 1) <= leo->mask) return true;
    pare_leo old = *leo;
    size_t size = old.tops ? 2 * (old.mask + 1) : 256;
    pare_leo_top *tops = pare_alloc_zero(size, sizeof *tops);
    if (!tops) return false;
    *leo = (pare_leo){tops, size - 1, old.n};
    for (size_t i = 0; old.tops && i <= old.mask; i++) {
        if (old.tops[i].waiter) *find(leo, old.tops[i].group, old.tops[i].letter) = old.tops[i];
    }
    pare_alloc_free(old.tops);
    return true;
}

/* Walks upwards until there is no link or the top is known.  Returns the top, as index + 1 of
 * its waiter, or NONE.  Groups that the walk came by are left OPEN; to meet one means that
 * rules derive themselves, and the circle has no top. */
static uint32_t climb(pare_leo *leo, const pare_chart *chart, uint32_t group, uint32_t letter,
                      bool *failed)
{
    uint32_t top = NONE;
    for (;;) {
        if (!reserve(leo)) {
            *failed = true;
            return NONE;
        }
        pare_leo_top *known = find(leo, group, letter);
        /* OPEN: a circle.  NONE: the chain ends here, so the last link is the top. */
        if (known->waiter)
            return known->waiter == OPEN ? NONE : known->waiter == NONE ? top : known->waiter;
        uint32_t link = find_link(chart, group, letter);
        assert(!known->waiter);
        *known = (pare_leo_top){group, letter, link == PARE_NO_ITEM ? NONE : OPEN};
        leo->n++;
        if (link == PARE_NO_ITEM) return top;
        top = link + 1;
        group = chart->waiters[link].group;
    }
}

/* Climbs, then walks the same way again and gives the top to all groups that it left OPEN.  A
 * chain of one link is not worth skipping, so a top among the group's own waiters is not
 * reported. */
uint32_t pare_leo_find_top(pare_leo *leo, const pare_chart *chart, uint32_t group, uint32_t letter,
                           bool *failed)
{
    uint32_t top = climb(leo, chart, group, letter, failed);
    if (*failed) return PARE_NO_ITEM;
    for (uint32_t at = group;;) {
        pare_leo_top *known = find(leo, at, letter);
        if (known->waiter != OPEN) break;
        known->waiter = top;
        /* Links are not kept; each is found a second time. */
        at = chart->waiters[find_link(chart, at, letter)].group;
    }
    bool own = top != NONE && top - 1 >= chart->groups[group].first_waiter &&
               top - 1 < waiters_end(chart, group);
    return top == NONE || own ? PARE_NO_ITEM : top - 1;
}

/* --- making skipped chains ---------------------------------------------------------- */

#define DONE UINT32_MAX           /* as state: the first item that completed the group */
#define ADVANCED (UINT32_MAX - 1) /* as state: its waiter was advanced here */

struct entry {
    uint32_t state, group, item; /* item + 1; 0: free */
};

/* The chart being expanded, set by set, from the last one. */
struct expansion {
    pare_chart *chart;
    uint64_t *needed; /* bit by item of the run */
    uint32_t *work;   /* items of the set, needed and not looked at */
    size_t n_work, work_capacity, made_capacity;
    uint32_t set, letter;
    struct entry *entries; /* by hash: items of the set, and what is known of its groups */
    size_t mask, n_entries;
    size_t n_looked_at; /* items so far */
    bool entered;       /* the items of the set are in entries */
    uint32_t limit;     /* items of the run after it came later than what is made */
    uint32_t replaced;  /* child of before, where another completes the group first now */
    bool failed;        /* memory ran out, or nobody wants the tree any more */
};

/* Puts an item on the list of those to be looked at. */
static void push(struct expansion *x, uint32_t item)
{
    uint32_t *grown = pare_vector_reserve(x->work, &x->work_capacity, x->n_work + 1, sizeof *grown);
    if (!grown) {
        x->failed = true;
        return;
    }
    x->work = grown;
    x->work[x->n_work++] = item;
}

/* Notes that an item of the run is part of an accepted derivation.  One of this set goes on
 * the work list; one of an earlier set is marked, and its turn comes with its set. */
static void need(struct expansion *x, uint32_t item)
{
    /* Items that are made here are expanded when they are made. */
    if (item >= x->chart->first_made) return;
    uint64_t bit = (uint64_t)1 << item % 64;
    if (x->needed[item / 64] & bit) return;
    x->needed[item / 64] |= bit;
    if (item >= x->chart->set_first[x->set]) push(x, item);
}

/* Notes an item that is a child: all items that complete its group in its set are possible
 * children, so all of them are needed. */
static void need_ends(struct expansion *x, uint32_t item)
{
    const pare_chart *chart = x->chart;
    if (item >= PARE_ITEM_CHAIN) return;
    need(x, item);
    for (uint32_t w = pare_chart_more_ends(chart, item); w != PARE_NO_ITEM; w = chart->ways[w].next)
        need(x, chart->ways[w].before);
}

/* --- items of the set ----------------------------------------------------------------- */

/* The entry of (state, group) in the set's table, or the free one where it would go.  `state`
 * may be DONE or ADVANCED, which are no states. */
static struct entry *find_entry(const struct expansion *x, uint32_t state, uint32_t group)
{
    uint64_t hash = ((uint64_t)group << 32 | state) * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 32) & x->mask;
    while (x->entries[at].item && (x->entries[at].state != state || x->entries[at].group != group))
        at = (at + 1) & x->mask;
    return &x->entries[at];
}

/* Puts an entry into the set's table and keeps that at most half full. */
static void enter(struct expansion *x, uint32_t state, uint32_t group, uint32_t item)
{
    if (!x->entries || 2 * (x->n_entries + 1) > x->mask) {
        struct entry *old = x->entries;
        size_t n = old ? x->mask + 1 : 0, size = old ? 2 * n : 256;
        struct entry *entries = pare_alloc_zero(size, sizeof *entries);
        if (!entries) {
            x->failed = true;
            return;
        }
        x->entries = entries;
        x->mask = size - 1;
        for (size_t i = 0; i < n; i++) {
            if (old[i].item) *find_entry(x, old[i].state, old[i].group) = old[i];
        }
        pare_alloc_free(old);
    }
    *find_entry(x, state, group) = (struct entry){state, group, item + 1};
    x->n_entries++;
}

/* Fills the table with the items of the set, when the first chain of the set is expanded: most
 * sets have none. */
static void enter_set(struct expansion *x)
{
    const pare_chart *chart = x->chart;
    if (x->entries) memset(x->entries, 0, (x->mask + 1) * sizeof *x->entries);
    x->n_entries = 0;
    x->entered = true;
    uint32_t end = chart->set_first[x->set + 1];
    for (uint32_t i = chart->set_first[x->set]; i < end && !x->failed; i++) {
        uint32_t group = chart->items[i].group;
        enter(x, pare_item_state(chart, i), group, i);
        /* The first one that completes its group is the child that others refer to. */
        if (!x->failed && pare_item_is_complete(chart, i) && !find_entry(x, DONE, group)->item)
            enter(x, DONE, group, i);
    }
}

/* Makes an item that the run had skipped.  It goes to the end of the array, so its set is
 * noted apart, in made_in. */
static uint32_t make_item(struct expansion *x, pare_item item)
{
    pare_chart *chart = x->chart;
    size_t n_made = chart->n_items - chart->first_made;
    pare_item *items = pare_vector_reserve(chart->items, &chart->items_capacity, chart->n_items + 1,
                                           sizeof *items);
    if (items) chart->items = items;
    uint32_t *sets =
        pare_vector_reserve(chart->made_in, &x->made_capacity, n_made + 1, sizeof *sets);
    if (sets) chart->made_in = sets;
    if (!items || !sets || chart->n_items >= PARE_WAITER_START - 2) {
        x->failed = true;
        return 0;
    }
    assert(item.group < chart->n_groups);
    uint32_t index = (uint32_t)chart->n_items++;
    items[index] = item;
    sets[n_made] = x->set;
    enter(x, item.state, item.group, index);
    push(x, index);
    return index;
}

/* --- ways ----------------------------------------------------------------------------- */

/* Takes out a further way of the item: one that is a chain, or the one from `before` by
 * `child`, which may be noted with the child that it replaces.  False: there is none. */
static bool take_way(struct expansion *x, uint32_t item, uint32_t before, uint32_t child,
                     pare_chart_way *taken)
{
    pare_chart *chart = x->chart;
    uint32_t *link = pare_chart_ways_of(chart, item);
    for (; link && *link != PARE_NO_ITEM; link = &chart->ways[*link].next) {
        *taken = chart->ways[*link];
        if (taken->before != before) continue;
        if (before != PARE_ITEM_CHAIN && taken->child != child && taken->child != x->replaced)
            continue;
        *link = taken->next;
        /* The flag may not promise ways that are gone. */
        if (pare_chart_more_ways(chart, item) == PARE_NO_ITEM)
            chart->items[item].state &= ~PARE_ITEM_MORE_WAYS;
        return true;
    }
    return false;
}

/* Adds a further way, or a further end. */
static void add_way(struct expansion *x, uint32_t item, uint32_t flag, pare_chart_way way)
{
    if (!pare_chart_add_way(x->chart, item, flag, way)) x->failed = true;
}

/* Adds a way to an item of the set unless it is there.  The way noted first is the one that a
 * run without skipping would have found first, so a new one takes its place if the old one is
 * the chain or came after the limit. */
static void add_way_to(struct expansion *x, uint32_t item, uint32_t before, uint32_t child)
{
    pare_item *i = &x->chart->items[item];
    pare_chart_way first = {.before = i->before, .child = i->child}, taken;
    bool same = first.before == before && (first.child == child || first.child == x->replaced);
    if (same || first.before == PARE_ITEM_CHAIN || x->limit < item) {
        (void)take_way(x, item, before, child, &taken);
        i->before = before;
        i->child = child;
        if (!same && first.before != PARE_ITEM_CHAIN) add_way(x, item, PARE_ITEM_MORE_WAYS, first);
    } else {
        (void)take_way(x, item, before, child, &taken);
        add_way(x, item, PARE_ITEM_MORE_WAYS, (pare_chart_way){.before = before, .child = child});
    }
}

/* The item of the set with that state and group, to which the way is added, or a new one. */
static uint32_t put(struct expansion *x, uint32_t state, uint32_t group, uint32_t before,
                    uint32_t child)
{
    uint32_t found = find_entry(x, state, group)->item;
    if (before < PARE_ITEM_CHAIN) need(x, before);
    need_ends(x, child);
    if (!found) return make_item(x, (pare_item){state, group, before, child});
    add_way_to(x, --found, before, child);
    return found;
}

/* Puts the items by which the waiter's production goes on after its symbol, over symbols that
 * are nothing, and returns the complete one. */
static uint32_t advance(struct expansion *x, pare_waiter waiter, uint32_t child)
{
    const pare_productions *p = x->chart->p;
    bool start = waiter.ref & PARE_WAITER_START;
    uint32_t state = pare_waiter_state(x->chart, waiter) + 1;
    uint32_t item = put(x, state, waiter.group, start ? PARE_NO_ITEM : waiter.ref, child);
    while (p->next[state] != PARE_DOT_END && !x->failed)
        item = put(x, ++state, waiter.group, item, PARE_ITEM_NOTHING);
    return item;
}

/* Lets `item` complete the group, as the first that does or besides that one.  An item that
 * came after the limit must not stay the first: it may be derived from the top of the chain,
 * and would then be its own part.  All that completed the group after it move to the new one. */
static void note_end(struct expansion *x, uint32_t group, uint32_t item)
{
    pare_chart *chart = x->chart;
    uint32_t done = find_entry(x, DONE, group)->item;
    x->replaced = PARE_NO_ITEM;
    if (!done) {
        enter(x, DONE, group, item);
    } else if (--done != item && done > x->limit && done < chart->first_made) {
        find_entry(x, DONE, group)->item = item + 1;
        x->replaced = done;
        add_way(x, item, PARE_ITEM_MORE_ENDS, (pare_chart_way){.before = done});
        for (uint32_t w = pare_chart_more_ends(chart, done); w != PARE_NO_ITEM && !x->failed;
             w = chart->ways[w].next) {
            uint32_t end = chart->ways[w].before;
            if (end != item) add_way(x, item, PARE_ITEM_MORE_ENDS, (pare_chart_way){.before = end});
        }
        chart->items[done].state &= ~PARE_ITEM_MORE_ENDS;
    } else if (done != item && item >= chart->first_made) {
        add_way(x, done, PARE_ITEM_MORE_ENDS, (pare_chart_way){.before = item});
    }
}

/* Completes again from the item `bottom` up to `top`, link by link.  `limit` is the top when
 * the chain was the first way to it, so that the chain was derived without what came later;
 * else PARE_NO_ITEM. */
static void complete_chain(struct expansion *x, uint32_t bottom, uint32_t top, uint32_t limit)
{
    pare_chart *chart = x->chart;
    uint32_t group = chart->items[bottom].group;
    x->limit = limit;
    x->replaced = PARE_NO_ITEM;
    while (!x->failed && !find_entry(x, ADVANCED, group)->item) {
        /* Another chain that comes by here ends: the rest is the same. */
        enter(x, ADVANCED, group, 0);
        uint32_t link = find_link(chart, group, x->letter);
        if (x->failed || link == PARE_NO_ITEM) return;
        uint32_t item = advance(x, chart->waiters[link], find_entry(x, DONE, group)->item - 1);
        group = chart->waiters[link].group;
        if (x->failed || item == top) return;
        note_end(x, group, item);
    }
}

/* Makes the chains that the item is the top of: the one by which it was found first, then
 * those among its further ways. */
static void expand_item(struct expansion *x, uint32_t item)
{
    pare_item first = x->chart->items[item];
    pare_chart_way way = {.child = first.child};
    if (first.before == PARE_ITEM_CHAIN) {
        if (!x->entered) enter_set(x);
        complete_chain(x, way.child, item, item);
    }
    while (!x->failed && take_way(x, item, PARE_ITEM_CHAIN, 0, &way)) {
        if (!x->entered) enter_set(x);
        complete_chain(x, way.child, item, PARE_NO_ITEM);
    }
}

/* Looks at an item that is needed: its chains are made, and what its ways refer to is needed,
 * too. */
static void look_at(struct expansion *x, uint32_t item)
{
    const pare_chart *chart = x->chart;
    /* The item was made as part of a chain, so it is not the top of one. */
    if (item < chart->first_made) expand_item(x, item);
    if (x->failed) return;
    pare_item i = chart->items[item];
    if (i.before < PARE_ITEM_CHAIN) need(x, i.before);
    need_ends(x, i.child);
    for (uint32_t w = pare_chart_more_ways(chart, item); w != PARE_NO_ITEM;
         w = chart->ways[w].next) {
        if (chart->ways[w].before < PARE_ITEM_CHAIN) need(x, chart->ways[w].before);
        need_ends(x, chart->ways[w].child);
    }
}

/* --- sets ----------------------------------------------------------------------------- */

/* Expands one set.  Items made on the way are put on the work list themselves, so the set is
 * complete when the list is empty. */
static void expand_set(struct expansion *x)
{
    const pare_chart *chart = x->chart;
    uint32_t end = chart->set_first[x->set + 1];
    x->entered = false;
    for (uint32_t i = chart->set_first[x->set]; i < end && !x->failed; i++) {
        if (x->needed[i / 64] >> i % 64 & 1) push(x, i);
    }
    while (x->n_work > 0 && !x->failed) {
        look_at(x, x->work[--x->n_work]);
        if (pare_interrupt_asked_at(++x->n_looked_at)) x->failed = true;
    }
}

/* The letter that the set stands before; `hole` is the number of holes up to the set. */
static uint32_t letter_of(const pare_chart *chart, uint32_t set, size_t hole)
{
    uint32_t at = set;
    if (hole > 0) at = chart->holes[hole - 1].to + (set - chart->holes[hole - 1].set);
    return at < chart->n_letters ? chart->letters[at] : PARE_TOKEN_END;
}

/* Expands what the accepted ends need.  Sets are gone through from the last to the first;
 * holes before the set tell which letter it stands before. */
pare_status pare_leo_expand(pare_chart *chart, const pare_finish *finishes, size_t n,
                            pare_error *err)
{
    if (!chart->has_chains) return PARE_OK;
    struct expansion x = {.chart = chart, .set = (uint32_t)chart->n_sets};
    size_t hole = chart->n_holes;
    chart->first_made = chart->n_items;
    x.needed = pare_alloc_zero(chart->n_items / 64 + 1, sizeof *x.needed);
    assert(n > 0);
    x.failed = !x.needed;
    for (size_t i = 0; i < n && !x.failed; i++)
        need_ends(&x, finishes[i].item);
    while (x.set-- > 0 && !x.failed) {
        while (hole > 0 && chart->holes[hole - 1].set > x.set)
            hole--;
        x.letter = letter_of(chart, x.set, hole);
        expand_set(&x);
    }
    pare_alloc_free(x.needed);
    pare_alloc_free(x.work);
    pare_alloc_free(x.entries);
    if (!x.failed) return PARE_OK;
    pare_status status = pare_interrupt_look(err);
    return status ? status : pare_fail_nomem(err);
}
