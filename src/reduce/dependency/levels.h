/* Levels of calls: what a program that is run reaches from its start in a few steps. */
#ifndef PARE_REDUCE_DEPENDENCY_LEVELS_H
#define PARE_REDUCE_DEPENDENCY_LEVELS_H

#include <stdbool.h>

#include "base/fail.h"
#include "reduce/dependency/dependency.h"

/* The fewest levels that fail are looked for: those at hand, and those known not to fail, and to fail (0: none
 * are).  All-zero but for `at`, 1: the start. */
typedef struct pare_levels {
    unsigned at, low, high;
} pare_levels;

/* Takes the outcome of those at hand, and sets the next: a gallop, then a bisection.  True: it is over. */
bool pare_levels_tell(pare_levels *levels, bool failed);

/* Adds to `kept`, which holds the start, the closure in which only functions of the first `n_levels` have
 * bodies.  Level 1 are the functions that the start leads to without the body of any other, level 2 those
 * that these lead to besides, and so on.  A body that always stays is on no level.  *whole: no body was
 * left out.  O(edges) for each level.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_levels_close(const pare_dependency *graph,
                                         const pare_dependency_query *query, unsigned n_levels,
                                         pare_dependency_bits *kept, bool *whole, pare_error *err);

#endif
