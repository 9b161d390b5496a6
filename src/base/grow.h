/* Arrays that grow by one item at a time, in doubling steps.
 *
 * The array, its count and its capacity stay the caller's: no vector type. */
#ifndef PARE_BASE_GROW_H
#define PARE_BASE_GROW_H

#include <stddef.h>

#include <pare/export.h>

/* The array `block` of `n` items of `item_bytes` each, of which *capacity fit, with
 * room for one more: the same block, or a larger one that replaces it.  NULL when
 * memory is out; `block` and *capacity are as they were then.  Amortised O(1). */
PARE_CHECK void *pare_grow(void *block, size_t n, size_t *capacity, size_t item_bytes);

#endif
