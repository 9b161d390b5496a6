/* A small, fast, seeded random source, and permutations without memory.
 * One thread; the caller owns the state.  Not for secrets. */
#ifndef PARE_BASE_RANDOM_H
#define PARE_BASE_RANDOM_H

#include <stdint.h>

typedef struct pare_random {
    uint64_t state;
} pare_random;

void pare_random_init(pare_random *random, uint64_t seed);

/* Next 64 random bits.  Source: SplitMix64, Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014. */
uint64_t pare_random_next(pare_random *random);

/* Uniform in 0 .. bound-1; `bound` must not be 0.
 * Source: Lemire, "Fast random integer generation in an interval", 2019. */
uint64_t pare_random_below(pare_random *random, uint64_t bound);

/* Image of `index` under the permutation of 0 .. n-1 that `seed` names; n must
 * be 1 .. 2^32.  A keyed Feistel network with cycle walking: about four rounds
 * a call, no table.  Source: Black and Rogaway, "Ciphers with arbitrary finite
 * domains", CT-RSA 2002. */
uint64_t pare_random_permute(uint64_t seed, uint64_t n, uint64_t index);

#endif
