/* Edits, written and applied.
 *
 * Two texts are compared by blocks: the base's, at multiples of BLOCK bytes, are in a table by a
 * hash of their bytes; a window of the same size moves over the text, and where it meets one of
 * them the match is extended both ways.  These are not the shortest edits, but it takes linear
 * time, and a text that lost some parts costs a few bytes for each.
 * Source: the idea of Tridgell and Mackerras, "The rsync algorithm", 1996; here both texts are at
 * hand, so equality is looked at and no strong checksum is needed. */
#include "run/remote/edits.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "run/remote/message.h"
#include "text/text.h"

enum { BLOCK = 16, MOST_TABLE_BITS = 20 };

/* *expected is where the slice before ended, and then where this one does: slices that follow each
 * other cost two bytes. */
static pare_status add_slice(pare_buffer *out, size_t offset, size_t size, size_t *expected,
                             pare_error *err)
{
    int64_t step = (int64_t)offset - (int64_t)*expected;
    uint64_t zigzag = ((uint64_t)step << 1) ^ (uint64_t)(step < 0 ? -1 : 0);
    *expected = offset + size;
    pare_status status = pare_message_add_number(out, (uint64_t)size << 1, err);
    return status ? status : pare_message_add_number(out, zigzag, err);
}

static pare_status add_literal(pare_buffer *out, const void *bytes, size_t size, pare_error *err)
{
    if (!size) return PARE_OK;
    pare_status status = pare_message_add_number(out, ((uint64_t)size << 1) | 1, err);
    return status ? status : pare_buffer_add(out, bytes, size, err);
}

/* A candidate is slices and literals already; only their form is another. */
pare_status pare_edits_of_candidate(const pare_candidate *candidate, pare_buffer *out,
                                    pare_error *err)
{
    pare_status status = PARE_OK;
    size_t expected = 0;
    for (size_t i = 0; i < candidate->n_pieces && !status; i++) {
        const pare_piece *piece = &candidate->pieces[i];
        status = piece->literal
                     ? add_literal(out, candidate->literals.data + piece->offset, piece->size, err)
                     : add_slice(out, piece->offset, piece->size, &expected, err);
    }
    return status;
}

/* ---- two texts ------------------------------------------------------------------------- */

/* Offsets + 1 of the base's blocks by hash; 0: none. */
struct blocks {
    uint32_t *at;
    unsigned bits;
};

/* Of BLOCK bytes.  The constant is 2^64 over the golden ratio (Knuth's multiplicative hashing); the
 * upper bits of the product are the best mixed. */
static size_t hash_of(const unsigned char *bytes, unsigned bits)
{
    uint64_t low, high;
    memcpy(&low, bytes, sizeof low);
    memcpy(&high, bytes + sizeof low, sizeof high);
    return (size_t)(((low ^ (high << 1 | high >> 63)) * UINT64_C(0x9E3779B97F4A7C15)) >>
                    (64 - bits));
}

/* Where two blocks share a hash the first one stays, so runs of equal blocks cost nothing.  False:
 * memory is out. */
static bool open_blocks(struct blocks *blocks, pare_span base)
{
    blocks->bits = 8;
    while (blocks->bits < MOST_TABLE_BITS && ((size_t)1 << blocks->bits) < base.size / BLOCK * 2)
        blocks->bits++;
    blocks->at = pare_alloc_zero((size_t)1 << blocks->bits, sizeof *blocks->at);
    if (!blocks->at) return false;
    for (size_t i = 0; i + BLOCK <= base.size; i += BLOCK) {
        uint32_t *at = &blocks->at[hash_of(base.bytes + i, blocks->bits)];
        if (!*at) *at = (uint32_t)i + 1;
    }
    return true;
}

/* How many bytes of the text at `at` equal those from the block of its hash on, which begins at
 * *from; 0: less than a block, which is not worth a slice. */
static size_t match(const struct blocks *blocks, pare_span base, pare_span text, size_t at,
                    size_t *from)
{
    size_t known = blocks->at[hash_of(text.bytes + at, blocks->bits)];
    if (!known) return 0;
    size_t start = known - 1, size = 0;
    while (start + size < base.size && at + size < text.size &&
           base.bytes[start + size] == text.bytes[at + size])
        size++;
    *from = start;
    return size >= BLOCK ? size : 0;
}

/* Each byte of the text is looked at by one match that is taken, and at most by BLOCK that are too
 * short. */
pare_status pare_edits_between(pare_span base, pare_span text, pare_buffer *out, pare_error *err)
{
    struct blocks blocks = {0};
    size_t expected = 0, done = 0; /* bytes of the text that are told */
    if (!open_blocks(&blocks, base)) return pare_fail_nomem(err);
    pare_status status = PARE_OK;
    for (size_t at = 0; at + BLOCK <= text.size && !status;) {
        size_t from = 0, size = match(&blocks, base, text, at, &from);
        if (!size) {
            at++;
            continue;
        }
        for (; at > done && from > 0 && base.bytes[from - 1] == text.bytes[at - 1]; size++)
            at--, from--;
        status = add_literal(out, text.bytes + done, at - done, err);
        if (!status) status = add_slice(out, from, size, &expected, err);
        done = at += size;
    }
    if (!status) status = add_literal(out, text.bytes + done, text.size - done, err);
    pare_alloc_free(blocks.at);
    return status;
}

/* ---- applying -------------------------------------------------------------------------- */

/* Edits come from other machines: each size is held against what is left of the limit before
 * anything is copied, each slice against the base. */
pare_status pare_edits_apply(pare_span base, pare_span edits, size_t limit, pare_buffer *out,
                             pare_error *err)
{
    pare_message in = pare_message_of(edits.bytes, edits.size);
    const size_t before = out->size;
    size_t expected = 0;
    pare_status status = PARE_OK;
    while (in.at < in.size && !status) {
        uint64_t head = pare_message_number(&in);
        uint64_t size = head >> 1;
        if (size > limit - (out->size - before))
            return pare_fail(err, PARE_E_LIMIT, "edits make a text that is too large");
        if (head & 1) {
            const unsigned char *bytes = pare_message_bytes(&in, (size_t)size);
            if (bytes) status = pare_buffer_add(out, bytes, (size_t)size, err);
        } else {
            uint64_t zigzag = pare_message_number(&in);
            uint64_t offset = (uint64_t)expected + ((zigzag >> 1) ^ (~(zigzag & 1) + 1));
            if (offset > base.size || size > base.size - offset) in.is_bad = true;
            expected = (size_t)(offset + size);
            if (!in.is_bad && size)
                status = pare_buffer_add(out, base.bytes + offset, (size_t)size, err);
        }
        if (in.is_bad) return pare_fail(err, PARE_E_CORRUPT, "edits are damaged");
    }
    return status;
}
