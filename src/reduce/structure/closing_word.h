/* Blocks that many words open and one word closes: `function`, `if` and `do`, all with `end`.
 *
 * Which words do is learned from the text: where it is indented, the blocks that end with a line of
 * one word show what stands in their first lines. */
#ifndef PARE_REDUCE_STRUCTURE_CLOSING_WORD_H
#define PARE_REDUCE_STRUCTURE_CLOSING_WORD_H

#include "reduce/structure/block_spans.h"
#include "reduce/structure/line_table.h"

/* Adds the blocks of the lines of `table` to *spans (all-zero before), settled, which the caller ends
 * on PARE_OK; `indented` are those by indentation.  None where no word closes blocks, or the words
 * that were learned do not balance.  O(bytes).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closing_word_find(const pare_line_table *table,
                                              const pare_block_spans *indented,
                                              pare_block_spans *spans, pare_error *err);

#endif
