/* The statistics of a reduction as one JSON object.
 *
 * The format is part of the command line's contract (pare-reduce(1), TRACE AND STATISTICS). */
#ifndef PARE_UI_STATS_H
#define PARE_UI_STATS_H

#include <stdio.h>

#include <pare/result.h>
#include <pare/test.h>

#include "base/fail.h"

/* Writes the object and a line end to `out`, which belongs to the caller and
 * is flushed.  `algorithm` is what the user named.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_stats_write(FILE *out, const char *algorithm, const pare_result *result,
                                        pare_error *err);

/* "minimal", "budget", "target", "interrupted"; static. */
const char *pare_stats_stopped_name(pare_stopped stopped);

/* "1-minimal", "1-tree-minimal", "none"; static. */
const char *pare_stats_minimal_name(pare_minimal minimal);
const char *pare_stats_runner_name(pare_runner runner);

#endif
