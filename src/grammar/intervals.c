/* Sets of numbers under construction: intervals are appended unsorted and normalised once.
 *
 * Appending is O(1), normalising O(n log n).  A balanced structure would keep order all the time;
 * but sets are made in one go, looked at afterwards, and mostly have a handful of intervals.
 * Invariant after normalising: ascending, disjoint and not touching, so equal sets have equal
 * intervals. */
#include "grammar/intervals.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"

void pare_intervals_done(pare_intervals *set)
{
    pare_alloc_free(set->items);
    *set = (pare_intervals){0};
}

/* Overlaps are allowed until the set is normalised, so a union is a row of additions. */
pare_status pare_intervals_add(pare_intervals *set, uint32_t from, uint32_t to, pare_error *err)
{
    /* An empty interval, as it comes from a range written the wrong way round, adds nothing. */
    if (from > to) return PARE_OK;
    pare_interval *items = pare_vector_grow(set->items, set->n, &set->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    set->items = items;
    set->items[set->n++] = (pare_interval){from, to};
    return PARE_OK;
}

/* Of intervals with one begin the order does not matter: the longer one swallows the other. */
static int by_start(const void *a, const void *b)
{
    const pare_interval *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Holds after normalising and for a complement. 64 bits, as in pare_intervals_complement. */
bool pare_intervals_check(const pare_intervals *set)
{
    for (size_t i = 0; i < set->n; i++) {
        if (set->items[i].from > set->items[i].to) return false;
        if (i && set->items[i].from <= (uint64_t)set->items[i - 1].to + 1) return false;
    }
    return set->n <= set->capacity;
}

/* Sorts the intervals by their beginnings; then each one either joins the last one kept or
 * follows it. */
void pare_intervals_normalise(pare_intervals *set)
{
    if (!set->n) return;
    qsort(set->items, set->n, sizeof *set->items, by_start);
    size_t last = 0;
    for (size_t i = 1; i < set->n; i++) {
        pare_interval next = set->items[i];
        pare_interval *joined = &set->items[last];
        /* The sum would overflow at the largest number, which everything after it touches. */
        if (joined->to == UINT32_MAX || next.from <= joined->to + 1) {
            if (next.to > joined->to) joined->to = next.to;
        } else {
            set->items[++last] = next;
        }
    }
    set->n = last + 1;
    assert(pare_intervals_check(set));
}

/* Replaces the set by the gaps between its intervals, within lowest .. highest.  `from` has 64
 * bits, since the number after the largest does not fit into 32. */
pare_status pare_intervals_complement(pare_intervals *set, uint32_t lowest, uint32_t highest,
                                      pare_error *err)
{
    pare_intervals rest = {0};
    pare_status status = PARE_OK;
    uint64_t from = lowest;
    pare_intervals_normalise(set);
    for (size_t i = 0; i < set->n && !status; i++) {
        pare_interval hole = set->items[i];
        if (hole.from > from && hole.from <= highest)
            status = pare_intervals_add(&rest, (uint32_t)from, hole.from - 1, err);
        if ((uint64_t)hole.to + 1 > from) from = (uint64_t)hole.to + 1;
    }
    if (!status && from <= highest)
        status = pare_intervals_add(&rest, (uint32_t)from, highest, err);
    if (status) {
        pare_intervals_done(&rest);
        return status;
    }
    assert(pare_intervals_check(&rest));
    pare_intervals_done(set);
    *set = rest;
    return PARE_OK;
}
