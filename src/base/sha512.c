/* SHA-512 over bytes that are all there.
 *
 * Source: FIPS 180-4.  The constants are the first 64 bits of the fractional parts of
 * the cube roots of the first 80 primes, and of the square roots of the first 8. */
#include "base/sha512.h"

#include <assert.h>
#include <string.h>

enum { BLOCK_BYTES = 128, ROUNDS = 80, LENGTH_BYTES = 16 };

/* FIPS 180-4, section 4.2.3. */
static const uint64_t round_constant[ROUNDS] = {
    UINT64_C(0x428a2f98d728ae22), UINT64_C(0x7137449123ef65cd), UINT64_C(0xb5c0fbcfec4d3b2f),
    UINT64_C(0xe9b5dba58189dbbc), UINT64_C(0x3956c25bf348b538), UINT64_C(0x59f111f1b605d019),
    UINT64_C(0x923f82a4af194f9b), UINT64_C(0xab1c5ed5da6d8118), UINT64_C(0xd807aa98a3030242),
    UINT64_C(0x12835b0145706fbe), UINT64_C(0x243185be4ee4b28c), UINT64_C(0x550c7dc3d5ffb4e2),
    UINT64_C(0x72be5d74f27b896f), UINT64_C(0x80deb1fe3b1696b1), UINT64_C(0x9bdc06a725c71235),
    UINT64_C(0xc19bf174cf692694), UINT64_C(0xe49b69c19ef14ad2), UINT64_C(0xefbe4786384f25e3),
    UINT64_C(0x0fc19dc68b8cd5b5), UINT64_C(0x240ca1cc77ac9c65), UINT64_C(0x2de92c6f592b0275),
    UINT64_C(0x4a7484aa6ea6e483), UINT64_C(0x5cb0a9dcbd41fbd4), UINT64_C(0x76f988da831153b5),
    UINT64_C(0x983e5152ee66dfab), UINT64_C(0xa831c66d2db43210), UINT64_C(0xb00327c898fb213f),
    UINT64_C(0xbf597fc7beef0ee4), UINT64_C(0xc6e00bf33da88fc2), UINT64_C(0xd5a79147930aa725),
    UINT64_C(0x06ca6351e003826f), UINT64_C(0x142929670a0e6e70), UINT64_C(0x27b70a8546d22ffc),
    UINT64_C(0x2e1b21385c26c926), UINT64_C(0x4d2c6dfc5ac42aed), UINT64_C(0x53380d139d95b3df),
    UINT64_C(0x650a73548baf63de), UINT64_C(0x766a0abb3c77b2a8), UINT64_C(0x81c2c92e47edaee6),
    UINT64_C(0x92722c851482353b), UINT64_C(0xa2bfe8a14cf10364), UINT64_C(0xa81a664bbc423001),
    UINT64_C(0xc24b8b70d0f89791), UINT64_C(0xc76c51a30654be30), UINT64_C(0xd192e819d6ef5218),
    UINT64_C(0xd69906245565a910), UINT64_C(0xf40e35855771202a), UINT64_C(0x106aa07032bbd1b8),
    UINT64_C(0x19a4c116b8d2d0c8), UINT64_C(0x1e376c085141ab53), UINT64_C(0x2748774cdf8eeb99),
    UINT64_C(0x34b0bcb5e19b48a8), UINT64_C(0x391c0cb3c5c95a63), UINT64_C(0x4ed8aa4ae3418acb),
    UINT64_C(0x5b9cca4f7763e373), UINT64_C(0x682e6ff3d6b2b8a3), UINT64_C(0x748f82ee5defb2fc),
    UINT64_C(0x78a5636f43172f60), UINT64_C(0x84c87814a1f0ab72), UINT64_C(0x8cc702081a6439ec),
    UINT64_C(0x90befffa23631e28), UINT64_C(0xa4506cebde82bde9), UINT64_C(0xbef9a3f7b2c67915),
    UINT64_C(0xc67178f2e372532b), UINT64_C(0xca273eceea26619c), UINT64_C(0xd186b8c721c0c207),
    UINT64_C(0xeada7dd6cde0eb1e), UINT64_C(0xf57d4f7fee6ed178), UINT64_C(0x06f067aa72176fba),
    UINT64_C(0x0a637dc5a2c898a6), UINT64_C(0x113f9804bef90dae), UINT64_C(0x1b710b35131c471b),
    UINT64_C(0x28db77f523047d84), UINT64_C(0x32caab7b40c72493), UINT64_C(0x3c9ebe0a15c9bebc),
    UINT64_C(0x431d67c49c100d4c), UINT64_C(0x4cc5d4becb3e42b6), UINT64_C(0x597f299cfc657e2a),
    UINT64_C(0x5fcb6fab3ad6faec), UINT64_C(0x6c44198c4a475817),
};

