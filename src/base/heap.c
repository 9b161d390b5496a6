/* Binary heaps: the children of item i are items 2i + 1 and 2i + 2, and neither comes
 * before it (pare_heap_check).
 *
 * Both directions move a hole instead of swapping: an item is written once, where it stays.
 * A binary heap and nothing cleverer, because each of its users holds at most some ten
 * thousand items, and the comparison costs more than the moves. */
#include "base/heap.h"

#include <assert.h>
#include <string.h>

/* Items are of any type, so places are computed in bytes. */
static char *at(void *items, const pare_heap_order *order, size_t i)
{
    return (char *)items + i * order->item_bytes;
}

/* There is room for item n.  The hole rises from there until the parent does not come after the
 * item: O(log n) comparisons. */
void pare_heap_push(const pare_heap_order *order, void *items, size_t n, const void *item)
{
    assert(order->item_bytes > 0);
    size_t hole = n;
    while (hole > 0) {
        size_t parent = (hole - 1) / 2;
        if (!order->before(item, at(items, order, parent), order->context)) break;
        memcpy(at(items, order, hole), at(items, order, parent), order->item_bytes);
        hole = parent;
    }
    memcpy(at(items, order, hole), item, order->item_bytes);
}

/* The child of `parent` among `n` items that comes first; n or more when it has none. */
static size_t first_child(const pare_heap_order *order, void *items, size_t n, size_t parent)
{
    size_t child = 2 * parent + 1;
    if (child + 1 < n &&
        order->before(at(items, order, child + 1), at(items, order, child), order->context))
        child++;
    return child;
}

/* Takes out the item that comes before all others.  The hole sinks from the top along the first
 * child, until the last item, which has to go somewhere, fits in. */
void pare_heap_pop(const pare_heap_order *order, void *items, size_t n, void *first)
{
    assert(n > 0);
    memcpy(first, items, order->item_bytes);
    size_t left = n - 1, hole = 0;
    const char *last = at(items, order, left); /* what fills the hole in the end */
    for (;;) {
        size_t child = first_child(order, items, left, hole);
        if (child >= left) break;
        if (!order->before(at(items, order, child), last, order->context)) break;
        memcpy(at(items, order, hole), at(items, order, child), order->item_bytes);
        hole = child;
    }
    if (hole != left) memcpy(at(items, order, hole), last, order->item_bytes);
}

/* O(n), for tests: no child comes before its parent. */
bool pare_heap_check(const pare_heap_order *order, const void *items, size_t n)
{
    const char *bytes = items;
    for (size_t i = 1; i < n; i++) {
        const char *parent = bytes + (i - 1) / 2 * order->item_bytes;
        if (order->before(bytes + i * order->item_bytes, parent, order->context)) return false;
    }
    return true;
}
