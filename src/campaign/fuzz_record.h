/* What a fuzz job writes to the store: failures, the progress of its source, and its cost.
 *
 * These are collected here and written in one transaction, so that the three agree after a kill.
 * One thread. */
#ifndef PARE_CAMPAIGN_FUZZ_RECORD_H
#define PARE_CAMPAIGN_FUZZ_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/feedback.h"
#include "campaign/job_run.h"
#include "campaign/statistic.h"
#include "campaign/target.h"

enum {
    PARE_FUZZ_RECORD_FAILURES = 64,       /* that wait for a transaction, at most */
    PARE_FUZZ_RECORD_BYTES = 4 << 20,     /* their inputs, about */
    PARE_FUZZ_RECORD_IDENTITIES = 1 << 12 /* that are remembered as not new */
};

/* A failing test that waits. */
typedef struct pare_fuzz_failure {
    pare_buffer bytes, signature, identity, title, output;
} pare_fuzz_failure;

typedef struct pare_fuzz_record {
    const pare_job_run *run;   /* borrowed, as is: */
    const pare_target *target; /* what the tests are of */
    char *version;             /* owned; of the target */
    pare_feedback *feedback;   /* borrowed; shares what was reached; NULL: nobody tells */
    pare_statistic_delta delta;
    pare_fuzz_failure *failures; /* owned; PARE_FUZZ_RECORD_FAILURES */
    size_t n_failures, bytes;
    bool is_urgent;  /* one of them may be a new finding */
    uint64_t *known; /* owned; checksums of identities that are in the store; 0 is free */
    uint64_t n_tests, n_failing, n_new; /* of this job */
    uint64_t written_ms;                /* on the clock: the last transaction */
} pare_fuzz_record;

/* *record is to be done in any case.  Asks the target for its version, which runs a command.
 * Errors: those of pare_target_version, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fuzz_record_init(pare_fuzz_record *record, const pare_job_run *run,
                                             const pare_target *target, pare_error *err);
void pare_fuzz_record_done(pare_fuzz_record *record);

/* Takes a failing test; `signature` and `output` may be NULL: nothing was told.  There must be room (pare_fuzz_record_is_due).
 * Errors: PARE_E_SYNTAX (the signature), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fuzz_record_take(pare_fuzz_record *record, const char *signature,
                                             const void *bytes, size_t size, const char *output,
                                             pare_error *err);

/* Whether it is time to write: a second has passed, a finding may be new, or much waits. */
bool pare_fuzz_record_is_due(const pare_fuzz_record *record);

/* Writes all that is there, with the source's position, and begins anew.  With `ended` the job is
 * DONE, with this line on what came of it ("": its numbers).  Errors: those of the store; what was collected is kept. */
PARE_CHECK pare_status pare_fuzz_record_write(pare_fuzz_record *record, const char *position,
                                              const char *ended, pare_error *err);

#endif
