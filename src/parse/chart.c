/* The chart that a run of the recogniser leaves: access to what the items' arrays do not show.
 *
 * Most items come in one way, which stands in the item.  Further ways, and further items that
 * complete the same group in a set, are lists in `ways`, whose heads are found by a hash of the
 * item; the flags in the item say whether to look at all.  That keeps an item at 16 bytes, and
 * the chart of a deterministic text without any list.  The heads have a table of their own, as
 * indices of 32 bits: base/hash_index.h would take twice the memory, which is the limit here.
 * The set of an item is found by bisection over the sets' first items.
 *
 * The rare case pays: most items have one way, which is in the item itself; further ways are
 * looked up by hash, and few parses have any. */
#include "parse/earley.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/halving.h"
#include "base/vector.h"

#define MAX_WAYS ((size_t)1 << 26)

void pare_chart_done(pare_chart *chart)
{
    pare_alloc_free(chart->items);
    pare_alloc_free(chart->made_in);
    pare_alloc_free(chart->set_first);
    pare_alloc_free(chart->groups);
    pare_alloc_free(chart->waiters);
    pare_alloc_free(chart->ways);
    pare_alloc_free(chart->way_of);
    pare_alloc_free(chart->finishes);
    pare_alloc_free(chart->holes);
    pare_alloc_free(chart->expected);
    memset(chart, 0, sizeof *chart);
}

/* --- further ways ------------------------------------------------------------------- */

/* The key of an item's list of further ways, or of further ends.  way_of holds, by key, the
 * index + 1 of the list's head in `ways`; the head keeps its key in `before`, and points to
 * the list by `next`. */
static uint32_t way_key(uint32_t item, uint32_t flag)
{
    return item << 1 | (flag == PARE_ITEM_MORE_ENDS);
}

/* The slot of the key's head, or the free one where it would go. */
static size_t find_head(const pare_chart *chart, uint32_t key)
{
    size_t i = (key * 0x9E3779B1u >> 4) & chart->way_mask;
    while (chart->way_of[i] && chart->ways[chart->way_of[i] - 1].before != key)
        i = (i + 1) & chart->way_mask;
    return i;
}

/* Makes room for one more head, at most half full; false when memory is out.  Heads are moved
 * by their keys, which stand in `ways`. */
static bool reserve_heads(pare_chart *chart)
{
    if (chart->way_of && chart->n_ways + 2 <= chart->way_mask / 2) return true;
    size_t old = chart->way_of ? chart->way_mask + 1 : 0, size = old ? 2 * old : 64;
    uint32_t *before = chart->way_of, *table = pare_alloc_zero(size, sizeof *table);
    if (!table) return false;
    chart->way_of = table;
    chart->way_mask = size - 1;
    for (size_t i = 0; i < old; i++) {
        if (before[i]) table[find_head(chart, chart->ways[before[i] - 1].before)] = before[i];
    }
    pare_alloc_free(before);
    return true;
}

/* Whether what one item refers to is there. */
static bool check_item(const pare_chart *chart, uint32_t i)
{
    const pare_item *item = &chart->items[i];
    uint32_t state = pare_item_state(chart, i);
    if (state >= chart->p->n_states || item->group >= chart->n_groups) return false;
    /* Dotted states at the start are waiters, never items. */
    if (state == pare_item_production(chart, i)->first_state) return false; /* a start is no item */
    if (item->before < PARE_ITEM_CHAIN && item->before >= chart->n_items) return false;
    if (item->child < PARE_ITEM_CHAIN && item->child >= chart->n_items) return false;
    return chart->groups[item->group].position < chart->n_sets;
}

bool pare_chart_check(const pare_chart *chart)
{
    for (size_t i = 1; i < chart->n_sets; i++)
        if (chart->set_first[i] < chart->set_first[i - 1]) return false;
    for (size_t i = 1; i < chart->n_groups; i++)
        if (chart->groups[i].first_waiter < chart->groups[i - 1].first_waiter) return false;
    for (uint32_t i = 0; i < chart->n_items; i++)
        if (!check_item(chart, i)) return false;
    return chart->n_items <= chart->items_capacity;
}

/* The first further way makes a head.  A new way is linked right after the head, so the last
 * one noted comes first. */
bool pare_chart_add_way(pare_chart *chart, uint32_t item, uint32_t flag, pare_chart_way way)
{
    if (chart->n_ways >= MAX_WAYS) return true;
    pare_chart_way *ways =
        pare_vector_reserve(chart->ways, &chart->ways_capacity, chart->n_ways + 2, sizeof *ways);
    if (ways) chart->ways = ways;
    if (!ways || !reserve_heads(chart)) return false;
    chart->items[item].state |= flag;
    size_t slot = find_head(chart, way_key(item, flag));
    if (!chart->way_of[slot]) {
        ways[chart->n_ways++] = (pare_chart_way){way_key(item, flag), 0, PARE_NO_ITEM};
        chart->way_of[slot] = (uint32_t)chart->n_ways;
    }
    pare_chart_way *head = &ways[chart->way_of[slot] - 1];
    ways[chart->n_ways] = (pare_chart_way){way.before, way.child, head->next};
    head->next = (uint32_t)chart->n_ways++;
    return true;
}

/* The first entry of an item's list; PARE_NO_ITEM without one, which the flag tells. */
static uint32_t further(const pare_chart *chart, uint32_t item, uint32_t flag)
{
    if (!(chart->items[item].state & flag)) return PARE_NO_ITEM;
    return chart->ways[chart->way_of[find_head(chart, way_key(item, flag))] - 1].next;
}

uint32_t pare_chart_more_ways(const pare_chart *chart, uint32_t item)
{
    return further(chart, item, PARE_ITEM_MORE_WAYS);
}

uint32_t *pare_chart_ways_of(pare_chart *chart, uint32_t item)
{
    if (!(chart->items[item].state & PARE_ITEM_MORE_WAYS)) return NULL;
    size_t head = find_head(chart, way_key(item, PARE_ITEM_MORE_WAYS));
    return &chart->ways[chart->way_of[head] - 1].next;
}

uint32_t pare_chart_more_ends(const pare_chart *chart, uint32_t item)
{
    return further(chart, item, PARE_ITEM_MORE_ENDS);
}

/* Items that were made again (leo.c) are outside the order of the sets and have a note of
 * theirs.  For all others by bisection: the last set that begins at the item or before it. */
uint32_t pare_chart_position(const pare_chart *chart, uint32_t item)
{
    pare_halving search = {.low = 1, .high = chart->n_sets};
    if (item >= chart->first_made) return chart->made_in[item - chart->first_made];
    while (pare_halving_next(&search))
        pare_halving_tell(&search, chart->set_first[search.middle] <= item);
    assert(chart->set_first[search.low - 1] <= item);
    return (uint32_t)(search.low - 1);
}

size_t pare_chart_bytes(const pare_chart *chart)
{
    return chart->items_capacity * sizeof *chart->items +
           chart->sets_capacity * sizeof *chart->set_first +
           chart->groups_capacity * sizeof *chart->groups +
           chart->waiters_capacity * sizeof *chart->waiters +
           chart->ways_capacity * sizeof *chart->ways;
}
