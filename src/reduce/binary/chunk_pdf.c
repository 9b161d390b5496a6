/* Chunks of PDF: objects, what their dictionaries and lists hold, streams, the table of positions.
 *
 * Objects are looked for one behind the other, whatever the table says, since mutated files have wrong ones.
 * An object is a chunk; so is each entry of a dictionary and each item of a list in it, and the bytes of its
 * stream, whose length is corrected (they are unpacked as any stream of zlib is, chunk_formats.h).
 * A reference ("12 0 R") names an object, which goes when nothing names it any more: without its mention among the
 * pages a page goes with all that it alone uses.  The row of an object that goes says that the number is free, so that to
 * a reader what still names it is null; when nothing does, the row goes, too.  Numbers are counted by the rows that are
 * left, so those behind it become smaller, and what names them.
 * A file with several tables (updates, linearized ones) keeps its rows and its numbers, as does one with packed or
 * encrypted objects.
 * A file with packed objects (PDF 1.5) is written without them first, chunk_pdf_plain.h.
 * Cost: O(bytes), times the depth of values in values, of which a few are looked into.
 * Source: ISO 32000-1, 7.3 and 7.5.  Tested by tests/unit/test_chunk_pdf.c. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/halving.h"
#include "base/vector.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_pdf_objects.h"
#include "reduce/binary/chunk_pdf_syntax.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    LEAST_OBJECTS = 2,
    ROW = 20, /* bytes of a row of the table: a position, a generation, a letter, the line's end */
    POSITION_BYTES = 10,
    LETTER_AT = 17,
    NEAR_END = 2048,  /* bytes at the end in which the table's position is looked for */
    MOST_TABLES = 64, /* of a file with updates */
    LEAST_STRING = 2, /* bytes in a string of which some may go */
    MOST_DEPTH = PARE_CHUNK_MOST_DEPTH - 4 /* of values in values */
};

/* Bytes from .. to. */
struct range {
    uint32_t from, to;
};

/* Rows for numbers that follow on each other: a table, or a part of one.
 *
 * xref
 * 0 3                          the first number, how many rows
 * 0000000000 65535 f           object 0 is free
 * 0000000015 00000 n           object 1 stands at byte 15, generation 0, in use
 * 0000000074 00000 n */
struct table {
    uint32_t from, to; /* the rows */
    uint32_t count_at; /* how many they are */
    uint32_t first;    /* number of the first one */
    uint32_t chunk;    /* PARE_NO_CHUNK: numbers stay */
};

/* An object by its number. */
struct numbered {
    uint32_t number, index;
};

struct pdf {
    pare_chunk_reader reader;
    pare_pdf_text text;
    uint32_t file;            /* the chunk that is all of it, */
    uint32_t base;            /* and where that begins, from which on positions are counted */
    pare_pdf_object *objects; /* owned; ascending by place */
    size_t n;
    struct numbered *numbers; /* owned; ascending */
    struct table *tables;     /* owned; the newest first */
    size_t n_tables, table_capacity;
    uint32_t start_at;             /* where the position of the newest one stands; 0: nowhere */
    uint32_t earlier[MOST_TABLES]; /* where those of earlier ones do */
    struct range tables_read[MOST_TABLES]; /* each with its trailer */
    uint32_t n_earlier, n_read;
    pare_pdf_value trailer; /* of the newest one; kind NONE: none was found */
    uint32_t trailer_chunk;
};

/* ---- objects by their numbers ------------------------------------------------------------- */

/* For qsort: by number, of one number the last object first, which is the one that counts. */
static int by_number(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->index > y->index ? -1 : x->index < y->index;
}

static pare_status sort_numbers(struct pdf *pdf, pare_error *err)
{
    pdf->numbers = pare_alloc(pdf->n, sizeof *pdf->numbers);
    if (!pdf->numbers) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < pdf->n; i++)
        pdf->numbers[i] = (struct numbered){pdf->objects[i].number, i};
    qsort(pdf->numbers, pdf->n, sizeof *pdf->numbers, by_number);
    return PARE_OK;
}

/* The object of that number, the last one in the file where several have it; NULL: there is none.
 * O(log objects). */
static pare_pdf_object *find_object(const struct pdf *pdf, uint32_t number)
{
    pare_halving search = {.low = 0, .high = pdf->n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, pdf->numbers[search.middle].number < number);
    if (search.low == pdf->n || pdf->numbers[search.low].number != number) return NULL;
    return &pdf->objects[pdf->numbers[search.low].index];
}

