/* Growing arrays: capacity grows by half, and is never below FIRST.
 *
 * A factor of 1.5 instead of 2 lets an allocator put the larger block where earlier ones
 * were (the sum of the earlier sizes exceeds the next one), and wastes a quarter less.
 * Cost: each item is copied less than three times on average. */
#include "base/vector.h"

#include <assert.h>
#include <stdint.h>

#include "base/alloc.h"

enum { FIRST = 16 }; /* items */

/* The old block stays valid when this fails, and *capacity what it was. */
void *pare_vector_enlarge(void *block, size_t *capacity, size_t need, size_t item_bytes)
{
    assert(item_bytes > 0 && need > *capacity);
    size_t larger = *capacity < SIZE_MAX / 2 ? *capacity + *capacity / 2 : need;
    if (larger < need) larger = need;
    if (larger < FIRST) larger = FIRST;
    void *grown = pare_alloc_resize(block, larger, item_bytes);
    if (grown) *capacity = larger;
    return grown;
}
