/* SHA-1: blocks of 64 bytes, the last ones with a 1, zeros, and how many bits there were.
 *
 * Source: FIPS 180-4, 6.1. */
#include "base/sha1.h"

#include <assert.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 80, LENGTH = 8 /* bytes */ };

static uint32_t rotated(uint32_t word, unsigned by)
{
    return word << by | word >> (32 - by);
}

static void add_block(uint32_t state[5], const uint8_t block[static BLOCK])
{
    static const uint32_t added[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t words[ROUNDS], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (unsigned i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (unsigned i = 16; i < ROUNDS; i++)
        words[i] = rotated(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint32_t choice = (b & c) | (~b & d), parity = b ^ c ^ d,
                       majority = (b & c) | (b & d) | (c & d);
        const uint32_t mixed = i < 20 ? choice : i >= 40 && i < 60 ? majority : parity;
        const uint32_t next = rotated(a, 5) + mixed + e + added[i / 20] + words[i];
        e = d;
        d = c;
        c = rotated(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

void pare_sha1(const void *bytes, size_t size, uint8_t digest[static PARE_SHA1_BYTES])
{
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint8_t last[2 * BLOCK] = {0};
    const uint8_t *at = bytes;
    size_t left = size;
    for (; left >= BLOCK; at += BLOCK, left -= BLOCK)
        add_block(state, at);
    if (left) memcpy(last, at, left);
    last[left] = 0x80;
    assert(left < BLOCK);
    const size_t end = left + 1 + LENGTH > BLOCK ? 2 * BLOCK : BLOCK;
    for (unsigned i = 0; i < LENGTH; i++)
        last[end - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    for (size_t i = 0; i < end; i += BLOCK)
        add_block(state, last + i);
    for (unsigned i = 0; i < PARE_SHA1_BYTES; i++)
        digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}
