/* Chunks of a database of SQLite: pages, and what names them.
 *
 * A file is pages of one size, which are numbered.  Those in use are a forest: the schema, whose root is the
 * first page, names the root of each table and index, an inner page its children, and what does not fit
 * into a page a chain of further ones.  A page is a chunk; a number that names it counts the pages before
 * it, and it goes when nothing names it any more (chunk_names.h): so a row of the schema goes with all
 * pages of its table.  In pages that name others each cell is a chunk that goes with its entry in the
 * page's array of positions; unused bytes between the two keep the page's size.
 * Pages that are free are in a list, of which a page names further ones: all go with the first of these.
 * Cells of leaves stay, for a page is not smaller without them; a database that keeps a map of its pages
 * (auto-vacuum) is not read.
 * Invariant: a page is read once, so that a ring of pages ends.
 * Source: Database File Format, sqlite.org.  Tested by tests/unit/test_chunk_sqlite.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    HEADER = 100, /* of the file, on its first page */
    LEAST_PAGE = 512,
    MOST_CELLS = 1 << 15, /* of a page */
    WORD = 4
};

enum kind { INNER_INDEX = 2, INNER_TABLE = 5, LEAF_INDEX = 10, LEAF_TABLE = 13 };

/* A page that waits to be read. */
struct waiting {
    uint32_t page;
    bool schema, chain; /* of the schema's tree; goes on with what did not fit */
};

struct database {
    pare_chunk_reader reader;
    uint32_t begin, page_size, usable; /* bytes of a page that are used */
    uint32_t n_pages;
    uint32_t first;          /* chunk of the first page; the others follow it */
    unsigned char *is_read;  /* owned, of each page */
    struct waiting *waiting; /* owned, room for one a page: each is put there once */
    uint32_t n_waiting, n_taken;
};

/* A cell: where it is, in a page that begins at `page`. */
struct cell {
    uint32_t from, to;
    uint32_t row;             /* of the page's array */
    uint32_t child, overflow; /* where numbers of pages stand; 0: there is none */
    uint32_t payload;         /* where it begins, of a leaf of a table */
};

static uint32_t number_at(const struct database *database, uint32_t at, uint32_t width)
{
    const pare_chunk_tree *tree = database->reader.tree;
    if (at + width > tree->size) return 0;
    return (uint32_t)pare_chunk_coding_read(PARE_CODING_BIG, width, tree->bytes + at, width).value;
}

/* A number of up to nine bytes, the greatest first; 0x80: more follow. The ninth byte gives all its
 * bits: 81 00 is 128. False: it does not end before `end`; *at has moved all the same. */
static bool read_varint(const struct database *database, uint32_t *at, uint32_t end,
                        uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < 9 && *at < end; i++) {
        const unsigned char byte = database->reader.tree->bytes[(*at)++];
        if (i == 8) {
            *value = *value << 8 | byte;
            return true;
        }
        *value = *value << 7 | (byte & 0x7f);
        if (!(byte & 0x80)) return true;
    }
    return false;
}

/* Where a page begins; pages are numbered from 1. */
static uint32_t page_at(const struct database *database, uint32_t page)
{
    return database->begin + (page - 1) * database->page_size;
}

/* ---- numbers of pages --------------------------------------------------------------------- */

/* Notes that the bytes at `at` name a page; they are 0 when it has gone. */
static void add_name(struct database *database, uint32_t at, uint32_t width, uint32_t page)
{
    const uint32_t to = page_at(database, page);
    pare_chunk_reader_field(&database->reader, &(pare_chunk_field){.number = PARE_NUMBER_INDEX,
                                                                   .coding = PARE_CODING_BIG,
                                                                   .width = width,
                                                                   .at = at,
                                                                   .from = to,
                                                                   .to = to,
                                                                   .chunk = 0,
                                                                   .target = database->first + page,
                                                                   .unit = 1});
}

/* Notes that the bytes at `at` name a page, and has that page read if it was not before. Page 1
 * cannot be named (0: none), nor one that is not in the file. The number is INDEX among the
 * children of the file, one more than the pages before it; chunks of pages are consecutive, so
 * `first + page` is the page's chunk plus 1. */
