/* The jobs: each kind has one function, called in the job's own process by pare_campaign_do_job.
 *
 * A job's effects are in the store; its end is part of the transaction of its last effects.  When
 * `stop` is requested, it saves its progress and returns PARE_E_INTERRUPTED: the coordinator queues
 * it again or marks it as cancelled.  One thread. */
#ifndef PARE_CAMPAIGN_JOB_RUN_H
#define PARE_CAMPAIGN_JOB_RUN_H

#include <pare/campaign.h>
#include <pare/findings.h>
#include <pare/stop.h>

#include "campaign/store.h"

typedef struct pare_job_run {
    pare_store *store;
    const pare_campaign *campaign;
    const pare_job *job;
    int64_t config;
    const char *folder; /* private, kept until the job has ended; see pare_job_folder */
    pare_stop *stop;
} pare_job_run;

/* A fuzz job's `detail` is the most tests that it may make, in decimal; "": as many as the source's
 * batch.  It ends as DONE; when the source has no more to give, with this as its line. */
#define PARE_FUZZ_DRY "the source has no more inputs"

PARE_CHECK pare_status pare_fuzz_job(const pare_job_run *run, pare_error *err);
PARE_CHECK pare_status pare_reduce_job(const pare_job_run *run, pare_error *err);
PARE_CHECK pare_status pare_validate_job(const pare_job_run *run, pare_error *err);
PARE_CHECK pare_status pare_update_job(const pare_job_run *run, pare_error *err);
PARE_CHECK pare_status pare_bisect_job(const pare_job_run *run, pare_error *err);
PARE_CHECK pare_status pare_report_job(const pare_job_run *run, pare_error *err);

/* Takes the tokens of the campaign's trackers out of the environment of this process, before a job
 * runs targets in it: what a target prints is kept, and shown to others. */
void pare_report_job_hide_tokens(const pare_campaign *campaign);

#endif
