/* Reports: decides where they go, checks whether an issue exists already, and records what was
 * sent.
 *
 * The order makes it safe to be killed: the tracker is searched for the finding's mark, then the
 * issue is created, then its address is stored with the state.  After a kill between the last two
 * steps, the next attempt finds the mark.  A lock beside the store's keeps two reports of one
 * finding apart, so that they cannot both search before either creates.
 * Invariant: nothing is sent without a search before, unless the user asks for it (`again`); the
 * state changes only with the address of an issue. */
#include <pare/campaign_report.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <pare/campaign.h>
#include <pare/findings.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "campaign/campaign_file.h"
#include "campaign/finding.h"
#include "campaign/report_fields.h"
#include "campaign/report_folder.h"
#include "campaign/report_text.h"
#include "campaign/section.h"
#include "campaign/store.h"
#include "campaign/template.h"
#include "campaign/tracker.h"
#include "campaign/tracker_send.h"
#include "os/descriptor.h"
#include "os/file.h"

/* Added to a finding's number it is the number of the report's lock. Jobs have
 * the low numbers. */
static const int64_t LOCK = INT64_C(1) << 40;

/* Where a report goes, from options and a section; texts are borrowed from both. */
struct destination {
    const pare_section *section; /* NULL: none */
    bool is_tracker;
    pare_tracker tracker;
    pare_buffer product; /* before the slash of a project of Bugzilla's */
    pare_buffer folder;  /* of folders, or of requests */
    pare_tracker_token_place token;
};

/* One report in progress. Owned as far as it is set; done() ends it at any point. */
struct report {
    pare_store *store;
    pare_campaign *campaign; /* owned; NULL: the store knows none */
    const pare_report_options *options;
    pare_report_result *result;
    struct destination to;
    pare_finding finding;
    bool has_finding;
    pare_report_text text;
    unsigned timeout_ms; /* of each request; 0: the default */
    int lock;
};

/* ---- the campaign ---------------------------------------------------------------------- */

/* Reads the newest configuration. A store without one (only imported findings)
 * has no campaign, which is no error. */
static pare_status read_campaign(struct report *report, pare_error *err)
{
    char *number = NULL, *text = NULL;
    pare_status status = pare_store_get_fact(report->store, "campaign", &number, err);
    int64_t config = number ? strtoll(number, NULL, 10) : 0;
    pare_alloc_free(number);
    if (status || !config) return status;
    status = pare_store_config(report->store, config, &text, err);
    if (!status)
        status = pare_campaign_read_text(text, report->store->path, &report->campaign, err);
    pare_alloc_free(text);
    return status;
}

/* ---- the destination ------------------------------------------------------------------- */

/* An option of the section; without a section each is "", as if it were not given. */
static const char *value(const struct destination *to, const char *option)
{
    return to->section ? pare_section_text(to->section, option) : "";
}

/* The section that the report goes by: that of the name in `to`, else the first
 * that goes to such a tracker, else the only one there is. NULL: none, or
 * several and no name. */
static const pare_section *find_section(const struct report *report)
{
    const char *name = report->options->to;
    pare_tracker_kind kind;
    if (!report->campaign) return NULL;
    if (!name || !name[0]) {
        const pare_section *only = pare_campaign_section_at(report->campaign, "report", 0);
        return only && !pare_campaign_section_at(report->campaign, "report", 1) ? only : NULL;
    }
    const pare_section *named = pare_campaign_section(report->campaign, "report", name);
    if (named || !pare_tracker_find(name, &kind)) return named;
    const pare_section *section;
    for (size_t i = 0; (section = pare_campaign_section_at(report->campaign, "report", i)) != NULL;
         i++)
        if (strcmp(pare_section_text(section, "to"), name) == 0) return section;
    return NULL;
}

/* Sets the project that the user gives; of Bugzilla it is "PRODUCT/COMPONENT". */
static pare_status set_project(struct destination *to, const char *project, pare_error *err)
{
    const char *slash = strchr(project, '/');
    to->tracker.project = project;
    if (to->tracker.kind != PARE_TRACKER_BUGZILLA || !slash) return PARE_OK;
    pare_status status = pare_buffer_add(&to->product, project, (size_t)(slash - project), err);
    to->tracker.product = to->product.data;
    to->tracker.component = slash + 1;
    return status;
}

/* Sets the tracker from options and section. The command line counts more than
 * the section, as everywhere. */