static void name_page(struct database *database, uint32_t at, uint32_t width, bool schema,
                      bool chain)
{
    const uint32_t page = number_at(database, at, width);
    if (page < 2 || page > database->n_pages) return;
    add_name(database, at, width, page);
    if (database->is_read[page - 1]) return;
    database->is_read[page - 1] = 1;
    assert(database->n_waiting < database->n_pages);
    database->waiting[database->n_waiting++] =
        (struct waiting){.page = page, .schema = schema, .chain = chain};
}

/* A row of the schema: type, name, table, root page, text. The fourth value is the number of a
 * root. A record is its header's size, a type for each value, then the values:
 *
 * 06 17 11 11 01 39   "table" "t1" "t1"  02  "create ..."
 * size; types: 0x17, a text of (23 - 13) / 2 = 5 bytes; ...; 01: a number of one byte
 *
 * Types of 12 and above are (type - 12) / 2 bytes; 8 and 9 are the numbers 0 and 1 without bytes.
 */
static void name_root(struct database *database, const struct cell *cell)
{
    enum { ROOT = 3 };
    static const unsigned char widths[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
    uint32_t at = cell->payload;
    uint64_t size, type = 0, skip = 0;
    if (!read_varint(database, &at, cell->to, &size) || size > cell->to - cell->payload) return;
    for (unsigned i = 0; i <= ROOT; i++) {
        if (!read_varint(database, &at, cell->to, &type)) return;
        if (i < ROOT) skip += type < 12 ? widths[type] : (type - 12) / 2;
    }
    if (type < 1 || type > WORD || skip > cell->to - cell->payload - size) return;
    at = cell->payload + (uint32_t)(size + skip);
    if (widths[type] <= cell->to - at) name_page(database, at, widths[type], false, false);
}

/* ---- cells -------------------------------------------------------------------------------- */

/* Bytes of a payload that are in its page, if not all of them are. The formulas are those of the
 * file format ("Cell payload overflow pages"): as much stays that the last overflow page is full,
 * unless that is more than fits. */
static uint32_t local_bytes(const struct database *database, bool table, uint64_t payload)
{
    const uint32_t usable = database->usable, least = (usable - 12) * 32 / 255 - 23;
    const uint32_t most = table ? usable - 35 : (usable - 12) * 64 / 255 - 23;
    if (payload <= most) return (uint32_t)payload;
    const uint32_t n = least + (uint32_t)((payload - least) % (usable - WORD));
    return n <= most ? n : least;
}

/* Reads a cell of a page of that kind; false: it does not lie in its page.
 *
 * inner table   child page (4 bytes), row's number
 * leaf table    payload's size, row's number, payload, (first overflow page)
 * inner index   child page, payload's size, payload, (first overflow page)
 * leaf index    payload's size, payload, (first overflow page) */
static bool read_cell(const struct database *database, enum kind kind, uint32_t page,
                      struct cell *cell)
{
    const uint32_t end = page + database->usable;
    uint32_t at = cell->from;
    uint64_t payload = 0, row;
    if (kind == INNER_INDEX || kind == INNER_TABLE) {
        cell->child = at;
        if (end - at < WORD) return false;
        at += WORD;
    }
    if (kind != INNER_TABLE && !read_varint(database, &at, end, &payload)) return false;
    const bool table = kind == INNER_TABLE || kind == LEAF_TABLE;
    if (table && !read_varint(database, &at, end, &row)) return false;
    cell->payload = at;
    const uint32_t local = local_bytes(database, table, payload);
    if (local > end - at) return false;
    at += local;
    if (payload > local) {
        cell->overflow = at;
        if (end - at < WORD) return false;
        at += WORD;
    }
    cell->to = at;
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* A page of a tree: a header of 8 bytes (12 if it is an inner one), an array of the positions of
 * its cells, unused bytes, and the cells.
 *
 * 0   1   kind                    5   2   where the cells begin
 * 1   2   first free block        7   1   free bytes in pieces
 * 3   2   how many cells          8   4   inner: the last child */
struct page {
    uint32_t from, header, array, n; /* where they begin; how many cells */
    uint32_t content;                /* where unused bytes end; 0: there are none */
    enum kind kind;
    struct cell *cells; /* n of them, by their place */
};

/* Reads all cells of a page and sorts them by place; false: they overlap, or are not in it.
 * `content` is noted if the unused bytes reach from the array to the first cell, so that they can
 * be the filling. */
static bool read_cells(const struct database *database, struct page *page)
{
    const uint32_t end = page->array + 2 * page->n;
    const uint32_t content = page->from + number_at(database, page->header + 5, 2);
    if (end > page->from + database->usable) return false;
    for (uint32_t i = 0; i < page->n; i++) {
        page->cells[i] = (struct cell){
            .from = page->from + number_at(database, page->array + 2 * i, 2), .row = i};
        if (page->cells[i].from < end || page->cells[i].from >= page->from + database->usable)
            return false;
        if (!read_cell(database, page->kind, page->from, &page->cells[i])) return false;
    }
    if (page->n) qsort(page->cells, page->n, sizeof *page->cells, by_place);
    for (uint32_t i = 1; i < page->n; i++)
        if (page->cells[i].from < page->cells[i - 1].to) return false;
    const bool has_gap = content > end && page->n && content <= page->cells[0].from;
    page->content = has_gap ? content : 0;
    return true;
}

/* Notes the cells, each of which goes with its entry in the array; false: there is no room. The
 * entries are added first, for they stand before the cells; they are consecutive chunks from `rows`
 * on. */
static bool add_cells(struct database *database, const struct page *page, uint32_t chunk,
                      uint32_t array)
{
    pare_chunk_reader *reader = &database->reader;
    pare_chunk_tree *tree = reader->tree;
    const uint32_t rows = tree->n_chunks;
    for (uint32_t i = 0; i < page->n; i++) {
        const uint32_t at = page->array + 2 * i;
        if (pare_chunk_reader_chunk(reader, array, at, at + 2) == PARE_NO_CHUNK) return false;
        tree->chunks[rows + i].known = tree->chunks[rows + i].solid = true;
    }
    for (uint32_t i = 0; i < page->n; i++) {
        const struct cell *cell = &page->cells[i];
        const uint32_t row = rows + cell->row;
        const uint32_t index = pare_chunk_reader_chunk(reader, chunk, cell->from, cell->to);
        if (index == PARE_NO_CHUNK) return false;
        tree->chunks[index].known = tree->chunks[index].solid = true;
        tree->chunks[index].twin = row;
        tree->chunks[row].twin = index;
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                                            .coding = PARE_CODING_BIG,
                                                            .width = 2,
                                                            .at = page->array + 2 * cell->row,
                                                            .from = page->from,
                                                            .to = cell->from});
    }
    return true;
}

