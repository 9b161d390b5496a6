/* The public functions of campaigns in a build without them (PARE_CAMPAIGN=OFF, or without SQLite or
 * inih).
 *
 * Everything that can fail returns PARE_E_UNSUPPORTED.  So there is never a store or a campaign,
 * and functions that cannot fail have nothing to do.  They are in one file, so that no other file
 * has to ask how the library was built.  If a public function is missing here, the linker finds it
 * in such a build (test_absent). */
#include <stddef.h>

#include <pare/campaign.h>
#include <pare/campaign_report.h>
#include <pare/findings.h>
#include <pare/generate.h>
#include <pare/guide.h>
#include <pare/stop.h>

#include "base/fail.h"

/* They are all about what there is not. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* The one sentence of all that can fail. It names the build and not the
 * function, since no function here can be made to work by calling it otherwise. */
static pare_status refuse(pare_error *err)
{
    return pare_fail(err, PARE_E_UNSUPPORTED, "this pare was built without campaigns");
}

/* --- findings.h: there is no store, so nothing is found, listed or changed --- */

pare_status pare_store_open(const char *path, bool create, pare_store **out, pare_error *err)
{
    return refuse(err);
}

/* A no-op: no store can have been opened, so `store` is NULL. */
void pare_store_close(pare_store *store)
{
}

pare_status pare_store_version(pare_store *store, uint64_t *version, pare_error *err)
{
    return refuse(err);
}

/* Names are for messages; nobody has a state to name. */
const char *pare_finding_state_name(pare_finding_state state)
{
    return "?";
}

/* False is "no such state", and *state stays as it is. */
bool pare_finding_state_find(const char *name, pare_finding_state *state)
{
    return false;
}

/* `visit` is never called. */
pare_status pare_store_findings(pare_store *store, const pare_finding_filter *filter,
                                pare_finding_visit visit, void *context, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_count_findings(pare_store *store, const pare_finding_filter *filter,
                                      uint64_t *n, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_finding(pare_store *store, int64_t id, pare_finding *finding,
                               pare_error *err)
{
    return refuse(err);
}

/* A no-op: findings that are all-zero own nothing. */
void pare_finding_done(pare_finding *finding)
{
}

pare_status pare_store_content(pare_store *store, const char *digest, unsigned char **bytes,
                               size_t *size, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_members(pare_store *store, int64_t id, pare_member_visit visit,
                               void *context, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_edit(pare_store *store, int64_t id, const pare_finding_edit *edit,
                            pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_merge(pare_store *store, int64_t id, int64_t into, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_split(pare_store *store, int64_t id, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_delete(pare_store *store, int64_t id, pare_error *err)
{
    return refuse(err);
}

/* As for states: nobody has a job to name. */
const char *pare_job_kind_name(pare_job_kind kind)
{
    return "?";
}

const char *pare_job_state_name(pare_job_state state)
{
    return "?";
}

/* Jobs need a store; asking for them, cancelling and pausing them does, too. */
pare_status pare_store_jobs(pare_store *store, bool all, uint64_t limit, pare_job_visit visit,
                            void *context, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_request(pare_store *store, pare_job_kind kind, int64_t finding,
                               const char *detail, int64_t *id, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_cancel(pare_store *store, int64_t id, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_pause(pare_store *store, int64_t id, bool pause, pare_error *err)
{
    return refuse(err);
}

/* How much works on a store, and what its statistics are: all of them read a store. */
pare_status pare_store_workers(pare_store *store, unsigned *n_workers, unsigned *n_slots,
                               pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_is_running(pare_store *store, bool *running, int64_t *since, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_is_paused(pare_store *store, bool *paused, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_statistics_each(pare_store *store, pare_statistics_visit visit,
                                       void *context, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_harm_each(pare_store *store, const char *target, pare_harm_visit visit,
                                 void *context, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_curve(pare_store *store, const char *target, size_t n_points,
                             pare_store_point *points, size_t *n, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_config(pare_store *store, int64_t config, char **text, pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_events(pare_store *store, int64_t after, int64_t finding, uint64_t last,
                              pare_event_visit visit, void *context, pare_error *err)
{
    return refuse(err);
}

/* A folder is neither written nor read. */
pare_status pare_store_export(pare_store *store, const int64_t *ids, size_t n, const char *folder,
                              pare_error *err)
{
    return refuse(err);
}

pare_status pare_store_import(pare_store *store, const char *folder, uint64_t *n_new,
                              uint64_t *n_known, pare_error *err)
{
    return refuse(err);
}

/* --- campaign.h: no campaign is ever read, so none can be run --- */

pare_status pare_campaign_read_sized(const pare_campaign_options *options, size_t options_bytes,
                                     pare_campaign **out, pare_error *err)
{
    return refuse(err);
}

/* A no-op: no campaign can have been read, so `campaign` is NULL. */
void pare_campaign_free(pare_campaign *campaign)
{
}

/* NULL is the end of the list. */
const pare_campaign_setting *pare_campaign_setting_at(const pare_campaign *campaign, size_t i)
{
    return NULL;
}

/* These two cannot fail. They are called with a campaign only, and there is none. */
const char *pare_campaign_text(const pare_campaign *campaign)
{
    return "?";
}

const char *pare_campaign_store_path(const pare_campaign *campaign)
{
    return "?";
}

pare_status pare_campaign_noise(const pare_campaign *campaign, char **setting, pare_error *err)
{
    (void)campaign;
    (void)setting;
    return refuse(err);
}

pare_status pare_campaign_try(const pare_campaign *campaign,
                              void (*tell)(void *context, const char *sentence), void *context,
                              size_t *n_wrong, pare_error *err)
{
    return refuse(err);
}

/* *summary is untouched, as after any failure. */
pare_status pare_campaign_run_sized(const pare_campaign *campaign,
                                    const pare_campaign_run_options *options, size_t options_bytes,
                                    pare_campaign_summary *summary, pare_error *err)
{
    return refuse(err);
}

pare_status pare_campaign_do_job(const char *store_path, int64_t id, int wake_fd, pare_stop *stop,
                                 pare_error *err)
{
    return refuse(err);
}

/* --- campaign_report.h: reports are about findings of a store --- */

pare_status pare_report_finding(pare_store *store, int64_t id, const pare_report_options *options,
                                pare_report_result *result, pare_error *err)
{
    return refuse(err);
}

pare_status pare_report_file(pare_store *store, const pare_finding_filter *filter,
                             const char *format, const char *path, pare_error *err)
{
    return refuse(err);
}

/* --- guide.h: guided generation is made of parts of campaigns --- */

/* *guided is all-zero after a failure, so that a caller can show it in any case. */
pare_status pare_guide_generate_sized(const pare_guide_options *options, size_t options_bytes,
                                      pare_generate_sink sink, void *context, pare_guided *guided,
                                      pare_error *err)
{
    *guided = (pare_guided){.n_reached = 0};
    return refuse(err);
}
