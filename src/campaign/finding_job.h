/* The beginning and the end that all jobs about one finding share.  One thread. */
#ifndef PARE_CAMPAIGN_FINDING_JOB_H
#define PARE_CAMPAIGN_FINDING_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/findings.h>

#include "campaign/job_run.h"
#include "campaign/target.h"
#include "campaign/validation.h"

typedef struct pare_finding_job {
    const pare_job_run *run; /* borrowed */
    pare_finding finding;    /* as it was at the beginning; owned, as what follows */
    pare_target target;
    char *version; /* of the target; "": not known */
    unsigned char *input;
    size_t input_bytes;
} pare_finding_job;

/* Reads the finding, its input and its target, and asks for the target's version.  *job is to be
 * done in any case.  Errors: PARE_E_STATE (no such finding), PARE_E_ARG (its target is gone), of the
 * store. */
PARE_CHECK pare_status pare_finding_job_open(const pare_job_run *run, pare_finding_job *job,
                                             pare_error *err);
void pare_finding_job_done(pare_finding_job *job);

/* Validates an input of the finding; other failures become findings. */
PARE_CHECK pare_status pare_finding_job_validate(pare_finding_job *job, const void *bytes,
                                                 size_t size, pare_validation *validation,
                                                 pare_error *err);

/* Takes another failure in, one met on `bytes`. */
PARE_CHECK pare_status pare_finding_job_add(const pare_finding_job *job, const char *signature,
                                            const char *output, const void *bytes, size_t size,
                                            pare_error *err);

/* Stores a validation's result; a part of the caller's transaction, as is the next. */
PARE_CHECK pare_status pare_finding_job_keep(const pare_finding_job *job,
                                             const pare_validation *validation, pare_error *err);

/* Ends the job well, with a line on what came of it. */
PARE_CHECK pare_status pare_finding_job_end(const pare_finding_job *job, const char *line,
                                            pare_error *err);

#endif
