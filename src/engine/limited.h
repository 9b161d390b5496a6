/* Limited strategies: another strategy, of which some candidates are not tested, or which is
 * ended before it is done.
 *
 * Strategies need not know what a candidate must keep, nor when they are no longer worth
 * their tests: that is put around them.  What is not admitted is told PASS at once; it costs
 * no test, retires nowhere and leaves no trace.  Early stopping counts outcomes, never time,
 * so the same tests are run for every number of slots.  Both may be put around each other. */
#ifndef PARE_ENGINE_LIMITED_H
#define PARE_ENGINE_LIMITED_H

#include "engine/strategy.h"
#include "text/candidate.h"

/* Whether `candidate` may be tested.  Errors: PARE_E_NOMEM. */
typedef pare_status (*pare_admits)(const void *context, const pare_candidate *candidate,
                                   bool *admitted, pare_error *err);

/* The strategy `inner`, of which only candidates that `admits` lets pass are tested.  Takes
 * `inner` over, on failure too; `context` is borrowed by the result and its copies.  On
 * PARE_OK the caller owns *out, which has the outcomes and the best of `inner`.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_limited_filter(pare_strategy *inner, pare_admits admits,
                                           const void *context, pare_strategy **out,
                                           pare_error *err);

/* When a strategy is stopped: after `tests` tests in a row that together did not make the
 * text smaller by `share` of what it was, or after `first` tests at the very start. */
typedef struct pare_early_stop_terms {
    unsigned first, tests; /* above 0 */
    double share;          /* 0 .. 1, of the size before those tests */
} pare_early_stop_terms;

/* The strategy `inner`, which starts from a text of `size` bytes, until it is stopped early;
 * what was found stays found.  Takes `inner` over, on failure too.  On PARE_OK the caller
 * owns *out, which has the outcomes and the best of `inner`; candidates as large as the best
 * are never the best of it (pare_strategy.ordered).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_limited_early_stop(pare_strategy *inner, size_t size,
                                               const pare_early_stop_terms *terms,
                                               pare_strategy **out, pare_error *err);

/* The count that early stopping goes by, for those who are no strategy. */
typedef struct pare_early_stop {
    pare_early_stop_terms terms;
    size_t now, then; /* bytes: of the smallest failing candidate; when counting began */
    unsigned tests;   /* since counting began */
    bool proven;      /* it was worth its tests once */
} pare_early_stop;

/* Begins to count, from a text of `size` bytes. */
void pare_limited_begin(pare_early_stop *count, size_t size, const pare_early_stop_terms *terms);

/* Takes the outcome of a candidate of `size` bytes. */
void pare_limited_count(pare_early_stop *count, size_t size, bool fails);

/* How many more tests there may be if none of them succeeds; 0: it is over. */
unsigned pare_limited_left(const pare_early_stop *count);

#endif
