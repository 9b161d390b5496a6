/* A directory: rows of equal width, of which two words say where a part of the file is and how long it is.
 *
 * Fonts, archives of games, icons and programs have one, behind a header or where a word of the header
 * points to; what else stands in a row differs.  So every place, width and pair of words is tried, and
 * that is taken whose parts cover most of the file.  They must not overlap, and must cover half of
 * what is beside the rows, which chance does not make.  A row goes with its part, and all positions are
 * corrected.
 *
 * Invariant: directory and parts are disjoint, so that they are chunks by their place.
 * Cost: some hundred thousand looks at two words; nearly all fail at the first row.
 * Source: ours; the formats that it was tried with are OpenType's sfnt, WAD, PAK and ICO.
 * Tested by tests/unit/test_chunk_directory.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_tree.h"

enum {
    WORD = 4,
    LEAST_ROWS = 3,
    MOST_ROWS = 1 << 12,
    WIDEST_ROW = 64,
    NEAR_BYTES = 96, /* from the begin of the file, where a directory may begin at each even byte */
    FAR_BYTES = 1024,  /* and as far at each word */
    HEAD_BYTES = 64,   /* whose words may point to it */
    COUNT_BYTES = 512, /* before it, where the number of rows may stand */
    WIDEST_GAP = 4096  /* that fills up a part */
};

struct directory {
    pare_coding coding;
    uint32_t at, width, n;           /* its rows */
    uint32_t position_at, length_at; /* in each row */
    uint64_t covered;                /* bytes of all parts; 0: it is none */
};

/* A part of the file, from .. to-1, and the row that names it; the directory itself, where `row` is
 * the number of rows. */
struct part {
    uint32_t from, to, row;
};

static uint32_t word(const pare_chunk_tree *tree, pare_coding coding, uint32_t at)
{
    assert(at + WORD <= tree->size);
    return (uint32_t)pare_chunk_coding_read(coding, WORD, tree->bytes + at, WORD).value;
}

/* The part that a row names. Nothing is checked; the end is cut at UINT32_MAX, which no file
 * reaches. */
static struct part part_of(const pare_chunk_tree *tree, const struct directory *directory,
                           uint32_t row)
{
    const uint32_t at = directory->at + row * directory->width;
    const uint32_t from = word(tree, directory->coding, at + directory->position_at);
    const uint32_t n = word(tree, directory->coding, at + directory->length_at);
    return (struct part){from, n > UINT32_MAX - from ? UINT32_MAX : from + n, row};
}

/* For qsort: an empty part before what begins where it is. */
static int by_place(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Counts rows: as long as each says where a part is that lies in the file and not on the rows read
 * so far. A part that begins behind the rows ends them (`limit`): a directory does not reach into
 * what it names. Where a part overlaps that of the row before, none count: this is no directory, as
 * sorting all of them would tell, too, later and at more cost.
 *
 * WAD    16 bytes a row: position, length, a name of eight; the header says where
 * sfnt   16 bytes a row, from byte 12 on: a name of four, a checksum, position, length
 * ICO    16 bytes a row, from byte 6 on: size and colours, length at 8, position at 12 */
static void count_rows(const pare_chunk_tree *tree, struct directory *directory)
{
    struct part last = {0};
    uint32_t limit = tree->size;
    directory->n = 0;
    directory->covered = 0;
    while (directory->n < MOST_ROWS) {
        const uint32_t next = directory->at + (directory->n + 1) * directory->width;
        if (next > limit) return;
        const struct part part = part_of(tree, directory, directory->n);
        const bool overlaps = part.from < next && part.to > directory->at;
        if (part.to > tree->size || part.from == part.to || overlaps) return;
        if (part.from < last.to && last.from < part.to) {
            directory->n = 0;
            return;
        }
        if (part.from >= next && part.from < limit) limit = part.from;
        last = part;
        directory->covered += part.to - part.from;
        directory->n++;
    }
}

/* Sorts the parts and the directory by place into `parts`, which has room for n + 1; false: two of
 * them overlap. */
static bool sort_parts(const pare_chunk_tree *tree, const struct directory *directory,
                       struct part *parts)
{
    const uint32_t n = directory->n;
    for (uint32_t row = 0; row < n; row++)
        parts[row] = part_of(tree, directory, row);
    parts[n] = (struct part){directory->at, directory->at + n * directory->width, n};
    qsort(parts, n + 1, sizeof *parts, by_place);
    for (uint32_t i = 1; i <= n; i++)
        if (parts[i].from < parts[i - 1].to) return false;
    return true;
}

/* Looks at one place and width, with each pair of words of a row as position and length. A reading
 * that covers more than `best`, at least half of what is not rows, and no more than all of it,
 * takes its place if its parts do not overlap. */
static void try_rows(const pare_chunk_tree *tree, struct directory tried, struct part *parts,
                     struct directory *best)
{
    const uint32_t words = tried.width / WORD;
    for (uint32_t i = 0; i < words * words; i++) {
        tried.position_at = i / words * WORD;
        tried.length_at = i % words * WORD;
        if (tried.position_at == tried.length_at) continue;
        count_rows(tree, &tried);
        if (tried.n < LEAST_ROWS || tried.covered <= best->covered) continue;
        const uint64_t others = tree->size - tried.n * tried.width;
        if (tried.covered * 2 < others || tried.covered > others) continue;
        if (sort_parts(tree, &tried, parts)) *best = tried;
    }
}

/* Tries all widths of rows at one place, in both byte orders. LEAST_ROWS of them must lie in the
 * file. */
static void try_place(const pare_chunk_tree *tree, uint32_t at, struct part *parts,
                      struct directory *best)
{
    static const pare_coding codings[] = {PARE_CODING_LITTLE, PARE_CODING_BIG};
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++)
        for (uint32_t width = 2 * WORD; width <= WIDEST_ROW; width += WORD)
            if (at < tree->size && tree->size - at >= LEAST_ROWS * width)
                try_rows(tree, (struct directory){.coding = codings[i], .at = at, .width = width},
                         parts, best);
}

