/* Arithmetic modulo the Mersenne prime 2^61-1, where a product of two field
 * elements is reduced by adding its high part to its low part.
 * Invariant: every lane of every hash is below PRIME. */
#include "base/digest.h"

#include <stdio.h>

#include "base/wide.h"

static const uint64_t PRIME = (UINT64_C(1) << 61) - 1;

/* B^(2^k) for both lanes; the first row holds the bases themselves.
 * test_digest.c checks that each row is the square of the one before. */
static const pare_hash POWER[33] = {
#include "base/digest_powers.inc"
};

enum { STEP_BYTES = 8 };

/* B^k for both lanes: the factors of the bytes of one step. */
static const pare_hash STEP[STEP_BYTES + 1] = {
#include "base/digest_steps.inc"
};

/* Any 64-bit value modulo PRIME: since 2^61 is 1 there, the high bits count as low ones. */
static uint64_t reduce(uint64_t value)
{
    value = (value & PRIME) + (value >> 61);
    return value >= PRIME ? value - PRIME : value;
}

/* Of two lanes below PRIME. The halves of the product add up to less than 2^62, which reduce
 * takes. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
    pare_wide product = (pare_wide)a * b;
    return reduce(((uint64_t)product & PRIME) + (uint64_t)(product >> 61));
}

/* Of two lanes below PRIME; the sum stays below 2^62, so it cannot overflow. */
static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    return sum >= PRIME ? sum - PRIME : sum;
}

/* B^exponent in lane `lane`. */
static uint64_t power(size_t exponent, int lane)
{
    uint64_t result = 1;
    for (int k = 0; exponent && k < 33; k++, exponent >>= 1)
        if (exponent & 1) result = multiply(result, POWER[k].lane[lane]);
    return result;
}

/* Lane of `hash` followed by `size` bytes, at most STEP_BYTES: one sum of products that
 * do not wait for each other, reduced once.  It stays below 2^123. */
static inline uint64_t step(uint64_t hash, const unsigned char *byte, size_t size, int lane)
{
    pare_wide sum = (pare_wide)hash * STEP[size].lane[lane];
#pragma GCC unroll 8 /* at -O2 too: a quarter faster */
    for (size_t k = 0; k < size; k++)
        sum += (pare_wide)STEP[size - 1 - k].lane[lane] * (byte[k] + 1U);
    return reduce(((uint64_t)sum & PRIME) + (uint64_t)(sum >> 61));
}

/* Every byte counts as its value plus 1, or else zeros at the start would leave no trace.  Eight
 * bytes a step: their products do not depend on each other, so the processor overlaps them. */
pare_hash pare_digest_extend(pare_hash head, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    uint64_t first = head.lane[0];
    uint64_t second = head.lane[1];
    for (; size >= STEP_BYTES; size -= STEP_BYTES, byte += STEP_BYTES) {
        first = step(first, byte, STEP_BYTES, 0);
        second = step(second, byte, STEP_BYTES, 1);
    }
    if (!size) return (pare_hash){{first, second}};
    return (pare_hash){{step(first, byte, size, 0), step(second, byte, size, 1)}};
}

/* What a head is multiplied by when `tail_size` bytes follow.  Callers that join to pieces of one
 * size often keep it. */
pare_hash pare_digest_power(size_t tail_size)
{
    return (pare_hash){{power(tail_size, 0), power(tail_size, 1)}};
}

/* The hash of two texts one after the other from theirs: head * B^size + tail, without a byte of
 * either. */
pare_hash pare_digest_join_power(pare_hash head, pare_hash tail, pare_hash tail_power)
{
    for (int lane = 0; lane < 2; lane++)
        head.lane[lane] = add(multiply(head.lane[lane], tail_power.lane[lane]), tail.lane[lane]);
    return head;
}

pare_hash pare_digest_join(pare_hash head, pare_hash tail, size_t tail_size)
{
    return pare_digest_join_power(head, tail, pare_digest_power(tail_size));
}

/* The inverse of joining: whole - head * B^size.  So the hash of any slice follows from two
 * prefixes. */
pare_hash pare_digest_tail(pare_hash whole, pare_hash head, size_t tail_size)
{
    for (int lane = 0; lane < 2; lane++) {
        uint64_t moved = multiply(head.lane[lane], power(tail_size, lane));
        whole.lane[lane] = add(whole.lane[lane], PRIME - moved);
    }
    return whole;
}

pare_digest pare_digest_of(pare_hash hash, size_t size_bytes)
{
    /* 61 + 61 bits of hash; 6 bits of the size fill the rest, which tells texts
     * apart that differ in length even for a zero polynomial. */
    return (pare_digest){.high = hash.lane[0] | (uint64_t)(size_bytes & 7) << 61,
                         .low = hash.lane[1] | (uint64_t)(size_bytes >> 3 & 7) << 61};
}

bool pare_digest_equal(pare_digest a, pare_digest b)
{
    return a.high == b.high && a.low == b.low;
}

void pare_digest_text(pare_digest digest, char text[PARE_DIGEST_TEXT_BYTES])
{
    (void)snprintf(text, PARE_DIGEST_TEXT_BYTES, "%016llx%016llx", (unsigned long long)digest.high,
                   (unsigned long long)digest.low);
}
