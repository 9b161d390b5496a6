/* A strategy of which only some candidates are tested: those that a predicate admits.
 *
 * The others are told PASS at once; they cost no test, retire nowhere and leave no trace.
 * So strategies need not know what a candidate must keep. */
#ifndef PARE_ENGINE_FILTER_H
#define PARE_ENGINE_FILTER_H

#include "engine/strategy.h"
#include "text/candidate.h"

/* Whether `candidate` may be tested.  Errors: PARE_E_NOMEM. */
typedef pare_status (*pare_admits)(const void *context, const pare_candidate *candidate,
                                   bool *admitted, pare_error *err);

/* Takes over `inner`, on failure too; `context` is borrowed by the result and its copies.
 * On PARE_OK the caller owns *out, which has the outcomes and the best of `inner`.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_filter_new(pare_strategy *inner, pare_admits admits,
                                       const void *context, pare_strategy **out, pare_error *err);

#endif
