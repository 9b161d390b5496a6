/* What a pool has made, and when: whether something behind a place was made since a moment.
 *
 * Only the rearmost of what was made since each moment is kept, so numbers ascend while
 * places descend. */
#ifndef PARE_ENGINE_POOL_GAINS_H
#define PARE_ENGINE_POOL_GAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Something that was made. */
typedef struct pare_pool_gain {
    uint32_t number;
    uint32_t behind; /* where in the text it ends */
} pare_pool_gain;

/* All-zero: nothing was made. */
typedef struct pare_pool_gains {
    pare_pool_gain *items; /* owned */
    size_t n, capacity;
    uint32_t last; /* number; 0: there was none */
} pare_pool_gains;

void pare_pool_gains_done(pare_pool_gains *gains); /* all-zero is a no-op */

/* Something that ends at byte `behind` of the text was made; it is gain number gains->last.
 * Amortised O(1).  Errors: PARE_E_NOMEM; only the number has changed then. */
PARE_CHECK pare_status pare_pool_gains_add(pare_pool_gains *gains, uint32_t behind,
                                           pare_error *err);

/* Whether anything that ends behind `place` was made after gain `number`.  O(log n). */
bool pare_pool_gains_any(const pare_pool_gains *gains, uint32_t number, uint32_t place);

#endif
