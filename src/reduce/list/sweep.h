/* The proof of 1-minimality, as a part of other algorithms' states.
 *
 * Plain memory, O(1).  Cost: n tests when nothing can go. */
#ifndef PARE_REDUCE_LIST_SWEEP_H
#define PARE_REDUCE_LIST_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "reduce/list/algorithms.h"

typedef struct pare_sweep {
    size_t n;      /* units */
    size_t at;     /* one after the units that are tried; 0 only when n is 0 */
    size_t group;  /* how many are tried at once */
    size_t misses; /* how many single units in a row could not go */
    size_t wins;   /* how many tests in a row were successes */
} pare_sweep;

void pare_sweep_start(pare_sweep *sweep, size_t n);

/* The same contract as in pare_list_algorithm. */
pare_status pare_sweep_next(const pare_sweep *sweep, bool *done, pare_edit *edit, pare_error *err);
void pare_sweep_tell(pare_sweep *sweep, bool fails);

#endif
