/* The order of the default's phases, by what they earn: over one file, and over several. */
#ifndef PARE_SESSION_PLAN_SCHEDULE_H
#define PARE_SESSION_PLAN_SCHEDULE_H

#include <pare/export.h>
#include <pare/status.h>

#include "session/plan/work.h"

/* Runs the plan's coarse phases once, in their order, then the others and the coarse ones
 * again, the most promising one next, until none of them finds anything in what is left; or
 * until the run ends, or work->effort, which sets work->cut_short.  Deterministic:
 * only outcomes decide.
 * Errors: those of the phases. */
PARE_CHECK pare_status pare_schedule_run(pare_work *work, pare_error *err);

/* Whole files, words and the plan's coarse phases first, then, of all phases in all files, next
 * that of which most bytes are expected for a test; whole files again whenever nothing is
 * promising.  Ends when nothing finds anything in what is left, or as pare_schedule_run does.
 * Deterministic: only outcomes decide.  Errors: those of the phases. */
PARE_CHECK pare_status pare_folder_schedule_run(pare_work *work, pare_error *err);

#endif
