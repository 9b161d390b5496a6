/* Reduction of a table: rows, then columns of all rows, then values. */
#ifndef PARE_REDUCE_TABLE_TABLE_REDUCTION_H
#define PARE_REDUCE_TABLE_TABLE_REDUCTION_H

#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/table/table.h"

/* The strategy over `table`, to which a reference is taken.  On PARE_OK the caller owns *out.
 * Cost in tests: about k (log2(n / k) + 2) for k needed rows of n, the same for columns, at most
 * as many for the values of columns and of single cells, and 5 more; each stage is left once 24 tests
 * in a row have removed nothing.  Deterministic, not 1-minimal.  Memory: 4 bytes a row and 1 a cell
 * for each state that is not shared.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_table_reduction_new(pare_table *table, pare_strategy **out,
                                                pare_error *err);

#endif
