/* Data that an array of offsets cuts into pieces: glyphs of fonts and the like.
 *
 * The array ascends, begins at the begin of the data and ends at its end, in units of a few bytes.  Of two parts
 * of a file (chunk_directory.c) that is enough to know one as the array of the other, whatever they are.  In
 * Adobe's compact fonts a number of offsets, their width, the array and the data follow each other, and a
 * dictionary at the begin says where.  A piece is a chunk; without it the array has the same offset twice,
 * and all numbers keep their meaning, for pieces are numbered.
 * Invariant: offsets are noted only if all of them ascend within the data.
 * Source: OpenType 1.9 (loca, glyf); Adobe Technical Note 5176, The Compact Font Format.
 * Tested by tests/unit/test_chunk_offsets.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    LEAST_OFFSETS = 4,
    MOST_PARTS = 64, /* each is looked at with each */
    WIDEST_UNIT = 4,
    INDEX_HEAD = 3 /* bytes before the offsets of an index: how many, and their width */
};

/* Offsets of `width` bytes from `at` on, n of them, into data from .. to-1. An offset less `first`,
 * times `unit`, is counted in bytes from `from`; there is one more of them than there are pieces.
 *
 * loca  00 00 | 00 0a | 00 0a | 00 18    unit 2: pieces of 20, 0 and 28 bytes in glyf */
struct offsets {
    pare_coding coding;
    uint32_t at, width, n, unit, first;
    uint32_t from, to;
};

static uint64_t offset_at(const pare_chunk_tree *tree, const struct offsets *offsets, uint32_t i)
{
    const uint32_t at = offsets->at + i * offsets->width;
    assert(i < offsets->n && at + offsets->width <= tree->size);
    return pare_chunk_coding_read(offsets->coding, offsets->width, tree->bytes + at, offsets->width)
        .value;
}

/* Where the piece with that number begins; the last number is that of the end. */
static uint32_t place_of(const pare_chunk_tree *tree, const struct offsets *offsets, uint32_t i)
{
    return offsets->from + (uint32_t)(offset_at(tree, offsets, i) - offsets->first) * offsets->unit;
}

/* Whether offsets ascend from the data's begin to its end, but for less than a unit of `slack`.
 * Equal neighbours are allowed (an empty piece); all of them equal are not, for zeros are anywhere.
 * O(n). */
static bool is_array(const pare_chunk_tree *tree, const struct offsets *offsets, uint32_t slack)
{
    const uint64_t units = (offsets->to - offsets->from) / offsets->unit;
    uint64_t last = offsets->first;
    if (offsets->n < 2 || offset_at(tree, offsets, 0) != last) return false;
    for (uint32_t i = 1; i < offsets->n; i++) {
        const uint64_t offset = offset_at(tree, offsets, i);
        if (offset < last || offset - offsets->first > units) return false;
        last = offset;
    }
    return last > offsets->first && units - (last - offsets->first) <= slack / offsets->unit;
}

/* Notes the pieces in `chunk`, and all offsets, which are chunks in `array`: those at its end may
 * go, too. Each offset is noted as the length of all before it; so without the first glyph above
 * the array becomes "00 00 | 00 00 | 00 00 | 00 0e", and glyph 1 is still glyph 1. */
static void add_pieces(pare_chunk_reader *reader, const struct offsets *offsets, uint32_t array,
                       uint32_t chunk)
{
    const pare_chunk_tree *tree = reader->tree;
    for (uint32_t i = 0; i < offsets->n; i++) {
        const uint32_t at = offsets->at + i * offsets->width;
        const uint32_t offset = pare_chunk_reader_chunk(reader, array, at, at + offsets->width);
        if (offset != PARE_NO_CHUNK) tree->chunks[offset].known = tree->chunks[offset].solid = true;
    }
    for (uint32_t i = 0; i < offsets->n && !reader->status; i++) {
        const uint32_t from = place_of(tree, offsets, i);
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                            .coding = offsets->coding,
                                                            .width = offsets->width,
                                                            .at = offsets->at + i * offsets->width,
                                                            .from = offsets->from,
                                                            .to = from,
                                                            .unit = offsets->unit});
        /* The last offset is the end; its piece is empty, and no chunk. */
        const uint32_t to = i + 1 < offsets->n ? place_of(tree, offsets, i + 1) : from;
        const uint32_t piece = pare_chunk_reader_chunk(reader, chunk, from, to);
        if (piece != PARE_NO_CHUNK) tree->chunks[piece].known = true;
    }
}

