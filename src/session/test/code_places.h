/* Code places: of which places of a text a compiler makes code, found out by one run of it beside the tests.
 *
 * Which compiler, and how, the test was watched for (run/compiler_line.h).  It is no test, and what comes of it is only a
 * hint: a place that is wrong or missing costs tests. */
#ifndef PARE_SESSION_TEST_CODE_PLACES_H
#define PARE_SESSION_TEST_CODE_PLACES_H

#include <stddef.h>

#include "base/fail.h"
#include "session/test/side_run.h"

typedef struct pare_code_places {
    size_t *at; /* owned; offsets in the text, ascending */
    size_t n;
} pare_code_places;

/* Runs the shell on `emitter`, in which "$1" is the text's path.  *out is empty if nothing came of it, as of a text that
 * the compiler rejects.  On PARE_OK the caller ends *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_code_places_record(const pare_side_task *task, const char *emitter,
                                               pare_code_places *out, pare_error *err);

/* Reads what the command printed, "LINE COLUMN" in each line, about the text; what makes no sense is left out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_code_places_read(const char *report, size_t size,
                                             const unsigned char *text, size_t text_bytes,
                                             pare_code_places *out, pare_error *err);

void pare_code_places_done(pare_code_places *places); /* all-zero is a no-op */

#endif
