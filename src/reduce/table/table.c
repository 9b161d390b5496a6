/* The table itself, and whether a text is one: each format is asked, and the rows that it reads are
 * counted.
 *
 * A format first looks at a sample; only where that is promising is all of it read, and what was
 * read has to hold in all: nine rows of ten have the columns, and the rows are most of the text.
 * A later look at what is left of a table takes the dialect as given, since three rows say too
 * little.
 * Invariant: pare_table_check.  Source: ours. */
#include "reduce/table/table.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/vector.h"

enum {
    LEAST_ROWS = 4,     /* of objects; records need more (table_delimited.c) */
    ROWS_SHARE = 2,     /* rows are at least one part in so many of the bytes */
    LIKE_PERCENT = 60,  /* so many cells are in columns that half of the rows have */
    WHOLE_PERCENT = 90, /* so many rows have all columns of a record */
    MOST_COLUMNS = 4096 /* with more, keys are data */
};

/* The row after the last is kept up to date with it: its `first` is where the last row's cells
 * end. So rows[i + 1].first is the end of the cells of row i for each row, also while they are
 * added. */
pare_status pare_table_add_row(pare_table *table, size_t from, size_t to, pare_error *err)
{
    pare_table_row *rows =
        pare_vector_reserve(table->rows, &table->row_capacity, table->n_rows + 2, sizeof *rows);
    if (!rows) return pare_fail_nomem(err);
    table->rows = rows;
    rows[table->n_rows++] =
        (pare_table_row){(uint32_t)from, (uint32_t)to, (uint32_t)table->n_cells};
    rows[table->n_rows] = (pare_table_row){.first = (uint32_t)table->n_cells};
    return PARE_OK;
}

/* Adds a cell to the last row. */
pare_status pare_table_add_cell(pare_table *table, pare_table_cell cell, pare_error *err)
{
    pare_table_cell *cells =
        pare_vector_grow(table->cells, table->n_cells, &table->cell_capacity, sizeof *cells);
    assert(table->n_rows > 0);
    if (!cells) return pare_fail_nomem(err);
    table->cells = cells;
    cells[table->n_cells++] = cell;
    table->rows[table->n_rows].first = (uint32_t)table->n_cells;
    return PARE_OK;
}

pare_table *pare_table_ref(pare_table *table)
{
    table->references++;
    return table;
}

/* Frees the table with its last reference. */
void pare_table_unref(pare_table *table)
{
    if (!table || --table->references) return;
    pare_text_unref(table->text);
    pare_alloc_free(table->rows);
    pare_alloc_free(table->cells);
    pare_alloc_free(table);
}

/* The texts that may replace a value, by format. In columns of fixed width they begin with the
 * blank that separates columns; in YAML with the blank after the colon. The one with fewer
 * bytes is first. */
static void set_fillings(pare_table *table)
{
    static const char *const fillings[][PARE_TABLE_FILLINGS] = {
        [PARE_TABLE_DELIMITED] = {"", "0"}, [PARE_TABLE_FIXED] = {"0 ", "- "},
        [PARE_TABLE_JSON] = {"0", "\"\""},  [PARE_TABLE_JSON_LINES] = {"0", "\"\""},
        [PARE_TABLE_YAML] = {"", " 0"},
    };
    for (size_t i = 0; i < PARE_TABLE_FILLINGS; i++)
        table->fillings[i] = fillings[table->dialect.format][i];
}

/* Has the reader of the format add the rows; a text that it does not understand has none. */
static pare_status read_rows(pare_table *table, pare_error *err)
{
    const unsigned char *bytes = pare_text_bytes(table->text);
    switch (table->dialect.format) {
    case PARE_TABLE_DELIMITED:
    case PARE_TABLE_FIXED: return pare_table_delimited_read(table, bytes, err);
    case PARE_TABLE_JSON:
    case PARE_TABLE_JSON_LINES: return pare_table_objects_read(table, bytes, err);
    case PARE_TABLE_YAML: return pare_table_objects_read_yaml(table, bytes, err);
    case PARE_TABLE_NONE: break;
    }
    return PARE_OK;
}

/* Reading may have been cut short by an interruption, so that is asked for before the table is
 * used. */
pare_status pare_table_read(const pare_text *text, size_t begin, size_t end,
                            const pare_table_dialect *dialect, pare_table **out, pare_error *err)
{
    pare_table *table = pare_alloc_zero(1, sizeof *table);
    if (!table) return pare_fail_nomem(err);
    *table = (pare_table){.references = 1,
                          .text = pare_text_ref(text),
                          .begin = begin,
                          .end = end,
                          .dialect = *dialect};
    pare_status status = PARE_OK;
    if (dialect->format != PARE_TABLE_NONE) {
        set_fillings(table);
        status = read_rows(table, err);
        if (!status) status = pare_interrupt_look(err);
    }
    if (status || !table->n_rows) {
        pare_table_unref(table);
        return status;
    }
    *out = table;
    return PARE_OK;
}

/* ---- whether a text is a table --------------------------------------------------------- */

/* Counts into `in` the rows that have each column. `in` has n_columns items, all 0 before. */
static void count_columns(const pare_table *table, uint32_t *in)
{
    for (size_t i = 0; i < table->n_cells; i++)
        if (table->cells[i].column != PARE_TABLE_NO_COLUMN) in[table->cells[i].column]++;
}

/* Whether the rows are like each other: most cells are in columns that half of the rows have.  Rows of one
 * cell each are a list of something, and no table. Example: objects {"a", "b"} and {"a", "c"}
 * in turns: a is in all of them, b and c are in half. */
