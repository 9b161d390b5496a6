/* Ways out of a text in which every phase of the default finds nothing. */
#ifndef PARE_SESSION_PLAN_ESCAPES_H
#define PARE_SESSION_PLAN_ESCAPES_H

#include "session/plan/phase.h"

/* Leaves out sets of tokens, then of characters, that are no neighbours, over the best text so
 * far, until something is found or all ways were gone; sets *found.  Deterministic.
 * Cost: about as many tests as there are tokens and characters, for each way.
 * Errors: those of pare_phase_run. */
PARE_CHECK pare_status pare_escapes_run(pare_work *work, bool *found, pare_error *err);

#endif
