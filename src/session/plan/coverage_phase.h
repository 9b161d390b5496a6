/* The phase of scripts: what a run of the input does not execute goes first. */
#ifndef PARE_SESSION_PLAN_COVERAGE_PHASE_H
#define PARE_SESSION_PLAN_COVERAGE_PHASE_H

#include "session/plan/plan.h"
#include "session/plan/work.h"

/* Has an interpreter run the best text, and offers what it did not reach, until nothing more of
 * it goes; with the phase's `drivers` it offers the statements and data at the outermost level first,
 * because of which the rest is reached; with `after_change` also what the graph says to be unused.  Nothing is done for a small text, for several files, for what is no
 * script, without an interpreter, or where the user does not want it.
 * Cost: two to eight runs of the interpreter, which are no tests; in tests, of n pieces that were
 * not reached of which k are needed all the same, about 2k log(n).
 * Errors: those of the engine, of the front end, PARE_E_NOMEM; PARE_RUN_ENDED. */
PARE_CHECK pare_status pare_coverage_phase_run(pare_work *work, const pare_phase *phase,
                                               pare_error *err);

#endif
