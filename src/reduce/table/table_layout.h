/* What is left of a table, and the candidate that it prints. */
#ifndef PARE_REDUCE_TABLE_TABLE_LAYOUT_H
#define PARE_REDUCE_TABLE_TABLE_LAYOUT_H

#include <stdbool.h>

#include "base/fail.h"
#include "base/shared.h"
#include "reduce/table/table.h"
#include "text/candidate.h"

/* What is left of the table. */
typedef struct pare_table_layout {
    pare_shared *rows;    /* of uint32_t, ascending */
    pare_shared *columns; /* of uint32_t, in the order in which they are printed */
    pare_shared *cells;   /* of unsigned char, by cell: 1 + its filling; 0: its own value */
    size_t n_rows, n_columns;
    uint32_t n_header; /* of the rows */
    bool ordered;      /* columns may stand in another order than in the text */
    bool trimmed;      /* cells that are empty at the end of a row are not printed */
    bool endless;      /* what stands after the last row is not printed */
} pare_table_layout;

/* Takes a reference to each array; gives them up, *layout is all-zero then. */
void pare_table_layout_retain(const pare_table_layout *layout);
void pare_table_layout_release(pare_table_layout *layout);

/* All of the table.  The caller releases *layout (all-zero before), on failure too.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_table_layout_start(const pare_table *table, pare_table_layout *layout,
                                               pare_error *err);

/* Fills *candidate (initialised or all-zero) with what is left.  O(cells).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_table_layout_candidate(const pare_table *table,
                                                   const pare_table_layout *layout,
                                                   pare_candidate *candidate, pare_error *err);

/* The filling of a cell; NULL: it has its own value. */
const char *pare_table_layout_filling(const pare_table *table, const pare_table_layout *layout,
                                      size_t cell);

/* Whether the cell prints nothing. */
bool pare_table_layout_is_empty(const pare_table *table, const pare_table_layout *layout,
                                size_t cell);

/* Items of `rows` or `columns`. */
static inline const uint32_t *pare_table_layout_numbers(const pare_shared *shared)
{
    return pare_shared_items(shared);
}

#endif
