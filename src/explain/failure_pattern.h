/* A pattern that was read: see <pare/explain.h>, pare_failure_pattern_generate.  One thread. */
#ifndef PARE_EXPLAIN_FAILURE_PATTERN_H
#define PARE_EXPLAIN_FAILURE_PATTERN_H

#include <stddef.h>

#include <pare/explain.h>
#include <pare/generate.h>

#include "base/fail.h"

typedef struct pare_failure_pattern pare_failure_pattern;

/* Reads what `pare explain --json` printed.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_SYNTAX (it is something else), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_failure_pattern_read(const char *bytes, size_t size,
                                                 pare_failure_pattern **out, pare_error *err);
void pare_failure_pattern_free(pare_failure_pattern *pattern); /* NULL is a no-op */

/* Makes texts; the path in `options` is not looked at.
 * Errors: as pare_failure_pattern_generate. */
PARE_CHECK pare_status pare_failure_pattern_make(pare_failure_pattern *pattern,
                                                 const pare_failure_pattern_options *options,
                                                 pare_generate_sink sink, void *context,
                                                 pare_error *err);

#endif