static pare_status set_tracker(struct report *report, pare_error *err)
{
    struct destination *to = &report->to;
    const pare_report_options *options = report->options;
    const char *file = value(to, "token_file"), *variable = value(to, "token_env");
    to->tracker.url = options->url ? options->url : value(to, "url");
    to->tracker.project = value(to, "project");
    to->tracker.product = value(to, "product");
    to->tracker.component = value(to, "component");
    to->tracker.version = value(to, "version");
    to->tracker.labels = value(to, "labels");
    to->token.file = file[0] ? file : NULL;
    if (!to->token.file)
        to->token.variable = variable[0] ? variable : pare_tracker_token_variable(to->tracker.kind);
    if (to->section) report->timeout_ms = (unsigned)pare_section_time_ms(to->section, "timeout");
    pare_status status = options->project ? set_project(to, options->project, err) : PARE_OK;
    return status ? status : pare_tracker_check(&to->tracker, err);
}

/* Appends the folder for reports that nobody has named: STORE without
 * ".pare.db" and with ".reports". */
static pare_status add_default_folder(const struct report *report, pare_buffer *folder,
                                      pare_error *err)
{
    static const char SUFFIX[] = ".pare.db";
    const char *path = report->store->path;
    size_t size = strlen(path), end = sizeof SUFFIX - 1;
    if (size > end && strcmp(path + size - end, SUFFIX) == 0) size -= end;
    pare_status status = pare_buffer_add(folder, path, size, err);
    return status ? status : pare_buffer_text(folder, ".reports", err);
}

/* Sets the folder. A path in a section is relative to the store's folder, one
 * that the user types to the current one. */
static pare_status set_folder(struct report *report, pare_error *err)
{
    struct destination *to = &report->to;
    const char *of_section = to->is_tracker ? "" : value(to, "url");
    const char *given = to->section || to->is_tracker ? NULL : report->options->to;
    if (report->options->out_dir)
        return pare_buffer_text(&to->folder, report->options->out_dir, err);
    if (given && given[0]) return pare_buffer_text(&to->folder, given, err);
    if (!of_section[0]) return add_default_folder(report, &to->folder, err);
    const char *slash = strrchr(report->store->path, '/');
    pare_status status = PARE_OK;
    if (of_section[0] != '/' && slash)
        status = pare_buffer_add(&to->folder, report->store->path,
                                 (size_t)(slash - report->store->path) + 1, err);
    return status ? status : pare_buffer_text(&to->folder, of_section, err);
}

/* Refuses a `to` that is no tracker, no section and no folder, but resembles
 * one: a slip would make a folder of that name. */
static pare_status refuse_typo(const struct report *report, pare_error *err)
{
    char hint[PARE_NEAREST_HINT_BYTES];
    const char *name = report->options->to;
    const pare_section *section;
    if (!name || strchr(name, '/') || pare_file_exists(name)) return PARE_OK;
    pare_nearest nearest = pare_nearest_of(name);
    for (int i = 0; i < PARE_TRACKER_N_KINDS; i++)
        pare_nearest_offer(&nearest, pare_tracker_name((pare_tracker_kind)i));
    for (size_t i = 0; report->campaign &&
                       (section = pare_campaign_section_at(report->campaign, "report", i)) != NULL;
         i++)
        pare_nearest_offer(&nearest, pare_section_name(section));
    if (!pare_nearest_hint(&nearest, "", hint)[0]) return PARE_OK;
    return pare_fail(
        err, PARE_E_ARG,
        "'%.100s' is not a tracker, a section or a folder%s  To create a folder, write ./%.100s",
        name, hint, name);
}

/* Finds out what `to` means and reads what its section says. Errors: PARE_E_ARG. */
static pare_status set_destination(struct report *report, pare_error *err)
{
    struct destination *to = &report->to;
    to->section = find_section(report);
    const char *kind = to->section ? value(to, "to") : report->options->to;
    to->is_tracker = kind && pare_tracker_find(kind, &to->tracker.kind);
    if (to->section && !to->is_tracker && kind[0] && strcmp(kind, "folder") != 0)
        return pare_fail(
            err, PARE_E_ARG,
            "[report %s]: 'to' must be folder, github, gitlab or bugzilla, not '%.100s'",
            pare_section_name(to->section), kind);
    pare_status status = to->is_tracker ? set_tracker(report, err)
                         : !to->section ? refuse_typo(report, err)
                                        : PARE_OK;
    if (!status && report->options->send && !to->is_tracker)
        status = pare_fail(err, PARE_E_ARG, "--send is for trackers, not for folders");
    return status ? status : set_folder(report, err);
}

/* ---- the text -------------------------------------------------------------------------- */

/* What the text is about; borrows from the report. */
static pare_report_about about_of(const struct report *report)
{
    return (pare_report_about){
        .store = report->store, .campaign = report->campaign, .finding = &report->finding};
}

/* Makes title and body. Bugzilla shows plain text; the others Markdown, and a
 * folder gets a page of it. */
