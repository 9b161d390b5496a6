/* Deltas between texts, found by blocks.
 *
 * What both texts begin and end with is set aside first; for one deletion that is all.  Between
 * them the old text is cut into blocks, which are sorted by a hash of their bytes; at each byte of the new
 * one the block that begins there is looked up, and a hit is lengthened to both sides.  Of several
 * hits the longest counts, and of equal ones the first after the stretch before, as what a
 * reduction leaves stays in order.  A short hit of a block that is there many times is passed over: the
 * next block that is not leads to the right place, and is lengthened back to here.
 * Invariant: what was written and what is pending make the new text up to `at`.
 * Source: copies and new bytes are those of VCDIFF (RFC 3284) and of git's packs; fixed blocks of the
 * old text are rsync's. */
#include "text/delta.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/halving.h"
#include "base/varint.h"

enum {
    SMALL_BLOCK = 8, /* finds every stretch of 15 bytes */
    LARGE_BLOCK = 64,
    LARGE_BYTES = 1 << 22, /* from this size on large blocks, for the memory's sake */
    TRIED = 6,             /* blocks of one hash that are compared */
    TRIED_BEFORE = 2,      /* of them before the stretch before */
    COMMON = 4             /* of a block that is often there, a hit has to be so many blocks long */
};

/* The old text from byte `origin` on, by blocks: `first[h]` is where those of hash h begin in `block`,
 * ascending. */
struct index {
    uint32_t *first, *block; /* owned */
    size_t n_blocks, mask, bytes, origin;
};

/* A delta that is being written. */
struct writer {
    pare_buffer *out;
    pare_span old, fresh;
    size_t copied_to;     /* in the old text, by what is written: */
    size_t copy_at, copy; /* pending: a stretch of the old text, */
    size_t literal, at;   /* and bytes literal .. at-1 of the new one after it */
};

/* A signed number as one without a sign, small where the number is near 0: 0, -1, 1, -2 become 0,
 * 1, 2, 3.  So it takes few bytes as a varint (the zigzag encoding of Protocol Buffers). */
static uint64_t fold(int64_t value)
{
    return value < 0 ? ((uint64_t)(-(value + 1)) << 1) + 1 : (uint64_t)value << 1;
}

/* The inverse of fold. */
static int64_t unfold(uint64_t value)
{
    return value & 1 ? -(int64_t)(value >> 1) - 1 : (int64_t)(value >> 1);
}

/* Writes what is pending; the next stretch begins empty. */
static pare_status flush(struct writer *writer, pare_error *err)
{
    const size_t n = writer->at - writer->literal;
    const uint64_t numbers[] = {fold((int64_t)writer->copy_at - (int64_t)writer->copied_to),
                                writer->copy, n};
    pare_status status = PARE_OK;
    if (!writer->copy && !n) return PARE_OK;
    for (size_t k = 0; !status && k < sizeof numbers / sizeof *numbers; k++)
        status = pare_varint_add(writer->out, numbers[k], err);
    if (!status && n)
        status = pare_buffer_add(writer->out, writer->fresh.bytes + writer->literal, n, err);
    writer->copied_to = writer->copy_at + writer->copy;
    writer->copy_at = writer->copied_to;
    writer->copy = 0;
    writer->literal = writer->at;
    return status;
}

/* The next `size` bytes of the new text are those of the old one from `from` on. */
static pare_status copy(struct writer *writer, size_t from, size_t size, pare_error *err)
{
    pare_status status = PARE_OK;
    if (!size) return PARE_OK;
    const bool joins =
        writer->literal == writer->at && writer->copy && writer->copy_at + writer->copy == from;
    if (!joins) {
        status = flush(writer, err);
        writer->copy_at = from;
    }
    writer->copy += size;
    writer->at += size;
    writer->literal = writer->at;
    return status;
}

/* ---- blocks ---------------------------------------------------------------------------- */

/* The place of a block in the index.  Eight bytes at a time; index->bytes is a multiple of
 * eight. */
