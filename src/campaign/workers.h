/* Workers on other machines in a campaign: which ones it asks for, and what its store says about
 * them.
 *
 * Each job whose tests may run elsewhere asks for workers itself (run/remote/remote.h); a worker
 * shares its slots among them (run/remote/berth.h). Jobs store which workers they have, and viewers
 * add that up. One thread. */
#ifndef PARE_CAMPAIGN_WORKERS_H
#define PARE_CAMPAIGN_WORKERS_H

#include <pare/campaign.h>
#include <pare/findings.h>
#include <pare/test.h>

#include "base/fail.h"
#include "campaign/job_run.h"
#include "campaign/store.h"

/* What [campaign] says; without workers its url is NULL.  Where the server is away later, tests run at
 * home.  Borrowed from the campaign. */
pare_cluster_options pare_workers_options(const pare_campaign *campaign);

/* Sees who is there; nothing without workers.  Errors: PARE_E_ARG (a password in the URL, which the store
 * would keep), and those of pare_worker_list: no server, wrong credentials, no libnats. */
PARE_CHECK pare_status pare_workers_check(const pare_campaign *campaign, unsigned *n_workers,
                                          unsigned *n_slots, pare_error *err);

/* How many a job has now, and with how many slots. */
typedef struct pare_workers_share {
    unsigned n_workers, n_slots;
} pare_workers_share;

/* Notes what a job has, if that is not `noted`, and notes it there; none: it is forgotten. */
PARE_CHECK pare_status pare_workers_note(const pare_job_run *run, pare_workers_share now,
                                         pare_workers_share *noted, pare_error *err);

/* Forgets what jobs had that ended by a kill. */
PARE_CHECK pare_status pare_workers_forget(pare_store *store, pare_error *err);

/* Tells a sentence on a worker or the server, unless it is among the last that were told. */
PARE_CHECK pare_status pare_workers_tell(const pare_job_run *run, const char *sentence,
                                         pare_error *err);

#endif
