/* The trace: one JSON object a line for each test, in order of retirement.
 *
 * The format is part of the command line's contract (pare-reduce(1), TRACE AND STATISTICS).
 * One thread. */
#ifndef PARE_UI_TRACE_H
#define PARE_UI_TRACE_H

#include "base/fail.h"

#include <pare/events.h>

typedef struct pare_trace pare_trace;

/* Creates `path`, or empties it.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_trace_open(const char *path, pare_trace **out, pare_error *err);

/* Writes the line of a PARE_EVENT_TEST; other events are ignored.  An error is
 * kept for pare_trace_close, and nothing is written after it. */
void pare_trace_add(pare_trace *trace, const pare_event *event);

/* Writes out what is left and frees `trace` (NULL: PARE_OK).
 * Errors: PARE_E_IO, PARE_E_NOMEM: the trace is not complete. */
PARE_CHECK pare_status pare_trace_close(pare_trace *trace, pare_error *err);

#endif