/* The directory that covers most of the file; `covered` is 0 if there is none. It is looked for
 * near the begin of the file, at each even byte at first (the header of ICO has six), and where a
 * word of the header points to. */
static struct directory find_directory(const pare_chunk_tree *tree, struct part *parts)
{
    static const pare_coding codings[] = {PARE_CODING_LITTLE, PARE_CODING_BIG};
    struct directory best = {.covered = 0};
    for (uint32_t at = 0; at < FAR_BYTES; at += at < NEAR_BYTES ? 2 : WORD)
        try_place(tree, at, parts, &best);
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++)
        for (uint32_t at = 0; at < HEAD_BYTES && at + WORD <= tree->size; at += WORD) {
            const uint32_t to = word(tree, codings[i], at);
            if (to >= FAR_BYTES) try_place(tree, to, parts, &best);
        }
    return best;
}

/* The largest power of two, up to WIDEST_GAP, that divides all positions of parts: 4 of 12, 64 and
 * 100. The lowest bit that is set in any of them is that power. */
static uint32_t alignment_of(const struct directory *directory, const struct part *parts)
{
    uint32_t bits = WIDEST_GAP;
    for (uint32_t i = 0; i <= directory->n; i++)
        if (parts[i].row < directory->n) bits |= parts[i].from;
    return bits & -bits;
}

/* Whether the bytes are all 0, as what fills a part up is. */
static bool is_blank(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    while (from < to && !tree->bytes[from])
        from++;
    return from == to;
}

/* Notes a part, its row, and the row's numbers: they are twins, and position and length follow what
 * is left. A part that has no chunk, or whose row has none, stays without. Errors: PARE_E_NOMEM. */
static pare_status add_part(pare_chunk_tree *tree, const struct directory *directory,
                            const struct part *part, uint32_t chunk, uint32_t row, pare_error *err)
{
    const uint32_t at = directory->at + part->row * directory->width;
    if (chunk == PARE_NO_CHUNK || row == PARE_NO_CHUNK) return PARE_OK;
    tree->chunks[chunk].twin = row;
    tree->chunks[row].twin = chunk;
    tree->chunks[row].known = tree->chunks[row].solid = true;
    tree->chunks[chunk].body_to = part->to;
    pare_chunk_field field = {.number = PARE_NUMBER_POSITION,
                              .coding = directory->coding,
                              .width = WORD,
                              .at = at + directory->position_at,
                              .to = part->from};
    pare_status status = pare_chunk_tree_field(tree, &field, err);
    field.number = PARE_NUMBER_LENGTH;
    field.at = at + directory->length_at;
    field.from = part->from;
    field.to = part->to;
    return status ? status : pare_chunk_tree_field(tree, &field, err);
}

/* Adds chunks of all parts and of the directory (*all), by place; then of the rows, with their
 * numbers. Bytes of 0 between a part and the next one are its filling if parts are aligned and
 * there are fewer of them than that. `chunks` has room for those of the parts and then of the rows,
 * both by row. Errors: PARE_E_NOMEM. */
