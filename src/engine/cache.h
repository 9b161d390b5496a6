/* Outcome cache: which candidates were tested already, and what came of it.
 *
 * Keyed by content digest, so edits that print the same bytes share one entry.  Bounded:
 * when it is full it first evicts what can no longer recur (candidates at least as
 * large as the current best), then whatever has been used; the reduction only tests a
 * little more.  One thread.
 * Source: seed 002, CachingReducer; Picire's content-keyed cache and its eviction after a
 * success. */
#ifndef PARE_ENGINE_CACHE_H
#define PARE_ENGINE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include <pare/outcome.h>

#include "base/digest.h"
#include "base/fail.h"

typedef struct pare_cache pare_cache;

/* One known outcome. */
typedef struct pare_known {
    pare_outcome outcome;
    float ms;           /* duration of the run */
    bool retired;       /* an algorithm has been told already */
    bool journaled;     /* it was not run by this process */
    uint16_t signature; /* number of the other failure it is; 0: none */
} pare_known;

/* Creates an empty cache for up to `capacity` outcomes (1 .. 2^30; memory grows as it
 * fills, 40 bytes an outcome).  On PARE_OK the caller owns *out.
 * Errors: PARE_E_ARG (capacity), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_cache_new(size_t capacity, pare_cache **out, pare_error *err);
void pare_cache_free(pare_cache *cache); /* NULL is a no-op */

/* The outcome known for `key`, or NULL; valid until the next put.  The caller may set
 * `retired` in it. */
pare_known *pare_cache_get(pare_cache *cache, pare_digest key);

/* Records an outcome for a candidate of `size_bytes`, replacing an older one.  Cannot
 * fail: what finds no room is forgotten. */
void pare_cache_put(pare_cache *cache, pare_digest key, size_t size_bytes, pare_known known);

/* Says that candidates of `size_bytes` or more cannot recur, so that they may be evicted
 * when room is needed.  Costs nothing. */
void pare_cache_bound(pare_cache *cache, size_t size_bytes);

/* Forgets every `outcome`.  Errors: PARE_E_NOMEM; nothing is forgotten then. */
PARE_CHECK pare_status pare_cache_forget(pare_cache *cache, pare_outcome outcome, pare_error *err);

size_t pare_cache_count(const pare_cache *cache);

#endif
