/* The twister, and what CPython builds on its 32-bit words. */
#include "reduce/choice/mersenne.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sha512.h"

enum { N = PARE_MERSENNE_WORDS, M = 397, SEED_OF_ARRAYS = 19650218 };

static void init_by_number(uint32_t *words, uint32_t seed)
{
    words[0] = seed;
    for (uint32_t i = 1; i < N; i++)
        words[i] = UINT32_C(1812433253) * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
}

/* Position behind `i` in a pass over the words, of which the first repeats the last. */
static uint32_t behind(uint32_t *words, uint32_t i)
{
    if (++i < N) return i;
    words[0] = words[N - 1];
    return 1;
}

/* init_by_array of the authors; n > 0. */
static void init_by_array(pare_mersenne *mersenne, const uint32_t *key, size_t n)
{
    uint32_t *words = mersenne->words, i = 1;
    init_by_number(words, SEED_OF_ARRAYS);
    size_t rounds = n > N ? n : N;
    for (size_t round = 0, k = 0; round < rounds; round++, k = k + 1 < n ? k + 1 : 0) {
        uint32_t before = words[i - 1] ^ (words[i - 1] >> 30);
        words[i] = (words[i] ^ before * UINT32_C(1664525)) + key[k] + (uint32_t)k;
        i = behind(words, i);
    }
    for (uint32_t round = 1; round < N; round++) {
        uint32_t before = words[i - 1] ^ (words[i - 1] >> 30);
        words[i] = (words[i] ^ before * UINT32_C(1566083941)) - i;
        i = behind(words, i);
    }
    words[0] = UINT32_C(0x80000000);
    mersenne->at = N;
}

void pare_mersenne_seed(pare_mersenne *mersenne, int64_t number)
{
    uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    uint32_t key[2] = {(uint32_t)magnitude, (uint32_t)(magnitude >> 32)};
    init_by_array(mersenne, key, key[1] ? 2 : 1);
}

/* Python appends the SHA-512 of the bytes to them and reads all as one big-endian number,
 * whose least significant 32 bits are the first word of the key. */
pare_status pare_mersenne_seed_bytes(pare_mersenne *mersenne, const void *bytes, size_t size,
                                     pare_error *err)
{
    size_t total = size + PARE_SHA512_BYTES, n = total / 4 + 1;
    uint8_t *number = pare_alloc(total, 1);
    uint32_t *key = pare_alloc_zero(n, sizeof *key);
    if (!number || !key) {
        pare_release(number);
        pare_release(key);
        return pare_fail_nomem(err);
    }
    if (size) memcpy(number, bytes, size);
    pare_sha512(bytes, size, number + size);
    for (size_t i = 0; i < total; i++)
        key[i / 4] |= (uint32_t)number[total - 1 - i] << (8 * (i % 4));
    while (n > 1 && !key[n - 1])
        n--;
    init_by_array(mersenne, key, n);
    pare_release(number);
    pare_release(key);
    return PARE_OK;
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
