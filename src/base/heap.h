/* Priority queues: binary heaps in arrays of the caller's.
 *
 * The caller owns the array and its count; items are any struct that can be copied by
 * memcpy.  items[0] is the one that comes first.  The order must be total (ties broken by
 * something of the item's own), so that what comes out, and in which order, does not
 * depend on the order in which it was put in.
 *
 * Binary: the children of item i are items 2i + 1 and 2i + 2.  Nothing cleverer, because each of
 * its users holds at most some ten thousand items, and the comparison costs more than the moves.
 * Both directions move a hole instead of swapping: an item is written once, where it stays.
 * Source: Williams, "Algorithm 232: Heapsort", CACM 7(6), 1964. */
#ifndef PARE_BASE_HEAP_H
#define PARE_BASE_HEAP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* An order of items: whether `a` comes before `b`.  `context` is whatever `before` needs
 * besides the two. */
typedef struct pare_heap_order {
    size_t item_bytes; /* above 0 */
    bool (*before)(const void *a, const void *b, const void *context);
    const void *context;
} pare_heap_order;

/* The power of two in `n`; 0 for 0.  For orders in which sizes that are about the same count as equal,
 * so that something else decides. */
static inline unsigned pare_heap_magnitude(uint32_t n)
{
    unsigned power = 0;
    while (n >>= 1)
        power++;
    return power;
}

/* The functions below are inline, so that a compiler that sees a constant order copies items
 * of a known size and calls `before` directly: the engine makes a plan, which is a heap, after
 * every test (engine/speculate.c). */

static inline char *pare_heap_at(void *items, const pare_heap_order *order, size_t i)
{
    return (char *)items + i * order->item_bytes;
}

/* Adds *item to a heap of `n`; the array must have room for n + 1, and `item` must not lie in
 * it.  O(log n) comparisons. */
static inline void pare_heap_push(const pare_heap_order *order, void *items, size_t n,
                                  const void *item)
{
    size_t hole = n;
    while (hole > 0) {
        size_t parent = (hole - 1) / 2;
        if (!order->before(item, pare_heap_at(items, order, parent), order->context)) break;
        memcpy(pare_heap_at(items, order, hole), pare_heap_at(items, order, parent),
               order->item_bytes);
        hole = parent;
    }
    memcpy(pare_heap_at(items, order, hole), item, order->item_bytes);
}

/* The child of `parent` among `n` items that comes first; n or more when it has none. */
static inline size_t pare_heap_first_child(const pare_heap_order *order, void *items, size_t n,
                                           size_t parent)
{
    size_t child = 2 * parent + 1;
    if (child + 1 < n && order->before(pare_heap_at(items, order, child + 1),
                                       pare_heap_at(items, order, child), order->context))
        child++;
    return child;
}

/* Moves the first item of a heap of `n`, which must not be 0, to *first; n - 1 are left.
 * O(log n) comparisons. */
static inline void pare_heap_pop(const pare_heap_order *order, void *items, size_t n, void *first)
{
    assert(n > 0);
    memcpy(first, items, order->item_bytes);
    size_t left = n - 1, hole = 0;
    const char *last = pare_heap_at(items, order, left); /* what fills the hole in the end */
    for (;;) {
        size_t child = pare_heap_first_child(order, items, left, hole);
        if (child >= left) break;
        if (!order->before(pare_heap_at(items, order, child), last, order->context)) break;
        memcpy(pare_heap_at(items, order, hole), pare_heap_at(items, order, child),
               order->item_bytes);
        hole = child;
    }
    if (hole != left) memcpy(pare_heap_at(items, order, hole), last, order->item_bytes);
}

/* Whether the `n` items are a heap: no child comes before its parent, so the first of all is
 * items[0].  O(n). */
static inline bool pare_heap_check(const pare_heap_order *order, const void *items, size_t n)
{
    const char *bytes = items;
    for (size_t i = 1; i < n; i++) {
        const char *parent = bytes + (i - 1) / 2 * order->item_bytes;
        if (order->before(bytes + i * order->item_bytes, parent, order->context)) return false;
    }
    return true;
}

#endif
