/* The inside of a run: the parts that other files implement. pare_campaign_run is in
 * coordinator.c. */
#ifndef PARE_CAMPAIGN_COORDINATOR_H
#define PARE_CAMPAIGN_COORDINATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/campaign.h>
#include <pare/findings.h>

#include "campaign/fuzz_schedule.h"
#include "campaign/job_process.h"
#include "campaign/listener.h"
#include "os/file_watch.h"

/* Sums of a pair's statistics when they were last looked at. */
typedef struct pare_pair_sums {
    uint64_t tests, findings, edges;
} pare_pair_sums;

/* How often a job's process has died; forgotten with the run, whose end is no fault of the job. */
typedef struct pare_job_death {
    int64_t id;
    unsigned n;
} pare_job_death;

typedef struct pare_coordinator {
    const pare_campaign *campaign;            /* borrowed */
    const pare_campaign_run_options *options; /* borrowed */
    pare_store *store;                        /* owned, as all below */
    int lock_fd;
    pare_file_watch *watch;
    pare_listeners *listeners;
    pare_fuzz_schedule schedule;
    pare_pair_sums *sums; /* of each pair */
    pare_job_processes processes;
    pare_job_process *jobs; /* that run, n_jobs of them */
    size_t n_jobs, capacity;
    pare_job_death *deaths;
    size_t n_deaths, deaths_capacity;
    int64_t config, last_event;
    unsigned slots, busy;
    int64_t blocked; /* the first job that waits and does not fit; 0: none */
    unsigned passed; /* how many were started before it */
    bool last_was_fuzz, all_paused;
    bool has_strays;   /* jobs are said to run that are not ours */
    bool ends;         /* no more fuzzing: time is over, or there is nothing left to do */
    bool ends_at_once; /* nor anything else */
    uint64_t started_ms, max_tests, max_ms;
    uint64_t tests_before, failures_before, findings_before, allotted;
    char trouble[256]; /* the last job that could not be done */
    pare_campaign_summary summary;
} pare_coordinator;

/* ---- coordinator_jobs.c: starting and ending jobs ---- */

/* Starts jobs until no slot is free, or none waits. */
PARE_CHECK pare_status pare_coordinator_jobs_fill(pare_coordinator *run, pare_error *err);

/* Takes jobs[i], whose process has ended. */
PARE_CHECK pare_status pare_coordinator_jobs_reap(pare_coordinator *run, size_t i, pare_error *err);

/* Ends the jobs that are left of earlier runs. */
PARE_CHECK pare_status pare_coordinator_jobs_recover(pare_coordinator *run, pare_error *err);

/* Does what was asked for from outside. */
PARE_CHECK pare_status pare_coordinator_jobs_grant(pare_coordinator *run, pare_error *err);

#endif
