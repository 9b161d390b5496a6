/* The job that reports a finding, which the campaign queues for sections with `auto`, and viewers for
 * what their users ask.
 *
 * Its effects are in the tracker and the finding, so it has no state of its own: a job that was
 * killed starts again from the beginning, and finds what it had created (report_finding.c).  If the
 * finding was reported before, or seems to be, or was fixed while the job waited, the job does not
 * fail: its line says so. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pare/campaign.h>
#include <pare/campaign_report.h>
#include <pare/findings.h>

#include "base/fail.h"
#include "campaign/campaign_file.h"
#include "campaign/job.h"
#include "campaign/job_run.h"
#include "campaign/section.h"
#include "campaign/tracker.h"

/* What came of it, for people. */
static void tell(const pare_report_result *result, char *line, size_t size)
{
    const char *what = result->seems_known ? "seems to be reported already, at "
                       : result->is_known  ? "was reported already, at "
                       : result->url[0]    ? "is reported at "
                                           : "is written to ";
    (void)snprintf(line, size, "%s%.400s", what, result->url[0] ? result->url : result->path);
}

/* The section that the detail names, or the first that goes to such a tracker;
 * NULL: none. */
static const pare_section *find_section(const pare_job_run *run)
{
    const pare_section *section = pare_campaign_section(run->campaign, "report", run->job->detail);
    for (size_t i = 0; !section; i++) {
        const pare_section *at = pare_campaign_section_at(run->campaign, "report", i);
        if (!at) break;
        if (strcmp(pare_section_text(at, "to"), run->job->detail) == 0) section = at;
    }
    return section;
}

/* Jobs send what can be sent, and write the rest: a tracker without a token is one for which the user
 * wants files. */
static bool can_send(const pare_job_run *run)
{
    const pare_section *section = find_section(run);
    pare_tracker_kind kind;
    if (!section || !pare_tracker_find(pare_section_text(section, "to"), &kind)) return false;
    const char *variable = pare_section_text(section, "token_env");
    return pare_section_text(section, "token_file")[0] ||
           getenv(variable[0] ? variable : pare_tracker_token_variable(kind)) != NULL;
}

/* The job as a whole. A finding that is not to be reported any more is no
 * failure: the job is done, and its line says why. pare_report_finding sets
 * `result` in any case. */
pare_status pare_report_job(const pare_job_run *run, pare_error *err)
{
    enum { LINE_BYTES = 512 };
    char line[LINE_BYTES] = "";
    pare_report_result result;
    const pare_report_options options = {.to = run->job->detail, .send = can_send(run)};
    pare_error said = {0};
    if (run->job->finding <= 0)
        return pare_fail(err, PARE_E_STATE, "the finding to report is missing");
    pare_status status =
        pare_report_finding(run->store, run->job->finding, &options, &result, &said);
    bool is_settled = status == PARE_E_STATE && result.is_settled;
    if (status && !is_settled) return pare_fail(err, status, "%s", said.message);
    tell(&result, line, sizeof line);
    return pare_job_set_ended(run->store, run->job->id, PARE_JOB_DONE,
                              is_settled ? said.message : line, err);
}

/* The variables that are asked for without a section, and those that sections name. */
void pare_report_job_hide_tokens(const pare_campaign *campaign)
{
    const pare_section *section;
    for (int i = 0; i < PARE_TRACKER_N_KINDS; i++)
        (void)unsetenv(pare_tracker_token_variable((pare_tracker_kind)i));
    for (size_t i = 0; (section = pare_campaign_section_at(campaign, "report", i)) != NULL; i++) {
        const char *variable = pare_section_text(section, "token_env");
        if (variable[0]) (void)unsetenv(variable);
    }
}