/* Notes where free blocks between cells begin, each of which names the next one by its first two bytes: they move with
 * the cells before them.  They ascend, so the list ends. */
static void add_free_blocks(struct database *database, const struct page *page)
{
    uint32_t at = page->header + 1;
    uint32_t block = page->from + number_at(database, at, 2);
    const uint32_t end = page->from + database->usable - WORD;
    while (block > at && block >= page->content && block <= end) {
        pare_chunk_reader_field(&database->reader,
                                &(pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                                    .coding = PARE_CODING_BIG,
                                                    .width = 2,
                                                    .at = at,
                                                    .from = page->from,
                                                    .to = block});
        at = block;
        block = page->from + number_at(database, at, 2);
    }
}

/* Notes the array, the cells and their numbers; unused bytes between the two fill the page up. When
 * a cell goes, the page would be shorter by it and by its entry; the pad after the array grows by
 * as much, so that the cells that are left stand at the end of the page as before. `behind` is what
 * counts to the page's size after the pad. */
static void add_content(struct database *database, const struct page *page, uint32_t chunk)
{
    pare_chunk_reader *reader = &database->reader;
    pare_chunk_tree *tree = reader->tree;
    const uint32_t end = page->array + 2 * page->n;
    const uint32_t array = pare_chunk_reader_chunk(reader, chunk, page->array, end);
    if (array == PARE_NO_CHUNK) return;
    tree->chunks[array].fixed = tree->chunks[array].known = tree->chunks[array].solid = true;
    if (!add_cells(database, page, chunk, array)) return;
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                        .coding = PARE_CODING_BIG,
                                                        .width = 2,
                                                        .at = page->header + 3,
                                                        .chunk = array});
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                                        .coding = PARE_CODING_BIG,
                                                        .width = 2,
                                                        .at = page->header + 5,
                                                        .from = page->from,
                                                        .to = page->content});
    add_free_blocks(database, page);
    if (reader->status) return;
    const uint32_t behind = page->from + database->page_size - page->content;
    reader->status = pare_chunk_tree_pad(tree,
                                         &(pare_chunk_pad){.at = end,
                                                           .n = page->content - end,
                                                           .align = database->page_size,
                                                           .from = page->from,
                                                           .behind = behind},
                                         reader->err);
}

