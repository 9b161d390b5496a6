/* Binary heaps: the children of item i are items 2i + 1 and 2i + 2, and neither comes
 * before it (pare_heap_check).
 *
 * Both directions move a hole instead of swapping: an item is written once, where it stays.
 * A binary heap and nothing cleverer, because each of its users holds at most some ten
 * thousand items, and the comparison costs more than the moves. */
#include "base/heap.h"

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
