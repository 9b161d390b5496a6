/* The phase of the default for binary files: their chunks. */
#ifndef PARE_SESSION_PLAN_BINARY_PHASE_H
#define PARE_SESSION_PLAN_BINARY_PHASE_H

#include "base/fail.h"
#include "session/plan/work.h"

/* Reduces the file at hand by its chunks (reduce/binary/) if it is no text; anew after each success,
 * until nothing changes.  Errors: those of a run; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_binary_phase_run(pare_work *work, pare_error *err);

#endif
