/* Every candidate of a reduction in a folder, with its outcome: for whoever wants to look at all of them. */
#ifndef PARE_UI_CANDIDATES_H
#define PARE_UI_CANDIDATES_H

#include <pare/events.h>

#include "base/fail.h"

typedef struct pare_candidates pare_candidates;

/* Keeps candidates in the folder `dir`, which is made if need be, as DIR/NNNNNN-OUTCOME.EXT: the number of the
 * test, FAIL, PASS or UNRESOLVED, and `extension` with its dot.  Files of these names are replaced.  On
 * PARE_OK the caller owns *out.  Errors: PARE_E_IO (no folder there), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_candidates_open(const char *dir, const char *extension,
                                            pare_candidates **out, pare_error *err);

/* Writes the candidate of a PARE_EVENT_TEST, but once for each; other events are ignored.  An error is kept
 * for pare_candidates_close, and nothing is written after it. */
void pare_candidates_add(pare_candidates *candidates, const pare_event *event);

/* Frees `candidates` (NULL: PARE_OK).  Errors: PARE_E_IO, PARE_E_NOMEM: some are missing. */
PARE_CHECK pare_status pare_candidates_close(pare_candidates *candidates, pare_error *err);

#endif
