/* Chunks of TIFF: directories in a chain, their entries, the values of these, and strips or tiles.
 *
 * A directory is a number of entries, each of which has a value of up to four bytes, or the position of a longer
 * one; the position of the next directory follows.  An entry is a chunk that goes with its value, wherever
 * that is.  A directory goes from the chain as an item does from a list: what named it names the next one.  A
 * strip goes with its position and its length in two arrays, and the image has fewer rows then; of one
 * that is not packed a row is a chunk.  An array of which one number is left moves into its entry.
 * What overlaps something else is no chunk; columns stay.
 * Invariant: a directory is read once, so that a ring of them ends.
 * Source: TIFF, revision 6.0 (Adobe, 1992).  Tested by tests/unit/test_chunk_tiff.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    HEADER = 8,
    ENTRY = 12,
    WORD = 4,
    MOST_DIRECTORIES = 256,
    MOST_ROWS = 1 << 14 /* of strips: chunks */
};

/* Tags of entries that this file knows. The last four are values that name further directories. */
enum tag {
    HEIGHT = 257,
    PACKING = 259,
    STRIPS = 273,
    ROWS_OF_STRIP = 278,
    STRIP_SIZES = 279,
    PLANES = 284,
    TILES = 324,
    TILE_SIZES = 325,
    INNER = 330,
    CAMERA = 34665,
    PLACE = 34853,
    EXCHANGE = 40965
};

/* A range of the file that something names by its position: a directory, a value that does not fit
 * into its entry, a strip, a tile. The place of the number that names it is its key, because ranges
 * may be equal, and move. */
struct piece {
    uint32_t from, to;
    uint32_t named_at; /* where the position stands, from which the piece is found again */
    uint32_t chunk;
};

/* A directory, and where its own position stands. */
struct directory {
    uint32_t at, n, named_at;
};

struct tiff {
    pare_chunk_reader reader;
    pare_coding coding;
    uint32_t begin, end;
    struct directory directories[MOST_DIRECTORIES];
    uint32_t n_directories;
    struct piece *pieces; /* owned */
    size_t n_pieces, capacity;
};

/* An entry of a directory: n numbers of `width` bytes each, which begin at `from`.
 *
 * 0   2   tag                          "01 01  03 00  01 00 00 00  40 00 00 00", little-endian:
 * 2   2   type, which has a width      257 (height), a number of 2 bytes, one of them, 64
 * 4   4   n
 * 8   4   the numbers if they fit into four bytes, else their position */
struct entry {
    uint32_t at, tag, width, n;
    uint32_t from, to;
    bool apart; /* not in the entry itself */
};

/* A number within the file; 0 if it is not. */
static uint32_t number_at(const struct tiff *tiff, uint32_t at, uint32_t width)
{
    if (at > tiff->end || width > tiff->end - at) return 0;
    return (uint32_t)pare_chunk_coding_read(tiff->coding, width, tiff->reader.tree->bytes + at,
                                            width)
        .value;
}

/* An entry's value; false: it is of a type that is not known, or does not lie in the file. `widths`
 * are those of the types 0 to 13. */