/* ---- the table of positions ------------------------------------------------------------- */

static bool is_digit(const struct pdf *pdf, uint32_t at)
{
    return pdf->text.bytes[at] >= '0' && pdf->text.bytes[at] <= '9';
}

/* Whether a row of the table stands at `at`. Looks at its first digit, two blanks and the letter;
 * other digits may be wrong. */
static bool is_row(const struct pdf *pdf, uint32_t at)
{
    const unsigned char *row = pdf->text.bytes + at;
    return is_digit(pdf, at) && row[POSITION_BYTES] == ' ' && row[LETTER_AT - 1] == ' ' &&
           (row[LETTER_AT] == 'n' || row[LETTER_AT] == 'f');
}

/* Reads "0 12" and as many rows; false: they are not there. *at moves behind them. Numbers must not
 * exceed 32 bits, and the rows must be in the file. */
static bool read_rows(const struct pdf *pdf, uint32_t *at, struct table *table)
{
    const pare_pdf_text *text = &pdf->text;
    uint32_t n, end = pare_chunk_pdf_syntax_digits(text, *at, &table->first);
    table->count_at = pare_chunk_pdf_syntax_skip_blanks(text, end);
    if (end == *at || table->count_at == end) return false;
    end = pare_chunk_pdf_syntax_digits(text, table->count_at, &n);
    if (end == table->count_at) return false;
    table->from = pare_chunk_pdf_syntax_skip_blanks(text, end);
    if (n > (text->end - table->from) / ROW || n > UINT32_MAX - table->first) return false;
    for (uint32_t i = 0; i < n; i++)
        if (!is_row(pdf, table->from + i * ROW)) return false;
    *at = table->to = table->from + n * ROW;
    return true;
}

static pare_status add_table(struct pdf *pdf, const struct table *table, pare_error *err)
{
    struct table *tables =
        pare_vector_grow(pdf->tables, pdf->n_tables, &pdf->table_capacity, sizeof *tables);
    if (!tables) return pare_fail_nomem(err);
    pdf->tables = tables;
    tables[pdf->n_tables++] = *table;
    return PARE_OK;
}

/* Reads the table at `at` and its trailer, and notes that; *next is where the trailer has the
 * position of an earlier table ("/Prev"); 0: nowhere. A table may have several parts, each with its
 * first number. Only the trailer of the newest table is kept. */
static pare_status read_table(struct pdf *pdf, uint32_t at, uint32_t *next, pare_error *err)
{
    static const char begins[] = "xref", trailer[] = "trailer";
    const pare_pdf_text *text = &pdf->text;
    struct table table = {.chunk = PARE_NO_CHUNK};
    struct range *read = &pdf->tables_read[pdf->n_read];
    pare_status status = PARE_OK;
    *next = 0;
    if (!pare_chunk_pdf_syntax_has(text, at, begins)) return PARE_OK;
    pdf->n_read++;
    read->from = at;
    at = pare_chunk_pdf_syntax_skip_blanks(text, at + (uint32_t)sizeof begins - 1);
    while (!status && read_rows(pdf, &at, &table)) {
        if (table.from < table.to) status = add_table(pdf, &table, err);
        at = pare_chunk_pdf_syntax_skip_blanks(text, at);
    }
    read->to = at;
    if (status || !pare_chunk_pdf_syntax_has(text, at, trailer)) return status;
    at = pare_chunk_pdf_syntax_skip_blanks(text, at + (uint32_t)sizeof trailer - 1);
    const pare_pdf_value value = pare_chunk_pdf_syntax_value(text, at);
    if (value.kind != PARE_PDF_DICTIONARY) return PARE_OK;
    read->to = value.to;
    if (pdf->trailer.kind == PARE_PDF_NONE) pdf->trailer = value;
    const pare_pdf_value earlier = pare_chunk_pdf_syntax_find(text, &value, "/Prev");
    if (pare_chunk_pdf_objects_value(&pdf->text, &earlier) < text->end - pdf->base)
        *next = earlier.from;
    return PARE_OK;
}

/* Whether a table that was read holds `at`: positions may lead back to it. */
static bool was_read(const struct pdf *pdf, uint32_t at)
{
    for (uint32_t i = 0; i < pdf->n_read; i++)
        if (at >= pdf->tables_read[i].from && at < pdf->tables_read[i].to) return true;
    return false;
}