/* ---- two parts ---------------------------------------------------------------------------- */

/* Whether `array` is offsets into `data`, both parts of a file. Widths and units are tried from the
 * narrowest on; that all offsets ascend and the last one is the end is true of one of them at most,
 * but for accidents in very short arrays. */
static bool find_offsets(const pare_chunk_tree *tree, pare_coding coding, uint32_t array,
                         uint32_t data, struct offsets *offsets)
{
    const pare_chunk *of = &tree->chunks[array], *into = &tree->chunks[data];
    for (uint32_t width = 2; width <= 4; width += 2)
        for (uint32_t unit = 1; unit <= WIDEST_UNIT; unit *= 2) {
            *offsets = (struct offsets){.coding = coding,
                                        .at = of->from,
                                        .width = width,
                                        .n = (of->body_to - of->from) / width,
                                        .unit = unit,
                                        .from = into->from,
                                        .to = into->body_to};
            if (offsets->n >= LEAST_OFFSETS && is_array(tree, offsets, WIDEST_UNIT - 1))
                return true;
        }
    return false;
}

/* Each part is tried as the array of each other: O(parts^2), and the first offset dismisses most
 * pairs. A part is the array of one other at most (`known` afterwards), and data are cut by one
 * array only. */
pare_status pare_chunk_offsets_read(pare_chunk_tree *tree, pare_coding coding,
                                    const uint32_t *parts, uint32_t n, pare_error *err)
{
    pare_chunk_reader reader = {.tree = tree, .end = tree->size, .err = err};
    struct offsets offsets;
    for (uint32_t i = 0; i < n && n <= MOST_PARTS && !reader.status; i++)
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t array = parts[i], data = parts[k];
            if (i == k || array == PARE_NO_CHUNK || data == PARE_NO_CHUNK) continue;
            if (tree->chunks[array].known || tree->chunks[data].first != PARE_NO_CHUNK) continue;
            if (!find_offsets(tree, coding, array, data, &offsets)) continue;
            tree->chunks[array].known = tree->chunks[array].solid = tree->chunks[data].known = true;
            add_pieces(&reader, &offsets, array, data);
        }
    return reader.status;
}

/* ---- compact fonts ------------------------------------------------------------------------ */

/* Reads an index that begins at `at`; false: there is none, or it does not end before `end`. *next:
 * where what follows begins.
 *
 * 00 02   01   01 04 06   61 62 63 | 64 65     "abc" and "de", offsets of one byte from 1 on
 * 00 00                                       an empty one is its number only */
static bool read_index(const pare_chunk_tree *tree, uint32_t at, uint32_t end,
                       struct offsets *index, uint32_t *next)
{
    if (at > end || end - at < 2) return false;
    const uint32_t n = (uint32_t)tree->bytes[at] << 8 | tree->bytes[at + 1];
    *index =
        (struct offsets){.coding = PARE_CODING_BIG, .at = at + INDEX_HEAD, .unit = 1, .first = 1};
    *next = at + 2;
    if (!n) return true;
    if (end - at < INDEX_HEAD) return false;
    index->width = tree->bytes[at + 2];
    index->n = n + 1;
    if (!index->width || index->width > 4) return false;
    const uint64_t from = (uint64_t)index->at + (uint64_t)index->n * index->width;
    if (from > end) return false;
    index->from = (uint32_t)from;
    const uint64_t size = offset_at(tree, index, n) - 1;
    if (size > end - from) return false;
    *next = index->to = (uint32_t)(from + size);
    return is_array(tree, index, 0);
}

/* Notes an index as a chunk that stays, if it is one and lies behind the others. Its number counts
 * pieces, but the array has one offset more: a bias of -1. When the last piece goes with its
 * offset, it falls. */
static void add_index(pare_chunk_reader *reader, uint32_t chunk, const struct offsets *index)
{
    pare_chunk_tree *tree = reader->tree;
    if (index->n < LEAST_OFFSETS) return;
    const uint32_t array = pare_chunk_reader_chunk(reader, chunk, index->at, index->from);
    const uint32_t data = pare_chunk_reader_chunk(reader, chunk, index->from, index->to);
    if (array == PARE_NO_CHUNK || data == PARE_NO_CHUNK) return;
    tree->chunks[array].known = tree->chunks[array].fixed = tree->chunks[array].solid = true;
    tree->chunks[data].known = tree->chunks[data].fixed = true;
    add_pieces(reader, index, array, data);
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                        .coding = PARE_CODING_BIG,
                                                        .width = 2,
                                                        .at = index->at - INDEX_HEAD,
                                                        .chunk = array});
}

