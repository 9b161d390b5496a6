/* Sections of a text without blocks: what begins with one word after a blank line, again and again. */
#ifndef PARE_REDUCE_STRUCTURE_SECTION_SPANS_H
#define PARE_REDUCE_STRUCTURE_SECTION_SPANS_H

#include "base/fail.h"
#include "reduce/structure/block_spans.h"
#include "reduce/structure/line_table.h"

/* The sections of the lines of `table`, of which the blocks `others` are known: from each line that begins as the first
 * one does, after a blank line, to the next such.  None where `others` have a quarter of the bytes and more, as in
 * programs, or where sections are the records between blank lines.  On PARE_OK the caller ends *spans (all-zero before),
 * settled.  O(lines).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_section_spans_find(const pare_line_table *table,
                                               const pare_block_spans *others,
                                               pare_block_spans *spans, pare_error *err);

#endif
