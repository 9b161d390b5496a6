/* The one file that includes xxhash.h, whose inline code mentions the C library's
 * allocator (and never calls it for what is used here). */
#define XXH_INLINE_ALL
#include "base/checksum.h"

#include <xxhash.h>

/* The values are stored in journals: they may never change. */
uint64_t pare_checksum(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}

/* A chain: the digest before is the seed of the next.  XXH3 takes a seed of 64 bits only, so both
 * halves go into it; multiplying the high one keeps equal halves from cancelling each other. */
pare_digest pare_checksum_wide(pare_digest seed, const void *bytes, size_t size)
{
    uint64_t chain = seed.low ^ (seed.high * UINT64_C(0x9e3779b97f4a7c15));
    XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, size, chain);
    return (pare_digest){.high = hash.high64, .low = hash.low64};
}
