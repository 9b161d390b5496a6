/* A set of digests that copies of a state share: what was proposed already.
 *
 * A copy by memcpy retains the set; adding to one copy does not show in another.
 * Sorted arrays of sizes that double: adding costs O(log n) on average, O(n) at worst,
 * looking up O(log^2 n), copying O(log n).  Memory: 16 bytes a digest.  One thread.
 * Source: Bentley and Saxe, Decomposable searching problems, 1980 (the binary counter). */
#ifndef PARE_ENGINE_SEEN_H
#define PARE_ENGINE_SEEN_H

#include <stdbool.h>

#include "base/digest.h"
#include "base/shared.h"

enum { PARE_SEEN_RECENT = 32, PARE_SEEN_LEVELS = 32 };

/* All-zero is empty. */
typedef struct pare_seen {
    pare_shared *recent; /* the last few, in no order; NULL: none were ever added */
    size_t n_recent;
    pare_shared *levels[PARE_SEEN_LEVELS]; /* sorted; level i holds RECENT * 2^i, or is NULL */
} pare_seen;

void pare_seen_retain(pare_seen *seen);
void pare_seen_release(pare_seen *seen); /* it is empty then */

bool pare_seen_has(const pare_seen *seen, pare_digest digest);

/* Adds a digest that it does not have.  Errors: PARE_E_NOMEM; the set is as it was, or has
 * it. */
PARE_CHECK pare_status pare_seen_add(pare_seen *seen, pare_digest digest, pare_error *err);

#endif
