/* A shoot-out as one JSON object.
 *
 * The format is part of the command line's contract (pare-shootout(1), RESULTS). */
#ifndef PARE_SHOOTOUT_SHOOTOUT_JSON_H
#define PARE_SHOOTOUT_SHOOTOUT_JSON_H

#include <stdio.h>

#include "shootout/shootout.h"

#include "base/fail.h"

/* Writes the object and a line end to `out`, which belongs to the caller and is flushed.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_shootout_json_write(FILE *out, const pare_shootout *shootout,
                                                pare_error *err);

/* When it began, as "2026-11-21T03:13:00Z"; writes into `text` and returns it. */
enum { PARE_SHOOTOUT_TIME_BYTES = 32 };
const char *pare_shootout_time(char text[static PARE_SHOOTOUT_TIME_BYTES], int64_t seconds);

#endif
