/* Hangs that are kept: --hang says after which time a run counts as one.
 *
 * A time limit alone takes a run that is slow for one that never ends.  So ordinary runs, those
 * of the controls, have to be faster by PARE_HANG_FACTOR; the input, and what a reduction ends
 * with, are run for PARE_HANG_CONFIRM times the limit; and what ends there was no hang: an
 * earlier best that is one is gone back to, and the limit becomes the time for which that was
 * seen to hang.  A failure that is no hang costs nothing here. */
#ifndef PARE_SESSION_TEST_HANG_H
#define PARE_SESSION_TEST_HANG_H

#include "session/session.h"
#include "session/test/flaky_rate.h"
#include "text/text.h"

enum { PARE_HANG_FACTOR = 2, PARE_HANG_CONFIRM = 3, PARE_HANG_RAISES = 2 };

/* All-zero: nothing was raised. */
typedef struct pare_hang {
    unsigned raised; /* how often the limit was */
} pare_hang;

/* The limit in force in ms; 0: that it hangs is not what is kept. */
uint64_t pare_hang_limit_ms(const pare_session *session);

/* Measures `ms`, the time that one run of `text` takes, at most `limit_ms`; *hangs: it
 * did not end.  Nothing is cached.  Cost: a test.  Errors: those of pare_engine_measure. */
PARE_CHECK pare_status pare_hang_time(pare_session *session, const pare_text *text,
                                      uint64_t limit_ms, double *ms, bool *hangs, pare_error *err);

/* Refuses a limit that ordinary runs, which take up to `ordinary_ms`, come too near to.
 * Errors: PARE_E_STATE; the sentence names the limit to use. */
PARE_CHECK pare_status pare_hang_check_limit(const pare_session *session, double ordinary_ms,
                                             pare_error *err);

/* Runs the input, which was checked to hang, for longer.  Nothing for a run that goes on from
 * a journal.  Cost: a test of PARE_HANG_CONFIRM times the limit, a few more where it hangs by
 * chance.  Errors: PARE_E_STATE (it ends), PARE_E_INTERRUPTED, those of the oracle. */
PARE_CHECK pare_status pare_hang_check_input(pare_session *session, const pare_text *input,
                                             pare_error *err);

/* At the end: the same of the best.  *again: it was no hang, an earlier one was gone back to, and
 * the phases are to be run again.  *end is set when it is not PARE_END_DONE; then the best is not
 * confirmed, which is told.  Cost: a test, and where it was none some for the earlier ones.
 * Errors: those of the engine. */
PARE_CHECK pare_status pare_hang_confirm(pare_hang *hang, pare_session *session, pare_flaky *flaky,
                                         bool *again, pare_error *err);

#endif
