/* What a run of a script did not reach, read from the report of a recorder (recorders/).
 *
 * A report is lines: "b FROM TO" is a stretch of bytes that was not executed, "- FROM TO" takes
 * one of these bounds back, "= N" is a line that has code, "+ N" a line that was executed; lines
 * count from 1, and any other line means nothing.
 * The script that was run could write to it as well, so it may say anything: what makes no sense is
 * left out, and what is wrong costs tests. */
#ifndef PARE_SESSION_TEST_REACH_REPORT_H
#define PARE_SESSION_TEST_REACH_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"
#include "reduce/passes/pass.h"

/* What was not reached; all-zero: nothing is known. */
typedef struct pare_reach {
    pare_extent *unreached; /* owned; ascending, none empty, with bytes between them */
    size_t n;
    size_t bytes; /* in them */
    bool by_line; /* known by lines: stretches begin with a line, and may go on to where the next
                     one that was reached begins */
} pare_reach;

/* Reads `report`, of `size` bytes, about the script `text` of `text_bytes` bytes.  On PARE_OK the
 * caller ends *out, whose stretches are offsets in `text`.  O((size + text_bytes) log).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_reach_report_read(const char *report, size_t size,
                                              const unsigned char *text, size_t text_bytes,
                                              pare_reach *out, pare_error *err);
void pare_reach_report_done(pare_reach *reach); /* all-zero is a no-op */

#endif
