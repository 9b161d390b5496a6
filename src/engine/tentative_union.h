/* What a pool on many slots knows to fail, and what it hopes will.  For this folder only.
 *
 *   base    the smallest set of changes that is known to fail
 *   hoped   sets that failed too, but on top of less, or beside the base
 *   hope    their union: what new tests start from
 *
 * A set that fails and holds the base is the new base at once; any other one is hoped for.
 * One test at a time may confirm the hope; a test on top of it that fails does so as well.
 * When it does not fail, the later half of what is hoped for goes back to the queue.
 *
 * Invariants: the base is a set that failed; the hope is the union of the base and all that
 * is hoped for. */
#ifndef PARE_ENGINE_TENTATIVE_UNION_H
#define PARE_ENGINE_TENTATIVE_UNION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "engine/pool_plan.h"
#include "engine/pool_queue.h"

/* A set that failed. */
typedef struct pare_tentative_set {
    pare_pool_set set;   /* owned */
    pare_pool_item item; /* what it adds; its count is 0 if that is not known */
    uint64_t since;      /* the first hope that it is in */
} pare_tentative_set;

/* With `plan` and `queue` set, all else zero: nothing was made. */
typedef struct pare_tentative_union {
    const pare_pool_plan *plan; /* borrowed */
    pare_pool_queue *queue;     /* borrowed; where patches go that are taken back */
    pare_pool_set base, hope;   /* one reference each */
    size_t base_size;           /* bytes of the text with the base */
    uint64_t number;            /* of the hope at hand */
    pare_tentative_set *hoped;  /* owned */
    size_t n_hoped, capacity;
} pare_tentative_union;

void pare_tentative_union_done(pare_tentative_union *hope);

/* Queues `item`, or what is to be tried instead of it (nothing, if it is empty).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tentative_union_requeue(pare_tentative_union *hope, pare_pool_item item,
                                                    pare_error *err);
PARE_CHECK pare_status pare_tentative_union_split(pare_tentative_union *hope, pare_pool_item item,
                                                  pare_error *err);

/* The set of `trial` failed: the base grows, or the hope does.  A set beside the base that
 * `is_best` takes its place, and the base is hoped for.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tentative_union_take(pare_tentative_union *hope,
                                                 const pare_pool_trial *trial, bool is_best,
                                                 pare_error *err);

/* All that was hoped for in the hope of `number` cannot be made together: the later half of
 * it goes back.  *any tells whether there was something; then nothing follows from tests
 * that were started since, and pare_tentative_union_rebuild is to be called when they are given up.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tentative_union_roll_back(pare_tentative_union *hope, uint64_t number,
                                                      bool *any, pare_error *err);

/* Makes the hope the base with all that is hoped for; what does not agree is split.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tentative_union_rebuild(pare_tentative_union *hope, pare_error *err);

/* What a pool has made, and when: whether something behind a place was made since a moment.
 *
 * Only the rearmost of what was made since each moment is kept, so numbers ascend while
 * places descend. */

/* Something that was made. */
typedef struct pare_success {
    uint32_t number;
    uint32_t behind; /* where in the text it ends */
} pare_success;

/* All-zero: nothing was made. */
typedef struct pare_success_log {
    pare_success *items; /* owned */
    size_t n, capacity;
    uint32_t last; /* number; 0: there was none */
} pare_success_log;

void pare_tentative_union_log_done(pare_success_log *gains); /* all-zero is a no-op */

/* Something that ends at byte `behind` of the text was made; it is gain number gains->last.
 * Amortised O(1).  Errors: PARE_E_NOMEM; only the number has changed then. */
PARE_CHECK pare_status pare_tentative_union_log_add(pare_success_log *gains, uint32_t behind,
                                                    pare_error *err);

/* Whether anything that ends behind `place` was made after gain `number`.  O(log n). */
bool pare_tentative_union_log_any(const pare_success_log *gains, uint32_t number, uint32_t place);

#endif
