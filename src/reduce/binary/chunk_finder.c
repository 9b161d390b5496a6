/* Finds the chunks of a binary file, and of those what is in them, level by level.
 *
 * Each chunk without children is looked at once, in the order in which chunks are found: first for
 * the header of a known format, then for tables (of rows that say where strings are, in the file; of
 * positions, in a part of it), then for the rows of an image, then for a run of lengths.  The file
 * itself is looked into for values (MessagePack, CBOR), a directory of parts and streams of zlib, too.
 * What is packed is unpacked by the reader of its format and looked into like any other.
 * Invariant: a chunk is looked at once, so the search ends; steps and chunks are limited, so it ends
 * soon. */
#include "reduce/binary/chunk_finder.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_pdf_plain.h"
#include "reduce/binary/chunk_tiling.h"

enum { LEAST_BYTES = 6, POSITION_BYTES = 4 };

static const uint64_t MOST_STEPS = UINT64_C(1) << 22; /* beside four for each byte */

/* Whether the chunk's body consists, after `skip` bytes, of a count and that many ascending
 * positions in the file and nothing else, in this coding.
 *
 * 00 00 00 00   00 00 00 02   00 00 10 00   00 00 20 00     big-endian, skip 4 (a version): two */
static bool is_table(const pare_chunk_tree *tree, const pare_chunk *chunk, uint32_t skip,
                     pare_coding coding)
{
    const uint32_t size = chunk->body_to - chunk->body;
    if (size < skip + 2 * POSITION_BYTES || (size - skip) % POSITION_BYTES) return false;
    const uint32_t begin = chunk->body + skip;
    const uint32_t n = (size - skip) / POSITION_BYTES - 1;
    uint64_t last = 0;
    for (uint32_t i = 0; i <= n; i++) {
        const uint32_t at = begin + i * POSITION_BYTES;
        const uint64_t value =
            pare_chunk_coding_read(coding, POSITION_BYTES, tree->bytes + at, POSITION_BYTES).value;
        if (i ? value <= last || value >= tree->size : value != n) return false;
        if (i) last = value;
    }
    return true;
}

/* Notes a table whose count stands at `at`: each position is a chunk that may go, with the count;
 * those that are left are corrected when bytes before what they name go. */
static pare_status add_table(pare_chunk_tree *tree, uint32_t chunk, uint32_t at, pare_coding coding,
                             pare_error *err)
{
    const pare_chunk_field count = {.number = PARE_NUMBER_COUNT,
                                    .coding = coding,
                                    .width = POSITION_BYTES,
                                    .at = at,
                                    .chunk = chunk};
    const uint32_t end = tree->chunks[chunk].body_to;
    pare_status status = PARE_OK;
    for (at += POSITION_BYTES; !status && at < end; at += POSITION_BYTES) {
        const uint64_t value =
            pare_chunk_coding_read(coding, POSITION_BYTES, tree->bytes + at, POSITION_BYTES).value;
        uint32_t entry;
        status = pare_chunk_tree_add(tree, chunk, at, at + POSITION_BYTES, &entry, err);
        if (status || entry == PARE_NO_CHUNK) return status;
        tree->chunks[entry].known = true;
        status = pare_chunk_tree_field(tree,
                                       &(pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                                           .coding = coding,
                                                           .width = POSITION_BYTES,
                                                           .at = at,
                                                           .to = (uint32_t)value},
                                       err);
    }
    return status ? status : pare_chunk_tree_field(tree, &count, err);
}

/* A table of positions, as a film's stco: there may be a version before it.  Only in a file of which
 * nothing was unpacked, where positions are those of the bytes. */
static pare_status find_table(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    static const pare_coding codings[] = {PARE_CODING_BIG, PARE_CODING_LITTLE};
    for (size_t i = 0; i < sizeof codings / sizeof *codings && chunk && !tree->n_packings; i++)
        for (uint32_t skip = 0; skip <= POSITION_BYTES; skip += POSITION_BYTES)
            if (is_table(tree, &tree->chunks[chunk], skip, codings[i])) {
                *found = true;
                return add_table(tree, chunk, tree->chunks[chunk].body + skip, codings[i], err);
            }
    return PARE_OK;
}

/* ---- rows that say where strings are ---------------------------------------------------- */

