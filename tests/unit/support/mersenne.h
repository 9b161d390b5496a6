/* base/mersenne.h with the seeds of Python that tests take: numbers with a sign, texts and bytes. */
#ifndef PARE_TESTS_UNIT_SUPPORT_MERSENNE_H
#define PARE_TESTS_UNIT_SUPPORT_MERSENNE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/mersenne.h"
#include "base/sha512.h"
#include "reduce/choice/choices.h"

/* random.seed(number) of an int: its sign does not count. */
static inline void mersenne_seed(pare_mersenne *mersenne, int64_t number)
{
    uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    const uint32_t key[2] = {(uint32_t)magnitude, (uint32_t)(magnitude >> 32)};
    pare_mersenne_seed(mersenne, key, 2);
}

/* random.seed() of bytes, or of a str in UTF-8 (version 2).  Errors: PARE_E_NOMEM.
 *
 * Python appends the SHA-512 of the bytes to them and reads all as one big-endian number,
 * whose least significant 32 bits are the first word of the key. */
static inline pare_status mersenne_seed_bytes(pare_mersenne *mersenne, const void *bytes,
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
    pare_mersenne_seed(mersenne, key, n);
    pare_alloc_free(number);
    pare_alloc_free(key);
    return PARE_OK;
}

/* --- as a source of choices ------------------------------------------------------------- */

/* From now on `choices` draws as Python would after random.seed(seed); begins a run.  One
 * such source at a time: its state is that of the test program. */
static inline void seed_python(pare_choices *choices, int64_t seed)
{
    static pare_mersenne state;
    static pare_choices_engine engine;
    mersenne_seed(&state, seed);
    engine = pare_choices_python(&state);
    pare_choices_draw_from(choices, &engine);
}

#endif
