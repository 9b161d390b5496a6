/* Streams of zlib in a file of any format, as PDF, fonts and saved games have them.
 *
 * Each place at which a header of zlib could stand is tried: it is one if what follows can be unpacked to
 * its end and agrees with the checksum there, which chance does not make.  The largest streams are taken
 * where there are more than can be kept open.  A number in digits near a stream that says how long it is,
 * as PDF writes before it or in an object behind it, is corrected with it.
 *
 * Invariant: streams do not overlap; those behind are unpacked first, since what is behind one moves.
 * Cost: one pass over the file; a header that is none fails within its first block.
 * Sources: RFC 1950; ISO 32000-1, 7.3.8 for the lengths.  Tested by tests/unit/test_chunk_streams.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_tree.h"
#include "text/packing.h"
#include "text/text.h"

enum {
    LEAST_PACKED = 16, /* bytes of a stream */
    LEAST_DIGITS = 2,
    NEAR = 256,         /* bytes around a stream in which its length is looked for */
    MOST_LINE_ENDS = 2, /* that such a length may count in addition */
    PRINTED_OF_EIGHT = 7,
    LENGTH_BYTES = 8 /* before a stream, in which its length may stand */
};

/* A stream: bytes from .. to-1, its header and checksum among them; its chunk, or PARE_NO_CHUNK. */
struct stream {
    uint32_t from, to;
    uint32_t chunk;
};

struct streams {
    struct stream *items; /* owned; ascending */
    size_t n, capacity;
};

/* Whether a stream may begin with these two bytes: deflate, a window of 32 KiB at most, no
 * dictionary, and a check that is right: 78 01, 78 5e, 78 9c, 78 da, and a few with smaller
 * windows. Of random pairs one in about two thousand is. */
static bool is_header(const unsigned char *bytes)
{
    return (bytes[0] & 15) == 8 && bytes[0] < 0x80 && !(bytes[1] & 0x20) &&
           (bytes[0] * 256 + bytes[1]) % 31 == 0;
}

/* Where the stream that begins at `from` ends; 0: no stream begins there, or a very short one.
 * Unpacking it is the only way to know: its end is where its last block ends, and four bytes of
 * Adler-32. */
static pare_status find_stream_end(pare_chunk_tree *tree, uint32_t from, uint32_t to, uint32_t *end,
                                   pare_error *err)
{
    pare_buffer plain = {0};
    size_t used = 0;
    pare_status status = pare_chunk_tree_open(
        tree, PARE_PACKING_ZLIB, (pare_span){tree->bytes + from, to - from}, &plain, &used, err);
    *end = used >= LEAST_PACKED ? from + (uint32_t)used : 0;
    pare_buffer_done(&plain);
    return status;
}

/* Finds all streams, in ascending order and without overlaps: the search goes on behind a stream
 * that was found, since what looks like a header within packed bytes is none. */
static pare_status find_streams(pare_chunk_tree *tree, uint32_t from, uint32_t to,
                                struct streams *streams, pare_error *err)
{
    uint32_t end = 0;
    for (uint32_t at = from; to - at >= LEAST_PACKED; at = end ? end : at + 1) {
        end = 0;
        if (!is_header(tree->bytes + at)) continue;
        pare_status status = find_stream_end(tree, at, to, &end, err);
        if (status) return status;
        if (!end) continue;
        struct stream *items =
            pare_vector_grow(streams->items, streams->n, &streams->capacity, sizeof *items);
        if (!items) return pare_fail_nomem(err);
        streams->items = items;
        items[streams->n++] = (struct stream){.from = at, .to = end};
    }
    return PARE_OK;
}

