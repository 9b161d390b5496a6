/* MT19937, seeded and read as CPython does.
 *
 * The state is refilled as a whole when all of its words were used.  Invariant: `at` is at most the
 * number of words; what was drawn depends on the key alone.  CPython draws numbers below a bound by
 * rejection of as many bits as the bound has, so that a bound of a power of two takes one bit more
 * than it needs: kept, since the numbers are to be the same. */
#include "base/mersenne.h"

#include <assert.h>

enum { N = PARE_MERSENNE_WORDS, M = 397, SEED_OF_ARRAYS = 19650218 };

static void init_by_number(uint32_t *words, uint32_t seed)
{
    words[0] = seed;
    for (uint32_t i = 1; i < N; i++)
        words[i] = UINT32_C(1812433253) * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
}

/* Position after `i` in a pass over the words, of which the first repeats the last. */
static uint32_t after_word(uint32_t *words, uint32_t i)
{
    if (++i < N) return i;
    words[0] = words[N - 1];
    return 1;
}

/* init_by_array of the authors. */
void pare_mersenne_seed(pare_mersenne *mersenne, const uint32_t *key, size_t n)
{
    uint32_t *words = mersenne->words, i = 1;
    while (n > 1 && !key[n - 1])
        n--;
    init_by_number(words, SEED_OF_ARRAYS);
    size_t rounds = n > N ? n : N;
    for (size_t round = 0, k = 0; round < rounds; round++, k = k + 1 < n ? k + 1 : 0) {
        uint32_t before = words[i - 1] ^ (words[i - 1] >> 30);
        words[i] = (words[i] ^ before * UINT32_C(1664525)) + key[k] + (uint32_t)k;
        i = after_word(words, i);
    }
    for (uint32_t round = 1; round < N; round++) {
        uint32_t before = words[i - 1] ^ (words[i - 1] >> 30);
        words[i] = (words[i] ^ before * UINT32_C(1566083941)) - i;
        i = after_word(words, i);
    }
    words[0] = UINT32_C(0x80000000);
    mersenne->at = N;
}

static uint32_t twist(uint32_t high, uint32_t low)
{
    uint32_t mixed = (high & UINT32_C(0x80000000)) | (low & UINT32_C(0x7fffffff));
    return (mixed >> 1) ^ (low & 1 ? UINT32_C(0x9908b0df) : 0);
}

static void refill(pare_mersenne *mersenne)
{
    uint32_t *words = mersenne->words;
    for (uint32_t i = 0; i < N; i++)
        words[i] = words[(i + M) % N] ^ twist(words[i], words[(i + 1) % N]);
    mersenne->at = 0;
}

static uint32_t next_word(pare_mersenne *mersenne)
{
    if (mersenne->at >= N) refill(mersenne);
    uint32_t word = mersenne->words[mersenne->at++];
    word ^= word >> 11;
    word ^= (word << 7) & UINT32_C(0x9d2c5680);
    word ^= (word << 15) & UINT32_C(0xefc60000);
    return word ^ (word >> 18);
}

/* Of a number with more than 32 bits, the word drawn first is the lower one. */
uint64_t pare_mersenne_bits(pare_mersenne *mersenne, unsigned n_bits)
{
    assert(n_bits >= 1 && n_bits <= 64);
    if (n_bits <= 32) return next_word(mersenne) >> (32 - n_bits);
    uint64_t low = next_word(mersenne);
    return low | (uint64_t)(next_word(mersenne) >> (64 - n_bits)) << 32;
}

uint64_t pare_mersenne_below(pare_mersenne *mersenne, uint64_t bound)
{
    assert(bound > 0);
    unsigned n_bits = 64 - (unsigned)__builtin_clzll(bound);
    uint64_t number;
    do {
        number = pare_mersenne_bits(mersenne, n_bits);
    } while (number >= bound);
    return number;
}

double pare_mersenne_unit(pare_mersenne *mersenne)
{
    double high = next_word(mersenne) >> 5, low = next_word(mersenne) >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
}
