/* What is known about an engine's functions, from several tests and from the graph before, and the
 * graph that results.  One thread. */
#ifndef PARE_GENERATE_DISCOVERY_LESSONS_H
#define PARE_GENERATE_DISCOVERY_LESSONS_H

#include <pare/graph.h>

#include "base/fail.h"
#include "generate/discovery/call_log.h"

typedef struct pare_lessons pare_lessons;

/* Begins with what `graph` (borrowed until the lessons are freed) has learned before.  On PARE_OK
 * the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_lessons_new(const pare_graph *graph, pare_lessons **out,
                                        pare_error *err);
void pare_lessons_free(pare_lessons *lessons); /* NULL is a no-op */

/* Adds what a test taught; *n_new is the number of signatures that were not known.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_lessons_add(pare_lessons *lessons, const pare_call_log *log,
                                        size_t *n_new, pare_error *err);

/* Makes the graph with all of it.  Types and signatures that were there keep their numbers; new
 * ones do not depend on the order of the tests.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_lessons_make(const pare_lessons *lessons, pare_graph **out,
                                         pare_error *err);

#endif
