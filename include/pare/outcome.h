/* What one test of a candidate said about the program under test.
 *
 * Polarity is Zeller's: FAIL is what a reducer wants to see.
 * Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
 * Input", TSE 28(2), 2002, definition 3. */
#ifndef PARE_OUTCOME_H
#define PARE_OUTCOME_H

#include <pare/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pare_outcome {
    PARE_NO_OUTCOME = 0, /* not tested */
    PARE_FAIL = 1,       /* the failure is still there: keep the candidate */
    PARE_PASS = 2,       /* the failure is gone */
    PARE_UNRESOLVED = 3  /* cannot tell: timed out, or rejected as invalid */
} pare_outcome;

/* "FAIL", "PASS", "UNRESOLVED" or "-"; the text is static. */
PARE_API const char *pare_outcome_name(pare_outcome outcome);

#ifdef __cplusplus
}
#endif

#endif
