/* What a pool has still to try: ranges of patches, the next one first.  For this folder
 * only.
 *
 * The halves of a group come before anything else, front to back, so that a group is done
 * with before another is begun; then the rest, by the rank of its first patch.  Of a fresh
 * range only as many patches are tried as make a good group at that moment; the others
 * stay in the queue. */
#ifndef PARE_ENGINE_POOL_QUEUE_H
#define PARE_ENGINE_POOL_QUEUE_H

#include "base/shared.h"
#include "engine/pool_plan.h"
#include "engine/pool_rate.h"

/* A heap.  A copy by memcpy retains `items`.  All-zero is empty. */
typedef struct pare_pool_queue {
    pare_shared *items; /* one reference; of pare_pool_item; NULL: there never was one */
    size_t n;
} pare_pool_queue;

/* Makes the queue its holder's own, with room for `more` items: after that, up to `more`
 * may be pushed.  Errors: PARE_E_NOMEM; nothing has changed. */
PARE_CHECK pare_status pare_pool_queue_own(pare_pool_queue *queue, size_t more, pare_error *err);

/* The three below want a queue that is owned. */

/* What is to be tried first now, given the rate; *rest is what stays of a fresh range, or
 * is empty.  The queue must not be empty, and stays what it is. */
pare_pool_item pare_pool_queue_first(const pare_pool_queue *queue, const pare_pool_plan *plan,
                                     const pare_pool_rate *rate, pare_pool_item *rest);

/* Drops what was first and pushes `rest`. */
void pare_pool_queue_drop(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item rest);

/* An empty range is not pushed. */
void pare_pool_queue_push(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item item);

/* Pushes what is to be tried instead of `item`, which was or is not in the queue: at most
 * two items.  Nothing instead of one that was swept. */
void pare_pool_queue_split(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item item);

#endif
