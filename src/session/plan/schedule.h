/* The order of the default's phases over one file, by what they earn. */
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

/* Runs phases with early stop only, the most promising one next, until none of them finds anything
 * more, or the run ends; without ways out of where it is stuck.  Cost: about a fifth
 * of what it takes to make sure.  Errors: as above. */
PARE_CHECK pare_status pare_schedule_glance(pare_work *work, pare_error *err);

#endif
