/* Phases of passes: what a pass offers for the file at hand, run as a pool of patches. */
#ifndef PARE_SESSION_PLAN_PASS_PHASE_H
#define PARE_SESSION_PLAN_PASS_PHASE_H

#include "engine/limited.h"
#include "reduce/passes/pass.h"
#include "session/plan/phase.h"
#include "session/scope.h"
#include "text/patch.h"

/* Runs `pass` over the file at hand until it has nothing more that can be made, or, with
 * `terms` that are not NULL, is not worth its tests any more; or until work->end says
 * otherwise.  *whole (may be NULL) tells whether it came to its end.
 * Errors: those of the pass, of the engine, of the front end, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pass_phase_run(pare_work *work, const pare_pass *pass,
                                           const pare_early_stop_terms *terms, bool *whole,
                                           pare_error *err);

/* What `pass` has to offer for the file of `view`, maybe nothing (n is 0).  On PARE_OK the
 * caller owns *patches, one reference.  Errors: those of the pass and of the front end. */
PARE_CHECK pare_status pare_pass_phase_offer(pare_work *work, const pare_pass *pass,
                                             const pare_view *view, pare_patches **patches,
                                             pare_error *err);

#endif