static pare_status make_text(struct report *report, pare_error *err)
{
    const struct destination *to = &report->to;
    bool is_plain = to->is_tracker && to->tracker.kind == PARE_TRACKER_BUGZILLA;
    const pare_report_about about = about_of(report);
    const pare_report_text_options options = {
        .form = is_plain ? PARE_TEMPLATE_PLAIN : PARE_TEMPLATE_MARKDOWN,
        .template_path = value(to, "template"),
        .title = value(to, "title"),
        .lua_path = value(to, "lua"),
        .most_bytes = to->is_tracker ? pare_tracker_most_body(to->tracker.kind) : 0};
    return pare_report_text_make(&about, &options, &report->text, err);
}

/* The issue to be made; borrows its texts from the report. */
static pare_tracker_issue issue_of(const struct report *report)
{
    return (pare_tracker_issue){.title = report->text.title.data,
                                .body = report->text.body.data,
                                .mark = report->text.mark};
}

/* ---- sending --------------------------------------------------------------------------- */

/* Sets the address in the result. One that is too long is cut there; the store
 * has all of it. */
static void set_url(pare_report_result *result, const pare_buffer *url)
{
    (void)snprintf(result->url, sizeof result->url, "%s", url->size ? url->data : "");
}

/* Reads the token from its variable, or from its file without the line end. The
 * caller erases and frees it. */
static pare_status read_token(const struct destination *to, pare_buffer *token, pare_error *err)
{
    if (to->token.variable) {
        const char *text = getenv(to->token.variable);
        if (text && text[0]) return pare_buffer_text(token, text, err);
        return pare_fail(err, PARE_E_STATE,
                         "the token is missing: set %s to it, or name a file with token_file",
                         to->token.variable);
    }
    pare_status status = pare_file_read(to->token.file, token, err);
    while (token->size && strchr(" \t\r\n", token->data[token->size - 1]))
        token->data[--token->size] = '\0';
    if (!status && !token->size)
        status = pare_fail(err, PARE_E_STATE, "%s contains no token", to->token.file);
    return status;
}

/* Looks for the issue in each way that the tracker has, until one finds it.
 * Each look is a request. */
static pare_status look_for(const struct report *report, const char *token,
                            pare_tracker_found *found, pare_error *err)
{
    const pare_tracker *tracker = &report->to.tracker;
    const pare_tracker_issue issue = issue_of(report);
    const pare_tracker_send_options options = {.token = token, .timeout_ms = report->timeout_ms};
    pare_status status = PARE_OK;
    for (int look = 0; look < PARE_LOOK_N && !status && !found->match; look++) {
        pare_tracker_request request = {0};
        pare_tracker_answer answer = {0};
        status = pare_tracker_search(tracker, (pare_tracker_look)look, &issue, &request, err);
        if (!status) status = pare_tracker_send(&request, &options, &answer, err);
        if (!status)
            status = pare_tracker_read_found(tracker, (pare_tracker_look)look, &issue, &answer,
                                             found, err);
        pare_tracker_request_done(&request);
        pare_buffer_done(&answer.bytes);
    }
    return status;
}

/* Makes the issue; *url is its address. Sent once: after a request that has
 * failed half way only a look can tell whether the issue was made. */
static pare_status create(const struct report *report, const char *token, pare_buffer *url,
                          pare_error *err)
{
    const pare_tracker *tracker = &report->to.tracker;
    const pare_tracker_issue issue = issue_of(report);
    const pare_tracker_send_options options = {.token = token, .timeout_ms = report->timeout_ms};
    pare_tracker_request request = {0};
    pare_tracker_answer answer = {0};
    pare_status status = pare_tracker_create(tracker, &issue, &request, err);
    if (!status) status = pare_tracker_send(&request, &options, &answer, err);
    if (!status) status = pare_tracker_read_created(tracker, &answer, url, err);
    pare_tracker_request_done(&request);
    pare_buffer_done(&answer.bytes);
    return status;
}

/* Looks for the issue, makes it if there is none, and notes its address with
 * the finding. The token is erased before its memory is freed. */