/* Reads all tables, from the newest one on. Its position stands behind the last "startxref" near
 * the end of the file; each trailer may have that of an earlier one. A position within a table that
 * was read ends the chain: rings do. */
static pare_status read_tables(struct pdf *pdf, pare_error *err)
{
    static const char starts[] = "startxref";
    const uint32_t end = pdf->text.end;
    uint32_t at = end - pdf->base > NEAR_END ? end - NEAR_END : pdf->base, found = end, position;
    while ((at = pare_chunk_pdf_objects_word(&pdf->text, at, end, starts)) < end)
        found = at++;
    if (found == end) return PARE_OK;
    uint32_t number_at =
        pare_chunk_pdf_syntax_skip_blanks(&pdf->text, found + (uint32_t)sizeof starts - 1);
    pdf->start_at = number_at;
    pare_status status = PARE_OK;
    while (!status && number_at && pdf->n_read < MOST_TABLES) {
        if (pare_chunk_pdf_syntax_digits(&pdf->text, number_at, &position) == number_at) break;
        if (position >= end - pdf->base || was_read(pdf, pdf->base + position)) break;
        status = read_table(pdf, pdf->base + position, &number_at, err);
        if (number_at) pdf->earlier[pdf->n_earlier++] = number_at;
        assert(pdf->n_earlier <= pdf->n_read);
    }
    return status;
}

/* Whether the numbers of objects can follow from the rows that are left: one table, no updates,
 * room for a chunk for each row. Not where more is known about them than is read here: rows and
 * references in packed objects, and keys, which are made of the numbers. */
