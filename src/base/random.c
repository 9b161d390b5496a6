/* SplitMix64 and a Feistel permutation; sources in the header. */
#include "base/random.h"

#include <assert.h>

#include "base/wide.h"

static uint64_t mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

void pare_random_init(pare_random *random, uint64_t seed)
{
    random->state = seed;
}

uint64_t pare_random_next(pare_random *random)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    return mix(random->state);
}

uint64_t pare_random_below(pare_random *random, uint64_t bound)
{
    assert(bound > 0);
    pare_wide wide = (pare_wide)pare_random_next(random) * bound;
    if ((uint64_t)wide < bound) {
        uint64_t least = (0 - bound) % bound;
        while ((uint64_t)wide < least)
            wide = (pare_wide)pare_random_next(random) * bound;
    }
    return (uint64_t)(wide >> 64);
}

/* One pass of the network over 2*half_bits bits. */
static uint64_t feistel(uint64_t seed, unsigned half_bits, uint64_t value)
{
    uint64_t mask = (UINT64_C(1) << half_bits) - 1;
    uint64_t left = value >> half_bits;
    uint64_t right = value & mask;
    for (uint64_t round = 1; round <= 4; round++) {
        uint64_t next = left ^ (mix(seed + round * UINT64_C(0x9e3779b97f4a7c15) + right) & mask);
        left = right;
        right = next;
    }
    return left << half_bits | right;
}

uint64_t pare_random_permute(uint64_t seed, uint64_t n, uint64_t index)
{
    assert(n > 0 && index < n);
    unsigned half_bits = 1;
    while (UINT64_C(1) << (2 * half_bits) < n)
        half_bits++;
    do {
        index = feistel(seed, half_bits, index);
    } while (index >= n);
    return index;
}