/* Files laid out like a catalogue of messages: they begin with words of which one is a number of
 * rows, and others are positions of tables with that many rows. A row is the position and the
 * length of a string, or the length first. The strings of a table ascend and nothing overlaps,
 * which hardly happens by chance. The rows of one number in all tables go together, and the count
 * is corrected. */
enum {
    WORD = 4,
    ROW = 2 * WORD,
    HEAD_BYTES = 64, /* in which words are looked for */
    LEAST_ROWS = 3,
    MOST_TABLES = PARE_CHUNK_MOST_TWINS / 2,
    ROW_CHUNKS = 3 /* at most, of one row of a table: itself, its string, this without its end */
};

/* A reading of the begin of the file: which word is the number of rows, and which words name
 * tables. */
struct rows {
    pare_coding coding;
    uint32_t count_at, n; /* where their number stands, and what it is */
    uint32_t n_tables;
    struct {
        uint32_t named_at, from; /* where its position stands, and what it is */
        bool length_first;
    } tables[MOST_TABLES];
};

/* Bytes from .. to without what lies between them and the next; a table where `row` is the number of
 * rows. */
struct piece {
    uint32_t from, to, table, row;
};

static uint32_t word_at(const pare_chunk_tree *tree, pare_coding coding, uint32_t at)
{
    return (uint32_t)pare_chunk_coding_read(coding, WORD, tree->bytes + at, WORD).value;
}

/* Where the words at the begin of the file end at the latest. */
static uint32_t head_end(const pare_chunk_tree *tree)
{
    return tree->size < HEAD_BYTES ? tree->size / WORD * WORD : HEAD_BYTES;
}

/* The string of a row. Nothing is checked: it need not be in the file; `to` is cut at UINT32_MAX,
 * which no file reaches. */
static struct piece string_of(const pare_chunk_tree *tree, const struct rows *rows, uint32_t table,
                              uint32_t row)
{
    const uint32_t at = rows->tables[table].from + row * ROW;
    const bool length_first = rows->tables[table].length_first;
    const uint32_t from = word_at(tree, rows->coding, length_first ? at + WORD : at);
    const uint32_t length = word_at(tree, rows->coding, length_first ? at : at + WORD);
    const uint64_t to = (uint64_t)from + length;
    return (struct piece){from, to > UINT32_MAX ? UINT32_MAX : (uint32_t)to, table, row};
}

/* Whether the table that was entered last is one: it stands behind the count, all its rows are in
 * the file, its strings ascend and are not all empty, and it was not found before. Each string
 * costs a byte on average at least, so that zeros are no table. */
static bool is_of_rows(const pare_chunk_tree *tree, const struct rows *rows, uint32_t table)
{
    const uint32_t from = rows->tables[table].from;
    uint32_t last = 0;
    uint64_t bytes = 0;
    if (from <= rows->count_at || from > tree->size || rows->n > (tree->size - from) / ROW)
        return false;
    for (uint32_t i = 0; i < table; i++)
        if (rows->tables[i].from == from) return false;
    for (uint32_t row = 0; row < rows->n; row++) {
        const struct piece string = string_of(tree, rows, table, row);
        if (string.from < WORD || string.from < last || string.to > tree->size) return false;
        bytes += string.to - string.from;
        last = string.to;
    }
    return bytes >= rows->n;
}

/* The tables that the words at the begin of the file name, of as many rows as the word at
 * `count_at` says. Both orders of position and length are tried. Of a GNU catalogue (.mo):
 *
 * de 12 04 95   00 00 00 00   00 00 00 05   00 00 00 1c   00 00 00 44     count_at 8, tables 28, 68
 */
static struct rows tables_of(const pare_chunk_tree *tree, pare_coding coding, uint32_t count_at)
{
    struct rows rows = {
        .coding = coding, .count_at = count_at, .n = word_at(tree, coding, count_at)};
    if (rows.n < LEAST_ROWS || rows.n > tree->size / ROW) return rows;
    for (uint32_t at = 0; at < head_end(tree) && rows.n_tables < MOST_TABLES; at += WORD)
        for (unsigned order = 0; at != count_at && order < 2; order++) {
            const uint32_t table = rows.n_tables;
            rows.tables[table].named_at = at;
            rows.tables[table].from = word_at(tree, coding, at);
            rows.tables[table].length_first = order == 0;
            if (!is_of_rows(tree, &rows, table)) continue;
            rows.n_tables++;
            break;
        }
    return rows;
}

