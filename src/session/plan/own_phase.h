/* The phase of an algorithm of the user's. */
#ifndef PARE_SESSION_PLAN_OWN_PHASE_H
#define PARE_SESSION_PLAN_OWN_PHASE_H

#include "base/fail.h"
#include "session/plan/plan.h"
#include "session/plan/work.h"

/* Runs the algorithm of the options (strategy, or strategy_command) once over the phase's units of
 * the file at hand.  Errors: those of the algorithm, PARE_E_IO, PARE_E_NOMEM; PARE_RUN_ENDED. */
PARE_CHECK pare_status pare_own_phase_run(pare_work *work, const pare_phase *phase,
                                          pare_error *err);

#endif
