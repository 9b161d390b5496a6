/* Excursions of the default: steps that grow the text, for what follows from them. */
#ifndef PARE_SESSION_PLAN_EXCURSIONS_H
#define PARE_SESSION_PLAN_EXCURSIONS_H

#include "session/plan/phase.h"

/* What all that is run on an excursion goes by in the statistics. */
#define PARE_EXCURSIONS_NAME "excursions"

/* Over the best text so far, in which every phase finds nothing: takes steps that grow it, those
 * that grow it least first, and looks from each that still fails whether the phases lead to
 * something smaller than the best, which is then the best; sets *found and ends there.
 * Deterministic, the same for any number of slots; nothing larger is ever the best.
 * Cost: see the limits in excursions.c.
 * Errors: those of pare_phase_run. */
PARE_CHECK pare_status pare_excursions_run(pare_work *work, bool *found, pare_error *err);

#endif
