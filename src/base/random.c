/* Random numbers: SplitMix64, and a permutation of 0 .. n-1 that is computed, not stored.
 *
 * The permutation is a Feistel network of four rounds over the smallest domain of 4^k values that
 * holds n, with SplitMix64's finaliser as its round function.  A network is a bijection whatever
 * its rounds are, so every index is met exactly once, in O(1) memory and without a shuffled array.
 * Good enough to spread tests over units; no cryptography.  Sources in the header. */
#include "base/random.h"

#include <assert.h>

/* Every seed is good, 0 included: SplitMix64 has one cycle through all states. */
void pare_random_init(pare_random *random, uint64_t seed)
{
    random->state = seed;
}

/* One pass of the Feistel network over 2*half_bits bits. It is a permutation for any round
 * function, so no two values meet. */
static uint64_t feistel(uint64_t seed, unsigned half_bits, uint64_t value)
{
    uint64_t mask = (UINT64_C(1) << half_bits) - 1;
    uint64_t left = value >> half_bits;
    uint64_t right = value & mask;
    for (uint64_t round = 1; round <= 4; round++) {
        uint64_t key = seed + round * UINT64_C(0x9e3779b97f4a7c15) + right;
        uint64_t next = left ^ (pare_random_mix(key) & mask);
        left = right;
        right = next;
    }
    return left << half_bits | right;
}

/* The network permutes the powers of four; a value beyond n is sent through again until it falls
 * below it ("cycle walking", Black and Rogaway 2002), which gives a permutation of 0 .. n-1.  The
 * domain is less than four times n but for the smallest, so that takes fewer than four passes on
 * average. */
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
