/* Chunks of EBML: Matroska, WebM.
 *
 * An element is its name, its length and its content; both numbers say by the zeros at their begin how
 * many bytes they have.  What an element holds is elements if these tile it.  Which names hold others is
 * not looked up, but for two that may be of unknown length.  A checksum at the begin of an element is of all that
 * is behind it, and numbers that say where an element of the top level is follow it; an entry of the table
 * of contents goes with what it names.
 * Invariant: elements lie in their parent, without overlaps.
 * Source: RFC 8794 (EBML), RFC 9559 (Matroska).  Tested by tests/unit/test_chunk_ebml.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    MOST_NAME = 4,   /* bytes of a name */
    LEAST_INNER = 3, /* bytes of content that may be elements */
    MOST_DEPTH = 8,
    MOST_POSITION = 8
};

enum name {
    FILE_HEADER = 0x1a45dfa3,
    SEGMENT = 0x18538067,
    CLUSTER = 0x1f43b675,
    CHECKSUM = 0xbf,
    SEEK_POSITION = 0x53ac,
    CUE_POSITION = 0xf1,
    FILE_DATA = 0x465c
};

/* An element: where it begins, its name (as a number, with the bits that tell its width), where its
 * length stands, where its content begins and ends. */
struct element {
    uint32_t from, name, length_at, body, to;
    bool open; /* of unknown length */
};

/* Reads an element that ends at `to` at the latest; false: there is none.
 *
 * 53 ac   82   01 2c     name of two bytes, length 2: the position 300
 * 1f 43 b6 75   ff  ...  a cluster of unknown length: up to `to`
 *
 * Only a segment and a cluster may be of unknown length, as live recordings have them. */
static bool read_element(const pare_chunk_tree *tree, uint32_t from, uint32_t to,
                         struct element *element)
{
    const unsigned char *bytes = tree->bytes;
    const uint32_t width = pare_chunk_coding_ebml_bytes(bytes[from]);
    if (!width || width > MOST_NAME || width >= to - from) return false;
    *element = (struct element){.from = from, .length_at = from + width};
    for (uint32_t i = 0; i < width; i++)
        element->name = element->name << 8 | bytes[from + i];
    const uint32_t at = element->length_at, n = pare_chunk_coding_ebml_bytes(bytes[at]);
    if (!n || n > to - at) return false;
    const pare_coded length =
        pare_chunk_coding_read(PARE_CODING_EBML, 0, bytes + at, (size_t)(to - at));
    element->body = at + n;
    element->open = !length.width && (element->name == SEGMENT || element->name == CLUSTER);
    if (!length.width && !element->open) return false;
    if (length.value > to - element->body) return false;
    element->to = element->open ? to : element->body + (uint32_t)length.value;
    return true;
}

/* Whether from .. to-1 is elements without a gap, of which the first has content. Names are not
 * looked up, so short binary content may be taken for elements; that the first one is not empty
 * makes it rarer. */
static bool is_tiled(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    struct element element;
    if (to - from < LEAST_INNER) return false;
    for (uint32_t at = from; at < to; at = element.to)
        if (!read_element(tree, at, to, &element)) return false;
    return read_element(tree, from, to, &element) && element.body < element.to;
}

/* Notes the checksum that an element's content may begin with: bf 84 and four bytes, the CRC-32 of
 * all that follows in the element. */
static void add_checksum(pare_chunk_reader *reader, const struct element *outer)
{
    struct element element;
    if (!read_element(reader->tree, outer->body, outer->to, &element)) return;
    if (element.name != CHECKSUM || element.to - element.body != 4) return;
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_CRC32,
                                                        .coding = PARE_CODING_LITTLE,
                                                        .width = 4,
                                                        .at = element.body,
                                                        .from = element.to,
                                                        .to = outer->to});
}

/* The content of an element without others in it, as bytes that may go. Attached files are looked
 * into. */
static void add_content(pare_chunk_reader *reader, uint32_t chunk, const struct element *element)
{
    pare_chunk_tree *tree = reader->tree;
    const uint32_t content = pare_chunk_reader_chunk(reader, chunk, element->body, element->to);
    if (content != PARE_NO_CHUNK) tree->chunks[content].known = element->name != FILE_DATA;
}

/* Adds the elements in from .. to-1, and those in them. Lengths follow what is left. When the
 * content of an element becomes short, its length stays as wide as it was, unless candidates are
 * written tight. */
