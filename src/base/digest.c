/* Arithmetic modulo the Mersenne prime 2^61-1, where a product of two field
 * elements is reduced by adding its high part to its low part.
 * Invariant: every lane of every hash is below PRIME. */
#include "base/digest.h"

#include <assert.h>
#include <stdio.h>

#include "base/wide.h"

static const uint64_t PRIME = (UINT64_C(1) << 61) - 1;

/* B^(2^k) for both lanes; the first row holds the bases themselves.
 * test_digest.c checks that each row is the square of the one before. */
static const pare_hash POWER[33] = {
    {{UINT64_C(0x14f81b11c3840d84), UINT64_C(0x145c8cbbb6a36c1a)}}, /* 2^0 */
    {{UINT64_C(0x0533b9b6e7783f92), UINT64_C(0x02eddf9a155730ab)}}, /* 2^1 */
    {{UINT64_C(0x052a207279cf7c3a), UINT64_C(0x1e5a879ba2f0032b)}}, /* 2^2 */
    {{UINT64_C(0x1dac50da098b61c0), UINT64_C(0x04b6937b384cb8fb)}}, /* 2^3 */
    {{UINT64_C(0x14598633f14e48e2), UINT64_C(0x002161ad3a1b4cca)}}, /* 2^4 */
    {{UINT64_C(0x0707016ba3db5f54), UINT64_C(0x125b618b711241b4)}}, /* 2^5 */
    {{UINT64_C(0x092481c0ec0f418f), UINT64_C(0x020eb37707cc456f)}}, /* 2^6 */
    {{UINT64_C(0x117548eaec879f67), UINT64_C(0x1d84732ca55ac38a)}}, /* 2^7 */
    {{UINT64_C(0x17cff962e13cb998), UINT64_C(0x133988a6b0f55862)}}, /* 2^8 */
    {{UINT64_C(0x1f3bd32ce0625976), UINT64_C(0x1999bd78159d8cf8)}}, /* 2^9 */
    {{UINT64_C(0x14d3dfe6376d4863), UINT64_C(0x0c98ad42b5b9510f)}}, /* 2^10 */
    {{UINT64_C(0x013b025bd2a07eb0), UINT64_C(0x1ae0fee5237bb423)}}, /* 2^11 */
    {{UINT64_C(0x128ca28dcaa0f28d), UINT64_C(0x098495d2fa59016c)}}, /* 2^12 */
    {{UINT64_C(0x11a0a839b06f0ab6), UINT64_C(0x1cb4bc8663f79f02)}}, /* 2^13 */
    {{UINT64_C(0x02505d438aff2fbf), UINT64_C(0x045f21503222bf09)}}, /* 2^14 */
    {{UINT64_C(0x0946b74fe651b8e3), UINT64_C(0x06103218cc52fcc4)}}, /* 2^15 */
    {{UINT64_C(0x00cffbcb72655898), UINT64_C(0x07066d7afafb7991)}}, /* 2^16 */
    {{UINT64_C(0x016843dfbbf57975), UINT64_C(0x159c49db228c2e10)}}, /* 2^17 */
    {{UINT64_C(0x165d3aa05b8de201), UINT64_C(0x04dd949f0a283e77)}}, /* 2^18 */
    {{UINT64_C(0x0cdc62c91fff72eb), UINT64_C(0x18d1be7e29f66b2e)}}, /* 2^19 */
    {{UINT64_C(0x083175a7642c866c), UINT64_C(0x10e6a150e239639a)}}, /* 2^20 */
    {{UINT64_C(0x0399f0f08f01c146), UINT64_C(0x1cb4747c63788608)}}, /* 2^21 */
    {{UINT64_C(0x07a45aeb75bde5a7), UINT64_C(0x11df4da1eb260b60)}}, /* 2^22 */
    {{UINT64_C(0x080f614d7fe75cb3), UINT64_C(0x1bec460867eda148)}}, /* 2^23 */
    {{UINT64_C(0x145680cb27154f85), UINT64_C(0x025c0f93b98e5e5a)}}, /* 2^24 */
    {{UINT64_C(0x1391a7c2e5b0536d), UINT64_C(0x07ea85b2f2d01df8)}}, /* 2^25 */
    {{UINT64_C(0x159d241b0991add6), UINT64_C(0x0a30cffd6877bc29)}}, /* 2^26 */
    {{UINT64_C(0x010faf515d10f4e7), UINT64_C(0x1034845f69ccc9a9)}}, /* 2^27 */
    {{UINT64_C(0x167f21e28fc4306e), UINT64_C(0x168a6f3c69abba20)}}, /* 2^28 */
    {{UINT64_C(0x00936a59b57de3b2), UINT64_C(0x19e600b46b199c36)}}, /* 2^29 */
    {{UINT64_C(0x1131a2c053ffea3f), UINT64_C(0x1acfed590ebd68d4)}}, /* 2^30 */
    {{UINT64_C(0x134216235bda3a91), UINT64_C(0x01f3d7c16c878e95)}}, /* 2^31 */
    {{UINT64_C(0x050cd2164098d53d), UINT64_C(0x1ce26a55f7ac19eb)}}, /* 2^32 */
};