static bool read_entry(const struct tiff *tiff, uint32_t at, struct entry *entry)
{
    static const unsigned char widths[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
    const uint32_t type = number_at(tiff, at + 2, 2);
    *entry =
        (struct entry){.at = at, .tag = number_at(tiff, at, 2), .n = number_at(tiff, at + 4, WORD)};
    if (type >= sizeof widths || !widths[type]) return false;
    entry->width = widths[type];
    const uint64_t size = (uint64_t)entry->n * entry->width;
    entry->apart = size > WORD;
    const uint64_t from =
        entry->apart ? (uint64_t)tiff->begin + number_at(tiff, at + 8, WORD) : at + 8;
    if (from > tiff->end || size > tiff->end - from) return false;
    entry->from = (uint32_t)from;
    entry->to = (uint32_t)(from + size);
    return true;
}

/* The entry of a directory with that tag, the first one where there are several; false: there is
 * none, or its value is not in the file. */
static bool find_entry(const struct tiff *tiff, const struct directory *directory, enum tag tag,
                       struct entry *entry)
{
    for (uint32_t i = 0; i < directory->n; i++)
        if (number_at(tiff, directory->at + 2 + i * ENTRY, 2) == (uint32_t)tag)
            return read_entry(tiff, directory->at + 2 + i * ENTRY, entry);
    return false;
}

/* The first of an entry's numbers; `otherwise` where there is none. */
static uint32_t value_of(const struct tiff *tiff, const struct directory *directory, enum tag tag,
                         uint32_t otherwise)
{
    struct entry entry;
    if (!find_entry(tiff, directory, tag, &entry) || !entry.n || entry.width > WORD)
        return otherwise;
    return number_at(tiff, entry.from, entry.width);
}

/* ---- pieces ------------------------------------------------------------------------------- */

/* Notes a range. One that is empty or leaves the file is left out: it is no chunk, and numbers
 * about it stay as they are. */
static void add_piece(struct tiff *tiff, uint32_t from, uint32_t to, uint32_t named_at)
{
    if (from >= to || to > tiff->end || tiff->reader.status) return;
    struct piece *pieces =
        pare_vector_grow(tiff->pieces, tiff->n_pieces, &tiff->capacity, sizeof *pieces);
    if (!pieces) {
        tiff->reader.status = pare_fail_nomem(tiff->reader.err);
        return;
    }
    tiff->pieces = pieces;
    pieces[tiff->n_pieces++] = (struct piece){from, to, named_at, PARE_NO_CHUNK};
}

/* Adds the directory whose position stands at `named_at`, if there is one within the file that was
 * not met before: so a ring of directories is read once. It is a number of entries (2 bytes), the
 * entries, and the position of the next directory, 0 after the last one; 0 is below the header's
 * end, and refused. */
static void add_directory(struct tiff *tiff, uint32_t named_at)
{
    const uint64_t at = (uint64_t)tiff->begin + number_at(tiff, named_at, WORD);
    if (at < tiff->begin + HEADER || at + 2 > tiff->end) return;
    const uint32_t n = number_at(tiff, (uint32_t)at, 2);
    if (!n || at + 2 + (uint64_t)n * ENTRY + WORD > tiff->end) return;
    for (uint32_t i = 0; i < tiff->n_directories; i++)
        if (tiff->directories[i].at == at) return;
    if (tiff->n_directories == MOST_DIRECTORIES) return;
    tiff->directories[tiff->n_directories++] = (struct directory){(uint32_t)at, n, named_at};
    add_piece(tiff, (uint32_t)at, (uint32_t)at + 2 + n * ENTRY + WORD, named_at);
}

/* The strips or tiles that two arrays of one length describe: their positions, and their sizes in
 * bytes.
 *
 * positions  8 | 1032 | 2056     sizes  1024 | 1024 | 512 */
static void add_strips(struct tiff *tiff, const struct directory *directory, enum tag positions,
                       enum tag sizes)
{
    struct entry at, size;
    if (!find_entry(tiff, directory, positions, &at) || !find_entry(tiff, directory, sizes, &size))
        return;
    if (at.n != size.n || at.width > WORD || size.width > WORD) return;
    for (uint32_t i = 0; i < at.n; i++) {
        const uint64_t from =
            (uint64_t)tiff->begin + number_at(tiff, at.from + i * at.width, at.width);
        const uint64_t to = from + number_at(tiff, size.from + i * size.width, size.width);
        if (to <= tiff->end) add_piece(tiff, (uint32_t)from, (uint32_t)to, at.from + i * at.width);
    }
}

/* All that a directory names: long values, inner directories, strips and tiles, the next directory.
 * Directories that are found are put at the end of the list that read_all goes through. */
static void read_directory(struct tiff *tiff, const struct directory *directory)
{
    struct entry entry;
    for (uint32_t i = 0; i < directory->n; i++) {
        if (!read_entry(tiff, directory->at + 2 + i * ENTRY, &entry)) continue;
        if (entry.apart) add_piece(tiff, entry.from, entry.to, entry.at + 8);
        const bool inner = entry.tag == INNER || entry.tag == CAMERA || entry.tag == PLACE ||
                           entry.tag == EXCHANGE;
        for (uint32_t k = 0; inner && entry.width == WORD && k < entry.n && k < MOST_DIRECTORIES;
             k++)
            add_directory(tiff, entry.from + k * WORD);
    }
    add_strips(tiff, directory, STRIPS, STRIP_SIZES);
    add_strips(tiff, directory, TILES, TILE_SIZES);
    add_directory(tiff, directory->at + 2 + directory->n * ENTRY);
}

/* By begin, then by name: of two pieces that begin at the same place, the first is a chunk, the
 * other is not, because it overlaps. */
static int by_place(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->named_at < y->named_at ? -1 : x->named_at > y->named_at;
}

static int by_name(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return x->named_at < y->named_at ? -1 : x->named_at > y->named_at;
}

/* Makes chunks of all pieces. The tree takes children in ascending order only, so they are sorted
 * by place first; afterwards by name, as chunk_of looks for them. Pieces that overlap one before
 * them have no chunk. */
static void add_chunks(struct tiff *tiff, uint32_t chunk)
{
    pare_chunk_tree *tree = tiff->reader.tree;
    if (!tiff->n_pieces) return;
    qsort(tiff->pieces, tiff->n_pieces, sizeof *tiff->pieces, by_place);
    for (size_t i = 0; i < tiff->n_pieces; i++) {
        struct piece *piece = &tiff->pieces[i];
        piece->chunk = pare_chunk_reader_chunk(&tiff->reader, chunk, piece->from, piece->to);
        if (piece->chunk != PARE_NO_CHUNK) tree->chunks[piece->chunk].known = true;
    }
    qsort(tiff->pieces, tiff->n_pieces, sizeof *tiff->pieces, by_name);
}

/* The chunk whose position stands at `named_at`; PARE_NO_CHUNK: there is none, or it overlaps
 * another. O(log pieces). */
static uint32_t chunk_of(const struct tiff *tiff, uint32_t named_at)
{
    const struct piece key = {.named_at = named_at};
    const struct piece *found =
        tiff->n_pieces ? bsearch(&key, tiff->pieces, tiff->n_pieces, sizeof *tiff->pieces, by_name)
                       : NULL;
    return found ? found->chunk : PARE_NO_CHUNK;
}

/* ---- numbers ------------------------------------------------------------------------------ */

static void note(struct tiff *tiff, pare_chunk_field field)
{
    field.coding = tiff->coding;
    pare_chunk_reader_field(&tiff->reader, &field);
}

/* The chunk `named` goes when nothing names it any more. */
static void note_position(struct tiff *tiff, uint32_t at, uint32_t width, uint32_t named)
{
    note(tiff, (pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                  .width = width,
                                  .at = at,
                                  .from = tiff->begin,
                                  .to = tiff->reader.tree->chunks[named].from,
                                  .target = named + 1});
}

/* Puts `other` into the ring of `one`'s twins: they go together. */
static void link_twins(pare_chunk_tree *tree, uint32_t one, uint32_t other)
{
    if (one == PARE_NO_CHUNK || other == PARE_NO_CHUNK) return;
    const uint32_t next = tree->chunks[one].twin;
    tree->chunks[other].twin = next == PARE_NO_CHUNK ? one : next;
    tree->chunks[one].twin = other;
}

/* The numbers of an entry whose value stands elsewhere: its position and how many there are. Entry
 * and value are twins. When so much of the value goes that the rest fits into four bytes, the
 * writer puts the rest in the place of the position (`inlined`), as the format wants it. */
static void note_entry(struct tiff *tiff, const struct entry *entry, uint32_t row)
{
    if (!entry->apart) return;
    const uint32_t value = chunk_of(tiff, entry->at + 8);
    note(tiff, (pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                  .width = WORD,
                                  .at = entry->at + 8,
                                  .from = tiff->begin,
                                  .to = entry->from,
                                  .inlined = entry->to,
                                  .target = value == PARE_NO_CHUNK ? 0 : value + 1});
    if (value == PARE_NO_CHUNK) return;
    link_twins(tiff->reader.tree, row, value);
    /* A text may lose any byte; numbers of more bytes only go as a whole. */
    tiff->reader.tree->chunks[value].solid = entry->width > 1;
    note(tiff, (pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                  .width = WORD,
                                  .at = entry->at + 4,
                                  .from = entry->from,
                                  .to = entry->to,
                                  .unit = entry->width});
}

/* The place of the i-th number in an array as a chunk; PARE_NO_CHUNK where the array is in the
 * entry. */
static uint32_t add_cell(struct tiff *tiff, const struct entry *entry, uint32_t i)
{
    const uint32_t at = entry->from + i * entry->width;
    if (!entry->apart) return PARE_NO_CHUNK;
    const uint32_t cell = pare_chunk_reader_chunk(&tiff->reader, chunk_of(tiff, entry->at + 8), at,
                                                  at + entry->width);
    if (cell != PARE_NO_CHUNK)
        tiff->reader.tree->chunks[cell].known = tiff->reader.tree->chunks[cell].solid = true;
    return cell;
}

/* The height of the image. Where strips are not packed and all rows have `row_bytes`, it is the
 * bytes between the first and the last strip, divided by that: right also when single rows go.
 * Otherwise it is the number of strips times the rows of each: the last strip may have fewer, which
 * the bias says.
 *
 * 3 strips of 8 rows, height 20: bias -4; without the second one 2 * 8 - 4 = 12 */
static void note_rows(struct tiff *tiff, const struct directory *directory, const struct entry *at,
                      uint32_t row_bytes)
{
    struct entry height;
    const uint32_t first = chunk_of(tiff, at->from);
    const uint32_t last = chunk_of(tiff, at->from + (at->n - 1) * at->width);
    const pare_chunk *chunks = tiff->reader.tree->chunks;
    if (!find_entry(tiff, directory, HEIGHT, &height) || height.apart || height.n != 1) return;
    pare_chunk_field field = {
        .number = PARE_NUMBER_LENGTH, .width = height.width, .at = height.from, .unit = row_bytes};
    if (row_bytes && first != PARE_NO_CHUNK && last != PARE_NO_CHUNK &&
        chunks[first].from < chunks[last].to) {
        field.from = chunks[first].from;
        field.to = chunks[last].to;
    } else {
        field.number = PARE_NUMBER_COUNT;
        field.chunk = chunk_of(tiff, at->at + 8);
        field.unit = value_of(tiff, directory, ROWS_OF_STRIP, 0);
        if (!at->apart || field.chunk == PARE_NO_CHUNK || !field.unit) return;
    }
    note(tiff, field);
}

/* Bytes of a row, if strips are not packed, the colours of a pixel stand together, and the bytes of
 * all strips are a multiple of the height; 0: they are not known. A tag that is missing has the
 * value that the format gives to it: packing 1 (none), planes 1 (together). */
static uint32_t row_bytes_of(const struct tiff *tiff, const struct directory *directory,
                             const struct entry *size)
{
    const uint32_t height = value_of(tiff, directory, HEIGHT, 0);
    uint64_t sum = 0;
    if (value_of(tiff, directory, PACKING, 1) != 1 || value_of(tiff, directory, PLANES, 1) != 1)
        return 0;
    for (uint32_t i = 0; i < size->n; i++)
        sum += number_at(tiff, size->from + i * size->width, size->width);
    if (!height || height > MOST_ROWS || sum % height || sum > tiff->end) return 0;
    return (uint32_t)(sum / height);
}

/* Strips or tiles: each goes with its cells in both arrays, and its position and size are
 * corrected. Rows are chunks in strips that are not packed.
 *
 * strip 2 of 3 goes:  positions  8 | 1032        sizes  1024 | 512       height less by 8 rows */
static void note_strips(struct tiff *tiff, const struct directory *directory, enum tag positions,
                        enum tag sizes)
{
    struct entry at, size;
    pare_chunk_tree *tree = tiff->reader.tree;
    if (!find_entry(tiff, directory, positions, &at) || !find_entry(tiff, directory, sizes, &size))
        return;
    if (!at.n || at.n != size.n || at.width > WORD || size.width > WORD) return;
    const uint32_t row_bytes = positions == STRIPS ? row_bytes_of(tiff, directory, &size) : 0;
    for (uint32_t i = 0; i < at.n; i++) {
        const uint32_t strip = chunk_of(tiff, at.from + i * at.width);
        if (strip == PARE_NO_CHUNK) continue;
        const uint32_t from = tree->chunks[strip].from, to = tree->chunks[strip].to;
        note_position(tiff, at.from + i * at.width, at.width, strip);
        note(tiff, (pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                      .width = size.width,
                                      .at = size.from + i * size.width,
                                      .from = from,
                                      .to = to});
        link_twins(tree, strip, add_cell(tiff, &at, i));
        link_twins(tree, strip, add_cell(tiff, &size, i));
        tree->chunks[strip].solid = row_bytes > 0;
        for (uint32_t row = from; row_bytes && row + row_bytes <= to; row += row_bytes) {
            const uint32_t index =
                pare_chunk_reader_chunk(&tiff->reader, strip, row, row + row_bytes);
            if (index != PARE_NO_CHUNK)
                tree->chunks[index].known = tree->chunks[index].solid = true;
        }
    }
    if (positions == STRIPS) note_rows(tiff, directory, &at, row_bytes);
}

/* Whether the header or another directory of the chain names it, and no entry does. The header has
 * the first directory's position in bytes 4 to 7, each directory the next one's behind its entries.
 */
static bool is_chained(const struct tiff *tiff, const struct directory *directory)
{
    bool found = directory->named_at == tiff->begin + WORD;
    for (uint32_t i = 0; i < tiff->n_directories && !found; i++)
        found = directory->named_at == tiff->directories[i].at + 2 + tiff->directories[i].n * ENTRY;
    return found;
}

/* A directory: its position, what it holds, and the next one. One of the chain has a link: when it
 * goes, the number that named it names the directory that its own last four bytes name, or 0. One
 * that an entry names goes with the last number that names it, and has no link. */
static void note_directory(struct tiff *tiff, const struct directory *directory)
{
    pare_chunk_tree *tree = tiff->reader.tree;
    const uint32_t chunk = chunk_of(tiff, directory->named_at), at = directory->at;
    const uint32_t end = at + 2 + directory->n * ENTRY;
    const bool chained = is_chained(tiff, directory);
    note(tiff, (pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                  .width = WORD,
                                  .at = directory->named_at,
                                  .from = tiff->begin,
                                  .to = at,
                                  .link = chained ? end + 1 : 0,
                                  .target = chained || chunk == PARE_NO_CHUNK ? 0 : chunk + 1});
    if (chunk == PARE_NO_CHUNK) return;
    /* The chunk holds a list of entries, which stays while rows of it go; the count before and the
     * position behind the list go with the directory only. */
    tree->chunks[chunk].solid = true;
    const uint32_t list = pare_chunk_reader_chunk(&tiff->reader, chunk, at + 2, end);
    if (list == PARE_NO_CHUNK) return;
    tree->chunks[list].known = tree->chunks[list].fixed = tree->chunks[list].solid = true;
    for (uint32_t i = 0; i < directory->n; i++) {
        const uint32_t from = at + 2 + i * ENTRY;
        const uint32_t row = pare_chunk_reader_chunk(&tiff->reader, list, from, from + ENTRY);
        struct entry entry;
        if (row == PARE_NO_CHUNK) return;
        tree->chunks[row].known = tree->chunks[row].solid = true;
        if (read_entry(tiff, from, &entry)) note_entry(tiff, &entry, row);
    }
    note(tiff,
         (pare_chunk_field){.number = PARE_NUMBER_COUNT, .width = 2, .at = at, .chunk = list});
    note_strips(tiff, directory, STRIPS, STRIP_SIZES);
    note_strips(tiff, directory, TILES, TILE_SIZES);
}

/* Three rounds: find all pieces; make chunks of them, for which they have to be sorted; note the
 * numbers, for which chunks must be there. The list of directories grows while the first round goes
 * through it. */
static void read_all(struct tiff *tiff, uint32_t chunk)
{
    add_directory(tiff, tiff->begin + WORD);
    for (uint32_t i = 0; i < tiff->n_directories; i++)
        read_directory(tiff, &tiff->directories[i]);
    if (tiff->reader.status || !tiff->n_directories) return;
    add_chunks(tiff, chunk);
    for (uint32_t i = 0; i < tiff->n_directories; i++)
        note_directory(tiff, &tiff->directories[i]);
}

/* The header is "II" or "MM" (little- or big-endian), 42 in two bytes, and the position of the
 * first directory in four. `tiff` is allocated, for it is too large for the stack of a reader that
 * is nested. */
pare_status pare_chunk_tiff_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                 pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    const unsigned char *bytes = tree->bytes + from;
    *found = false;
    if (to - from <= HEADER) return PARE_OK;
    const bool little = memcmp(bytes, "II*\0", WORD) == 0;
    if (!little && memcmp(bytes, "MM\0*", WORD) != 0) return PARE_OK;
    struct tiff *tiff = pare_alloc_zero(1, sizeof *tiff);
    if (!tiff) return pare_fail_nomem(err);
    tiff->reader = (pare_chunk_reader){.tree = tree, .at = from, .end = to, .err = err};
    tiff->coding = little ? PARE_CODING_LITTLE : PARE_CODING_BIG;
    tiff->begin = from;
    tiff->end = to;
    read_all(tiff, chunk);
    *found = tiff->n_directories > 0;
    const pare_status status = tiff->reader.status;
    pare_alloc_free(tiff->pieces);
    pare_alloc_free(tiff);
    return status;
}
