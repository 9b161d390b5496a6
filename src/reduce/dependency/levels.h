/* Levels of calls: what a program that is run reaches from its start in a few steps; and the order in which
 * nodes are gone through, which begins with that start. */
#ifndef PARE_REDUCE_DEPENDENCY_LEVELS_H
#define PARE_REDUCE_DEPENDENCY_LEVELS_H

#include <stdbool.h>

#include "base/fail.h"
#include "base/shared.h"
#include "reduce/dependency/dependency_graph.h"

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

/* How nodes are gone through: from the rear, and before all others those that the program starts with. */
typedef enum pare_levels_direction {
    PARE_LEVELS_OF_FILE,
    PARE_LEVELS_FROM_REAR
} pare_levels_direction;

typedef struct pare_levels_nodes {
    pare_shared *list; /* of uint32_t: n nodes; one reference */
    size_t n, n_entry; /* the program starts with the first n_entry; 0 in the order of the file */
} pare_levels_nodes;

/* The nodes within `open->within` and not in `open->without` (NULL: no set) that may be chosen by
 * themselves.  On PARE_OK the caller owns out->list; else *out is untouched.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_levels_order(const pare_dependency *graph,
                                         const pare_dependency_query *open,
                                         pare_levels_direction direction, pare_levels_nodes *out,
                                         pare_error *err);

#endif
