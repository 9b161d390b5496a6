/* Ways out of a local minimum: a text in which every phase of the default finds nothing, though a
 * smaller one fails.  Deterministic, the same for any number of slots; nothing larger is ever the best.
 * One thread. */
#ifndef PARE_SESSION_PLAN_LOCAL_MINIMUM_H
#define PARE_SESSION_PLAN_LOCAL_MINIMUM_H

#include <stdbool.h>

#include "base/fail.h"
#include "session/plan/work.h"

/* Runs the phases over the engine's current text, each with early stop, until none finds anything. */
typedef pare_status (*pare_local_minimum_phases)(pare_work *work, pare_error *err);

/* Over the best text so far, in which every phase finds nothing: takes steps that grow it, those
 * that grow it least first, and looks by `phases` from each that still fails whether they
 * lead to something smaller than the best, which is then the best.  With PARE_EFFORT_MAX it then
 * leaves out sets of tokens and of characters that are no neighbours.  Sets *found and ends with
 * the first success.
 * Cost: uphill at most 32 offers of each pass and three searches of 800 tests (--effort max: 256,
 * 32 and 4,000); each restart about as many tests as there are tokens or characters.
 * Errors: those of the engine's runs; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_local_minimum_leave(pare_work *work, pare_local_minimum_phases phases,
                                                bool *found, pare_error *err);

#endif
