/* What a pool on many slots has made so far, confirmed and not.  For this folder only.
 *
 *   base    the smallest set of changes that is known to fail
 *   sets    sets that failed too, but on top of less than the base, or beside it
 *   united  the tentative union: the base with all of those, on top of which new tests start
 *
 * A set that fails and holds the base is the new base at once; any other one joins the
 * tentative union, which nobody may have tested as a whole.  A test on top of the union that
 * fails confirms it; where none does, one test at a time tries the union itself.  If that
 * does not fail, the later half of the sets is rolled back to the queue.
 *
 * Invariants: the base is a set that failed; `united` is the union of the base and all sets. */
#ifndef PARE_ENGINE_TENTATIVE_UNION_H
#define PARE_ENGINE_TENTATIVE_UNION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "engine/pool_plan.h"
#include "engine/pool_queue.h"

/* A set that failed. */
typedef struct pare_tentative_set {
    pare_pool_set set;   /* owned */
    pare_pool_item item; /* what it adds; its count is 0 if that is not known */
    uint64_t since;      /* number of the first union that it is in */
} pare_tentative_set;

/* With `plan` and `queue` set, all else zero: nothing was made. */
typedef struct pare_tentative_union {
    const pare_pool_plan *plan; /* borrowed */
    pare_pool_queue *queue;     /* borrowed; where patches go that are rolled back */
    pare_pool_set base, united; /* one reference each */
    size_t base_size;           /* bytes of the text with the base */
    uint64_t number;            /* of the union at hand; each change of it gets the next one */
    pare_tentative_set *sets;   /* owned; in the order in which they failed */
    size_t n_sets, capacity;
} pare_tentative_union;

void pare_tentative_union_done(pare_tentative_union *made);

/* Queues `item`, or what is to be tried instead of it (nothing, if it is empty).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tentative_union_requeue(pare_tentative_union *made, pare_pool_item item,
                                                    pare_error *err);
PARE_CHECK pare_status pare_tentative_union_split(pare_tentative_union *made, pare_pool_item item,
                                                  pare_error *err);

/* The set of `trial` failed: the base grows, or the union does.  A set beside the base that
 * `is_best` becomes the base, and the old base one of the sets.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tentative_union_take(pare_tentative_union *made,
                                                 const pare_pool_trial *trial, bool is_best,
                                                 pare_error *err);

/* The union of `number` does not fail: the later half of its sets goes back to the queue.
 * *any tells whether it had some; then nothing follows from tests that were started since,
 * and the caller gives them up and calls pare_tentative_union_rebuild.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tentative_union_roll_back(pare_tentative_union *made, uint64_t number,
                                                      bool *any, pare_error *err);

/* Unites the base with all sets anew; sets that do not agree with the earlier ones are split.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tentative_union_rebuild(pare_tentative_union *made, pare_error *err);

/* The successes of a pool in the order of time: whether something after a place of the text
 * was made since a moment.  Only the rearmost success since each moment is kept, so numbers
 * ascend while places descend.  All-zero: none. */
typedef struct pare_success {
    uint32_t number; /* successes are numbered from 1 */
    uint32_t end;    /* byte of the text where it ends */
} pare_success;

typedef struct pare_success_log {
    pare_success *items; /* owned */
    size_t n, capacity;
    uint32_t last; /* number; 0: there was none */
} pare_success_log;

void pare_tentative_union_log_done(pare_success_log *log); /* all-zero is a no-op */

/* Adds a success that ends at byte `end` of the text; its number is log->last.
 * Amortised O(1).  Errors: PARE_E_NOMEM; only the number has changed then. */
PARE_CHECK pare_status pare_tentative_union_log_add(pare_success_log *log, uint32_t end,
                                                    pare_error *err);

/* Whether anything that ends after `place` was made after success `number`.  O(log n). */
bool pare_tentative_union_log_any(const pare_success_log *log, uint32_t number, uint32_t place);

#endif