static pare_status look_whether_alike(const pare_table *table, bool *alike, pare_error *err)
{
    uint32_t *in = pare_alloc_zero(table->n_columns ? table->n_columns : 1, sizeof *in);
    size_t common = 0;
    if (!in) return pare_fail_nomem(err);
    count_columns(table, in);
    for (uint32_t c = 0; c < table->n_columns; c++)
        if (in[c] >= table->n_rows / 2) common += in[c];
    *alike = table->n_cells > table->n_rows && common * 100 >= table->n_cells * LIKE_PERCENT;
    pare_alloc_free(in);
    return PARE_OK;
}

/* Whether nearly all records have all fields. A record with another number of fields has cells
 * without columns, or none. */
static bool is_mostly_whole(const pare_table *table)
{
    size_t n_whole = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        uint32_t first = table->rows[i].first;
        n_whole += pare_table_cells_end(table, i) > first &&
                   table->cells[first].column != PARE_TABLE_NO_COLUMN;
    }
    return n_whole * 100 >= table->n_rows * WHOLE_PERCENT;
}

/* Whether what was read is a table in all. Rows that are a small part of the text are a list in
 * something else, such as a table in a report. */
static pare_status look_whether_table(const pare_table *table, bool *yes, pare_error *err)
{
    const pare_table_format format = table->dialect.format;
    size_t bytes = table->rows[table->n_rows - 1].to - table->rows[0].from;
    *yes = false;
    if (table->n_rows < LEAST_ROWS || bytes < (table->end - table->begin) / ROWS_SHARE ||
        table->n_columns > MOST_COLUMNS)
        return PARE_OK;
    if (format == PARE_TABLE_DELIMITED || format == PARE_TABLE_FIXED) {
        *yes = is_mostly_whole(table);
        return PARE_OK;
    }
    return look_whether_alike(table, yes, err);
}

/* Whether the text is a table of this dialect. */
static pare_status try_dialect(const pare_text *text, size_t begin, size_t end,
                               const pare_table_dialect *dialect, bool *yes, pare_error *err)
{
    pare_table *table = NULL;
    *yes = false;
    pare_status status = pare_table_read(text, begin, end, dialect, &table, err);
    if (!status && table) status = look_whether_table(table, yes, err);
    pare_table_unref(table);
    return status;
}

/* Whether the text may be of this format of objects, by its first byte that is not blank. This
 * spares reading texts that cannot be of the format. */
static bool may_be(pare_table_format format, const unsigned char *bytes, size_t begin, size_t end)
{
    while (begin < end && (bytes[begin] == ' ' || bytes[begin] == '\n' || bytes[begin] == '\r' ||
                           bytes[begin] == '\t'))
        begin++;
    if (begin == end) return false;
    bool brace = bytes[begin] == '{';
    switch (format) {
    case PARE_TABLE_JSON: return brace || bytes[begin] == '[';
    case PARE_TABLE_JSON_LINES: return brace;
    case PARE_TABLE_YAML: return !brace && bytes[begin] != '[';
    case PARE_TABLE_NONE:
    case PARE_TABLE_DELIMITED:
    case PARE_TABLE_FIXED: break;
    }
    return false;
}

/* Objects before records: a list of objects has commas, and might pass for records.  Binary bytes are in no
 * table. The order of the enum is that in which formats of objects are asked; the first that
 * holds counts. */
pare_status pare_table_detect(const pare_text *text, size_t begin, size_t end,
                              pare_table_dialect *dialect, pare_error *err)
{
    const unsigned char *bytes = pare_text_bytes(text);
    pare_status status = PARE_OK;
    bool yes = false;
    *dialect = (pare_table_dialect){.format = PARE_TABLE_NONE};
    if (pare_bytes_of_no_text(bytes + begin, end - begin)) return PARE_OK;
    for (pare_table_format format = PARE_TABLE_JSON; !status && !yes && format <= PARE_TABLE_YAML;
         format++) {
        pare_table_dialect objects = {.format = format};
        if (!may_be(format, bytes, begin, end)) continue;
        status = try_dialect(text, begin, end, &objects, &yes, err);
        if (yes) *dialect = objects;
    }
    pare_table_dialect records;
    if (!status && !yes && pare_table_delimited_detect(bytes, begin, end, &records)) {
        status = try_dialect(text, begin, end, &records, &yes, err);
        if (yes) *dialect = records;
    }
    return status ? status : pare_interrupt_look(err); /* of a sample cut short nothing is known */
}

/* Goes through rows and cells with the place that the one before has reached. */
bool pare_table_check(const pare_table *table)
{
    size_t at = table->begin;
    for (size_t i = 0; i < table->n_rows; i++) {
        const pare_table_row *row = &table->rows[i];
        if (row->from < at || row->to < row->from || row->to > table->end) return false;
        at = row->from;
        for (size_t k = row->first; k < pare_table_cells_end(table, i); k++) {
            const pare_table_cell *cell = &table->cells[k];
            if (cell->from < at || cell->value < cell->from || cell->to < cell->value) return false;
            if (cell->column != PARE_TABLE_NO_COLUMN && cell->column >= table->n_columns)
                return false;
            at = cell->to;
        }
        if (at > row->to) return false;
        at = row->to;
    }
    return true;
}

/* A record with another number of fields has no columns. */
bool pare_table_is_record(const pare_table *table, size_t i)
{
    uint32_t first = table->rows[i].first;
    return table->dialect.format == PARE_TABLE_DELIMITED &&
           pare_table_cells_end(table, i) > first &&
           table->cells[first].column != PARE_TABLE_NO_COLUMN;
}