/* The reading with the most rows in all its tables; without tables nothing was found. Each word of
 * the head is tried as the count, in both byte orders: 32 readings, each of which looks at no row
 * unless the word is a possible number. */
static struct rows best_rows(const pare_chunk_tree *tree)
{
    static const pare_coding codings[] = {PARE_CODING_LITTLE, PARE_CODING_BIG};
    struct rows best = {.n_tables = 0};
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++)
        for (uint32_t at = 0; at < head_end(tree); at += WORD) {
            const struct rows rows = tables_of(tree, codings[i], at);
            if ((uint64_t)rows.n * rows.n_tables > (uint64_t)best.n * best.n_tables) best = rows;
        }
    return best;
}

/* For qsort: an empty string before what begins where it is. */
static int by_place(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    if (x->table != y->table) return x->table < y->table ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Puts all tables and strings into `pieces` by their place; false: two of them overlap, or one and
 * the words at the begin that were read. `pieces` has room for n_tables * (n + 1), the last of each
 * table being itself. */
static bool sort_pieces(const pare_chunk_tree *tree, const struct rows *rows, struct piece *pieces)
{
    const uint32_t n = rows->n_tables * (rows->n + 1);
    uint32_t last = 0;
    for (uint32_t table = 0; table < rows->n_tables; table++) {
        const uint32_t named_at = rows->tables[table].named_at;
        const uint32_t from = rows->tables[table].from;
        struct piece *own = pieces + table * (rows->n + 1);
        for (uint32_t row = 0; row < rows->n; row++)
            own[row] = string_of(tree, rows, table, row);
        own[rows->n] = (struct piece){from, from + rows->n * ROW, table, rows->n};
        if (named_at + WORD > last) last = named_at + WORD;
    }
    if (rows->count_at + WORD > last) last = rows->count_at + WORD;
    qsort(pieces, n, sizeof *pieces, by_place);
    for (uint32_t i = 0; i < n; i++) {
        if (pieces[i].from < last) return false;
        last = pieces[i].to;
    }
    return true;
}

/* Has `chunk` go with all others of its row: twins are a ring, of which *ring is one. */
static void link_row(pare_chunk_tree *tree, uint32_t *ring, uint32_t chunk)
{
    if (chunk == PARE_NO_CHUNK) return;
    tree->chunks[chunk].known = true;
    if (*ring != PARE_NO_CHUNK) pare_chunk_tree_link_twins(tree, *ring, chunk);
    *ring = chunk;
}

/* Notes a table, its rows, and the numbers in them. The table stays; its rows go, each with the
 * rows of the same number in other tables and with their strings (`rings`). The count is noted
 * once, with the first table: rows go from all of them. */
static pare_status add_rows(pare_chunk_tree *tree, const struct rows *rows, uint32_t table,
                            uint32_t *rings, pare_error *err)
{
    const uint32_t from = rows->tables[table].from;
    uint32_t chunk, row_chunk;
    pare_status status = pare_chunk_tree_add(tree, 0, from, from + rows->n * ROW, &chunk, err);
    if (status || chunk == PARE_NO_CHUNK) return status;
    tree->chunks[chunk].fixed = tree->chunks[chunk].known = true;
    for (uint32_t row = 0; !status && row < rows->n; row++) {
        const uint32_t at = from + row * ROW;
        const uint32_t behind = rows->tables[table].length_first ? WORD : 0;
        const struct piece string = string_of(tree, rows, table, row);
        pare_chunk_field field = {.number = PARE_NUMBER_POSITION,
                                  .coding = rows->coding,
                                  .width = WORD,
                                  .at = at + behind,
                                  .to = string.from};
        status = pare_chunk_tree_add(tree, chunk, at, at + ROW, &row_chunk, err);
        if (status) break;
        link_row(tree, &rings[row], row_chunk);
        status = pare_chunk_tree_field(tree, &field, err);
        field.number = PARE_NUMBER_LENGTH;
        field.at = at + WORD - behind;
        field.from = string.from;
        field.to = string.to;
        if (!status) status = pare_chunk_tree_field(tree, &field, err);
    }
    const pare_chunk_field count = {.number = PARE_NUMBER_COUNT,
                                    .coding = rows->coding,
                                    .width = WORD,
                                    .at = rows->count_at,
                                    .chunk = chunk};
    if (!status && table == 0) status = pare_chunk_tree_field(tree, &count, err);
    return status;
}

/* Notes a string: what ends it goes with its row, the rest of it may go alone. Of "text\0" the
 * chunk is all five bytes, the inner one the four of "text"; without these the row's length becomes
 * 0. */
static pare_status add_string(pare_chunk_tree *tree, const struct piece *string, uint32_t end,
                              uint32_t *rings, pare_error *err)
{
    uint32_t chunk, inner;
    pare_status status = pare_chunk_tree_add(tree, 0, string->from, end, &chunk, err);
    if (status || chunk == PARE_NO_CHUNK) return status;
    link_row(tree, &rings[string->row], chunk);
    if (string->to == end) return PARE_OK;
    status = pare_chunk_tree_add(tree, chunk, string->from, string->to, &inner, err);
    if (!status && inner != PARE_NO_CHUNK) tree->chunks[inner].known = true;
    return status;
}

/* Notes words that are the position of a piece, or of the end of one; the tables' are among them,
 * and that of a hash table behind them, say. Cost: words of the head times pieces. */
static pare_status add_positions(pare_chunk_tree *tree, const struct rows *rows,
                                 const struct piece *pieces, pare_error *err)
{
    const uint32_t n = rows->n_tables * (rows->n + 1);
    uint32_t end = head_end(tree);
    pare_status status = PARE_OK;
    if (end > pieces[0].from) end = pieces[0].from / WORD * WORD;
    for (uint32_t at = 0; !status && at < end; at += WORD) {
        const uint32_t value = word_at(tree, rows->coding, at);
        bool found = false;
        for (uint32_t i = 0; at != rows->count_at && i < n && !found; i++)
            found = value == pieces[i].from || value == pieces[i].to;
        if (found)
            status = pare_chunk_tree_field(tree,
                                           &(pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                                               .coding = rows->coding,
                                                               .width = WORD,
                                                               .at = at,
                                                               .to = value},
                                           err);
    }
    return status;
}

/* Notes all of it.  A few bytes behind a string end it, or fill it up. */
static pare_status add_pieces(pare_chunk_tree *tree, const struct rows *rows,
                              const struct piece *pieces, uint32_t *rings, pare_error *err)
{
    const uint32_t n = rows->n_tables * (rows->n + 1);
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < n; i++) {
        const struct piece *piece = &pieces[i];
        uint32_t end = i + 1 < n ? pieces[i + 1].from : tree->size;
        assert(piece->from <= piece->to && piece->to <= end && "sort_pieces has seen to it");
        if (end - piece->to > WORD) end = piece->to;
        status = piece->row == rows->n ? add_rows(tree, rows, piece->table, rings, err)
                                       : add_string(tree, piece, end, rings, err);
    }
    return status ? status : add_positions(tree, rows, pieces, err);
}

