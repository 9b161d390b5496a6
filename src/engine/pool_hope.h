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
#ifndef PARE_ENGINE_POOL_HOPE_H
#define PARE_ENGINE_POOL_HOPE_H

#include "engine/pool_plan.h"
#include "engine/pool_queue.h"
#include "engine/pool_rate.h"
#include "engine/pool_trial.h"

/* A set that failed. */
typedef struct pare_pool_hoped {
    pare_pool_set set;   /* owned */
    pare_pool_item item; /* what it adds; its count is 0 if that is not known */
    uint64_t since;      /* the first hope that it is in */
} pare_pool_hoped;

/* With `plan` and `queue` set, all else zero: nothing was made. */
typedef struct pare_pool_hope {
    const pare_pool_plan *plan; /* borrowed */
    pare_pool_queue *queue;     /* borrowed; where patches go that are taken back */
    pare_pool_set base, hope;   /* one reference each */
    size_t base_size;           /* bytes of the text with the base */
    uint64_t number;            /* of the hope at hand */
    pare_pool_hoped *hoped;     /* owned */
    size_t n_hoped, capacity;
} pare_pool_hope;

void pare_pool_hope_done(pare_pool_hope *hope);

/* Queues `item`, or what is to be tried instead of it (nothing, if it is empty).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pool_put_back(pare_pool_hope *hope, pare_pool_item item,
                                          pare_error *err);
PARE_CHECK pare_status pare_pool_split(pare_pool_hope *hope, pare_pool_item item, pare_error *err);

/* The set of `trial` failed: the base grows, or the hope does.  A set beside the base that
 * `is_best` takes its place, and the base is hoped for.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pool_hope_take(pare_pool_hope *hope, const pare_pool_trial *trial,
                                           bool is_best, pare_error *err);

/* All that was hoped for in the hope of `number` cannot be made together: the later half of
 * it goes back.  *any tells whether there was something; then nothing follows from tests
 * that were started since, and pare_pool_hope_anew is to be called when they are given up.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pool_hope_refute(pare_pool_hope *hope, uint64_t number, bool *any,
                                             pare_error *err);

/* Makes the hope the base with all that is hoped for; what does not agree is split.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pool_hope_anew(pare_pool_hope *hope, pare_error *err);

#endif
