/* A set of digests that copies of a state share: what was proposed already.
 *
 * A copy by memcpy retains the set; adding to one copy does not show in another.
 * Sorted arrays of sizes that double: adding costs O(log n) on average, O(n) at worst,
 * looking up O(log^2 n), copying O(log n).  Memory: 16 bytes a digest.  One thread.
 * Source: Bentley and Saxe, Decomposable searching problems, 1980 (the binary counter). */
#ifndef PARE_ENGINE_TRIED_DIGESTS_H
#define PARE_ENGINE_TRIED_DIGESTS_H

#include <stdbool.h>

#include "base/digest.h"
#include "base/shared.h"

enum { PARE_TRIED_DIGESTS_RECENT = 32, PARE_TRIED_DIGESTS_LEVELS = 32 };

/* All-zero is empty. */
typedef struct pare_tried_digests {
    pare_shared *recent; /* the last few, in no order; NULL: none were ever added */
    size_t n_recent;
    pare_shared
        *levels[PARE_TRIED_DIGESTS_LEVELS]; /* sorted; level i holds RECENT * 2^i, or is NULL */
} pare_tried_digests;

void pare_tried_digests_retain(pare_tried_digests *seen);
void pare_tried_digests_release(pare_tried_digests *seen); /* it is empty then */

bool pare_tried_digests_has(const pare_tried_digests *seen, pare_digest digest);

/* Adds a digest that it does not have.  Errors: PARE_E_NOMEM; the set is as it was, or has
 * it. */
PARE_CHECK pare_status pare_tried_digests_add(pare_tried_digests *seen, pare_digest digest,
                                              pare_error *err);

#endif
