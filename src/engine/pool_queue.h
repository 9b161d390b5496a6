/* What a pool has still to try: which patches next, how many at once, on top of what.
 * For this folder only.
 *
 * Four things that the two forms of a pool share:
 *   the rate   how often patches could be made lately, which gives the sizes of groups and
 *              the predictions of outcomes;
 *   the queue  ranges of patches, the next one first.  The halves of a group come before
 *              anything else, front to back, so that a group is finished before another is
 *              begun; then the rest by the rank of its first patch.  Of a fresh range only
 *              as many patches are tried as make a good group at that moment; the others
 *              stay in the queue;
 *   a trial    the candidate made by adding a range of patches to a set of changes;
 *   the log    which successes there were since when, and where: whether it is worth it to try
 *              a patch once more. */
#ifndef PARE_ENGINE_POOL_QUEUE_H
#define PARE_ENGINE_POOL_QUEUE_H

#include "base/digest.h"
#include "base/shared.h"
#include "engine/pool_plan.h"
#include "engine/tried_digests.h"
#include "text/candidate.h"

typedef enum pare_pool_kind {
    PARE_POOL_FRESH,       /* a range from which groups are taken */
    PARE_POOL_TOGETHER,    /* all patches of the list */
    PARE_POOL_GROUP,       /* taken from a fresh range */
    PARE_POOL_FIRST_HALF,  /* of a group that does not fail */
    PARE_POOL_SECOND_HALF, /* of the same */
    PARE_POOL_SWEPT        /* one patch once more */
} pare_pool_kind;

/* Patches that are to be tried together. */
typedef struct pare_pool_item {
    pare_pool_range range;
    pare_pool_kind kind;
} pare_pool_item;

/* ---- the rate ----------------------------------------------------------------------- */

/* How many patches could be made and how many could not; older ones weigh less.
 * All-zero knows nothing. */
typedef struct pare_pool_rate {
    double made, failed;
    double made_long, failed_long; /* the same with a longer memory */
} pare_pool_rate;

/* Takes the outcome of `item`: all its patches were made, or at least one was not.  A first
 * half that does not fail is no news: it explains why its group did not. */
void pare_pool_queue_learn(pare_pool_rate *rate, pare_pool_item item, bool made);

/* How many patches from the beginning of `range` are best tried together: the number with
 * the largest expected gain in bytes, at least 1. */
uint32_t pare_pool_queue_group(const pare_pool_plan *plan, pare_pool_range range,
                               const pare_pool_rate *rate);

/* Predicted probability that a test of `item` fails, 0 .. 1.  A first half is known to
 * belong to a group that does not fail. */
double pare_pool_queue_chance(const pare_pool_rate *rate, pare_pool_item item);

/* ---- the queue ---------------------------------------------------------------------- */

/* A priority queue that copies of a state share: a copy by memcpy retains `items`.
 * All-zero is empty. */
typedef struct pare_pool_queue {
    pare_shared *items; /* one reference; a heap of pare_pool_item; NULL: there never was one */
    size_t n;
} pare_pool_queue;

/* Makes the queue its holder's own, with room for `more` items: after that, up to `more`
 * may be pushed.  Errors: PARE_E_NOMEM; nothing has changed. */
PARE_CHECK pare_status pare_pool_queue_own(pare_pool_queue *queue, size_t more, pare_error *err);

/* The functions below need a queue that is owned. */

/* What is to be tried first now, given the rate; *rest is what stays of a fresh range, or is
 * empty.  The queue must not be empty, and stays as it is. */
pare_pool_item pare_pool_queue_first(const pare_pool_queue *queue, const pare_pool_plan *plan,
                                     const pare_pool_rate *rate, pare_pool_item *rest);

/* Drops what was first and pushes `rest`. */
void pare_pool_queue_drop(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item rest);

/* Pushes `item`, unless its range is empty. */
void pare_pool_queue_push(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item item);

/* Pushes what is to be tried instead of `item`, which was or is not in the queue: at most
 * two items, and none instead of one that was swept. */
void pare_pool_queue_split(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item item);

/* Whether no item of the queue comes before its parent in the heap: the invariant.  O(n). */
bool pare_pool_queue_check(const pare_pool_queue *queue, const pare_pool_plan *plan);

/* ---- trials ------------------------------------------------------------------------- */

/* What patches are tried on top of. */
typedef struct pare_pool_trial_base {
    const pare_pool_plan *plan;
    const pare_pool_set *set;
    const pare_pool_set *than; /* with `shorter`, candidates must be smaller than with this set */
    size_t size;               /* bytes of the text with `than` */
    const pare_tried_digests *tried; /* what did not fail, and what is there already */
} pare_pool_trial_base;

/* A candidate that is worth a test.  All-zero is none. */
typedef struct pare_pool_trial {
    pare_pool_item item;
    pare_pool_set set; /* one reference: the base's with the item's */
    bool whole;        /* no patch of the item was left out */
    size_t size;       /* bytes of the candidate */
    pare_digest digest;
} pare_pool_trial;

void pare_pool_queue_trial_done(pare_pool_trial *trial);

typedef enum pare_pool_verdict {
    PARE_POOL_TEST,  /* *trial and *candidate are set */
    PARE_POOL_SPLIT, /* not worth a test as it is: known, not smaller, not admitted, no union */
    PARE_POOL_SKIP   /* all its changes are in the set already */
} pare_pool_verdict;

/* Looks at `item`, which must not be fresh.  *trial (none) is set only for PARE_POOL_TEST.
 * Costs no test.  Errors: PARE_E_NOMEM, those of the predicate that admits. */
PARE_CHECK pare_status pare_pool_queue_try(const pare_pool_trial_base *base, pare_pool_item item,
                                           pare_pool_trial *trial, pare_candidate *candidate,
                                           pare_pool_verdict *verdict, pare_error *err);

/* ---- the log of successes --------------------------------------------------------------- */

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

void pare_pool_queue_log_done(pare_success_log *log); /* all-zero is a no-op */

/* Adds a success that ends at byte `end` of the text; its number is log->last.
 * Amortised O(1).  Errors: PARE_E_NOMEM; only the number has changed then. */
PARE_CHECK pare_status pare_pool_queue_log_add(pare_success_log *log, uint32_t end,
                                               pare_error *err);

/* Whether anything that ends after `place` was made after success `number`.  O(log n). */
bool pare_pool_queue_log_any(const pare_success_log *log, uint32_t number, uint32_t place);

#endif
