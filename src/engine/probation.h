/* A strategy on probation: it goes on only as long as it is worth its tests.
 *
 * After `tests` tests in a row that together did not make the text smaller by `share` of
 * what it was, or `first` tests at the very start, the strategy is ended where it stands.  What
 * was found stays found.  Only outcomes count, no time, so the same tests are run for every
 * number of slots. */
#ifndef PARE_ENGINE_PROBATION_H
#define PARE_ENGINE_PROBATION_H

#include "engine/strategy.h"

typedef struct pare_probation {
    unsigned first, tests; /* above 0 */
    double share;          /* 0 .. 1, of the size before those tests */
} pare_probation;

/* What was earned so far. */
typedef struct pare_probation_count {
    pare_probation terms;
    size_t now, then; /* bytes: of the smallest failing candidate; when counting began */
    unsigned tests;   /* since then */
    bool proven;      /* it was worth its tests once */
} pare_probation_count;

/* Begins to count, from a text of `size` bytes. */
void pare_probation_begin(pare_probation_count *count, size_t size, const pare_probation *terms);

/* Takes what came of a candidate of `size` bytes. */
void pare_probation_tell(pare_probation_count *count, size_t size, bool fails);

/* How many tests there may be yet if all of them are for nothing; 0: it is over. */
unsigned pare_probation_left(const pare_probation_count *count);

/* Takes over `inner`, on failure too, which starts from a text of `size` bytes.  On
 * PARE_OK the caller owns *out, which has the outcomes and the best of `inner`.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_probation_new(pare_strategy *inner, size_t size,
                                          const pare_probation *terms, pare_strategy **out,
                                          pare_error *err);

#endif