enum { STEP_BYTES = 8 };

/* B^k for both lanes: the factors of the bytes of one step. */
static const pare_hash STEP[STEP_BYTES + 1] = {
    {{UINT64_C(0x0000000000000001), UINT64_C(0x0000000000000001)}}, /* B^0 */
    {{UINT64_C(0x14f81b11c3840d84), UINT64_C(0x145c8cbbb6a36c1a)}}, /* B^1 */
    {{UINT64_C(0x0533b9b6e7783f92), UINT64_C(0x02eddf9a155730ab)}}, /* B^2 */
    {{UINT64_C(0x1243468794a5e4ab), UINT64_C(0x11647f328ba4958b)}}, /* B^3 */
    {{UINT64_C(0x052a207279cf7c3a), UINT64_C(0x1e5a879ba2f0032b)}}, /* B^4 */
    {{UINT64_C(0x17a222ce00d48ed4), UINT64_C(0x1e29028ca8f12fae)}}, /* B^5 */
    {{UINT64_C(0x1e432908c31b8aed), UINT64_C(0x18e27b438d544144)}}, /* B^6 */
    {{UINT64_C(0x02c103ed1e824ca3), UINT64_C(0x1a0049d13bbd5bc5)}}, /* B^7 */
    {{UINT64_C(0x1dac50da098b61c0), UINT64_C(0x04b6937b384cb8fb)}}, /* B^8 */
};

/* Any 64-bit value modulo PRIME: since 2^61 is 1 there, the high bits count as low ones. */
static uint64_t reduce(uint64_t value)
{
    value = (value & PRIME) + (value >> 61);
    return value >= PRIME ? value - PRIME : value;
}

/* The product of two lanes below PRIME. Its halves add up to less than 2^62, which reduce()
 * takes. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
    assert(a < PRIME && b < PRIME);
    pare_wide product = (pare_wide)a * b;
    return reduce(((uint64_t)product & PRIME) + (uint64_t)(product >> 61));
}

/* The sum of a lane below PRIME and a number up to PRIME, which stays below 2^62 and so cannot overflow. */
static uint64_t add(uint64_t a, uint64_t b)
{
    assert(a < PRIME && b <= PRIME);
    uint64_t sum = a + b;
    return sum >= PRIME ? sum - PRIME : sum;
}

/* B^exponent.  The products of the two lanes do not wait for each other, and bits that are not set
 * cost nothing. */