/* Looks for rows in the whole file. `rings` has for each row the chunk that was linked last. */
static pare_status find_rows(pare_chunk_tree *tree, bool *found, pare_error *err)
{
    const struct rows rows = best_rows(tree);
    if (!rows.n_tables || rows.n_tables * (rows.n * ROW_CHUNKS + 1) >= PARE_CHUNK_MOST)
        return PARE_OK;
    const size_t n = (size_t)rows.n_tables * (rows.n + 1);
    struct piece *pieces = pare_alloc_zero(n, sizeof *pieces);
    uint32_t *rings = pare_alloc_zero(rows.n, sizeof *rings);
    pare_status status = pieces && rings ? PARE_OK : pare_fail_nomem(err);
    if (!status && sort_pieces(tree, &rows, pieces)) {
        *found = true;
        for (uint32_t i = 0; i < rows.n; i++)
            rings[i] = PARE_NO_CHUNK;
        status = add_pieces(tree, &rows, pieces, rings, err);
    }
    pare_alloc_free(pieces);
    pare_alloc_free(rings);
    return status;
}

/* ---- all of it -------------------------------------------------------------------------- */

/* Puts another form of the file in its place, of which more can go: one that is packed or refers to what stands
 * before, written without.  *found: it is one of these. */
static pare_status write_anew(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    static pare_status (*const writers[])(pare_chunk_tree *, uint32_t, bool *, pare_error *) = {
        pare_chunk_pdf_plain_read, pare_chunk_marshal_write_anew};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && !*found && i < sizeof writers / sizeof *writers; i++)
        status = writers[i](tree, chunk, found, err);
    return status;
}

