/* Runs one job: everything around the function of its kind.
 *
 * The job is claimed by a lock that dies with this process, so that nobody else runs it, and a
 * later coordinator knows whether we are alive.  The configuration is the one that the job was
 * created with, from the store, because the files may have changed since.
 *
 * A job ends in one of three ways.  It is done: its last effects and its state are one transaction.
 * It was asked to stop: it stays as it is, and the process that asked sets its next state.  It
 * failed: the error is its last line, and an event. */

#include "campaign/job_run.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "campaign/campaign_file.h"
#include "campaign/job.h"
#include "os/descriptor.h"

/* What a job has open. */
struct open_job {
    pare_store *store;
    pare_job job;
    bool has_job;
    int claim;
    int64_t config;
    pare_campaign *campaign;
    char *folder;
};

/* Closes what was opened, in part or whole. The claim goes before the store:
 * who waits for it may look at once. */
static void close_job(struct open_job *open)
{
    if (open->has_job) pare_job_done(&open->job);
    pare_campaign_free(open->campaign);
    pare_alloc_free(open->folder);
    pare_descriptor_close(&open->claim);
    pare_store_close(open->store);
}

/* Takes the lock of the job and reads it. PARE_E_BUSY: another process does it;
 * PARE_E_STATE: it has ended. Done by hand it is not running yet, and is noted
 * as such. */
static pare_status claim(struct open_job *open, int64_t id, pare_error *err)
{
    pare_status status = pare_job_claim(open->store, id, &open->claim, err);
    if (!status) status = pare_job_get(open->store, id, &open->job, &open->config, err);
    if (status) return status;
    open->has_job = true;
    if (open->job.state >= PARE_JOB_DONE)
        return pare_fail(err, PARE_E_STATE, "job %lld has ended", (long long)id);
    if (open->job.state == PARE_JOB_RUNNING) return PARE_OK;
    return pare_job_set_running(open->store, id, getpid(), err);
}

/* Reads the configuration that the job was ordered with, from the store and
 * never from files. */
static pare_status read_campaign(struct open_job *open, pare_error *err)
{
    char *text = NULL;
    if (!open->config)
        return pare_fail(err, PARE_E_STATE,
                         "the store has no campaign yet: start one with 'pare fuzz run'");
    pare_status status = pare_store_config(open->store, open->config, &text, err);
    if (!status) status = pare_campaign_read_text(text, open->store->path, &open->campaign, err);
    pare_alloc_free(text);
    return status;
}

/* Does the job by the function of its kind; a kind without one is of a later
 * version. Tokens of trackers are taken out of the environment first, so that
 * programs under test cannot read them; only reports need them, and an update
 * is the user's own command. */
static pare_status do_kind(const struct open_job *open, pare_stop *stop, pare_error *err)
{
    static pare_status (*const kinds[PARE_JOB_N_KINDS])(const pare_job_run *, pare_error *) = {
        [PARE_JOB_FUZZ] = pare_fuzz_job,         [PARE_JOB_REDUCE] = pare_reduce_job,
        [PARE_JOB_VALIDATE] = pare_validate_job, [PARE_JOB_UPDATE] = pare_update_job,
        [PARE_JOB_BISECT] = pare_bisect_job,     [PARE_JOB_REPORT] = pare_report_job,
    };
    const pare_job_run run = {.store = open->store,
                              .campaign = open->campaign,
                              .job = &open->job,
                              .config = open->config,
                              .folder = open->folder,
                              .stop = stop};
    assert((unsigned)open->job.kind < PARE_JOB_N_KINDS);
    if (!kinds[open->job.kind])
        return pare_fail(err, PARE_E_UNSUPPORTED, "nothing can run a job of kind %s",
                         pare_job_kind_name(open->job.kind));
    /* Reports need them, and an update is a command of the user's own. */
    if (open->job.kind != PARE_JOB_REPORT && open->job.kind != PARE_JOB_UPDATE)
        pare_report_job_hide_tokens(open->campaign);
    return kinds[open->job.kind](&run, err);
}

/* Notes how the job has ended, if it has not done so itself. One that was
 * interrupted stays as it is: who asked for the stop says what it becomes.
 * Returns the job's own status. */
static pare_status finish(const struct open_job *open, pare_status status, pare_error *err)
{
    int64_t id = open->job.id;
    pare_job now = {0};
    if (status == PARE_E_INTERRUPTED) return status;
    /* The store may be what failed: then nothing can be noted, and the coordinator sees a process that
     * ended without its job. */
    if (status) {
        char sentence[PARE_ERROR_TEXT_BYTES];
        (void)snprintf(sentence, sizeof sentence, "%s",
                       err->message[0] ? err->message : pare_status_name(status));
        pare_status noted = pare_job_set_ended(open->store, id, PARE_JOB_FAILED, sentence, NULL);
        if (!noted)
            noted = pare_store_tell(open->store, "trouble", open->job.finding, id, sentence, NULL);
        pare_job_folder_remove(open->store, id);
        return status;
    }
    status = pare_job_get(open->store, id, &now, NULL, err);
    if (!status && now.state < PARE_JOB_DONE)
        status = pare_job_set_ended(open->store, id, PARE_JOB_DONE, now.progress, err);
    if (!status) pare_job_done(&now);
    pare_job_folder_remove(open->store, id);
    return status;
}

/* Whatever happens after the job was claimed is noted by `finish`; before that the job is
 * somebody else's, or not known, and nothing is written. */
pare_status pare_campaign_do_job(const char *store_path, int64_t id, int wake_fd, pare_stop *stop,
                                 pare_error *err)
{
    pare_error own = {0};
    struct open_job open = {.claim = -1};
    const pare_store_patience patience = {.is_patient = true, .stop = stop};
    pare_status status = pare_store_open_patient(store_path, false, &patience, &open.store, &own);
    if (!status) open.store->wake_fd = wake_fd;
    if (!status) status = claim(&open, id, &own);
    if (!status) {
        status = read_campaign(&open, &own);
        if (!status) status = pare_job_folder(open.store, id, &open.folder, &own);
        if (!status) status = do_kind(&open, stop, &own);
        status = finish(&open, status, &own);
    }
    close_job(&open);
    if (status && err && !err->status) *err = own;
    return status;
}
