/* Polynomial digests of bytes, whose slices and concatenations are O(1).
 *
 * The digest of bytes b0 .. b(n-1) is the polynomial sum of (b_i + 1) * B^(n-1-i)
 * modulo the Mersenne prime 2^61-1, in two lanes with two fixed bases B, together
 * with n.  Two texts of up to 2^32 bytes collide with a probability of about 2^-58
 * a lane, 2^-116 for both, for inputs not made to collide: enough to take equal
 * digests for equal bytes.  Not for use against an adversary.
 * Source: Karp and Rabin, 1987; DustMite's incremental hash. */
#ifndef PARE_BASE_DIGEST_H
#define PARE_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The polynomial alone: a value in the field, two lanes, each below 2^61-1. */
typedef struct pare_hash {
    uint64_t lane[2];
} pare_hash;

/* Name of a byte string: its polynomial and length folded into 128 bits. */
typedef struct pare_digest {
    uint64_t high, low;
} pare_digest;

enum { PARE_DIGEST_TEXT_BYTES = 33 }; /* 32 hexadecimal digits and a NUL */

/* Hash of `head` followed by `size` bytes.  About 1 ns a byte. */
pare_hash pare_digest_extend(pare_hash head, const void *bytes, size_t size);

/* Factors for whole blocks of bytes.  Making them costs as much as some 2 KB of pare_digest_extend. */
enum { PARE_DIGEST_BLOCK = 128, PARE_DIGEST_LIMBS = 5 };
typedef struct pare_digest_blocks {
    int16_t factor[2][PARE_DIGEST_LIMBS][PARE_DIGEST_BLOCK];
    pare_hash power; /* of a block's size */
} pare_digest_blocks;
void pare_digest_blocks_init(pare_digest_blocks *blocks);

/* The same hash as pare_digest_extend, for megabytes: two to three times as fast. */
pare_hash pare_digest_extend_blocks(const pare_digest_blocks *blocks, pare_hash head,
                                    const void *bytes, size_t size);

/* Hash of head followed by a tail of `tail_size` bytes (at most 2^32). */
pare_hash pare_digest_join(pare_hash head, pare_hash tail, size_t tail_size);

/* Hash of what follows `head` in `whole`, given that this is `tail_size` bytes:
 * the inverse of pare_digest_join. */
pare_hash pare_digest_tail(pare_hash whole, pare_hash head, size_t tail_size);

/* The factor that a tail of `tail_size` bytes (at most 2^32) puts on its head:
 * lets pare_digest_join_power join many tails of known size without recomputing it. */
pare_hash pare_digest_power(size_t tail_size);
pare_hash pare_digest_join_power(pare_hash head, pare_hash tail, pare_hash tail_power);

pare_digest pare_digest_of(pare_hash hash, size_t size_bytes);
bool pare_digest_equal(pare_digest a, pare_digest b);

/* Writes 32 lower-case hexadecimal digits and a NUL. */
void pare_digest_text(pare_digest digest, char text[PARE_DIGEST_TEXT_BYTES]);

#endif
