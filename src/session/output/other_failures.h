/* Other failures that were met on the way: each with its smallest candidate, on disk.
 *
 * A folder holds for each two files, named by the signature's checksum: the candidate,
 * with the input's suffix, or as a folder where the result is one, and the signature, one
 * line, as --signature takes it; where the command line is reduced, also a script.  Only
 * candidates that an algorithm was told of count, so that the number of jobs changes
 * nothing.  Bounded by PARE_OTHER_FAILURES_MAX signatures.  One thread. */
#ifndef PARE_SESSION_OUTPUT_OTHER_FAILURES_H
#define PARE_SESSION_OUTPUT_OTHER_FAILURES_H

#include "session/output/output.h"
#include "text/candidate.h"

#include <pare/result.h>

enum { PARE_OTHER_FAILURES_MAX = 64 };

/* All-zero but for the texts, which are borrowed, is empty. */
typedef struct pare_other_failures {
    const char *dir;           /* NULL: nothing is written */
    const char *base_name;     /* the input's */
    const pare_output *output; /* whose form they have; with its script, NAME.run.sh */
    pare_other_failure *list;  /* owned, with its texts */
    size_t n;
} pare_other_failures;

void pare_other_failures_done(pare_other_failures *others);

/* Takes a candidate that shows `signature`; writes it, by rename, if it is the smallest.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_other_failures_add(pare_other_failures *others,
                                               const pare_candidate *candidate,
                                               const char *signature, pare_error *err);

#endif
