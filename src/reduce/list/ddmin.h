/* The state machine of ddmin, shared by `ddmin` and `ddmin-parallel`.
 *
 * Immutable but through the functions below; plain memory, O(1).  What it does, and how
 * the knobs change it, stands in ddmin.c. */
#ifndef PARE_REDUCE_LIST_DDMIN_H
#define PARE_REDUCE_LIST_DDMIN_H

#include "reduce/list/algorithms.h"

#include <pare/algorithm.h>

typedef struct pare_ddmin {
    pare_list_knobs knobs;
    size_t n;       /* units */
    size_t parts;   /* 2 .. n, while n is at least 2 */
    size_t index;   /* of the next test in this round */
    size_t offset;  /* the part at which a round of complements starts */
    uint64_t round; /* counts rounds, to draw another random order for each */
    bool done;
} pare_ddmin;

/* The members of pare_list_algorithm; `state` is a pare_ddmin.  Cannot fail. */
pare_status pare_ddmin_start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                             pare_error *err);
pare_status pare_ddmin_next(void *state, bool *done, pare_edit *edit, pare_error *err);
pare_status pare_ddmin_tell(void *state, bool fails, pare_error *err);

#endif
