/* Descent: a way down over sets that compile, for failures that come partly by chance.
 *
 * What a compiler does behind the end of an object changes with everything that lies before it: of
 * ten programs that all hold the fault, one or two crash.  Then that a smaller program does not fail
 * says nothing about what was left out.  But that it compiles, and holds what the failing run named,
 * says that it might have failed.  So the descent goes on from such a program as if it had, to the
 * floor where hardly anything can go, and draws there the smallest set with a few other
 * declarations beside it, each time others.  Each step and each draw may be the one that fails, and
 * small programs fail more often than large ones.
 *
 * The state of one strategy; copied with it.  Deterministic.  One thread. */
#ifndef PARE_REDUCE_DEPENDENCY_DESCENT_H
#define PARE_REDUCE_DEPENDENCY_DESCENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/shared.h"
#include "reduce/dependency/deletions.h"
#include "reduce/dependency/dependency_graph.h"

enum { PARE_DESCENT_EXTRAS = 4 };

/* All-zero: not begun. */
typedef struct pare_descent {
    pare_shared *left; /* bits: the set that compiles; NULL: not begun */
    size_t bytes;      /* of its text */
    pare_deletions deletions;
    bool at_floor; /* what is proposed is drawn */
    bool is_over;  /* nothing smaller than what fails was found to draw: there is no proposal */
    unsigned n_draws;
    uint32_t extras[PARE_DESCENT_EXTRAS]; /* nodes that the last draw has added */
    size_t n_extras;
} pare_descent;

void pare_descent_done(pare_descent *descent); /* all-zero is a no-op */
void pare_descent_share(pare_descent *copy);   /* after it was copied by value */

/* What is gone down in; all borrowed. */
typedef struct pare_descent_view {
    const pare_dependency *graph;
    const pare_dependency_query *query; /* `within` fails: what is drawn is of it */
    const uint32_t *suspects;           /* what the failing run named: they stay whole */
    size_t n_suspects;
    const uint32_t *roots; /* what all of the set is there for */
    size_t n_roots;
    size_t bytes; /* of what fails */
} pare_descent_view;

/* Begins at the set `left`, to which a reference is taken; draws go on where they were.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_descent_begin(pare_descent *descent, const pare_descent_view *view,
                                          pare_shared *left, pare_error *err);

/* Makes the next set of `kept`, which is empty, unless it is over.  Cost: as pare_deletions_choose, or some twenty
 * closures.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_descent_propose(pare_descent *descent, const pare_descent_view *view,
                                            pare_dependency_bits *kept, pare_error *err);

/* What was proposed last holds (it compiles, or fails): the descent goes on from it, unless it was
 * drawn.  Or it does not.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_descent_tell(pare_descent *descent, const pare_dependency *graph,
                                         pare_shared *proposed, bool holds, pare_error *err);

#endif
