/* Triage: identity, finding, next job.
 *
 * A failure is met by fuzz jobs, by reductions (side failures), by validations and bisections; all of
 * them do the same about it, here.  Adding the finding and ordering its job are one transaction, so
 * there is no instant at which a kill leaves a new finding that nobody reduces. */
#include "campaign/triage.h"

#include <string.h>

#include <pare/findings.h>

#include "base/buffer.h"
#include "campaign/identity.h"
#include "campaign/job_table.h"

/* What is due for a finding that is new, or has come back. */
static pare_status order_job(pare_store *store, const pare_target *target, int64_t finding,
                             int64_t config, pare_error *err)
{
    int64_t id = 0;
    if (!target->reduces && !target->validates) return PARE_OK;
    const pare_job_order order = {.kind = target->reduces ? PARE_JOB_REDUCE : PARE_JOB_VALIDATE,
                                  .finding = finding,
                                  .target = target->name,
                                  .cost = target->reduces ? target->reduce_jobs : 1,
                                  .config = config};
    return pare_job_add(store, &order, &id, err);
}

static pare_status add(pare_store *store, const pare_target *target, const pare_failure *failure,
                       pare_failure_added *added, pare_error *err)
{
    pare_status status = pare_finding_add(store, failure, added, err);
    if (!status && (added->is_new || added->regressed))
        status = order_job(store, target, added->finding, failure->config, err);
    return status;
}

pare_status pare_triage_add(pare_store *store, const pare_target *target,
                            const pare_triage_failure *failure, pare_failure_added *added,
                            pare_error *err)
{
    pare_buffer identity = {0}, title = {0};
    const char *signature = failure->signature ? failure->signature : pare_target_untold;
    pare_status status =
        pare_target_identify(target, signature, failure->bytes, failure->size, &identity, err);
    if (!status) status = pare_identity_title(identity.data, &title, err);
    const pare_failure whole = {.target = target->name,
                                .source = failure->source,
                                .version = failure->version,
                                .config = failure->config,
                                .signature = signature,
                                .identity = identity.data,
                                .title = title.data,
                                .output = failure->output ? failure->output : "",
                                .bytes = failure->size ? failure->bytes : "",
                                .size = failure->size,
                                .from_job = failure->job};
    if (!status) status = pare_store_begin(store, err);
    if (!status) status = pare_store_end(store, add(store, target, &whole, added, err), err);
    pare_buffer_done(&identity);
    pare_buffer_done(&title);
    return status;
}
