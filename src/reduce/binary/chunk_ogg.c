/* Chunks of Ogg: pages, and the segments of their packets.
 *
 * A page has a number, a checksum of its own kind, and a table with the length of each segment, of which 255 or
 * fewer bytes are one; a packet is segments up to the first one of fewer.  So a segment goes with its length, a
 * page with all of it, and the numbers of the pages behind it become lower.  In a file of several streams, whose
 * pages are numbered each for itself, numbers stay as they are.
 * Invariant: nothing is noted unless pages fill the file, each with its right checksum.
 * Source: RFC 3533.  Tested by tests/unit/test_chunk_ogg.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    STREAM_AT = 14, /* bytes behind a page's begin */
    NUMBER_AT = 18,
    SUM_AT = 22,
    COUNT_AT = 26,
    HEAD = 27,
    FULL = 255 /* bytes of a segment that another one of its packet follows */
};

/* Reads the page at `from`: where its segments begin and end; false: there is none, or its checksum
 * is wrong.
 *
 * 0   4   "OggS"                        18  4   number of the page
 * 4   1   0, the version                22  4   checksum of the page, itself counted as 0
 * 5   1   flags                         26  1   how many segments, n
 * 6   8   position in the sound         27  n   the length of each
 * 14  4   number of the stream              the segments */
static bool read_page(const pare_chunk_tree *tree, uint32_t from, uint32_t end, uint32_t *body,
                      uint32_t *to)
{
    const unsigned char *page = tree->bytes + from;
    if (end - from < HEAD || memcmp(page, "OggS", 5) != 0) return false;
    const uint32_t n = page[COUNT_AT];
    /* At most 255 segments of 255 bytes: the sum cannot overflow. */
    if (n > end - from - HEAD) return false;
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < n; i++)
        bytes += page[HEAD + i];
    *body = from + HEAD + n;
    *to = *body + bytes;
    if (bytes > end - *body) return false;
    const uint64_t sum = pare_chunk_coding_read(PARE_CODING_LITTLE, 4, page + SUM_AT, 4).value;
    return sum == pare_chunk_coding_crc32_ogg(page, *to - from, SUM_AT);
}

/* Whether pages fill from .. to-1; *one: all are of one stream. Where streams are mixed, a page's
 * number is not how many pages stand before it. */
static bool is_ogg(const pare_chunk_tree *tree, uint32_t from, uint32_t to, bool *one)
{
    uint32_t at = from, body;
    *one = true;
    while (at < to) {
        const uint32_t page = at;
        if (!read_page(tree, page, to, &body, &at)) return false;
        *one =
            *one && memcmp(tree->bytes + from + STREAM_AT, tree->bytes + page + STREAM_AT, 4) == 0;
    }
    return from < to;
}

/* Notes each segment of a page and its length, which go together; the count is that of the lengths
 * left. Of a packet of 600 bytes, "ff ff 5a", the segments go one by one; one of 255 bytes that has
 * become shorter ends its packet early, which the reader of the file may or may not mind. */
static void add_segments(pare_chunk_reader *reader, uint32_t page, uint32_t from, uint32_t body)
{
    pare_chunk_tree *tree = reader->tree;
    const uint32_t n = body - from - HEAD;
    if (!n) return;
    const uint32_t table = pare_chunk_reader_chunk(reader, page, from + HEAD, body);
    if (table == PARE_NO_CHUNK) return;
    tree->chunks[table].known = tree->chunks[table].fixed = tree->chunks[table].solid = true;
    uint32_t lengths[FULL];
    assert(n <= FULL);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = from + HEAD + i;
        lengths[i] = pare_chunk_reader_chunk(reader, table, at, at + 1);
        if (lengths[i] == PARE_NO_CHUNK) return;
        tree->chunks[lengths[i]].known = tree->chunks[lengths[i]].solid = true;
    }
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                        .coding = PARE_CODING_LITTLE,
                                                        .width = 1,
                                                        .at = from + COUNT_AT,
                                                        .chunk = table});
    for (uint32_t i = 0, at = body; i < n; i++) {
        const uint32_t to = at + tree->bytes[from + HEAD + i];
        const uint32_t segment = pare_chunk_reader_chunk(reader, page, at, to);
        if (segment != PARE_NO_CHUNK) {
            tree->chunks[segment].twin = lengths[i];
            tree->chunks[lengths[i]].twin = segment;
            pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                                .coding = PARE_CODING_LITTLE,
                                                                .width = 1,
                                                                .at = from + HEAD + i,
                                                                .from = at,
                                                                .to = to});
        }
        at = to;
    }
}

/* Notes a page, its checksum and, if `numbered`, its number, which counts the pages before it; its
 * checksum is computed last, over what is left with all other numbers in place. */
static void add_page(pare_chunk_reader *reader, uint32_t chunk, uint32_t at, uint32_t to,
                     bool numbered)
{
    const uint32_t page = pare_chunk_reader_chunk(reader, chunk, at, to);
    if (page == PARE_NO_CHUNK) return;
    reader->tree->chunks[page].known = reader->tree->chunks[page].solid = true;
    if (numbered)
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_INDEX,
                                                            .coding = PARE_CODING_LITTLE,
                                                            .width = 4,
                                                            .at = at + NUMBER_AT,
                                                            .from = at,
                                                            .to = at,
                                                            .chunk = chunk});
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_CRC32_OGG,
                                                        .coding = PARE_CODING_LITTLE,
                                                        .width = 4,
                                                        .at = at + SUM_AT,
                                                        .from = at,
                                                        .to = to});
}

/* Two rounds: all pages, then the segments of each. */
pare_status pare_chunk_ogg_read(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, end = tree->chunks[chunk].body_to;
    pare_chunk_reader reader = {.tree = tree, .at = from, .end = end, .err = err};
    bool one;
    *found = is_ogg(tree, from, end, &one);
    const uint32_t first = tree->n_chunks;
    for (uint32_t at = from, body, to; *found && at < end && !reader.status; at = to) {
        if (!read_page(tree, at, end, &body, &to)) break;
        add_page(&reader, chunk, at, to, one);
    }
    /* After all pages, in case that there are more segments than chunks. */
    const uint32_t last = tree->n_chunks;
    for (uint32_t i = first, body, to; i < last && !reader.status; i++)
        if (read_page(tree, tree->chunks[i].from, end, &body, &to))
            add_segments(&reader, i, tree->chunks[i].from, body);
    return reader.status;
}
