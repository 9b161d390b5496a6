/* Running one phase of a plan. */
#ifndef PARE_SESSION_PLAN_PHASE_H
#define PARE_SESSION_PLAN_PHASE_H

#include "engine/limited.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/config.h"
#include "reduce/passes/pass.h"
#include "session/plan/plan.h"
#include "session/plan/work.h"
#include "text/text.h"

/* Runs `phase` over the file at hand to its end.  PARE_RUN_ENDED: the run ended before.
 * Errors: those of the engine, of the front end, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_run(pare_work *work, const pare_phase *phase, pare_error *err);

/* Runs the list algorithm over `units` (a reference is taken over) of `text`, flat, as the
 * pass "algorithm/unit".  Errors: as above. */
PARE_CHECK pare_status pare_phase_run_units(pare_work *work, const pare_list_algorithm *algorithm,
                                            const char *unit, const pare_text *text,
                                            pare_unit_list *units, pare_error *err);

/* Phases of passes: what a pass offers for the file at hand, run as a pool of patches. */

/* Runs `pass` over the file at hand until it has nothing more that can be made, or, with
 * `terms` that are not NULL, is not worth its tests any more; or until the run ends
 * otherwise.  *whole (may be NULL) tells whether it came to its end.
 * Errors: those of the pass, of the engine, of the front end, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_run_pass(pare_work *work, const pare_pass *pass,
                                           const pare_early_stop_terms *terms, bool *whole,
                                           pare_error *err);

/* Whether one of the patches that the pass offers for the file at hand saves a good part of it, or
 * all of them `together` do.  Costs no test.  Errors: those of the pass and of the front end, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_saves_much(pare_work *work, const pare_pass *pass, bool together,
                                             bool *much, pare_error *err);

#endif