static pare_hash power(size_t exponent)
{
    uint64_t first = 1, second = 1;
    for (uint64_t left = exponent & ((UINT64_C(1) << 33) - 1); left; left &= left - 1) {
        const pare_hash *factor = &POWER[__builtin_ctzll(left)];
        first = multiply(first, factor->lane[0]);
        second = multiply(second, factor->lane[1]);
    }
    return (pare_hash){{first, second}};
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

/* --- whole blocks ------------------------------------------------------------------------- */

/* A factor is cut into limbs of LIMB_BITS bits.  A limb times a byte is below 2^(13+8), and a block
 * adds up 2^7 of them: below 2^28, so a limb of the block's sum is an ordinary dot product of
 * 16-bit numbers in 32 bits, which compilers turn into vector instructions on every machine.  The
 * sums are put together once per block. */
enum { LIMB_BITS = 13 };

void pare_digest_blocks_init(pare_digest_blocks *blocks)
{
    for (int lane = 0; lane < 2; lane++) {
        uint64_t factor = 1;
        for (int k = PARE_DIGEST_BLOCK - 1; k >= 0; k--) {
            for (int i = 0; i < PARE_DIGEST_LIMBS; i++)
                blocks->factor[lane][i][k] =
                    (int16_t)(factor >> (LIMB_BITS * i) & ((1U << LIMB_BITS) - 1));
            factor = multiply(factor, POWER[0].lane[lane]);
        }
        blocks->power.lane[lane] = factor;
    }
}

static int32_t dot(const int16_t *a, const int16_t *b)
{
    int32_t sum = 0;
    for (int k = 0; k < PARE_DIGEST_BLOCK; k++)
        sum += a[k] * b[k];
    return sum;
}

/* The sum stays below 2^123. */
static uint64_t extend_block(const pare_digest_blocks *blocks, int lane, uint64_t hash,
                             const int16_t *values)
{
    pare_wide sum = (pare_wide)hash * blocks->power.lane[lane];
    for (int i = 0; i < PARE_DIGEST_LIMBS; i++)
        sum += (pare_wide)(uint32_t)dot(values, blocks->factor[lane][i]) << (LIMB_BITS * i);
    return reduce(((uint64_t)sum & PRIME) + (uint64_t)(sum >> 61));
}

pare_hash pare_digest_extend_blocks(const pare_digest_blocks *blocks, pare_hash head,
                                    const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (; size >= PARE_DIGEST_BLOCK; size -= PARE_DIGEST_BLOCK, byte += PARE_DIGEST_BLOCK) {
        int16_t values[PARE_DIGEST_BLOCK];
        for (int k = 0; k < PARE_DIGEST_BLOCK; k++)
            values[k] = (int16_t)(byte[k] + 1);
        for (int lane = 0; lane < 2; lane++)
            head.lane[lane] = extend_block(blocks, lane, head.lane[lane], values);
    }
    return pare_digest_extend(head, byte, size);
}

/* The factor of a head's hash when `tail_size` bytes follow it. Callers that often append pieces of
 * one size keep it. */
pare_hash pare_digest_power(size_t tail_size)
{
    return power(tail_size);
}

/* The hash of two texts one after the other from theirs: head * B^size + tail, without a byte of
 * either. */
pare_hash pare_digest_join_power(pare_hash head, pare_hash tail, pare_hash tail_power)
{
    for (int lane = 0; lane < 2; lane++)
        head.lane[lane] = add(multiply(head.lane[lane], tail_power.lane[lane]), tail.lane[lane]);
    return head;
}

/* For a tail whose power is not at hand: O(log size). */
pare_hash pare_digest_join(pare_hash head, pare_hash tail, size_t tail_size)
{
    return pare_digest_join_power(head, tail, pare_digest_power(tail_size));
}

/* The inverse of joining: whole - head * B^size.  So the hash of any slice follows from two
 * prefixes. */
pare_hash pare_digest_tail(pare_hash whole, pare_hash head, size_t tail_size)
{
    const pare_hash factor = power(tail_size);
    for (int lane = 0; lane < 2; lane++) {
        uint64_t moved = multiply(head.lane[lane], factor.lane[lane]);
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

/* Equal digests are taken for equal bytes: see the header for how likely that is wrong. */
bool pare_digest_equal(pare_digest a, pare_digest b)
{
    return a.high == b.high && a.low == b.low;
}

/* High half first, so the text sorts as the number does. */
void pare_digest_text(pare_digest digest, char text[PARE_DIGEST_TEXT_BYTES])
{
    (void)snprintf(text, PARE_DIGEST_TEXT_BYTES, "%016llx%016llx", (unsigned long long)digest.high,
                   (unsigned long long)digest.low);
}
