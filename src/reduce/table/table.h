/* Tables: texts whose rows have the same columns, in whatever format they are written.
 *
 * A row is a stretch of the text, its cells are stretches of the row, and each cell belongs to a
 * column.  What stands between two rows, or between two cells, is a gap: it is printed before the
 * second of them.  So a text of any format is printed from the rows and columns that are left, by
 * one rule:
 *
 *     format       row           gap of rows   cell          gap of cells
 *     delimited    a record      line end      a field       delimiter
 *     fixed        a line        line end      with blanks   nothing
 *     json         an object     `,` and all   "key": value  `,` and all
 *     json-lines   an object     line end      "key": value  `,` and all
 *     yaml         `- ` and all  line end      key: value    line end, indentation
 *
 * Whether a text is a table is decided from the text alone and conservatively: program code and
 * prose are none.  Source: ours; the delimiter by what makes the most equal records is that of
 * csvkit's and Python's sniffers. */
#ifndef PARE_REDUCE_TABLE_TABLE_H
#define PARE_REDUCE_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "text/text.h"

typedef enum pare_table_format {
    PARE_TABLE_NONE,
    PARE_TABLE_DELIMITED,
    PARE_TABLE_FIXED,
    PARE_TABLE_JSON,
    PARE_TABLE_JSON_LINES,
    PARE_TABLE_YAML
} pare_table_format;

enum { PARE_TABLE_MOST_EDGES = 64 };

/* How a table is written; plain memory. */
typedef struct pare_table_dialect {
    pare_table_format format;
    unsigned char delimiter; /* DELIMITED */
    uint32_t n_columns;      /* DELIMITED: of a whole record; FIXED: n_edges + 1 */
    uint32_t n_header;       /* DELIMITED, FIXED: rows at the begin that are no data */
    uint32_t n_edges;        /* FIXED */
    uint32_t edges[PARE_TABLE_MOST_EDGES]; /* FIXED: where columns but the first begin; bytes of
                                              the line */
} pare_table_dialect;

#define PARE_TABLE_NO_COLUMN UINT32_MAX

/* Bytes of the text. */
typedef struct pare_table_cell {
    uint32_t from, to;
    uint32_t value;  /* from .. to; begin of what may be replaced by a filling */
    uint32_t column; /* PARE_TABLE_NO_COLUMN: it stays as long as its row */
} pare_table_cell;

typedef struct pare_table_row {
    uint32_t from, to;
    uint32_t first; /* of its cells, which end where those of the next row begin */
} pare_table_row;

enum { PARE_TABLE_FILLINGS = 2 };

/* A table over a text.  Rows and cells ascend.  Immutable once read, reference-counted, one
 * thread.  16 bytes a cell, 12 a row. */
typedef struct pare_table {
    size_t references;
    const pare_text *text; /* one reference */
    size_t begin, end;     /* of the file in it */
    pare_table_dialect dialect;
    pare_table_row *rows; /* owned; n_rows + 1: the last one only ends the cells */
    size_t n_rows, row_capacity;
    pare_table_cell *cells; /* owned */
    size_t n_cells, cell_capacity;
    uint32_t n_columns;
    const char *fillings[PARE_TABLE_FILLINGS]; /* what may stand for a value, the least first */
} pare_table;

/* Whether bytes begin .. end-1 of the flat `text` are a table, and how it is written;
 * PARE_TABLE_NONE: they are none.  O(bytes), below 0.1 s for 10 MB.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_table_detect(const pare_text *text, size_t begin, size_t end,
                                         pare_table_dialect *dialect, pare_error *err);

/* Reads bytes begin .. end-1 of the flat `text`, a table that is written so, or what is left of
 * one: a single row will do.  *out stays NULL where there is no row.  On PARE_OK the caller owns *out,
 * one reference.  O(bytes).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_table_read(const pare_text *text, size_t begin, size_t end,
                                       const pare_table_dialect *dialect, pare_table **out,
                                       pare_error *err);
pare_table *pare_table_ref(pare_table *table);
void pare_table_unref(pare_table *table); /* NULL is a no-op */

/* Whether rows and cells ascend, lie in each other, and have columns that there are. */
bool pare_table_check(const pare_table *table);

/* Where the cells of row `i` end. */
static inline size_t pare_table_cells_end(const pare_table *table, size_t i)
{
    return table->rows[i + 1].first;
}

/* Whether row `i` is a record of a delimited table with a field for each column, in their order. */
bool pare_table_is_record(const pare_table *table, size_t i);

/* ---- for the readers of the formats ---------------------------------------------------- */

/* Adds a row, whose cells are added after it. */
PARE_CHECK pare_status pare_table_add_row(pare_table *table, size_t from, size_t to,
                                          pare_error *err);
PARE_CHECK pare_status pare_table_add_cell(pare_table *table, pare_table_cell cell,
                                           pare_error *err);

/* Adds the rows of the table's bytes; a row's `to` may be set after its cells.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_table_delimited_read(pare_table *table, const unsigned char *bytes,
                                                 pare_error *err);
PARE_CHECK pare_status pare_table_objects_read(pare_table *table, const unsigned char *bytes,
                                               pare_error *err);
PARE_CHECK pare_status pare_table_objects_read_yaml(pare_table *table, const unsigned char *bytes,
                                                    pare_error *err);

/* Whether bytes begin .. end-1 look like records of fields; sets all of *dialect only then. */
bool pare_table_delimited_detect(const unsigned char *bytes, size_t begin, size_t end,
                                 pare_table_dialect *dialect);

/* Where the next line begins. */
static inline size_t pare_table_next_line(const unsigned char *bytes, size_t at, size_t end)
{
    while (at < end && bytes[at] != '\n')
        at++;
    return at < end ? at + 1 : end;
}

/* Where the line from `at` to `next` ends, without its line end. */
static inline size_t pare_table_line_end(const unsigned char *bytes, size_t at, size_t next)
{
    while (next > at && (bytes[next - 1] == '\n' || bytes[next - 1] == '\r'))
        next--;
    return next;
}

#endif