static bool renumbers(const struct pdf *pdf)
{
    static const char *const others[] = {"/XRefStm", "/Encrypt"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (pare_chunk_pdf_syntax_find(&pdf->text, &pdf->trailer, others[i]).kind != PARE_PDF_NONE)
            return false;
    const bool is_one = pdf->n_tables == 1 && !pdf->n_earlier;
    return is_one && (pdf->tables[0].to - pdf->tables[0].from) / ROW + pdf->n < PARE_CHUNK_MOST / 2;
}

/* Where the row of that number stands in the table by which numbers are counted; 0: in none. */
static uint32_t row_of(const struct pdf *pdf, uint32_t number)
{
    const struct table *table = pdf->tables;
    if (!pdf->n_tables || table->chunk == PARE_NO_CHUNK || number < table->first) return 0;
    const uint32_t row = number - table->first;
    return row < (table->to - table->from) / ROW ? table->from + row * ROW : 0;
}

/* ---- chunks ------------------------------------------------------------------------------ */

/* A chunk that goes as a whole, but for what is in it. */
static uint32_t add_solid(struct pdf *pdf, uint32_t parent, uint32_t from, uint32_t to, bool fixed)
{
    const uint32_t chunk = pare_chunk_reader_chunk(&pdf->reader, parent, from, to);
    if (chunk == PARE_NO_CHUNK) return chunk;
    pare_chunk *it = &pdf->reader.tree->chunks[chunk];
    it->solid = it->known = true;
    it->fixed = fixed;
    return chunk;
}

/* The object for which the row at `at` stands, of that number; NULL: the row is of none, or wrong:
 * it says free, or another place. */
static pare_pdf_object *object_of_row(const struct pdf *pdf, uint32_t at, uint32_t number)
{
    uint32_t position;
    pare_pdf_object *object = find_object(pdf, number);
    (void)pare_chunk_pdf_syntax_digits(&pdf->text, at, &position);
    const bool is_right =
        object && object->from - pdf->base == position && pdf->text.bytes[at + LETTER_AT] == 'n';
    return is_right ? object : NULL;
}

/* Adds the rows of a table whose numbers follow. A row that is wrong stays, as does that of number
 * 0, which has to be there: else a later object would get its number. */
static void add_rows(struct pdf *pdf, struct table *table)
{
    table->chunk = add_solid(pdf, pdf->file, table->from, table->to, true);
    if (table->chunk == PARE_NO_CHUNK) return;
    for (uint32_t at = table->from, number = table->first; at < table->to; at += ROW, number++) {
        const bool is_free = number && pdf->text.bytes[at + LETTER_AT] == 'f';
        const bool is_right = object_of_row(pdf, at, number) != NULL;
        (void)add_solid(pdf, table->chunk, at, at + ROW, !is_free && !is_right);
    }
    /* Numbers are counted by the rows only if all of them are chunks. */
    const pare_chunk *it = &pdf->reader.tree->chunks[table->chunk];
    if (it->n_children != (table->to - table->from) / ROW) table->chunk = PARE_NO_CHUNK;
}

/* The object that the entry `name` of a dictionary names; NULL: none. */
static pare_pdf_object *find_named(const struct pdf *pdf, const pare_pdf_value *dictionary,
                                   const char *name)
{
    uint32_t number;
    if (dictionary->kind != PARE_PDF_DICTIONARY) return NULL;
    const pare_pdf_value value = pare_chunk_pdf_syntax_find(&pdf->text, dictionary, name);
    if (value.kind != PARE_PDF_REFERENCE) return NULL;
    (void)pare_chunk_pdf_syntax_digits(&pdf->text, value.from, &number);
    return find_object(pdf, number);
}

/* What no reader does without stays, or each half of the objects in which it is would be tried in vain: the catalogue
 * and the first node of the pages.  What these hold may go. */
static void keep_root(struct pdf *pdf)
{
    pare_chunk *chunks = pdf->reader.tree->chunks;
    const pare_pdf_object *root = find_named(pdf, &pdf->trailer, "/Root");
    const pare_pdf_object *pages = root ? find_named(pdf, &root->value, "/Pages") : NULL;
    if (root && root->chunk != PARE_NO_CHUNK) chunks[root->chunk].fixed = true;
    if (pages && pages->chunk != PARE_NO_CHUNK) chunks[pages->chunk].fixed = true;
}

/* Adds what the file consists of, in the order in which it stands there: objects, and between them
 * the table and the trailer, which the tree takes only in their place. */
static void add_parts(struct pdf *pdf)
{
    struct table *table = renumbers(pdf) ? pdf->tables : NULL;
    bool has_trailer = pdf->trailer.kind != PARE_PDF_NONE;
    for (size_t i = 0; i <= pdf->n && pare_chunk_reader_ok(&pdf->reader); i++) {
        pare_pdf_object *object = i < pdf->n ? &pdf->objects[i] : NULL;
        if (table && (!object || table->from < object->from)) {
            add_rows(pdf, table);
            table = NULL;
        }
        if (has_trailer && (!object || pdf->trailer.from < object->from)) {
            pdf->trailer_chunk =
                add_solid(pdf, pdf->file, pdf->trailer.from, pdf->trailer.to, true);
            has_trailer = false;
        }
        if (object) object->chunk = add_solid(pdf, pdf->file, object->from, object->to, false);
    }
}

/* Notes a number of which all but the coding is given. Its width is that of its digits:
 * "0000000015" keeps it, "15" becomes "9" in one byte. */
static void add_digits(struct pdf *pdf, const pare_chunk_field *field)
{
    uint32_t number;
    pare_chunk_field digits = *field;
    digits.width = pare_chunk_pdf_syntax_digits(&pdf->text, field->at, &number) - field->at;
    const bool zeros = digits.width > 1 && pdf->text.bytes[field->at] == '0';
    digits.coding = zeros ? PARE_CODING_ZEROS : PARE_CODING_DIGITS;
    pare_chunk_reader_field(&pdf->reader, &digits);
}

/* A number that stays as it is, but names a chunk: the length of nothing, and a constant. */
static void add_name(struct pdf *pdf, uint32_t at, uint32_t chunk)
{
    add_digits(
        pdf,
        &(pare_chunk_field){
            .number = PARE_NUMBER_LENGTH, .at = at, .from = at, .to = at, .target = chunk + 1});
}

/* Notes "12 0" at `at`, which is an object's own number if `target` is NULL; else it names that.
 * The number counts rows before its own. Its generation, which stays as it is, names the row, which
 * so goes when the object and all that names it have gone.
 *
 * objects 1 .. 4; object 2 and all references to it have gone:
 * "3 0 obj" becomes "2 0 obj", "[4 0 R]" becomes "[3 0 R]"
 *
 * Without a row that can go, the number stays, and names the object only. */
static void add_number(struct pdf *pdf, uint32_t at, const pare_pdf_object *target)
{
    const uint32_t named = target ? target->chunk : PARE_NO_CHUNK;
    uint32_t number;
    const uint32_t end = pare_chunk_pdf_syntax_digits(&pdf->text, at, &number);
    const uint32_t generation_at = pare_chunk_pdf_syntax_skip_blanks(&pdf->text, end);
    const uint32_t row = row_of(pdf, number);
    if (!row) {
        if (named != PARE_NO_CHUNK) add_name(pdf, at, named);
        return;
    }
    const pare_chunk *table = &pdf->reader.tree->chunks[pdf->tables[0].chunk];
    pare_chunk_field field = {.number = PARE_NUMBER_INDEX,
                              .at = at,
                              .from = row,
                              .to = row,
                              .chunk = pdf->tables[0].chunk,
                              .target = named != PARE_NO_CHUNK ? named + 1 : 0};
    /* The rows were added one after the other. */
    const uint32_t row_chunk = table->first + (row - pdf->tables[0].from) / ROW;
    assert(pdf->reader.tree->chunks[row_chunk].from == row);
    add_digits(pdf, &field);
    add_name(pdf, generation_at, row_chunk);
}

static void add_inside(struct pdf *pdf, uint32_t parent, const pare_pdf_value *value,
                       unsigned depth);

/* Adds one item of a list, or entry of a dictionary, with its name. Deeper than chunks may be it is
 * no chunk, but its numbers are noted. */
static void add_item(struct pdf *pdf, uint32_t parent, uint32_t from, uint32_t to,
                     const pare_pdf_value *value, unsigned depth)
{
    const uint32_t chunk =
        depth < MOST_DEPTH ? add_solid(pdf, parent, from, to, false) : PARE_NO_CHUNK;
    add_inside(pdf, chunk, value, depth + 1);
}

/* Adds what a value holds to `parent`, which may be none: then only its numbers.  An item goes with the blanks
 * behind it. */
static void add_inside(struct pdf *pdf, uint32_t parent, const pare_pdf_value *value,
                       unsigned depth)
{
    enum { MOST_CALLS = 64 };
    const pare_pdf_text *text = &pdf->text;
    if (value->kind == PARE_PDF_REFERENCE) {
        uint32_t number;
        (void)pare_chunk_pdf_syntax_digits(text, value->from, &number);
        add_number(pdf, value->from, find_object(pdf, number));
        return;
    }
    if (value->kind == PARE_PDF_STRING && value->to - value->from >= LEAST_STRING + 2) {
        const uint32_t chunk =
            pare_chunk_reader_chunk(&pdf->reader, parent, value->from + 1, value->to - 1);
        if (chunk != PARE_NO_CHUNK) pdf->reader.tree->chunks[chunk].known = true;
        return;
    }
    if (value->kind != PARE_PDF_LIST && value->kind != PARE_PDF_DICTIONARY) return;
    pare_pdf_value item, next;
    uint32_t at = 0, from, next_from;
    bool is_there = pare_chunk_pdf_syntax_next(text, value, &at, &from, &item);
    while (is_there && depth < MOST_CALLS && pare_chunk_reader_ok(&pdf->reader)) {
        is_there = pare_chunk_pdf_syntax_next(text, value, &at, &next_from, &next);
        const uint32_t end = value->to - (value->kind == PARE_PDF_DICTIONARY ? 2 : 1);
        add_item(pdf, parent, from, is_there ? next_from : end, &item, depth);
        from = next_from;
        /* After the last item these are not looked at any more. */
        item = next;
    }
}

/* Notes the length of a stream where it stands: "/Length 42" in the dictionary, or "/Length 7 0 R",
 * an object that is a number. */
static void add_length(struct pdf *pdf, const pare_pdf_object *object)
{
    const pare_pdf_text *text = &pdf->text;
    pare_pdf_value length = pare_chunk_pdf_syntax_find(text, &object->value, "/Length");
    if (length.kind == PARE_PDF_REFERENCE) {
        uint32_t number;
        (void)pare_chunk_pdf_syntax_digits(text, length.from, &number);
        const pare_pdf_object *other = find_object(pdf, number);
        if (!other) return;
        length = other->value;
    }
    if (pare_chunk_pdf_objects_value(&pdf->text, &length) == UINT32_MAX) return;
    add_digits(pdf, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                        .at = length.from,
                                        .from = object->data,
                                        .to = object->data_to});
}

