/* The common part of all jobs about one finding: what they read, and how they store other failures
 * that they meet, at once, before they go on.  So a kill costs only repeated work, never a failure.
 * Their own result is in one transaction with their end. */
#include "campaign/finding_job.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/finding.h"
#include "campaign/identity.h"
#include "campaign/job.h"
#include "campaign/store.h"

/* Reads all that a job about a finding needs. The finding is what it is when
 * the job begins; changes meanwhile are not waited for, as jobs take minutes.
 * After a failure *job is still to be ended by pare_finding_job_done. */
pare_status pare_finding_job_open(const pare_job_run *run, pare_finding_job *job, pare_error *err)
{
    *job = (pare_finding_job){.run = run};
    pare_status status = pare_store_finding(run->store, run->job->finding, &job->finding, err);
    if (!status)
        status =
            pare_store_content(run->store, job->finding.input, &job->input, &job->input_bytes, err);
    if (!status) status = pare_target_read(run->campaign, job->finding.target, &job->target, err);
    if (status) return status;
    /* A target whose version cannot be told is one of which no version is known. */
    pare_error ignored = {0};
    status =
        pare_target_version(run->campaign, job->finding.target, run->stop, &job->version, &ignored);
    if (status == PARE_E_INTERRUPTED) return pare_fail(err, status, "%s", ignored.message);
    if (!status || status == PARE_E_NOMEM) return status;
    job->version = pare_alloc_text("", 0);
    return job->version ? PARE_OK : pare_fail_nomem(err);
}

/* Also of one that was opened in part: what it lacks is NULL. */
void pare_finding_job_done(pare_finding_job *job)
{
    pare_finding_done(&job->finding);
    pare_target_done(&job->target);
    pare_alloc_free(job->version);
    pare_alloc_free(job->input);
    *job = (pare_finding_job){.run = NULL};
}

/* Adds a failure that a job has met by chance as a finding of its own. Its
 * source is that of the finding at hand: there it comes from, if by a detour,
 * and sources are judged by what they lead to. */
pare_status pare_finding_job_add(const pare_finding_job *job, const char *signature,
                                 const char *output, const void *bytes, size_t size,
                                 pare_error *err)
{
    pare_failure_added added;
    pare_buffer identity = {0}, title = {0};
    pare_status status = pare_target_identify(&job->target, signature, bytes, size, &identity, err);
    if (!status) status = pare_identity_title(identity.data, &title, err);
    const pare_failure failure = {.target = job->finding.target,
                                  .source = job->finding.source,
                                  .version = job->version,
                                  .config = job->run->config,
                                  .signature = signature,
                                  .identity = identity.data,
                                  .title = title.data,
                                  .output = output ? output : "",
                                  .bytes = size ? bytes : "",
                                  .size = size,
                                  .from_job = job->run->job->id};
    if (!status) status = pare_finding_add(job->run->store, &failure, &added, err);
    pare_buffer_done(&identity);
    pare_buffer_done(&title);
    return status;
}

/* What a validation is about, while it goes on. */
struct validating {
    const pare_finding_job *job;
    const void *bytes;
    size_t size;
};

/* Another failure of the same input: a finding of its own, in the store before the next run. */
static pare_status on_other(void *context, const pare_target_seen *seen, pare_error *err)
{
    const struct validating *now = context;
    return pare_finding_job_add(now->job, seen->signature, seen->output, now->bytes, now->size,
                                err);
}

/* Validates an input with the finding's identity. The counts of earlier
 * validations are handed on, so of a failure that comes by chance each
 * validation makes the rate more exact. Costs the runs of pare_validation_run. */
pare_status pare_finding_job_validate(pare_finding_job *job, const void *bytes, size_t size,
                                      pare_validation *validation, pare_error *err)
{
    struct validating now = {.job = job, .bytes = bytes, .size = size};
    const pare_validation_options options = {
        .target = &job->target,
        .identity = job->finding.identity,
        .bytes = bytes,
        .size = size,
        .earlier = {.fails = job->finding.fails, .runs = job->finding.runs},
        .stop = job->run->stop,
        .other = on_other,
        .context = &now};
    return pare_validation_run(&options, validation, err);
}

/* Stores what a validation has come to. A target that could not be run says
 * nothing about the finding, whose state stays; that is told as trouble, or a
 * finding that is never validated would look like one that waits. */
pare_status pare_finding_job_keep(const pare_finding_job *job, const pare_validation *validation,
                                  pare_error *err)
{
    pare_status status = pare_finding_set_validity(
        job->run->store, job->finding.id,
        &(pare_finding_seen){validation->validity, job->version, validation->rate.fails,
                             validation->rate.runs},
        err);
    if (!status && validation->validity == PARE_NOT_RUN)
        status = pare_store_tell(job->run->store, "trouble", job->finding.id, job->run->job->id,
                                 validation->why, err);
    return status;
}

/* Ends the job as done, within the caller's transaction. PARE_E_STATE if
 * somebody has ended it meanwhile, which takes the effects of that transaction
 * back as well. */
pare_status pare_finding_job_end(const pare_finding_job *job, const char *line, pare_error *err)
{
    return pare_job_set_ended(job->run->store, job->run->job->id, PARE_JOB_DONE, line, err);
}
