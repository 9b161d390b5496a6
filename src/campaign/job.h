/* Jobs in the store: the queue, who runs, and how it ended.  One thread. */
#ifndef PARE_CAMPAIGN_JOB_H
#define PARE_CAMPAIGN_JOB_H

#include <sys/types.h>

#include <pare/findings.h>

#include "campaign/store.h"

/* A job to be; texts may be NULL for "". */
typedef struct pare_job_order {
    pare_job_kind kind;
    int64_t finding; /* 0: none */
    const char *target, *source, *detail;
    unsigned cost; /* slots; 0: 1 */
    int priority;
    int64_t config; /* 0: the campaign's newest when the job is got (PARE_FACT_CAMPAIGN) */
} pare_job_order;

/* Queues it, unless the same (kind, finding, target, source, detail) waits or is paused already:
 * then *id is that one's, with the higher of the two priorities. */
PARE_CHECK pare_status pare_job_add(pare_store *store, const pare_job_order *order, int64_t *id,
                                    pare_error *err);

/* One job with all that belongs to it; *job is to be done. */
PARE_CHECK pare_status pare_job_get(pare_store *store, int64_t id, pare_job *job, int64_t *config,
                                    pare_error *err);
void pare_job_done(pare_job *job);

/* The waiting jobs, the next one first, of cost up to `cost`: at most *n, which becomes how many. */
PARE_CHECK pare_status pare_job_next(pare_store *store, unsigned cost, int64_t *ids, size_t *n,
                                     pare_error *err);

PARE_CHECK pare_status pare_job_set_running(pare_store *store, int64_t id, pid_t pid,
                                            pare_error *err);
PARE_CHECK pare_status pare_job_set_waiting(pare_store *store, int64_t id, pare_error *err);
PARE_CHECK pare_status pare_job_set_paused(pare_store *store, int64_t id, pare_error *err);
/* DONE, FAILED or CANCELLED, with a line on what came of it; part of the transaction of its last
 * effects.  Errors: PARE_E_STATE (it has ended already: these effects are not to be kept). */
PARE_CHECK pare_status pare_job_set_ended(pare_store *store, int64_t id, pare_job_state state,
                                          const char *progress, pare_error *err);
PARE_CHECK pare_status pare_job_set_progress(pare_store *store, int64_t id, const char *progress,
                                             double done, uint64_t tests, pare_error *err);

/* Whoever does job `id` holds its lock meanwhile: close *fd at its end.  Errors: PARE_E_BUSY. */
PARE_CHECK pare_status pare_job_claim(pare_store *store, int64_t id, int *fd, pare_error *err);

/* Jobs that are said to run, though nobody holds their lock (after a kill): they wait again.
 * Folders of jobs that have ended are removed. */
PARE_CHECK pare_status pare_job_recover(pare_store *store, uint64_t *n, pare_error *err);

/* What was asked for from outside since the last call: running jobs to be ended or paused, and to
 * go on before that was done.  Each is told once; at most *n, which becomes how many.
 * *all_paused: fuzzing as a whole. */
typedef struct pare_job_wish {
    int64_t id;
    enum { PARE_WISH_CANCEL, PARE_WISH_PAUSE, PARE_WISH_GO_ON } what;
} pare_job_wish;
PARE_CHECK pare_status pare_job_wishes(pare_store *store, pare_job_wish *wishes, size_t *n,
                                       bool *all_paused, pare_error *err);

/* A private folder that outlives the job's process, for journals: STORE.work/job-N.  On PARE_OK
 * the caller owns *path.  Removed when the job has ended (job_run.c, the coordinator), after a kill by
 * pare_job_recover. */
PARE_CHECK pare_status pare_job_folder(pare_store *store, int64_t id, char **path, pare_error *err);
void pare_job_folder_remove(pare_store *store, int64_t id);

#endif
