/* Arrays that grow by one item at a time. */
#include "base/grow.h"

#include <stdint.h>

#include "base/alloc.h"

void *pare_grow(void *block, size_t n, size_t *capacity, size_t item_bytes)
{
    if (n < *capacity) return block;
    if (*capacity > SIZE_MAX / 4) return NULL;
    size_t larger = *capacity ? *capacity * 2 : 16;
    void *grown = pare_resize(block, larger, item_bytes);
    if (grown) *capacity = larger;
    return grown;
}
