/* Trials: what trying a range of patches on top of a set comes to.  For this folder only. */
#ifndef PARE_ENGINE_POOL_TRIAL_H
#define PARE_ENGINE_POOL_TRIAL_H

#include "base/digest.h"
#include "engine/pool_plan.h"
#include "engine/pool_rate.h"
#include "engine/seen.h"
#include "text/candidate.h"

/* What patches are tried on top of. */
typedef struct pare_pool_ground {
    const pare_pool_plan *plan;
    const pare_pool_set *set;
    const pare_pool_set *than; /* with `shorter`, candidates must be smaller than with this */
    size_t size;               /* bytes of the text with that */
    const pare_seen *seen;     /* what was tried and did not fail, and what is there already */
} pare_pool_ground;

/* A candidate that is worth a test.  All-zero is none. */
typedef struct pare_pool_trial {
    pare_pool_item item;
    pare_pool_set set; /* one reference: the ground's with the item's */
    bool whole;        /* no patch of the item was left out */
    size_t size;
    pare_digest digest;
} pare_pool_trial;

void pare_pool_trial_done(pare_pool_trial *trial);

typedef enum pare_pool_verdict {
    PARE_POOL_TEST,  /* *trial and *candidate are set */
    PARE_POOL_SPLIT, /* not worth one as it is: known, not smaller, not admitted, no union */
    PARE_POOL_SKIP   /* there already */
} pare_pool_verdict;

/* Looks at `item`, which must not be fresh.  *trial (none) is set only for PARE_POOL_TEST.
 * Errors: PARE_E_NOMEM, those of the predicate that admits. */
PARE_CHECK pare_status pare_pool_consider(const pare_pool_ground *ground, pare_pool_item item,
                                          pare_pool_trial *trial, pare_candidate *candidate,
                                          pare_pool_verdict *verdict, pare_error *err);

#endif