/* ---- pages -------------------------------------------------------------------------------- */

/* Reads a page of a tree: all that it names is noted, and its cells are chunks if one of them names
 * a page, or is a row of the schema. The leaves of the schema's tree hold those rows. */
static void read_tree_page(struct database *database, struct waiting at, struct cell *cells)
{
    struct page page = {.from = page_at(database, at.page), .cells = cells};
    page.header = page.from + (at.page == 1 ? HEADER : 0);
    page.kind = (enum kind)database->reader.tree->bytes[page.header];
    const bool inner = page.kind == INNER_INDEX || page.kind == INNER_TABLE;
    if (!inner && page.kind != LEAF_INDEX && page.kind != LEAF_TABLE) return;
    page.n = number_at(database, page.header + 3, 2);
    page.array = page.header + (inner ? 12 : 8);
    const bool schema = at.schema && page.kind == LEAF_TABLE;
    if (page.n > MOST_CELLS || !read_cells(database, &page)) return;
    bool names = false;
    if (inner) name_page(database, page.header + 8, WORD, at.schema, false);
    for (uint32_t i = 0; i < page.n; i++) {
        const uint32_t before = database->reader.tree->n_fields;
        if (cells[i].child) name_page(database, cells[i].child, WORD, at.schema, false);
        if (cells[i].overflow) name_page(database, cells[i].overflow, WORD, false, true);
        if (schema) name_root(database, &cells[i]);
        names = names || database->reader.tree->n_fields > before;
    }
    /* Without a gap there is nothing that could fill the page up. */
    if ((names || schema) && page.content)
        add_content(database, &page, database->first + at.page - 1);
}

/* Reads the first page, and all that are named, breadth first. A page of a chain begins with the
 * number of the next one, and is otherwise content. */
static void read_pages(struct database *database, struct cell *cells)
{
    database->is_read[0] = 1;
    database->waiting[database->n_waiting++] = (struct waiting){.page = 1, .schema = true};
    while (database->n_taken < database->n_waiting && !database->reader.status) {
        const struct waiting at = database->waiting[database->n_taken++];
        if (at.chain)
            name_page(database, page_at(database, at.page), WORD, false, true);
        else
            read_tree_page(database, at, cells);
    }
}

/* Notes the pages that are free, and how many there are: none, when the first of the list has gone, with which all
 * others go.  A page of the list is: the number of the next one, how many it names, and these.  Each is noted once, so
 * that a ring ends. */
static void note_free_pages(struct database *database)
{
    enum { FIRST = 32, N_FREE = 36, ENTRIES = 8 };
    const uint32_t first = number_at(database, database->begin + FIRST, WORD);
    const uint32_t n_free = number_at(database, database->begin + N_FREE, WORD);
    uint32_t at = database->begin + FIRST, page = first;
    if (first < 2 || first > database->n_pages) return;
    while (page >= 2 && page <= database->n_pages && !database->is_read[page - 1]) {
        const uint32_t from = page_at(database, page), n = number_at(database, from + WORD, WORD);
        database->is_read[page - 1] = 1;
        add_name(database, at, WORD, page);
        for (uint32_t i = 0; i < n && i < database->usable / WORD - 2; i++) {
            const uint32_t entry = from + ENTRIES + WORD * i,
                           leaf = number_at(database, entry, WORD);
            if (leaf < 2 || leaf > database->n_pages || database->is_read[leaf - 1]) continue;
            database->is_read[leaf - 1] = 1;
            add_name(database, entry, WORD, leaf);
        }
        at = from;
        page = number_at(database, from, WORD);
    }
    pare_chunk_reader_field(&database->reader, &(pare_chunk_field){.number = PARE_NUMBER_PRESENT,
                                                                   .coding = PARE_CODING_BIG,
                                                                   .width = WORD,
                                                                   .at = database->begin + N_FREE,
                                                                   .from = page_at(database, first),
                                                                   .to = page_at(database, first),
                                                                   .unit = n_free});
}