static pare_status add_parts(pare_chunk_tree *tree, const struct directory *directory,
                             const struct part *parts, uint32_t *chunks, uint32_t *all,
                             pare_error *err)
{
    const uint32_t n = directory->n, align = alignment_of(directory, parts);
    uint32_t *rows = chunks + n;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i <= n; i++) {
        const struct part *part = &parts[i];
        const uint32_t next = i < n ? parts[i + 1].from : tree->size;
        const bool fills = part->row < n && align > 1 && next - part->to < align &&
                           (next - part->from) % align == 0 && is_blank(tree, part->to, next);
        uint32_t *index = part->row < n ? &chunks[part->row] : all;
        status = pare_chunk_tree_add(tree, 0, part->from, fills ? next : part->to, index, err);
        if (!status && fills)
            status = pare_chunk_tree_pad(
                tree,
                &(pare_chunk_pad){
                    .at = part->to, .n = next - part->to, .align = align, .from = part->from},
                err);
    }
    if (status || *all == PARE_NO_CHUNK) return status;
    tree->chunks[*all].fixed = tree->chunks[*all].known = true;
    for (uint32_t i = 0; !status && i < n; i++)
        status = pare_chunk_tree_add(tree, *all, directory->at + i * directory->width,
                                     directory->at + (i + 1) * directory->width, &rows[i], err);
    for (uint32_t i = 0; !status && i <= n; i++)
        if (parts[i].row < n)
            status =
                add_part(tree, directory, &parts[i], chunks[parts[i].row], rows[parts[i].row], err);
    return status;
}

/* Notes the number at `field.at` if it is `value`; *found: it is. Errors: PARE_E_NOMEM. */
static pare_status add_number(pare_chunk_tree *tree, const struct directory *directory,
                              pare_chunk_field field, uint32_t value, bool *found, pare_error *err)
{
    field.coding = directory->coding;
    const uint64_t there =
        pare_chunk_coding_read(field.coding, field.width, tree->bytes + field.at, field.width)
            .value;
    *found = there == value;
    return *found ? pare_chunk_tree_field(tree, &field, err) : PARE_OK;
}

/* Notes the numbers that the header has about the directory: how many rows, the nearest number
 * before it that is that, of four bytes or two; else how many bytes the rows have; and where they
 * are. Errors: PARE_E_NOMEM. */
static pare_status add_numbers(pare_chunk_tree *tree, const struct directory *directory,
                               uint32_t all, pare_error *err)
{
    const uint32_t at = directory->at, size = directory->n * directory->width;
    const uint32_t near = at < FAR_BYTES ? at : HEAD_BYTES;
    pare_chunk_field field = {.number = PARE_NUMBER_COUNT, .width = WORD, .chunk = all};
    bool counted = false, placed = false;
    pare_status status = PARE_OK;
    for (uint32_t back = 2; !status && !counted && back <= near && back <= COUNT_BYTES; back += 2) {
        field.at = near - back;
        field.width = back >= WORD && field.at % WORD == 0 ? WORD : 2;
        status = add_number(tree, directory, field, directory->n, &counted, err);
        if (status || counted || field.width == 2) continue;
        field.width = 2;
        status = add_number(tree, directory, field, directory->n, &counted, err);
    }
    field = (pare_chunk_field){
        .number = PARE_NUMBER_LENGTH, .width = WORD, .from = at, .to = at + size};
    for (field.at = 0; !status && !counted && field.at + WORD <= near; field.at += WORD)
        status = add_number(tree, directory, field, size, &counted, err);
    field = (pare_chunk_field){.number = PARE_NUMBER_POSITION, .width = WORD, .to = at};
    for (field.at = 0; !status && !placed && field.at + WORD <= HEAD_BYTES && field.at + WORD <= at;
         field.at += WORD)
        status = add_number(tree, directory, field, at, &placed, err);
    return status;
}

pare_status pare_chunk_directory_read(pare_chunk_tree *tree, bool *found, pare_error *err)
{
    struct part *parts = pare_alloc(MOST_ROWS + 1, sizeof *parts);
    *found = false;
    if (!parts) return pare_fail_nomem(err);
    const struct directory directory = find_directory(tree, parts);
    const size_t n = directory.covered ? directory.n : 0;
    uint32_t *chunks = pare_alloc(2 * n + 1, sizeof *chunks), all = PARE_NO_CHUNK;
    pare_status status = chunks ? PARE_OK : pare_fail_nomem(err);
    if (!status && n && sort_parts(tree, &directory, parts)) {
        *found = true;
        for (size_t i = 0; i < 2 * n; i++)
            chunks[i] = PARE_NO_CHUNK;
        status = add_parts(tree, &directory, parts, chunks, &all, err);
        if (!status && all != PARE_NO_CHUNK) status = add_numbers(tree, &directory, all, err);
        if (!status)
            status = pare_chunk_offsets_read(tree, directory.coding, chunks, directory.n, err);
    }
    pare_alloc_free(chunks);
    pare_alloc_free(parts);
    return status;
}
