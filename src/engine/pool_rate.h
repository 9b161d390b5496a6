/* How often the patches of a pool can be made, as learned from what came of them: what the
 * sizes of groups, and predictions, go by.  For this folder only. */
#ifndef PARE_ENGINE_POOL_RATE_H
#define PARE_ENGINE_POOL_RATE_H

#include "engine/pool_plan.h"

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

/* All-zero knows nothing. */
typedef struct pare_pool_rate {
    double made, failed;           /* older ones weighing less */
    double made_long, failed_long; /* the same with a longer memory */
} pare_pool_rate;

/* Takes what came of `item`: all its patches were made, or one at least was not.  That a
 * first half does not fail is no news: it explains why its group did not. */
void pare_pool_rate_learn(pare_pool_rate *rate, pare_pool_item item, bool made);

/* How many patches from the beginning of `range` are best tried together: the number with
 * the largest expected gain, at least 1. */
uint32_t pare_pool_group(const pare_pool_plan *plan, pare_pool_range range,
                         const pare_pool_rate *rate);

/* How probable it is that a test of `item` fails, as predicted: a first half is known to be
 * of a group that does not. */
double pare_pool_rate_chance(const pare_pool_rate *rate, pare_pool_item item);

#endif
