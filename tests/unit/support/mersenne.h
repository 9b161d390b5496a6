/* CPython's random numbers, bit for bit: MT19937 as the module `random` uses it.
 *
 * For repeating what was published with Python programs: the same seed gives the same
 * numbers as random.seed(), getrandbits(), randrange(), choice() and random() of CPython
 * 3.2 and later.
 * Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998), with their
 * init_by_array of 2002; CPython's documentation of `random` for the rest. */
#ifndef PARE_TESTS_UNIT_SUPPORT_MERSENNE_H
#define PARE_TESTS_UNIT_SUPPORT_MERSENNE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/sha512.h"
#include "reduce/choice/choices.h"

enum { MERSENNE_WORDS = 624 };

struct mersenne {
    uint32_t words[MERSENNE_WORDS];
    uint32_t at; /* the next word that is used; MERSENNE_WORDS: all were */
};

enum { N = MERSENNE_WORDS, M = 397, SEED_OF_ARRAYS = 19650218 };

static inline void init_by_number(uint32_t *words, uint32_t seed)
{
    words[0] = seed;
    for (uint32_t i = 1; i < N; i++)
        words[i] = UINT32_C(1812433253) * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
}

/* Position after `i` in a pass over the words, of which the first repeats the last. */
static inline uint32_t after_word(uint32_t *words, uint32_t i)
{
    if (++i < N) return i;
    words[0] = words[N - 1];
    return 1;
}

/* init_by_array of the authors; n > 0. */
static inline void init_by_array(struct mersenne *mersenne, const uint32_t *key, size_t n)
{
    uint32_t *words = mersenne->words, i = 1;
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

/* random.seed(number) of an int: its sign does not count. */
static inline void mersenne_seed(struct mersenne *mersenne, int64_t number)
{
    uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    uint32_t key[2] = {(uint32_t)magnitude, (uint32_t)(magnitude >> 32)};
    init_by_array(mersenne, key, key[1] ? 2 : 1);
}

/* random.seed() of bytes, or of a str in UTF-8 (version 2).  Errors: PARE_E_NOMEM.
 *
 * Python appends the SHA-512 of the bytes to them and reads all as one big-endian number,
 * whose least significant 32 bits are the first word of the key. */
static inline pare_status mersenne_seed_bytes(struct mersenne *mersenne, const void *bytes,
                                              size_t size, pare_error *err)
{
    size_t total = size + PARE_SHA512_BYTES, n = total / 4 + 1;
    uint8_t *number = pare_alloc(total, 1);
    uint32_t *key = pare_alloc_zero(n, sizeof *key);
    if (!number || !key) {
        pare_alloc_free(number);
        pare_alloc_free(key);
        return pare_fail_nomem(err);
    }
    if (size) memcpy(number, bytes, size);
    pare_sha512(bytes, size, number + size);
    for (size_t i = 0; i < total; i++)
        key[i / 4] |= (uint32_t)number[total - 1 - i] << (8 * (i % 4));
    while (n > 1 && !key[n - 1])
        n--;
    init_by_array(mersenne, key, n);
    pare_alloc_free(number);
    pare_alloc_free(key);
    return PARE_OK;
}

static inline uint32_t twist(uint32_t high, uint32_t low)
{
    uint32_t mixed = (high & UINT32_C(0x80000000)) | (low & UINT32_C(0x7fffffff));
    return (mixed >> 1) ^ (low & 1 ? UINT32_C(0x9908b0df) : 0);
}

static inline void refill(struct mersenne *mersenne)
{
    uint32_t *words = mersenne->words;
    for (uint32_t i = 0; i < N; i++)
        words[i] = words[(i + M) % N] ^ twist(words[i], words[(i + 1) % N]);
    mersenne->at = 0;
}

static inline uint32_t next_word(struct mersenne *mersenne)
{
    if (mersenne->at >= N) refill(mersenne);
    uint32_t word = mersenne->words[mersenne->at++];
    word ^= word >> 11;
    word ^= (word << 7) & UINT32_C(0x9d2c5680);
    word ^= (word << 15) & UINT32_C(0xefc60000);
    return word ^ (word >> 18);
}

/* getrandbits(n_bits), 1 .. 64. */
static inline uint64_t mersenne_bits(struct mersenne *mersenne, unsigned n_bits)
{
    assert(n_bits >= 1 && n_bits <= 64);
    if (n_bits <= 32) return next_word(mersenne) >> (32 - n_bits);
    uint64_t low = next_word(mersenne);
    return low | (uint64_t)(next_word(mersenne) >> (64 - n_bits)) << 32;
}

/* randrange(bound); choice() of a list of `bound` items takes the same.  1 .. 2^64 - 1. */
static inline uint64_t mersenne_below(struct mersenne *mersenne, uint64_t bound)
{
    assert(bound > 0);
    unsigned n_bits = 64 - (unsigned)__builtin_clzll(bound);
    uint64_t number;
    do {
        number = mersenne_bits(mersenne, n_bits);
    } while (number >= bound);
    return number;
}

/* random(): 0 <= x < 1, a multiple of 2^-53. */
static inline double mersenne_unit(struct mersenne *mersenne)
{
    double high = next_word(mersenne) >> 5, low = next_word(mersenne) >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
}

/* --- as a source of choices ------------------------------------------------------------- */

static inline uint64_t mersenne_draw_below(void *self, uint64_t bound)
{
    return mersenne_below(self, bound);
}

static inline double mersenne_draw_unit(void *self)
{
    return mersenne_unit(self);
}

/* From now on `choices` draws as Python would after random.seed(seed); begins a run.  One
 * such source at a time: its state is that of the test program. */
static inline void seed_python(pare_choices *choices, int64_t seed)
{
    static struct mersenne state;
    static const pare_choices_engine engine = {&state, mersenne_draw_below, mersenne_draw_unit};
    mersenne_seed(&state, seed);
    pare_choices_draw_from(choices, &engine);
}

#endif