/* Adds what an object holds. */
static void add_object(struct pdf *pdf, const pare_pdf_object *object)
{
    add_number(pdf, object->from, NULL);
    add_inside(pdf, object->chunk, &object->value, 0);
    if (!object->data || object->data == object->data_to) return;
    (void)pare_chunk_reader_chunk(&pdf->reader, object->chunk, object->data, object->data_to);
    add_length(pdf, object);
}

/* The numbers of one table: where its objects are, and whether they are: the letter becomes 'f'
 * when its object has gone. */
static void add_table_numbers(struct pdf *pdf, const struct table *table)
{
    for (uint32_t at = table->from, number = table->first; at < table->to; at += ROW, number++) {
        const pare_pdf_object *object = object_of_row(pdf, at, number);
        if (!object) continue;
        pare_chunk_reader_field(&pdf->reader, &(pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                                                  .coding = PARE_CODING_ZEROS,
                                                                  .width = POSITION_BYTES,
                                                                  .at = at,
                                                                  .from = pdf->base,
                                                                  .to = object->from});
        pare_chunk_reader_field(&pdf->reader, &(pare_chunk_field){.number = PARE_NUMBER_PRESENT,
                                                                  .coding = PARE_CODING_IN_USE,
                                                                  .at = at + LETTER_AT,
                                                                  .from = object->from,
                                                                  .to = object->from});
    }
}