/* FIPS 180-4, section 5.3.5: the state before the first block. */
static const uint64_t start[8] = {
    UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b), UINT64_C(0x3c6ef372fe94f82b),
    UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
    UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179),
};

/* To the right, by 1 to 63 bits (ROTR of the standard). */
static uint64_t rotate(uint64_t word, unsigned bits)
{
    assert(bits > 0 && bits < 64); /* a shift by all 64 is undefined */
    return word >> bits | word << (64 - bits);
}

/* The standard's words are big-endian, whatever the machine's are. */
static uint64_t read_word(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (size_t i = 0; i < 8; i++)
        word = word << 8 | bytes[i];
    return word;
}

/* Most significant byte first, as the standard has all its words. */
static void write_word(uint8_t *bytes, uint64_t word)
{
    for (size_t i = 8; i-- > 0; word >>= 8)
        bytes[i] = (uint8_t)word;
}

/* The message schedule of one block. */
static void expand(const uint8_t *block, uint64_t word[static ROUNDS])
{
    for (size_t i = 0; i < 16; i++)
        word[i] = read_word(block + 8 * i);
    for (size_t i = 16; i < ROUNDS; i++) {
        uint64_t a = word[i - 15], b = word[i - 2];
        word[i] = word[i - 16] + (rotate(a, 1) ^ rotate(a, 8) ^ a >> 7) + word[i - 7] +
                  (rotate(b, 19) ^ rotate(b, 61) ^ b >> 6);
    }
}

/* Compresses one block into the state (section 6.4.2); s[0 .. 7] are the standard's a .. h. */
static void take_block(uint64_t state[static 8], const uint8_t *block)
{
    uint64_t word[ROUNDS], s[8];
    expand(block, word);
    memcpy(s, state, sizeof s);
    for (size_t i = 0; i < ROUNDS; i++) {
        uint64_t choose = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint64_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        uint64_t first = s[7] + (rotate(s[4], 14) ^ rotate(s[4], 18) ^ rotate(s[4], 41)) + choose +
                         round_constant[i] + word[i];
        uint64_t second = (rotate(s[0], 28) ^ rotate(s[0], 34) ^ rotate(s[0], 39)) + majority;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += s[i];
}

/* Whole blocks are read where they are; only what is left over is copied, to be padded by a bit 1,
 * zeros and the length in bits, which may take a second block. */
void pare_sha512(const void *bytes, size_t size, uint8_t digest[static PARE_SHA512_BYTES])
{
    uint64_t state[8];
    uint8_t last[2 * BLOCK_BYTES] = {0};
    size_t whole = size - size % BLOCK_BYTES, rest = size - whole;
    size_t n_last = rest + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    memcpy(state, start, sizeof state);
    for (size_t at = 0; at < whole; at += BLOCK_BYTES)
        take_block(state, (const uint8_t *)bytes + at);
    if (rest) memcpy(last, (const uint8_t *)bytes + whole, rest);
    last[rest] = 0x80;
    write_word(last + n_last - 16, (uint64_t)size >> 61);
    write_word(last + n_last - 8, (uint64_t)size << 3);
    for (size_t at = 0; at < n_last; at += BLOCK_BYTES)
        take_block(state, last + at);
    for (size_t i = 0; i < 8; i++)
        write_word(digest + 8 * i, state[i]);
}

/* "sha512-" and the digest in base64, as registries and W3C's Subresource Integrity write it. */
void pare_sha512_integrity(const void *bytes, size_t size, char text[static PARE_INTEGRITY_BYTES])
{
    static const char method[] = "sha512-";
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t digest[PARE_SHA512_BYTES + 2] = {0}; /* padded to whole groups of three */
    pare_sha512(bytes, size, digest);
    memcpy(text, method, sizeof method);
    char *out = text + sizeof method - 1;
    for (size_t i = 0; i < PARE_SHA512_BYTES; i += 3) {
        unsigned group = (unsigned)digest[i] << 16 | (unsigned)digest[i + 1] << 8 | digest[i + 2];
        for (unsigned shift = 24; shift > 0; shift -= 6)
            *out++ = letters[group >> (shift - 6) & 63];
    }
    out[-1] = out[-2] = '='; /* 64 bytes leave two letters of the last group unused */
    *out = '\0';
}