static size_t hash(const struct index *index, const unsigned char *bytes)
{
    uint64_t value = 0;
    for (size_t k = 0; k < index->bytes; k += sizeof value) {
        uint64_t word;
        memcpy(&word, bytes + k, sizeof word);
        value = (value ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        value ^= value >> 29;
    }
    return (size_t)(value >> 20) & index->mask;
}

/* All-zero is a no-op. */
static void index_done(struct index *index)
{
    pare_alloc_free(index->first);
    pare_alloc_free(index->block);
}

/* Where block k begins in the old text. */
static size_t place(const struct index *index, size_t k)
{
    return index->origin + k * index->bytes;
}

/* Sorted by counting: how many blocks each hash has, where they end, and each into its place from
 * the rear. */
static pare_status index_init(struct index *index, pare_span old, size_t origin, pare_error *err)
{
    const size_t size = old.size - origin;
    index->origin = origin;
    index->bytes = size < LARGE_BYTES ? SMALL_BLOCK : LARGE_BLOCK;
    index->n_blocks = size / index->bytes;
    for (index->mask = 255; index->mask < index->n_blocks; index->mask = 2 * index->mask + 1) {
    }
    index->first = pare_alloc_zero(index->mask + 2, sizeof *index->first);
    index->block = pare_alloc(index->n_blocks + 1, sizeof *index->block);
    if (!index->first || !index->block) return pare_fail_nomem(err);
    for (size_t k = 0; k < index->n_blocks; k++)
        index->first[hash(index, old.bytes + place(index, k))]++;
    for (size_t h = 1; h <= index->mask + 1; h++)
        index->first[h] += index->first[h - 1];
    for (size_t k = index->n_blocks; k-- > 0;)
        index->block[--index->first[hash(index, old.bytes + place(index, k))]] = (uint32_t)k;
    return PARE_OK;
}

/* A stretch that both have. */
struct hit {
    size_t from, at, size; /* in the old text, in the new one */
};

/* Lengthens the block at `from` to both sides; in the new text not before what is written. */
static struct hit lengthen(const struct writer *writer, pare_span old, pare_span fresh, size_t from)
{
    size_t size = 0, back = 0;
    const size_t at = writer->at, least = writer->literal;
    while (at + size < fresh.size && from + size < old.size &&
           fresh.bytes[at + size] == old.bytes[from + size])
        size++;
    while (size && at - back > least && from - back > 0 &&
           fresh.bytes[at - back - 1] == old.bytes[from - back - 1])
        back++;
    return (struct hit){.from = from - back, .at = at - back, .size = size + back};
}

/* The longest of some hits at the writer's place in `fresh`; size 0: none. */
static struct hit find(const struct index *index, const struct writer *writer, pare_span old,
                       pare_span fresh)
{
    struct hit best = {.size = 0};
    const size_t h = hash(index, fresh.bytes + writer->at);
    const size_t begin = index->first[h], end = index->first[h + 1];
    const size_t expected = writer->copy_at + writer->copy;
    pare_halving search = {.low = begin, .high = end};
    while (pare_halving_next(&search)) /* the first block at or after what is expected */
        pare_halving_tell(&search, place(index, index->block[search.middle]) < expected);
    const size_t first = search.low - begin < TRIED_BEFORE ? begin : search.low - TRIED_BEFORE;
    for (size_t k = first; k < end && k < first + TRIED; k++) {
        const struct hit hit = lengthen(writer, old, fresh, place(index, index->block[k]));
        const bool nearer = hit.size == best.size && best.from < expected && hit.from >= expected;
        if (hit.size > best.size || nearer) best = hit;
    }
    const size_t least = index->bytes * (end - begin > TRIED ? COMMON : 1);
    return best.size >= least ? best : (struct hit){.size = 0};
}

/* Between the ends: the first bytes, to where the writer is, are those of both, and nothing of the
 * tail is in the spans. */
static pare_status match(struct writer *writer, pare_span old, pare_span fresh, pare_error *err)
{
    struct index index = {0};
    pare_status status = index_init(&index, old, writer->at, err);
    while (!status && index.n_blocks && writer->at + index.bytes <= fresh.size) {
        const struct hit hit = find(&index, writer, old, fresh);
        if (!hit.size) {
            writer->at++;
            continue;
        }
        writer->at = hit.at;
        status = copy(writer, hit.from, hit.size, err);
    }
    index_done(&index);
    return status;
}

/* ---- both -------------------------------------------------------------------------------- */

/* How many bytes the two have in common from the front: large steps by memcmp, then byte by byte in
 * the step that differs. */
static size_t common_head(pare_span a, pare_span b)
{
    enum { STEP = 4096 };
    const size_t most = a.size < b.size ? a.size : b.size;
    size_t n = 0;
    while (most - n >= STEP && memcmp(a.bytes + n, b.bytes + n, STEP) == 0)
        n += STEP;
    while (n < most && a.bytes[n] == b.bytes[n])
        n++;
    return n;
}

/* The common end of both, not counting their first `head` bytes. */
static size_t common_tail(pare_span a, pare_span b, size_t head)
{
    enum { STEP = 4096 };
    const size_t most = (a.size < b.size ? a.size : b.size) - head;
    const unsigned char *a_end = a.bytes + a.size, *b_end = b.bytes + b.size;
    size_t n = 0;
    while (most - n >= STEP && memcmp(a_end - n - STEP, b_end - n - STEP, STEP) == 0)
        n += STEP;
    while (n < most && a_end[-1 - (ptrdiff_t)n] == b_end[-1 - (ptrdiff_t)n])
        n++;
    return n;
}

/* Most edits of a reduction change one place, so the common head and tail are most of the text and
 * cost a memcmp; only what is between them is indexed and matched. */
pare_status pare_delta_make(pare_span old, pare_span fresh, pare_buffer *out, pare_error *err)
{
    const size_t size = out->size;
    struct writer writer = {.out = out, .old = old, .fresh = fresh};
    /* There may be no bytes that a pointer could point to. */
    const bool empty = !old.size || !fresh.size;
    const size_t head = empty ? 0 : common_head(old, fresh);
    const size_t tail = empty ? 0 : common_tail(old, fresh, head);
    pare_status status = copy(&writer, 0, head, err);
    /* The heads stay in the spans, so that places are those of the whole texts. */
    if (!status && old.size > head + tail && fresh.size > head + tail)
        status = match(&writer, (pare_span){old.bytes, old.size - tail},
                       (pare_span){fresh.bytes, fresh.size - tail}, err);
    if (!status) {
        writer.at = fresh.size - tail;
        status = copy(&writer, old.size - tail, tail, err);
    }
    if (!status) status = flush(&writer, err);
    assert(status || writer.literal == fresh.size);
    if (status) out->size = size;
    return status;
}

/* Trusts nothing: a delta comes from a file or over a net.  `most` bounds the result before any of
 * it is copied; `from` may wrap round for a damaged number, and is then beyond the old text. */
pare_status pare_delta_apply(pare_span delta, pare_span old, size_t most, pare_buffer *out,
                             pare_error *err)
{
    pare_varint_reader reader = {.at = delta.bytes, .end = delta.bytes + delta.size};
    uint64_t to = 0; /* in the old text, the end of the stretch before */
    pare_status status = PARE_OK;
    while (!status && reader.at < reader.end) {
        const uint64_t from = to + (uint64_t)unfold(pare_varint_next(&reader));
        const uint64_t size = pare_varint_next(&reader), n = pare_varint_next(&reader);
        const unsigned char *fresh = pare_varint_bytes(&reader, n);
        const bool is_there = from <= old.size && size <= old.size - from;
        if (reader.failed || !is_there || size > most || n > most - size)
            return pare_fail(err, PARE_E_CORRUPT, "an edit is not one of its text");
        most -= (size_t)(size + n);
        to = from + size;
        if (size) status = pare_buffer_add(out, old.bytes + from, (size_t)size, err);
        if (!status && n) status = pare_buffer_add(out, fresh, (size_t)n, err);
    }
    return status;
}