/* The position of a table that stands at `at`. */
static void add_table_position(struct pdf *pdf, uint32_t at)
{
    uint32_t position;
    (void)pare_chunk_pdf_syntax_digits(&pdf->text, at, &position);
    if (position >= pdf->text.end - pdf->base) return;
    const uint32_t to = pdf->base + position;
    if (!pare_chunk_pdf_syntax_has(&pdf->text, to, "xref")) return;
    add_digits(pdf, &(pare_chunk_field){
                        .number = PARE_NUMBER_POSITION, .at = at, .from = pdf->base, .to = to});
}

/* All numbers about tables. */
static void add_tables(struct pdf *pdf)
{
    for (size_t i = 0; i < pdf->n_tables; i++)
        add_table_numbers(pdf, &pdf->tables[i]);
    add_table_position(pdf, pdf->start_at);
    for (uint32_t i = 0; i < pdf->n_earlier; i++)
        add_table_position(pdf, pdf->earlier[i]);
    if (!pdf->n_tables || pdf->tables[0].chunk == PARE_NO_CHUNK) return;
    const pare_pdf_value size = pare_chunk_pdf_syntax_find(&pdf->text, &pdf->trailer, "/Size");
    const uint32_t counts[] = {pdf->tables[0].count_at, size.from};
    for (unsigned i = 0; i < (size.kind == PARE_PDF_WORD ? 2 : 1); i++)
        add_digits(pdf, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                            .at = counts[i],
                                            .chunk = pdf->tables[0].chunk});
}

/* ---- all of it --------------------------------------------------------------------------- */

static pare_status read_pdf(struct pdf *pdf, bool *found, pare_error *err)
{
    pare_status status =
        pare_chunk_pdf_objects_find(&pdf->text, pdf->base, &pdf->objects, &pdf->n, err);
    if (status || pdf->n < LEAST_OBJECTS) return status;
    status = sort_numbers(pdf, err);
    if (!status) status = read_tables(pdf, err);
    if (status) return status;
    *found = true;
    add_parts(pdf);
    keep_root(pdf);
    for (size_t i = 0; i < pdf->n && pare_chunk_reader_ok(&pdf->reader); i++)
        add_object(pdf, &pdf->objects[i]);
    if (pdf->trailer.kind != PARE_PDF_NONE) add_inside(pdf, pdf->trailer_chunk, &pdf->trailer, 0);
    add_tables(pdf);
    return pdf->reader.status;
}

pare_status pare_chunk_pdf_read(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    static const char magic[] = "%PDF-";
    const pare_chunk at = tree->chunks[chunk];
    struct pdf pdf = {.reader = {.tree = tree, .end = at.body_to, .err = err},
                      .text = {.bytes = tree->bytes, .end = at.body_to},
                      .file = chunk,
                      .base = at.body,
                      .trailer_chunk = PARE_NO_CHUNK};
    *found = false;
    if (!pare_chunk_pdf_syntax_has(&pdf.text, at.body, magic)) return PARE_OK;
    pare_status status = read_pdf(&pdf, found, err);
    pare_alloc_free(pdf.objects);
    pare_alloc_free(pdf.numbers);
    pare_alloc_free(pdf.tables);
    return status;
}
