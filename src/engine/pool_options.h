/* Options of a pool: of its plan, its queue and both of its forms (engine/pool.h). */
#ifndef PARE_ENGINE_POOL_OPTIONS_H
#define PARE_ENGINE_POOL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/limited.h"

/* In which order patches are tried. */
typedef enum pare_pool_order {
    PARE_POOL_LARGEST, /* by the power of two in what they save; of equal ones the rear one */
    PARE_POOL_LISTED   /* as they stand in the list */
} pare_pool_order;

/* All-zero is valid: large ones first, groups of a learned size, every candidate tested,
 * no sweep. */
typedef struct pare_pool_options {
    pare_pool_order order;
    bool together; /* all patches of the list, without their parts, are tried at once first */
    size_t group;  /* patches of a group at first; 1: one by one; 0: learned */
    bool shorter;  /* candidates that are not smaller, in the order (text/order.h), than what was
                      accepted are not tested */
    bool sweep;    /* to a fixpoint over single patches at the end */
    pare_admits admits;  /* candidates that it does not admit are not tested; NULL: all are */
    const void *context; /* handed to `admits`; borrowed */
    size_t many;         /* of pare_engine_run_pool: fewer patches are not tried on all slots */
    /* Of pare_engine_run_pool: the pool may be stopped early, and only shorter candidates are
     * the best; NULL: it is not; borrowed. */
    const pare_early_stop_terms *terms;
} pare_pool_options;

#endif
