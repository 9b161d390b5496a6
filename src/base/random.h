/* A small, fast, seeded random source, and permutations without memory.
 * One thread; the caller owns the state.  Not for secrets. */
#ifndef PARE_BASE_RANDOM_H
#define PARE_BASE_RANDOM_H

#include <stdint.h>

#include "base/wide.h"

typedef struct pare_random {
    uint64_t state;
} pare_random;

/* SplitMix64's finaliser. */
static inline uint64_t pare_random_mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

void pare_random_init(pare_random *random, uint64_t seed);

/* Next 64 random bits.  Source: SplitMix64, Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014. */
static inline uint64_t pare_random_next(pare_random *random)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    return pare_random_mix(random->state);
}

/* Uniform in 0 .. bound-1; `bound` must not be 0.
 * Source: Lemire, "Fast random integer generation in an interval", 2019. */
static inline uint64_t pare_random_below(pare_random *random, uint64_t bound)
{
    pare_wide wide = (pare_wide)pare_random_next(random) * bound;
    if ((uint64_t)wide < bound) {
        uint64_t least = (0 - bound) % bound;
        while ((uint64_t)wide < least)
            wide = (pare_wide)pare_random_next(random) * bound;
    }
    return (uint64_t)(wide >> 64);
}

/* Image of `index` under the permutation of 0 .. n-1 that `seed` names; n must
 * be 1 .. 2^32.  A keyed Feistel network with cycle walking: about four rounds
 * a call, no table.  Source: Black and Rogaway, "Ciphers with arbitrary finite
 * domains", CT-RSA 2002. */
uint64_t pare_random_permute(uint64_t seed, uint64_t n, uint64_t index);

#endif
