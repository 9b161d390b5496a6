/* All ways by which a nonterminal may have been derived between where it starts and its
 * possible ends, as edges from each place in its productions to the next.  One thread. */
#ifndef PARE_PARSE_WAYS_H
#define PARE_PARSE_WAYS_H

#include "parse/chart.h"

/* Keys of edges: the place where they start. */
#define PARE_AT_START ((uint64_t)0)      /* of the nonterminal */
#define PARE_AT_ITEM ((uint64_t)1 << 32) /* | item: behind it */
#define PARE_AT_LOOP ((uint64_t)2 << 32) /* | set: the head of a loop */

typedef struct pare_edge {
    uint64_t key;
    uint32_t to, child; /* item it leads to, and what completed the symbol between */
} pare_edge;

/* A stack of collections.  All-zero but for the chart; ended by pare_ways_done. */
typedef struct pare_way_stack {
    const pare_chart *chart; /* borrowed */
    pare_edge *edges;
    size_t n_edges, edges_capacity;
    uint32_t *work; /* items still to look at */
    size_t n_work, work_capacity;
    uint64_t *seen; /* hash set: collection << 32 | item */
    size_t seen_mask, n_seen;
    uint32_t collection;
    bool failed; /* memory ran out */
} pare_way_stack;

/* Adds the edges of all ways to `ends`, for a nonterminal that starts in set `from`:
 * edges[n_edges before .. n_edges - 1], ordered by key and item.  Sets `failed` when
 * memory is out.  O(e log e) for e edges. */
void pare_ways_collect(pare_way_stack *ways, const pare_finish *ends, size_t n_ends, uint32_t from);
void pare_ways_done(pare_way_stack *ways);

/* Whether the nonterminal may derive nothing: one of its ends says so. */
bool pare_ends_with_nothing(const pare_finish *ends, size_t n_ends);

#endif
