/* The order of the default's phases over several files, by what they earn in each. */
#ifndef PARE_SESSION_PLAN_FOLDER_SCHEDULE_H
#define PARE_SESSION_PLAN_FOLDER_SCHEDULE_H

#include <pare/export.h>
#include <pare/status.h>

#include "session/plan/work.h"

/* Whole files, words and the plan's coarse phases first, then, of all phases in all files, next
 * that of which most bytes are expected for a test; whole files again whenever nothing is
 * promising.  Ends when nothing finds anything in what is left, or as pare_schedule_run does.
 * Deterministic: only outcomes decide.  Errors: those of the phases. */
PARE_CHECK pare_status pare_folder_schedule_run(pare_work *work, pare_error *err);

#endif