/* Adds chunks of all pages; false: there is no room for them. The first page, with the header of
 * the file and the root of the schema, stays. A page goes as a whole, except for cells in it. */
static bool add_pages(struct database *database)
{
    pare_chunk_tree *tree = database->reader.tree;
    if (database->n_pages >= PARE_CHUNK_MOST - tree->n_chunks) return false;
    database->first = tree->n_chunks;
    for (uint32_t page = 1; page <= database->n_pages; page++) {
        const uint32_t from = page_at(database, page);
        const uint32_t chunk =
            pare_chunk_reader_chunk(&database->reader, 0, from, from + database->page_size);
        if (chunk == PARE_NO_CHUNK) return false;
        tree->chunks[chunk].known = tree->chunks[chunk].solid = true;
        tree->chunks[chunk].fixed = page == 1;
    }
    return true;
}

/* Reads the header; false: it is no database whose pages may go.
 *
 * 0   16  "SQLite format 3" and NUL      28  4   how many pages there are
 * 16  2   bytes of a page, 1: 65536      32  4   the first free page
 * 20  1   bytes of a page that are kept free at its end
 * 52  4   not 0: the file keeps a map of its pages, whose numbers would have to be corrected */
static bool read_header(struct database *database, uint32_t to)
{
    static const char magic[16] = "SQLite format 3";
    enum { PAGE_SIZE = 16, RESERVED = 20, ROOT_OF_ALL = 52 };
    const unsigned char *bytes = database->reader.tree->bytes + database->begin;
    if (to - database->begin < LEAST_PAGE || memcmp(bytes, magic, sizeof magic) != 0) return false;
    database->page_size = number_at(database, database->begin + PAGE_SIZE, 2);
    if (database->page_size == 1) database->page_size = 1 << 16;
    if (database->page_size < LEAST_PAGE || (database->page_size & (database->page_size - 1)))
        return false;
    if (number_at(database, database->begin + ROOT_OF_ALL, WORD)) return false;
    database->usable = database->page_size - bytes[RESERVED];
    database->n_pages = (to - database->begin) / database->page_size;
    return database->n_pages > 1 && database->usable >= LEAST_PAGE - 32;
}

/* Adds the pages, then what names them. */
static void note_database(struct database *database, struct cell *cells)
{
    enum { N_PAGES = 28 };
    if (!add_pages(database)) return;
    pare_chunk_reader_field(&database->reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                                   .coding = PARE_CODING_BIG,
                                                                   .width = WORD,
                                                                   .at = database->begin + N_PAGES,
                                                                   .chunk = 0});
    read_pages(database, cells);
    note_free_pages(database);
}

pare_status pare_chunk_sqlite_read(pare_chunk_tree *tree, bool *found, pare_error *err)
{
    struct database database = {
        .reader = {.tree = tree, .end = tree->size, .err = err},
    };
    *found = read_header(&database, tree->size);
    if (!*found) return PARE_OK;
    struct cell *cells = pare_alloc(MOST_CELLS, sizeof *cells);
    database.is_read = pare_alloc_zero(database.n_pages, 1);
    database.waiting = pare_alloc(database.n_pages, sizeof *database.waiting);
    if (cells && database.is_read && database.waiting)
        note_database(&database, cells);
    else
        database.reader.status = pare_fail_nomem(err);
    pare_alloc_free(cells);
    pare_alloc_free(database.is_read);
    pare_alloc_free(database.waiting);
    return database.reader.status;
}
