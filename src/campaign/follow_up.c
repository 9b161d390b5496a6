/* Jobs that follow from findings, and from programs that are out of date.
 *
 * One statement lists the findings that have had no job of the following kind since they came into
 * their state; each gets one.  A job that failed, or was cancelled, is not queued again, since that
 * would never end.  Adding is idempotent (job.h), so calling this too often is harmless. */

#include "campaign/follow_up.h"

#include <stdint.h>
#include <string.h>

#include <pare/stop.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "campaign/campaign_file.h"
#include "campaign/job.h"
#include "campaign/section.h"
#include "campaign/store.h"
#include "campaign/update_when.h"

/* What is still without its job, before anything is queued: a statement is not open meanwhile. */
struct due {
    int64_t *ids; /* owned */
    size_t n, capacity;
};

/* Numbers only: the findings are read again, one by one, when their jobs are queued. */
static pare_status add_due(struct due *due, int64_t id, pare_error *err)
{
    int64_t *ids = pare_vector_grow(due->ids, due->n, &due->capacity, sizeof *ids);
    if (!ids) return pare_fail_nomem(err);
    due->ids = ids;
    ids[due->n++] = id;
    return PARE_OK;
}

/* What has to follow an event of findings in a state: a job of one of two kinds. */
struct rule {
    pare_finding_state state;
    const char *event;
    pare_job_kind kind, other;
};

/* Findings in the rule's state without such a job since the last such event.  A finding that was
 * revived is new again, so it gets another job; one whose job failed does not.
 *
 * Reads all findings, of each of those in the state its jobs, and of those its events.  The indices
 * job_finding and event_finding are of rows with a finding only, so SQLite takes them only where the
 * statement says so: without "finding <> 0" each finding would read all jobs, and each of these all
 * events. */
static pare_status list_due(pare_store *store, const struct rule *rule, struct due *due,
                            pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool has_row = true;
    pare_status status = pare_store_prepare(
        store,
        "SELECT id FROM finding AS f WHERE state = ?1 AND NOT EXISTS (SELECT 1 FROM job"
        " WHERE job.finding = f.id AND job.finding <> 0 AND kind IN (?2, ?3)"
        " AND (job.state < 3 OR created >= (SELECT coalesce(max(time), 0) FROM event"
        " WHERE event.finding = f.id AND event.finding <> 0 AND kind = ?4)))"
        " ORDER BY id",
        &statement, err, "iiis", (int64_t)rule->state, (int64_t)rule->kind, (int64_t)rule->other,
        rule->event);
    while (!status) {
        status = pare_store_step(store, statement, &has_row, err);
        if (status || !has_row) break;
        status = add_due(due, sqlite3_column_int64(statement, 0), err);
    }
    (void)sqlite3_finalize(statement);
    return status;
}

/* Lists what is due by a rule, then queues what follows.  A finding may have been deleted since it was listed:
 * that is no failure. */
static pare_status follow(pare_store *store, const pare_campaign *campaign, const struct rule *rule,
                          pare_status (*queue)(pare_store *, const pare_campaign *, int64_t,
                                               pare_error *),
                          pare_error *err)
{
    struct due due = {0};
    pare_status status = list_due(store, rule, &due, err);
    for (size_t i = 0; i < due.n && !status; i++) {
        status = queue(store, campaign, due.ids[i], err);
        if (status != PARE_E_STATE) continue;
        pare_fail_clear(err);
        status = PARE_OK;
    }
    pare_alloc_free(due.ids);
    return status;
}

/* ---- new findings ------------------------------------------------------------------- */

/* Whether new findings of a target are reduced: the campaign may say no for all. */
static bool reduces(const pare_campaign *campaign, const pare_section *target)
{
    const pare_section *own = pare_campaign_section(campaign, "campaign", "");
    return pare_section_flag(own, "reduce") && pare_section_flag(target, "reduce");
}

/* A target that is not in the campaign any more has no jobs. */
static pare_status queue_new(pare_store *store, const pare_campaign *campaign, int64_t id,
                             pare_error *err)
{
    pare_finding finding = {0};
    pare_status status = pare_store_finding(store, id, &finding, err);
    if (status) return status;
    const pare_section *target = pare_campaign_section(campaign, "target", finding.target);
    if (target) {
        bool is_reduced = reduces(campaign, target);
        uint64_t jobs = pare_section_number(target, "reduce_jobs");
        const pare_job_order order = {.kind = is_reduced ? PARE_JOB_REDUCE : PARE_JOB_VALIDATE,
                                      .finding = id,
                                      .target = finding.target,
                                      .cost = is_reduced && jobs < UINT16_MAX ? (unsigned)jobs : 1};
        int64_t job = 0;
        status = pare_job_add(store, &order, &job, err);
    }
    pare_finding_done(&finding);
    return status;
}

/* Called when an event tells of a new finding, and at the start of a run, for what an earlier
 * one has left. */
pare_status pare_follow_up_new(pare_store *store, const pare_campaign *campaign, pare_error *err)
{
    static const struct rule rule = {PARE_FINDING_NEW, "new", PARE_JOB_REDUCE, PARE_JOB_VALIDATE};
    return follow(store, campaign, &rule, queue_new, err);
}

/* ---- reduced findings ---------------------------------------------------------------- */