static void add_elements(pare_chunk_reader *reader, uint32_t parent, uint32_t from, uint32_t to,
                         unsigned depth)
{
    pare_chunk_tree *tree = reader->tree;
    struct element element;
    for (uint32_t at = from; at < to && read_element(tree, at, to, &element); at = element.to) {
        const uint32_t chunk = pare_chunk_reader_chunk(reader, parent, element.from, element.to);
        if (chunk == PARE_NO_CHUNK) return;
        tree->chunks[chunk].known = tree->chunks[chunk].solid = true;
        tree->chunks[chunk].body = element.body;
        if (!element.open)
            pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                                .coding = PARE_CODING_EBML,
                                                                .at = element.length_at,
                                                                .from = element.body,
                                                                .to = element.to});
        if (depth < MOST_DEPTH && is_tiled(tree, element.body, element.to)) {
            add_checksum(reader, &element);
            add_elements(reader, chunk, element.body, element.to, depth + 1);
        } else {
            add_content(reader, chunk, &element);
        }
    }
}

/* The element of the segment that begins at `at`; PARE_NO_CHUNK: there is none. O(elements of the
 * segment). */
static uint32_t element_at(const pare_chunk_tree *tree, uint32_t segment, uint64_t at)
{
    uint32_t i = tree->chunks[segment].first;
    while (i != PARE_NO_CHUNK && tree->chunks[i].from != at)
        i = tree->chunks[i].next;
    return i;
}

/* If `chunk` is an element with the position of another one, notes it: the position is counted from
 * the begin of the segment's content. An entry of the table of contents (SEEK_POSITION) goes with
 * the element that it names; an index entry (CUE_POSITION) does not, for many name one cluster. */
static void add_position(pare_chunk_reader *reader, uint32_t segment, uint32_t chunk)
{
    pare_chunk_tree *tree = reader->tree;
    const pare_chunk *it = &tree->chunks[chunk];
    struct element element;
    if (!read_element(tree, it->from, it->to, &element) || it->body != element.body) return;
    const uint32_t n = element.to - element.body, body = tree->chunks[segment].body;
    if ((element.name != SEEK_POSITION && element.name != CUE_POSITION) || !n || n > MOST_POSITION)
        return;
    const uint64_t value =
        pare_chunk_coding_read(PARE_CODING_BIG, n, tree->bytes + element.body, n).value;
    const uint32_t named = element_at(tree, segment, body + value);
    if (named == PARE_NO_CHUNK) return;
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                                        .coding = PARE_CODING_BIG,
                                                        .width = n,
                                                        .at = element.body,
                                                        .from = body,
                                                        .to = tree->chunks[named].from});
    /* The element around the position: name and position together are the entry. */
    const uint32_t entry = it->parent;
    if (element.name != SEEK_POSITION || entry == PARE_NO_CHUNK || entry == named) return;
    if (tree->chunks[entry].twin != PARE_NO_CHUNK || tree->chunks[named].twin != PARE_NO_CHUNK)
        return;
    tree->chunks[entry].twin = named;
    tree->chunks[named].twin = entry;
}

/* Notes all positions in each segment. Chunks are in the order in which they were added, a segment
 * before what is in it, so the segment met last is the one that a chunk may lie in. */
static void add_positions(pare_chunk_reader *reader, uint32_t first)
{
    const pare_chunk_tree *tree = reader->tree;
    uint32_t segment = PARE_NO_CHUNK, end = 0;
    struct element element;
    for (uint32_t i = first; i < tree->n_chunks && !reader->status; i++) {
        const pare_chunk *chunk = &tree->chunks[i];
        const bool is_element = read_element(tree, chunk->from, chunk->to, &element);
        if (is_element && element.name == SEGMENT) {
            segment = i;
            end = chunk->to;
        } else if (segment != PARE_NO_CHUNK && chunk->to <= end) {
            add_position(reader, segment, i);
        }
    }
}

pare_status pare_chunk_ebml_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                 pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    pare_chunk_reader reader = {.tree = tree, .at = from, .end = to, .err = err};
    const uint32_t first = tree->n_chunks;
    struct element element;
    *found = to - from >= 2 * MOST_NAME && read_element(tree, from, to, &element) &&
             element.name == FILE_HEADER;
    if (!*found) return PARE_OK;
    add_elements(&reader, chunk, from, to, 0);
    add_positions(&reader, first);
    return reader.status;
}
