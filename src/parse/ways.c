/* Backwards from the ends: each item once for each collection. */
#include "parse/ways.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

static bool reserve_seen(pare_way_stack *ways)
{
    if (ways->seen && 2 * (ways->n_seen + 1) <= ways->seen_mask) return true;
    size_t size = ways->seen ? 2 * (ways->seen_mask + 1) : 256;
    uint64_t *old = ways->seen, *table = pare_alloc_zero(size, sizeof *table);
    if (!table) return false;
    for (size_t i = 0; old && i <= ways->seen_mask; i++) {
        if (old[i] >> 32 != ways->collection) continue;
        size_t at = (uint32_t)old[i] * 0x9E3779B1u & (size - 1);
        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = old[i];
    }
    pare_release(old);
    ways->seen = table;
    ways->seen_mask = size - 1;
    return true;
}

/* Puts the item on the work list unless this collection has had it. */
static void want(pare_way_stack *ways, uint32_t item)
{
    if (item >= PARE_ITEM_NOTHING || ways->failed) return;
    uint32_t *work =
        pare_vector_reserve(ways->work, &ways->work_capacity, ways->n_work + 1, sizeof *work);
    if (work) ways->work = work;
    if (!work || !reserve_seen(ways)) {
        ways->failed = true;
        return;
    }
    uint64_t mark = (uint64_t)ways->collection << 32 | item;
    size_t at = item * 0x9E3779B1u & ways->seen_mask;
    for (; ways->seen[at] >> 32 == ways->collection; at = (at + 1) & ways->seen_mask) {
        if (ways->seen[at] == mark) return;
    }
    ways->seen[at] = mark;
    ways->n_seen++;
    ways->work[ways->n_work++] = item;
}

static void want_ends(pare_way_stack *ways, uint32_t item)
{
    if (item >= PARE_ITEM_NOTHING) return;
    want(ways, item);
    for (uint32_t w = pare_chart_more_ends(ways->chart, item); w != PARE_NO_ITEM;
         w = ways->chart->ways[w].next)
        want(ways, ways->chart->ways[w].before);
}

static void add_edge(pare_way_stack *ways, uint64_t key, uint32_t to, uint32_t child)
{
    pare_edge *grown =
        pare_vector_reserve(ways->edges, &ways->edges_capacity, ways->n_edges + 1, sizeof *grown);
    if (!grown) {
        ways->failed = true;
        return;
    }
    ways->edges = grown;
    ways->edges[ways->n_edges++] = (pare_edge){key, to, child};
}

/* A round of a loop that took nothing is no way: it would go on for ever. */
static bool is_idle_round(const pare_way_stack *ways, uint32_t to, uint32_t before, uint32_t child)
{
    return child == PARE_ITEM_NOTHING && before != PARE_NO_ITEM &&
           pare_item_is_complete(ways->chart, to) && pare_item_is_round(ways->chart, before);
}

static void add_way(pare_way_stack *ways, uint32_t to, uint32_t before, uint32_t child)
{
    if (is_idle_round(ways, to, before, child)) return;
    add_edge(ways, before == PARE_NO_ITEM ? PARE_AT_START : PARE_AT_ITEM | before, to, child);
    want(ways, before);
}

static void collect_item(pare_way_stack *ways, uint32_t item)
{
    const pare_item *i = &ways->chart->items[item];
    if (pare_item_is_round(ways->chart, item)) {
        add_edge(ways, PARE_AT_LOOP | pare_chart_position(ways->chart, item), item, PARE_NO_ITEM);
        want_ends(ways, i->child);
        return;
    }
    add_way(ways, item, i->before, i->child);
    for (uint32_t w = pare_chart_more_ways(ways->chart, item); w != PARE_NO_ITEM;
         w = ways->chart->ways[w].next)
        add_way(ways, item, ways->chart->ways[w].before, ways->chart->ways[w].child);
}

static int by_key(const void *a, const void *b)
{
    const pare_edge *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

bool pare_ends_with_nothing(const pare_finish *ends, size_t n_ends)
{
    for (size_t i = 0; i < n_ends; i++) {
        if (ends[i].item == PARE_ITEM_NOTHING) return true;
    }
    return false;
}

/* Wants the items by which the nonterminal of `item` derives nothing in set `set`,
 * production by production, where it also may derive something. */
static void want_empty_ends(pare_way_stack *ways, uint32_t item, uint32_t set)
{
    uint32_t group = ways->chart->items[item].group;
    uint32_t end = ways->chart->set_first[set + 1];
    for (uint32_t i = ways->chart->set_first[set]; i < end; i++) {
        if (ways->chart->items[i].group == group && pare_item_is_complete(ways->chart, i))
            want(ways, i);
    }
}

void pare_ways_collect(pare_way_stack *ways, const pare_finish *ends, size_t n_ends, uint32_t from)
{
    bool nothing = pare_ends_with_nothing(ends, n_ends);
    size_t first_edge = ways->n_edges;
    ways->collection++;
    ways->n_seen = 0;
    for (size_t i = 0; i < n_ends; i++) {
        want_ends(ways, ends[i].item);
        if (nothing && ends[i].item < PARE_ITEM_NOTHING) {
            want_empty_ends(ways, ends[i].item, from);
            nothing = false;
        }
    }
    while (ways->n_work > 0 && !ways->failed)
        collect_item(ways, ways->work[--ways->n_work]);
    ways->n_work = 0;
    size_t n = ways->n_edges - first_edge;
    if (n > 1) qsort(ways->edges + first_edge, n, sizeof *ways->edges, by_key);
}

void pare_ways_done(pare_way_stack *ways)
{
    pare_release(ways->edges);
    pare_release(ways->work);
    pare_release(ways->seen);
    memset(ways, 0, sizeof *ways);
}