/* One job for each section: one tracker that does not answer does not keep the others waiting. */
static pare_status queue_reports(pare_store *store, const pare_campaign *campaign, int64_t id,
                                 pare_error *err)
{
    pare_status status = PARE_OK;
    const pare_section *report;
    for (size_t i = 0; !status && (report = pare_campaign_section_at(campaign, "report", i)); i++) {
        if (!pare_section_flag(report, "auto")) continue;
        /* Short, and waited for by people: before reductions of what is found meanwhile. */
        const pare_job_order order = {.kind = PARE_JOB_REPORT,
                                      .finding = id,
                                      .detail = pare_section_name(report),
                                      .priority = 1};
        int64_t job = 0;
        status = pare_job_add(store, &order, &job, err);
    }
    return status;
}

/* A new finding is as good as it gets once it has been validated, if its target is not reduced. */
static pare_status queue_unreduced(pare_store *store, const pare_campaign *campaign, int64_t id,
                                   pare_error *err)
{
    pare_finding finding = {0};
    pare_status status = pare_store_finding(store, id, &finding, err);
    if (status) return status;
    const pare_section *target = pare_campaign_section(campaign, "target", finding.target);
    if (target && finding.validated && !reduces(campaign, target))
        status = queue_reports(store, campaign, id, err);
    pare_finding_done(&finding);
    return status;
}

/* A reduction kept the failure in each of its tests, one run each: whether the result shows it again,
 * and how often, is measured after it.  `validate_runs = 0`: the user does not want to know. */
static pare_status queue_validation(pare_store *store, const pare_campaign *campaign, int64_t id,
                                    pare_error *err)
{
    pare_finding finding = {0};
    pare_status status = pare_store_finding(store, id, &finding, err);
    if (status) return status;
    const pare_section *target = pare_campaign_section(campaign, "target", finding.target);
    if (target && pare_section_number(target, "validate_runs")) {
        const pare_job_order order = {
            .kind = PARE_JOB_VALIDATE, .finding = id, .target = finding.target};
        int64_t job = 0;
        status = pare_job_add(store, &order, &job, err);
    }
    pare_finding_done(&finding);
    return status;
}

/* A report says whether the result was validated, so it waits for that.  Reads the finding's own jobs
 * (job_finding). */
static pare_status queue_validated(pare_store *store, const pare_campaign *campaign, int64_t id,
                                   pare_error *err)
{
    int64_t waits = 0;
    pare_status status = pare_store_number(
        store,
        "SELECT count(*) FROM job WHERE finding = ?1 AND finding <> 0 AND kind = ?2 AND state < 3",
        &waits, 0, err, "ii", id, (int64_t)PARE_JOB_VALIDATE);
    return status || waits ? status : queue_reports(store, campaign, id, err);
}

/* Three rules in this order: a result is validated, and then reported; a finding of a target
 * that is not reduced is reported as it was found. */
pare_status pare_follow_up_reduced(pare_store *store, const pare_campaign *campaign,
                                   pare_error *err)
{
    static const struct rule unvalidated = {PARE_FINDING_REDUCED, "reduced", PARE_JOB_VALIDATE,
                                            PARE_JOB_VALIDATE};
    static const struct rule after_reduction = {PARE_FINDING_REDUCED, "reduced", PARE_JOB_REPORT,
                                                PARE_JOB_REPORT};
    static const struct rule after_validation = {PARE_FINDING_NEW, "validated", PARE_JOB_REPORT,
                                                 PARE_JOB_REPORT};
    pare_status status = follow(store, campaign, &unvalidated, queue_validation, err);
    if (!status) status = follow(store, campaign, &after_reduction, queue_validated, err);
    if (!status) status = follow(store, campaign, &after_validation, queue_unreduced, err);
    return status;
}

/* ---- updates --------------------------------------------------------------------------- */

/* An update changes the program below the tests that run, so by default nothing else runs. */
static pare_status queue_update(pare_store *store, const pare_section *target, unsigned slots,
                                pare_error *err)
{
    uint64_t cost = pare_section_number(target, "update_cost");
    const pare_job_order order = {.kind = PARE_JOB_UPDATE,
                                  .target = pare_section_name(target),
                                  .cost = cost && cost < slots ? (unsigned)cost : slots};
    int64_t job = 0;
    return pare_job_add(store, &order, &job, err);
}

/* Asked every ten minutes.  A condition that cannot be told is an event each time, and no reason
 * to end a campaign. */
pare_status pare_follow_up_updates(pare_store *store, const pare_campaign *campaign, unsigned slots,
                                   const pare_stop *stop, pare_error *err)
{
    pare_status status = PARE_OK;
    const pare_section *target;
    for (size_t i = 0; !status && (target = pare_campaign_section_at(campaign, "target", i)); i++) {
        bool due = false;
        pare_error why = {0};
        if (!*pare_section_text(target, "update") || !*pare_section_text(target, "update_when"))
            continue;
        pare_status asked =
            pare_update_when_is_due(campaign, pare_section_name(target), stop, &due, &why);
        if (asked == PARE_E_NOMEM) return pare_fail_nomem(err);
        if (asked == PARE_E_INTERRUPTED) return PARE_OK;
        if (asked) status = pare_store_tell(store, "trouble", 0, 0, why.message, err);
        if (!asked && due) status = queue_update(store, target, slots, err);
    }
    return status;
}