/* Looks into one chunk. The order is from what is certain to what is a guess: formats with a
 * signature, then the layouts that have to agree with themselves at many places, then runs of
 * lengths. Whole-file formats are asked only for the file itself (chunk 0). Each is asked only if
 * none before it has found something or left children. */
static pare_status look(pare_chunk_tree *tree, uint32_t chunk, pare_chunk_search *search,
                        pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    bool found = false;
    pare_status status = PARE_OK;
    if (pare_chunk_wasm_is(tree, from, to))
        status = pare_chunk_wasm_read(tree, chunk, from, to, &found, err);
    if (!status && !found && chunk == 0 && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_elf_read(tree, &found, err);
    if (!status && !found && chunk == 0 && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_sqlite_read(tree, &found, err);
    if (!status && !found && chunk == 0 && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_git_read(tree, &found, err);
    if (!status && !found && chunk == 0 && tree->chunks[chunk].first == PARE_NO_CHUNK &&
        !search->as_it_is)
        status = write_anew(tree, chunk, &found, err);
    if (!status && !found && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_pdf_read(tree, chunk, &found, err);
    if (!status && !found) status = pare_chunk_formats_read(tree, chunk, &found, err);
    if (!status && !found && chunk == 0 && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = find_rows(tree, &found, err);
    if (!status && !found && chunk == 0 && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_directory_read(tree, &found, err);
    if (!status && !found && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_image_read(tree, chunk, &found, err);
    if (!status && !found && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = find_table(tree, chunk, &found, err);
    if (!status && !found && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_values_read(tree, chunk, &found, err);
    if (!status && !found && chunk == 0 && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_protobuf_read(tree, &found, err);
    if (!status && !found && tree->chunks[chunk].first == PARE_NO_CHUNK)
        /* Streams in text, as in PDF, are looked for before runs of lengths, and in binary files
         * after them: there a run of lengths may say where a stream is. */
        status = pare_chunk_streams_read(tree, chunk, true, &found, err);
    if (!status && !found && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_tiling_find(tree, chunk, search, &found, err);
    if (!status && !found && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_streams_read(tree, chunk, false, &found, err);
    return status;
}

/* Chunks that are added while the loop runs are looked into by it, too, breadth first: outer
 * structure is found before the limits are reached. `chunk` is not used after look(), which may
 * move the array. */
static pare_status find(const unsigned char *bytes, size_t n, pare_chunk_search search,
                        pare_chunk_tree **out, pare_error *err)
{
    pare_chunk_tree *tree = NULL;
    pare_status status = pare_chunk_tree_new(bytes, n, &tree, err);
    for (uint32_t i = 0; !status && i < tree->n_chunks; i++) {
        const pare_chunk *chunk = &tree->chunks[i];
        /* Without steps left nothing more is looked into; what was found until then is kept. */
        if (chunk->known || chunk->first != PARE_NO_CHUNK || !search.steps) continue;
        if (chunk->body_to - chunk->body >= LEAST_BYTES) status = look(tree, i, &search, err);
    }
    if (!status) status = pare_chunk_tree_seal(tree, err);
    if (status) {
        pare_chunk_tree_unref(tree);
        return status;
    }
    *out = tree;
    return PARE_OK;
}

pare_status pare_chunk_finder_find_within(const unsigned char *bytes, size_t n, uint64_t steps,
                                          pare_chunk_tree **out, pare_error *err)
{
    return find(bytes, n, (pare_chunk_search){.steps = steps}, out, err);
}

pare_status pare_chunk_finder_find_as_it_is(const unsigned char *bytes, size_t n,
                                            pare_chunk_tree **out, pare_error *err)
{
    const uint64_t steps = MOST_STEPS + 4 * (uint64_t)n;
    return find(bytes, n, (pare_chunk_search){.steps = steps, .as_it_is = true}, out, err);
}

pare_status pare_chunk_finder_find(const unsigned char *bytes, size_t n, pare_chunk_tree **out,
                                   pare_error *err)
{
    return pare_chunk_finder_find_within(bytes, n, MOST_STEPS + 4 * (uint64_t)n, out, err);
}
