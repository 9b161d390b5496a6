/* The job "validate": checks whether the current target still shows a finding.
 *
 * The reduced input is tested first, because people see that one.  If it does not show the finding,
 * the first input is tested, since the reduced one may depend on something that has changed.  Other
 * failures of these runs become findings.  The whole result is one transaction. */
#include <stdbool.h>

#include <pare/findings.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "campaign/finding.h"
#include "campaign/finding_job.h"
#include "campaign/job_run.h"
#include "campaign/store.h"
#include "campaign/validation.h"

/* Asks the reduced input, if there is one: *done says that it has settled the matter. */
static pare_status validate_reduced(pare_finding_job *job, pare_validation *validation, bool *done,
                                    pare_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (!*job->finding.reduced) return PARE_OK;
    pare_status status =
        pare_store_content(job->run->store, job->finding.reduced, &bytes, &size, err);
    if (!status) status = pare_finding_job_validate(job, bytes, size, validation, err);
    *done = !status && validation->validity != PARE_NOT_THERE;
    pare_alloc_free(bytes);
    return status;
}

/* What came of it, in a line. */
static pare_status describe(const pare_validation *validation, pare_buffer *line, pare_error *err)
{
    if (validation->validity == PARE_NOT_RUN)
        return pare_buffer_format(line, err, "the target cannot be run: %s", validation->why);
    return pare_validation_describe(validation->rate, line, err);
}

/* The line is made before the transaction begins, to keep that short. */
static pare_status finish(pare_finding_job *job, const pare_validation *validation, pare_error *err)
{
    pare_buffer line = {0};
    pare_status status = describe(validation, &line, err);
    if (!status) status = pare_store_begin(job->run->store, err);
    if (!status) {
        status = pare_finding_job_keep(job, validation, err);
        if (!status) status = pare_finding_job_end(job, line.data, err);
        status = pare_store_end(job->run->store, status, err);
    }
    pare_buffer_done(&line);
    return status;
}

/* The first input decides if the reduced one does not show it: its rate is then that of the
 * finding. */
pare_status pare_validate_job(const pare_job_run *run, pare_error *err)
{
    pare_finding_job job;
    pare_validation validation = {.validity = PARE_NOT_THERE};
    bool done = false;
    pare_status status = pare_finding_job_open(run, &job, err);
    if (!status) status = validate_reduced(&job, &validation, &done, err);
    if (!status && !done)
        status = pare_finding_job_validate(&job, job.input, job.input_bytes, &validation, err);
    if (!status) status = finish(&job, &validation, err);
    pare_finding_job_done(&job);
    return status;
}
