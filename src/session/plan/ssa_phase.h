/* The phase of texts of instructions: functions, blocks, statements of LLVM and its like. */
#ifndef PARE_SESSION_PLAN_SSA_PHASE_H
#define PARE_SESSION_PLAN_SSA_PHASE_H

#include "session/plan/work.h"

/* Reduces the best text by its definitions (reduce/ssa) if the input was a text of instructions; nothing
 * is done else.  How it is written is found out once, in the first round.
 * Cost: none where there are no instructions.  Errors: those of the engine, PARE_E_NOMEM;
 * PARE_RUN_ENDED. */
PARE_CHECK pare_status pare_ssa_phase_run(pare_work *work, pare_error *err);

#endif
