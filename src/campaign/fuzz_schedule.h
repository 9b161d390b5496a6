/* Whose turn it is: the choice among all (source, target) pairs of a campaign.
 *
 * Each pair gets slots in proportion to the source's weight and to what its jobs have earned lately
 * (bandit.h).  Runs nothing, reads no clock and no store, so the
 * same calls give the same choices.  One thread. */
#ifndef PARE_CAMPAIGN_FUZZ_SCHEDULE_H
#define PARE_CAMPAIGN_FUZZ_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/campaign.h>

#include "base/fail.h"
#include "campaign/bandit.h"

typedef enum pare_pair_state {
    PARE_PAIR_READY,
    PARE_PAIR_DRY,     /* the source has no more to give */
    PARE_PAIR_GIVEN_UP /* its jobs failed again and again */
} pare_pair_state;

typedef struct pare_fuzz_schedule_pair {
    const char *source, *target; /* borrowed from the campaign */
    unsigned cost, instances;    /* slots of a job; jobs at once */
    unsigned running;
    bool was_used;     /* a job of it has ended */
    unsigned failures; /* in a row */
    pare_pair_state state;
} pare_fuzz_schedule_pair;

/* All-zero before init. */
typedef struct pare_fuzz_schedule {
    pare_fuzz_schedule_pair *pairs; /* owned; in the order of sources, then targets */
    size_t n_pairs, capacity;
    pare_bandit_arm *arms; /* owned; of each pair */
    size_t arms_capacity;
} pare_fuzz_schedule;

/* What came of a job. */
typedef struct pare_fuzz_schedule_result {
    double slot_s;          /* its time, times its cost */
    double findings, edges; /* new ones */
    bool failed;            /* it could not be done; `dry` does not count then */
    bool dry;
} pare_fuzz_schedule_result;

/* The pairs of `campaign`, which is borrowed; costs are cut to `slots`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fuzz_schedule_init(pare_fuzz_schedule *schedule,
                                               const pare_campaign *campaign, unsigned slots,
                                               pare_error *err);
void pare_fuzz_schedule_done(pare_fuzz_schedule *schedule);

/* The pair whose turn it is, of those that fit into `room` slots; SIZE_MAX: none.  The next one in
 * the order waits, with all behind it, if it is too large: it is not overtaken for ever. */
size_t pare_fuzz_schedule_next(const pare_fuzz_schedule *schedule, unsigned room);

/* How many pairs could have a job now. */
size_t pare_fuzz_schedule_ready(const pare_fuzz_schedule *schedule);

void pare_fuzz_schedule_start(pare_fuzz_schedule *schedule, size_t pair);
void pare_fuzz_schedule_end(pare_fuzz_schedule *schedule, size_t pair,
                            const pare_fuzz_schedule_result *result);

/* Whether any pair may have a job again, or has one. */
bool pare_fuzz_schedule_is_alive(const pare_fuzz_schedule *schedule);

#endif
