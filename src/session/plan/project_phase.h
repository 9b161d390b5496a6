/* The phases over a folder as a whole: which files it needs, and what of them goes together. */
#ifndef PARE_SESSION_PLAN_PROJECT_PHASE_H
#define PARE_SESSION_PLAN_PROJECT_PHASE_H

#include "session/plan/work.h"

/* Searches the files that the failure needs by closures of the graph of files, beginning with what
 * the test names.  Nothing where no file mentions another.  Errors: those of pare_session_run. */
PARE_CHECK pare_status pare_project_phase_search(pare_work *work, pare_error *err);

/* Runs the passes over the project (reduce/project/project_passes.h), each until it finds nothing:
 * those that remove, and those that make one file of several, for which files that are not needed
 * should be gone.  Errors: those of pare_session_run_pool. */
PARE_CHECK pare_status pare_project_phase_remove(pare_work *work, pare_error *err);
PARE_CHECK pare_status pare_project_phase_join(pare_work *work, pare_error *err);

#endif