/* Numbers of a dictionary that are positions in the font: *glyphs is that of the pieces. Operands
 * come before the operator that they are for, so the last number read is remembered:
 *
 * 1d 00 00 12 34   11     29: a number of four bytes, 0x1234; 17: the glyphs are there
 * 8b               0f     139: the number 0 in one byte; 15: a charset that is built in
 * 0c 24                   12 and 36: an operator of two bytes
 *
 * Numbers of one byte, or of two from 247 on, are not noted: chunk_coding.h has no such coding. */
static void read_dictionary(pare_chunk_reader *reader, uint32_t from, uint32_t *glyphs)
{
    enum {
        CHARSET = 15,
        ENCODING = 16,
        GLYPHS = 17,
        PRIVATE = 18,
        ESCAPE = 12,
        FONTS = 36,
        SELECT = 37
    };
    uint32_t at = 0, width = 0; /* of the last number, where it is one of two or four bytes */
    while (reader->at < reader->end && pare_chunk_reader_ok(reader)) {
        const uint32_t byte = (uint32_t)pare_chunk_reader_number(reader, PARE_CODING_BIG, 1);
        const uint32_t wide = byte == 28 ? 2 : byte == 29 ? 4 : 0;
        if (byte > 21) {
            at = reader->at;
            width = wide;
            pare_chunk_reader_skip(reader, wide ? wide : byte >= 247 && byte < 255 ? 1 : 0);
            /* A number in digits of four bits each, of which 15 is the end. */
            while (byte == 30 && pare_chunk_reader_ok(reader) &&
                   (pare_chunk_reader_number(reader, PARE_CODING_BIG, 1) & 15) != 15)
                continue;
            continue;
        }
        const uint32_t second =
            byte == ESCAPE ? (uint32_t)pare_chunk_reader_number(reader, PARE_CODING_BIG, 1) : 0;
        const bool place =
            (byte >= CHARSET && byte <= PRIVATE) || second == FONTS || second == SELECT;
        if (!place || !width || !pare_chunk_reader_ok(reader)) continue;
        const uint64_t value =
            pare_chunk_coding_read(PARE_CODING_BIG, width, reader->tree->bytes + at, width).value;
        if (byte == GLYPHS) *glyphs = (uint32_t)value;
        /* 0, 1 and 2 stand for charsets and encodings that every reader knows. */
        if (value <= 2 || value > reader->tree->size - from) continue;
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                                            .coding = PARE_CODING_BIG,
                                                            .width = width,
                                                            .at = at,
                                                            .from = from,
                                                            .to = from + (uint32_t)value});
        width = 0;
    }
}

/* A font is a head (major 1, minor 0, its size, the width of offsets), then four indexes: names,
 * dictionaries, strings, common routines. Fonts of more than one name are left alone. Names and the
 * dictionary are not cut, since each has one item. The glyphs are an index behind these, where the
 * dictionary says; an index in front of others is not added (chunks ascend). */
pare_status pare_chunk_cff_read(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    enum { NAMES, DICTIONARIES, STRINGS, ROUTINES, N_INDEXES, HEAD = 4 };
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    struct offsets indexes[N_INDEXES], glyphs;
    uint32_t at = from, next, glyphs_at = 0;
    *found = false;
    if (to - from < HEAD || memcmp(tree->bytes + from, "\1\0", 2) != 0) return PARE_OK;
    if (tree->bytes[from + 2] < HEAD || !tree->bytes[from + 3] || tree->bytes[from + 3] > 4)
        return PARE_OK;
    at += tree->bytes[from + 2];
    for (unsigned i = 0; i < N_INDEXES; i++, at = next)
        if (!read_index(tree, at, to, &indexes[i], &next)) return PARE_OK;
    if (indexes[NAMES].n != 2 || indexes[DICTIONARIES].n != 2) return PARE_OK;
    *found = true;
    pare_chunk_reader reader = {.tree = tree,
                                .at = indexes[DICTIONARIES].from,
                                .end = indexes[DICTIONARIES].to,
                                .err = err};
    read_dictionary(&reader, from, &glyphs_at);
    add_index(&reader, chunk, &indexes[STRINGS]);
    add_index(&reader, chunk, &indexes[ROUTINES]);
    if (glyphs_at < to - from && from + glyphs_at >= at &&
        read_index(tree, from + glyphs_at, to, &glyphs, &next))
        add_index(&reader, chunk, &glyphs);
    return reader.status;
}
