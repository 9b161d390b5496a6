/* Chunks of FLAC: blocks about the sound, and frames of it.
 *
 * Blocks have a kind and a length of 24 bits; the last one says that it is, so it stays, and what is in it may
 * go.  Frames have no length: one begins where a header does whose checksum agrees, and ends where the next one
 * begins or the file does.  A frame is whole in itself, with checksums of its own, so that it may go and nothing
 * has to be corrected.
 * Source: RFC 9639.  Tested by tests/unit/test_chunk_flac.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    MAGIC = 4,
    BLOCK_HEAD = 4,
    LAST = 0x80,
    FRAME_HEAD = 4, /* bytes of a frame's header that all have */
    LEAST_FRAME = 10
};

/* The checksum of a frame's header: x^8 + x^2 + x + 1, bit by bit, for headers are short. */
static unsigned char crc8(const unsigned char *bytes, uint32_t n)
{
    unsigned crc = 0;
    for (uint32_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc & 0x80 ? (crc << 1 ^ 7) & 0xff : crc << 1;
    }
    return (unsigned char)crc;
}

/* Whether a frame's header begins at `at`; it has at most 15 bytes and its checksum.
 *
 * 0   2   ff f8 (or f9): the sign of a frame
 * 2   1   codes of how many samples (not 0), and of the rate (not 15)
 * 3   1   codes of channels (up to 10) and of bits a sample, and a bit that is 0
 * 4   n   the number of the frame or sample, 1 to 7 bytes
 *     m   samples and rate, where their codes say so: 6, 7 and 12 to 14
 *     1   checksum */
static bool is_frame(const pare_chunk_tree *tree, uint32_t at, uint32_t end)
{
    const unsigned char *bytes = tree->bytes + at;
    if (end - at < LEAST_FRAME || bytes[0] != 0xff || (bytes[1] & 0xfe) != 0xf8) return false;
    const unsigned size = bytes[2] >> 4, rate = bytes[2] & 15;
    if (!size || rate == 15 || bytes[3] >> 4 > 10 || (bytes[3] & 1)) return false;
    /* The number of the frame, as UTF-8 writes a character. */
    uint32_t n = FRAME_HEAD + 1;
    for (unsigned bit = 0x40; bytes[FRAME_HEAD] & 0x80 && bytes[FRAME_HEAD] & bit && bit > 1;
         bit >>= 1)
        n++;
    n += size == 6 ? 1 : size == 7 ? 2 : 0;
    n += rate == 12 ? 1 : rate == 13 || rate == 14 ? 2 : 0;
    return n < end - at && crc8(bytes, n) == bytes[n];
}

/* Adds frames from `from` on, each up to the next one; what stands before the first one is none.
 * What passes the checks by chance within a frame cuts it in two: that costs tests. */
static void add_frames(pare_chunk_reader *reader, uint32_t chunk, uint32_t from)
{
    pare_chunk_tree *tree = reader->tree;
    uint32_t begin = reader->end;
    for (uint32_t at = from; at <= reader->end; at++) {
        const unsigned char *sync =
            at < reader->end ? memchr(tree->bytes + at, 0xff, reader->end - at) : NULL;
        at = sync ? (uint32_t)(sync - tree->bytes) : reader->end;
        if (at < reader->end && !is_frame(tree, at, reader->end)) continue;
        const uint32_t frame =
            begin < at ? pare_chunk_reader_chunk(reader, chunk, begin, at) : PARE_NO_CHUNK;
        if (frame != PARE_NO_CHUNK) tree->chunks[frame].known = true;
        begin = at;
    }
}

/* Reads the blocks up to the last one: a byte with the kind, and whether it is the last, three
 * bytes of length, content. False: they do not lie in the file. With `noted` they become chunks. */
static bool read_blocks(pare_chunk_reader *reader, uint32_t chunk, bool noted)
{
    pare_chunk_tree *tree = reader->tree;
    for (bool last = false; !last;) {
        const uint32_t from = reader->at;
        last = pare_chunk_reader_number(reader, PARE_CODING_BIG, 1) & LAST;
        const uint32_t n = (uint32_t)pare_chunk_reader_number(reader, PARE_CODING_BIG, 3);
        pare_chunk_reader_skip(reader, n);
        if (!pare_chunk_reader_ok(reader)) return false;
        if (!noted) continue;
        const uint32_t block = pare_chunk_reader_chunk(reader, chunk, from, reader->at);
        if (block == PARE_NO_CHUNK) return true;
        tree->chunks[block].solid = true;
        tree->chunks[block].fixed = last;
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                            .coding = PARE_CODING_BIG,
                                                            .width = 3,
                                                            .at = from + 1,
                                                            .from = from + BLOCK_HEAD,
                                                            .to = reader->at});
        tree->chunks[block].known = true;
        (void)pare_chunk_reader_chunk(reader, block, from + BLOCK_HEAD, reader->at);
    }
    return true;
}

pare_status pare_chunk_flac_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                 pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    pare_chunk_reader reader = {.tree = tree, .at = from + MAGIC, .end = to, .err = err};
    *found = false;
    if (to - from <= MAGIC + BLOCK_HEAD || memcmp(tree->bytes + from, "fLaC", MAGIC) != 0)
        return PARE_OK;
    if (!read_blocks(&reader, chunk, false)) return reader.status;
    *found = true;
    reader.at = from + MAGIC;
    (void)read_blocks(&reader, chunk, true);
    add_frames(&reader, chunk, reader.at);
    return reader.status;
}
