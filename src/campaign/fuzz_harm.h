/* Harm that a target does while it is fuzzed: it does not end, prints without end, starts processes
 * that outlive it, removes its input, is killed, reaches a limit.
 *
 * None of this is a finding, and none may stop a campaign; but a user whose campaign hardly tests
 * anything wants to know why.  A fuzz job counts it and reports it at its end: one sentence for
 * each target and kind, once for each version of the configuration.  The store keeps the total
 * number of tests.  One thread. */
#ifndef PARE_CAMPAIGN_FUZZ_HARM_H
#define PARE_CAMPAIGN_FUZZ_HARM_H

#include <stdint.h>

#include <pare/findings.h>

#include "base/fail.h"
#include "campaign/job_run.h"
#include "run/oracle.h"

/* All-zero at the start of a job. */
typedef struct pare_fuzz_harm {
    uint64_t n[PARE_HARM_N];       /* tests, by kind */
    uint64_t counted[PARE_HARM_N]; /* of them, in the store */
    uint64_t n_tests;
    unsigned most_left; /* processes that one test left */
} pare_fuzz_harm;

/* Counts a test. */
void pare_fuzz_harm_note(pare_fuzz_harm *harm, const pare_verdict *verdict);

/* Adds what is not in the store yet to what it has (pare_store_harm_each).  Errors: those of the
 * store. */
PARE_CHECK pare_status pare_fuzz_harm_count(pare_fuzz_harm *harm, pare_store *store,
                                            const char *target, pare_error *err);

/* Tells the store what has not been told yet: events "trouble".  Errors: those of the store. */
PARE_CHECK pare_status pare_fuzz_harm_tell(const pare_fuzz_harm *harm, const pare_job_run *run,
                                           pare_error *err);

#endif
