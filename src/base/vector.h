/* Growing arrays.
 *
 * There is no vector type: the array, its count and its capacity stay members of the
 * caller's struct, so that `items[i]` keeps its type and nothing is cast.  Both functions
 * return the array to use from now on, which may be another block than the one given:
 *
 *     struct item *items = pare_vector_grow(list->items, list->n, &list->capacity,
 *                                           sizeof *items);
 *     if (!items) return pare_fail_nomem(err);
 *     list->items = items;
 *     list->items[list->n++] = item;
 *
 * Pointers into the array do not outlive growth; indices do.  Adding is O(1) amortised. */
#ifndef PARE_BASE_VECTOR_H
#define PARE_BASE_VECTOR_H

#include <assert.h>
#include <stddef.h>

#include <pare/export.h>

/* The array `block` with room for `need` items of `item_bytes` each, more than the *capacity it
 * has.  What the functions below do when there is no room: they are inline because most calls
 * find some, in loops that run for each item of a parse.  NULL when memory is out. */
PARE_CHECK void *pare_vector_enlarge(void *block, size_t *capacity, size_t need, size_t item_bytes);

/* The array `block` of `n` items of `item_bytes` each (at most *capacity of them), with room
 * for one more.  NULL when memory is out; `block` and *capacity are then as they were. */
PARE_CHECK static inline void *pare_vector_grow(void *block, size_t n, size_t *capacity,
                                                size_t item_bytes)
{
    assert(n <= *capacity);
    return n < *capacity ? block : pare_vector_enlarge(block, capacity, n + 1, item_bytes);
}

/* The same with room for `need` items in all: for several that are added at once. */
PARE_CHECK static inline void *pare_vector_reserve(void *block, size_t *capacity, size_t need,
                                                   size_t item_bytes)
{
    return need <= *capacity ? block : pare_vector_enlarge(block, capacity, need, item_bytes);
}

#endif
