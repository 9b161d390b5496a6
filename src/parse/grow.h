/* Room in a growing array. */
#ifndef PARE_PARSE_GROW_H
#define PARE_PARSE_GROW_H

#include "base/alloc.h"

/* `block` with room for at least `need` objects of `size_bytes`, and *capacity to match;
 * NULL when memory is out, with both as they were. */
static inline void *pare_grown(void *block, size_t *capacity, size_t need, size_t size_bytes)
{
    if (need <= *capacity) return block;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < need) wanted = need;
    if (wanted < 16) wanted = 16;
    void *grown = pare_resize(block, wanted, size_bytes);
    if (grown) *capacity = wanted;
    return grown;
}

#endif
