/* What is tried when every phase of the default finds nothing: uphill search and random
 * restarts. */
#ifndef PARE_SESSION_PLAN_LOCAL_MINIMUM_H
#define PARE_SESSION_PLAN_LOCAL_MINIMUM_H

#include "session/plan/work.h"

/* What all that is run in an uphill search goes by in the statistics. */
#define PARE_LOCAL_MINIMUM_NAME "excursions"

/* Runs the phases over the text at hand for a while: pare_schedule_glance. */
typedef pare_status (*pare_local_minimum_explore)(pare_work *work, pare_error *err);

/* Over the best text so far, in which every phase finds nothing: takes steps that grow it, those
 * that grow it least first, and looks by `explore` from each that still fails whether the phases
 * lead to something smaller than the best, which is then the best.  With PARE_EFFORT_MAX it then
 * leaves out sets of tokens and of characters that are no neighbours.  Sets *found and ends with
 * the first success.  Deterministic, the same for any number of slots; nothing larger is ever the
 * best.
 * Cost: uphill see the limits in local_minimum.c; each restart about as many tests as there are
 * tokens or characters.
 * Errors: those of pare_phase_run. */
PARE_CHECK pare_status pare_local_minimum_leave(pare_work *work, pare_local_minimum_explore explore,
                                                bool *found, pare_error *err);

#endif
