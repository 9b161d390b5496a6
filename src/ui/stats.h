/* What a reduction leaves for programs: its statistics as one JSON object, and the trace, one JSON
 * object a line for each test.
 *
 * Both formats are part of the command line's contract (pare-reduce(1), TRACE AND STATISTICS). */
#ifndef PARE_UI_STATS_H
#define PARE_UI_STATS_H

#include <stdio.h>

#include <pare/events.h>
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

/* The trace: a line for each test, in order of retirement.  One thread. */

typedef struct pare_trace pare_trace;

/* Whether lines have the candidates, as far as events have them. */
typedef enum pare_trace_texts { PARE_TRACE_DIGESTS, PARE_TRACE_TEXTS } pare_trace_texts;

/* Creates `path`, or empties it.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_stats_trace_open(const char *path, pare_trace_texts texts,
                                             pare_trace **out, pare_error *err);

/* Writes the line of a PARE_EVENT_TEST; other events are ignored.  An error is
 * kept for pare_stats_trace_close, and nothing is written after it. */
void pare_stats_trace_add(pare_trace *trace, const pare_event *event);

/* Writes out what is left and frees `trace` (NULL: PARE_OK).
 * Errors: PARE_E_IO, PARE_E_NOMEM: the trace is not complete. */
PARE_CHECK pare_status pare_stats_trace_close(pare_trace *trace, pare_error *err);

#endif