/* For qsort: the largest first, of equal ones the first. */
static int by_size(const void *a, const void *b)
{
    const struct stream *x = a, *y = b;
    const uint32_t mine = x->to - x->from, other = y->to - y->from;
    if (mine != other) return mine > other ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

static int by_place(const void *a, const void *b)
{
    const struct stream *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Leaves at most `most` streams, by place. The largest ones are kept, for most of the file is in
 * them. */
static void keep_largest(struct streams *streams, size_t most)
{
    if (streams->n <= most) return;
    qsort(streams->items, streams->n, sizeof *streams->items, by_size);
    streams->n = most;
    qsort(streams->items, streams->n, sizeof *streams->items, by_place);
}

/* Whether a zero stands right before the stream, which no text has: more likely it is of a length in bytes. */
static bool has_zero_before(const pare_chunk_tree *tree, uint32_t from, uint32_t stream)
{
    const uint32_t begin = stream - from < LENGTH_BYTES ? from : stream - LENGTH_BYTES;
    return memchr(tree->bytes + begin, 0, stream - begin) != NULL;
}

/* Whether bytes outside of the streams are text, at least seven of eight, and so it is before half of them. That is so
 * in PDF; in other files a run of lengths may say where streams are, be the others those of texts, as the comments of
 * PNG are. Without bytes outside: false. */
static bool is_text_around(const pare_chunk_tree *tree, uint32_t from, uint32_t to,
                           const struct streams *streams)
{
    uint64_t n = 0, printed = 0, n_zeros = 0;
    uint32_t at = from;
    for (size_t i = 0; i <= streams->n; i++) {
        for (const uint32_t end = i < streams->n ? streams->items[i].from : to; at < end; at++) {
            const unsigned char byte = tree->bytes[at];
            printed += (byte >= ' ' && byte < 0x7f) || byte == '\n' || byte == '\r' || byte == '\t';
            n++;
        }
        if (i == streams->n) break;
        n_zeros += has_zero_before(tree, from, streams->items[i].from);
        at = streams->items[i].to;
    }
    return n && printed * 8 >= n * PRINTED_OF_EIGHT && n_zeros * 2 <= streams->n;
}

static bool is_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Notes each number from .. to-1 that is the length of the stream, or up to two more: some writers
 * count the end of line before "endstream". "/Length 1234" before a stream of 1234 bytes is one.
 * Numbers of one digit are left out. Errors: PARE_E_NOMEM. */
static pare_status note_lengths(pare_chunk_tree *tree, const struct stream *stream, uint32_t from,
                                uint32_t to, pare_error *err)
{
    const uint32_t length = stream->to - stream->from;
    for (uint32_t at = from, end; at < to; at = end) {
        uint64_t number = 0;
        for (end = at; end < to && is_digit(tree->bytes[end]) && number <= UINT32_MAX; end++)
            number = number * 10 + (uint64_t)(tree->bytes[end] - '0');
        const uint32_t width = end - at;
        /* No digit stands here: the next byte is tried. */
        if (!width) end++;
        if (width < LEAST_DIGITS || width > PARE_CODING_MOST_BYTES) continue;
        if (number < length || number > length + MOST_LINE_ENDS) continue;
        const pare_chunk_field field = {.number = PARE_NUMBER_LENGTH,
                                        .coding = PARE_CODING_DECIMAL,
                                        .width = width,
                                        .at = at,
                                        .from = stream->from,
                                        .to = stream->to};
        pare_status status = pare_chunk_tree_field(tree, &field, err);
        if (status) return status;
    }
    return PARE_OK;
}

/* Adds the streams to `chunk`, with their lengths, and unpacks them from the rear, because
 * unpacking moves what is behind. Lengths are looked for on both sides, not beyond the neighbours:
 * a number between two streams may be found for either of them, but has to be its length. */
static pare_status add_streams(pare_chunk_tree *tree, uint32_t chunk, struct streams *streams,
                               pare_error *err)
{
    const uint32_t begin = tree->chunks[chunk].body, end = tree->chunks[chunk].body_to;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < streams->n; i++) {
        struct stream *stream = &streams->items[i];
        const uint32_t before = i ? streams->items[i - 1].to : begin;
        const uint32_t after = i + 1 < streams->n ? streams->items[i + 1].from : end;
        assert(before <= stream->from && stream->to <= after);
        status = pare_chunk_tree_add(tree, chunk, stream->from, stream->to, &stream->chunk, err);
        if (!status)
            status = note_lengths(tree, stream,
                                  stream->from - before > NEAR ? stream->from - NEAR : before,
                                  stream->from, err);
        if (!status)
            status = note_lengths(tree, stream, stream->to,
                                  after - stream->to > NEAR ? stream->to + NEAR : after, err);
    }
    for (size_t i = streams->n; !status && i-- > 0;) {
        bool done;
        if (streams->items[i].chunk == PARE_NO_CHUNK) continue;
        status =
            pare_chunk_tree_unpack(tree, streams->items[i].chunk, PARE_PACKING_ZLIB, &done, err);
        if (!done) tree->chunks[streams->items[i].chunk].known = true;
    }
    return status;
}

/* A chunk is looked into twice (chunk_finder.c): with `in_text` only if text is around the streams,
 * later without that condition. */
pare_status pare_chunk_streams_read(pare_chunk_tree *tree, uint32_t chunk, bool in_text,
                                    bool *found, pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    struct streams streams = {0};
    *found = false;
    if (tree->n_packings >= PARE_CHUNK_MOST_PACKINGS || !pare_packing_is_there()) return PARE_OK;
    pare_status status = find_streams(tree, from, to, &streams, err);
    keep_largest(&streams, PARE_CHUNK_MOST_PACKINGS - tree->n_packings);
    if (!status && streams.n && (!in_text || is_text_around(tree, from, to, &streams))) {
        *found = true;
        status = add_streams(tree, chunk, &streams, err);
    }
    pare_alloc_free(streams.items);
    return status;
}
