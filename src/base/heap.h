/* Priority queues: binary heaps in arrays of the caller's.
 *
 * The caller owns the array and its count; items are any struct that can be copied by
 * memcpy.  items[0] is the one that comes first.  The order must be total (ties broken by
 * something of the item's own), so that what comes out, and in which order, does not
 * depend on the order in which it was put in.
 * Source: Williams, "Algorithm 232: Heapsort", CACM 7(6), 1964. */
#ifndef PARE_BASE_HEAP_H
#define PARE_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* An order of items: whether `a` comes before `b`.  `context` is whatever `before` needs
 * besides the two. */
typedef struct pare_heap_order {
    size_t item_bytes; /* above 0 */
    bool (*before)(const void *a, const void *b, const void *context);
    const void *context;
} pare_heap_order;

/* Adds *item to a heap of `n`; the array must have room for n + 1, and `item` must not lie in
 * it.  O(log n) comparisons. */
void pare_heap_push(const pare_heap_order *order, void *items, size_t n, const void *item);

/* Moves the first item of a heap of `n`, which must not be 0, to *first; n - 1 are left.
 * O(log n) comparisons. */
void pare_heap_pop(const pare_heap_order *order, void *items, size_t n, void *first);

/* Whether the `n` items are a heap: the invariant.  O(n). */
bool pare_heap_check(const pare_heap_order *order, const void *items, size_t n);

#endif
