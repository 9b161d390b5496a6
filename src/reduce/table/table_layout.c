/* What is left of a table, and how it is printed.
 *
 * Rows are printed as slices of the text, with the gaps before their cells; only records whose
 * columns stand in another order, or end early, are put together from fields and delimiters.  A row
 * of no known columns is printed as it is.
 * Invariant: the layout of all rows and columns, with no filling, prints the text itself.
 * Tested by tests/unit/test_table_reduction.c. */
#include "reduce/table/table_layout.h"

#include <string.h>

#include "base/alloc.h"
#include "text/text.h"

void pare_table_layout_retain(const pare_table_layout *layout)
{
    pare_shared_retain(layout->rows);
    pare_shared_retain(layout->columns);
    pare_shared_retain(layout->cells);
}

void pare_table_layout_release(pare_table_layout *layout)
{
    pare_shared_release(layout->rows);
    pare_shared_release(layout->columns);
    pare_shared_release(layout->cells);
    *layout = (pare_table_layout){.rows = NULL};
}

/* An array of 0 .. n-1. */
static pare_status count_up(size_t n, pare_shared **out, pare_error *err)
{
    void *items;
    pare_status status = pare_shared_new(n, sizeof(uint32_t), out, err);
    if (!status) status = pare_shared_own(out, 0, n, &items, err);
    for (size_t i = 0; !status && i < n; i++)
        ((uint32_t *)items)[i] = (uint32_t)i;
    return status;
}

pare_status pare_table_layout_start(const pare_table *table, pare_table_layout *layout,
                                    pare_error *err)
{
    void *cells;
    layout->n_rows = table->n_rows;
    layout->n_columns = table->n_columns;
    layout->n_header = table->dialect.n_header;
    pare_status status = count_up(layout->n_rows, &layout->rows, err);
    if (!status) status = count_up(layout->n_columns, &layout->columns, err);
    if (!status) status = pare_shared_new(table->n_cells, 1, &layout->cells, err);
    if (!status) status = pare_shared_own(&layout->cells, 0, table->n_cells, &cells, err);
    if (!status) memset(cells, 0, table->n_cells);
    return status;
}

/* ---- printing -------------------------------------------------------------------------- */

/* A candidate that is being printed. */
struct printing {
    const pare_table *table;
    const pare_table_layout *layout;
    const unsigned char *left; /* by column: whether it is printed */
    pare_candidate *candidate;
};

static pare_status print_slice(const struct printing *print, size_t from, size_t to,
                               pare_error *err)
{
    return to > from ? pare_candidate_slice(print->candidate, from, to - from, err) : PARE_OK;
}

const char *pare_table_layout_filling(const pare_table *table, const pare_table_layout *layout,
                                      size_t cell)
{
    unsigned char filling = ((const unsigned char *)pare_shared_items(layout->cells))[cell];
    return filling ? table->fillings[filling - 1] : NULL;
}

/* Prints the cell.  What stands before its value (a key, in objects) is printed in front of a filling as
 * well. */
static pare_status print_cell(const struct printing *print, size_t cell, pare_error *err)
{
    const pare_table_cell *at = &print->table->cells[cell];
    const char *filling = pare_table_layout_filling(print->table, print->layout, cell);
    if (!filling) return print_slice(print, at->from, at->to, err);
    pare_status status = print_slice(print, at->from, at->value, err);
    if (status || !*filling) return status;
    return pare_candidate_literal(print->candidate, filling, strlen(filling), err);
}

bool pare_table_layout_is_empty(const pare_table *table, const pare_table_layout *layout,
                                size_t cell)
{
    const pare_table_cell *at = &table->cells[cell];
    const char *filling = pare_table_layout_filling(table, layout, cell);
    return filling ? !*filling && at->value == at->from : at->to == at->from;
}

/* The n-th of the columns that are left, in a row that has all: its cell. */
static size_t cell_at(const struct printing *print, const pare_table_row *row, size_t n)
{
    return row->first + pare_table_layout_numbers(print->layout->columns)[n];
}

/* Prints a record whose columns may be in another order or end early, from its fields and fresh
 * delimiters, because the gaps in the text belong to the original order. A header keeps empty
 * fields at its end, since it names the columns. At least one field stays, or the row would be an
 * empty line. */
static pare_status print_record(const struct printing *print, size_t row, bool header,
                                pare_error *err)
{
    const pare_table_row *at = &print->table->rows[row];
    size_t n = print->layout->n_columns;
    pare_status status = PARE_OK;
    if (print->layout->trimmed && !header)
        while (n > 1 &&
               pare_table_layout_is_empty(print->table, print->layout, cell_at(print, at, n - 1)))
            n--;
    for (size_t i = 0; !status && i < n; i++) {
        if (i)
            status =
                pare_candidate_literal(print->candidate, &print->table->dialect.delimiter, 1, err);
        if (!status) status = print_cell(print, cell_at(print, at, i), err);
    }
    return status;
}

/* A row in the order of the text.  The gap before a cell is printed if a cell was printed before
 * it. */
static pare_status print_row(const struct printing *print, size_t row, pare_error *err)
{
    const pare_table *table = print->table;
    const pare_table_row *at = &table->rows[row];
    size_t end = pare_table_cells_end(table, row);
    bool any = false;
    if (at->first == end) return print_slice(print, at->from, at->to, err);
    pare_status status = print_slice(print, at->from, table->cells[at->first].from, err);
    for (size_t cell = at->first; !status && cell < end; cell++) {
        uint32_t column = table->cells[cell].column;
        if (column != PARE_TABLE_NO_COLUMN && !print->left[column]) continue;
        if (any)
            status = print_slice(print, table->cells[cell - 1].to, table->cells[cell].from, err);
        if (!status) status = print_cell(print, cell, err);
        any = true;
    }
    return status ? status : print_slice(print, table->cells[end - 1].to, at->to, err);
}

/* Prints the whole candidate: the text before the file, what comes before the first row, the rows,
 * what follows the last row, and the text after the file. */
static pare_status print_rows(const struct printing *print, pare_error *err)
{
    const pare_table *table = print->table;
    const pare_table_layout *layout = print->layout;
    const bool records = layout->ordered || layout->trimmed;
    const pare_table_row *last = &table->rows[table->n_rows - 1];
    pare_status status = print_slice(print, 0, table->rows[0].from, err);
    for (size_t i = 0; !status && i < layout->n_rows; i++) {
        size_t row = pare_table_layout_numbers(layout->rows)[i];
        /* The gap before it, if another row was printed. */
        if (i) status = print_slice(print, table->rows[row - 1].to, table->rows[row].from, err);
        if (!status)
            status = records && pare_table_is_record(table, row)
                         ? print_record(print, row, i < layout->n_header, err)
                         : print_row(print, row, err);
    }
    if (!status && !layout->endless) status = print_slice(print, last->to, table->end, err);
    return status ? status : print_slice(print, table->end, pare_text_size(table->text), err);
}

pare_status pare_table_layout_candidate(const pare_table *table, const pare_table_layout *layout,
                                        pare_candidate *candidate, pare_error *err)
{
    unsigned char *left = pare_alloc_zero(table->n_columns ? table->n_columns : 1, 1);
    if (!left) return pare_fail_nomem(err);
    for (size_t i = 0; i < layout->n_columns; i++)
        left[pare_table_layout_numbers(layout->columns)[i]] = 1;
    const struct printing print = {table, layout, left, candidate};
    pare_candidate_start(candidate, table->text);
    pare_status status = print_rows(&print, err);
    pare_alloc_free(left);
    return status;
}