static pare_status send_issue(struct report *report, pare_error *err)
{
    pare_buffer token = {0};
    pare_tracker_found found = {.match = PARE_MATCH_NONE};
    pare_report_result *result = report->result;
    pare_status status = read_token(&report->to, &token, err);
    if (!status && !report->options->again) status = look_for(report, token.data, &found, err);
    if (!status && !found.match) status = create(report, token.data, &found.url, err);
    if (!status) {
        set_url(result, &found.url);
        result->is_known = found.match == PARE_MATCH_MARK;
        result->seems_known = found.match == PARE_MATCH_TITLE;
        /* The same title may be another failure: that is for the user to say. */
        if (found.match != PARE_MATCH_TITLE)
            status =
                pare_finding_set_reported(report->store, report->finding.id, found.url.data, err);
    }
    if (token.data) explicit_bzero(token.data, token.size);
    pare_buffer_done(&token);
    pare_buffer_done(&found.url);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------- */

/* Writes the request and a script with curl, for those who look at it before it
 * is sent, or who have no token here. */
static pare_status write_request(const struct report *report, pare_buffer *path, pare_error *err)
{
    const struct destination *to = &report->to;
    const pare_tracker_issue issue = issue_of(report);
    pare_tracker_request request = {0};
    pare_status status = pare_tracker_create(&to->tracker, &issue, &request, err);
    const pare_report_request script = {
        .request = &request, .tracker = pare_tracker_name(to->tracker.kind), .token = &to->token};
    if (!status)
        status = pare_report_folder_request(&report->finding, &script, to->folder.data, path, err);
    pare_tracker_request_done(&request);
    return status;
}

/* Writes the folder, or the request. result->path is the path of what was
 * written; one that does not fit is an error and is not cut. */
static pare_status write_files(struct report *report, pare_error *err)
{
    pare_buffer path = {0};
    const pare_report_about about = about_of(report);
    pare_status status =
        report->to.is_tracker
            ? write_request(report, &path, err)
            : pare_report_folder_write(&about, &report->text, report->to.folder.data, &path, err);
    if (!status && path.size >= sizeof report->result->path)
        status =
            pare_fail(err, PARE_E_LIMIT, "the path of the report is too long: %.200s", path.data);
    if (!status) (void)snprintf(report->result->path, sizeof report->result->path, "%s", path.data);
    pare_buffer_done(&path);
    return status;
}

/* Why no issue is to be made of a finding in this state; NULL: one may be. */
static const char *settled_by(pare_finding_state state)
{
    switch (state) {
    case PARE_FINDING_FIXED: return "is fixed";
    case PARE_FINDING_INVALID: return "is invalid: its input does not show it";
    default: return NULL;
    }
}

/* Refuses findings that are not to be reported. Folders may be written as often
 * as one likes; issues are made once, and of what is still there.
 * result->is_settled tells a caller that this is no trouble. */
static pare_status check_finding(const struct report *report, pare_error *err)
{
    const pare_finding *finding = &report->finding;
    const char *settled = settled_by(finding->state);
    report->result->is_settled = true;
    if (finding->state == PARE_FINDING_MERGED)
        return pare_fail(err, PARE_E_STATE,
                         "finding %lld was merged into finding %lld: report that one",
                         (long long)finding->id, (long long)finding->merged_into);
    if (report->to.is_tracker && !report->options->again) {
        if (finding->url[0])
            return pare_fail(err, PARE_E_STATE, "finding %lld was reported before, at %.300s",
                             (long long)finding->id, finding->url);
        if (settled)
            return pare_fail(err, PARE_E_STATE, "finding %lld %s", (long long)finding->id, settled);
    }
    report->result->is_settled = false;
    return PARE_OK;
}

/* Takes the lock of the report until its end. It dies with the process, so a
 * killed report blocks nobody. PARE_E_BUSY: another process reports the
 * finding. */
static pare_status take_lock(struct report *report, int64_t id, pare_error *err)
{
    pare_error said = {0};
    pare_status status = pare_store_lock(report->store, LOCK + id, &report->lock, &said);
    if (status == PARE_E_BUSY)
        return pare_fail(err, status, "finding %lld is being reported by another process",
                         (long long)id);
    return status ? pare_fail(err, status, "%s", said.message) : PARE_OK;
}

/* Ends everything; the lock goes last. */
static void done(struct report *report)
{
    pare_report_text_done(&report->text);
    if (report->has_finding) pare_finding_done(&report->finding);
    pare_buffer_done(&report->to.product);
    pare_buffer_done(&report->to.folder);
    pare_campaign_free(report->campaign);
    pare_descriptor_close(&report->lock);
}

/* Reports a finding; *result is set also on failure. The finding is read after
 * the lock was taken: another report may just have given it its address. */
pare_status pare_report_finding(pare_store *store, int64_t id, const pare_report_options *options,
                                pare_report_result *result, pare_error *err)
{
    struct report report = {.store = store, .options = options, .result = result, .lock = -1};
    assert(id > 0);
    *result = (pare_report_result){.path = ""};
    pare_status status = read_campaign(&report, err);
    if (!status) status = set_destination(&report, err);
    if (!status) status = take_lock(&report, id, err);
    if (!status) {
        status = pare_store_finding(store, id, &report.finding, err);
        report.has_finding = !status;
    }
    if (!status) status = check_finding(&report, err);
    if (!status) status = make_text(&report, err);
    if (!status) status = options->send ? send_issue(&report, err) : write_files(&report, err);
    done(&report);
    return status;
}
