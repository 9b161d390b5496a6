/* Blocks by how lines are indented, and by brackets that close in a later line. */
#ifndef PARE_REDUCE_STRUCTURE_LINE_BLOCKS_H
#define PARE_REDUCE_STRUCTURE_LINE_BLOCKS_H

#include "reduce/structure/block_spans.h"
#include "reduce/structure/line_table.h"

/* Both set *spans (all-zero before), settled, which the caller ends on PARE_OK.
 * O(bytes).  Errors: PARE_E_NOMEM. */

/* A line with deeper ones after it is the header of a block.  A line of its depth right after them
 * closes the block if that is what most lines that begin with its word do, and if most of those
 * have deeper lines after them, too, it begins another part of the block. */
PARE_CHECK pare_status pare_line_blocks_by_indentation(const pare_line_table *table,
                                                       pare_block_spans *spans, pare_error *err);

/* Round, square and curly brackets, from the line of the first to that of the second; none where
 * more than one in twenty has no partner. */
PARE_CHECK pare_status pare_line_blocks_by_brackets(const pare_line_table *table,
                                                    pare_block_spans *spans, pare_error *err);

#endif
