/* The routes of `pare fuzz web`.
 *
 * One table: a method, a path whose pieces are words, `#` (a number from 1) or `*` (a digest), the
 * parameters that it takes, and a function.  The first row whose path fits decides; a path that
 * fits with another method is 405 with the methods that there are.  A row that changes something
 * is done only when the request may change (fuzz_web_request.h), and that is looked at here, in
 * one place, before its function is called: a new route cannot forget it.
 *
 * A function makes a JSON value, or fails with a status of the library, which becomes a code of
 * HTTP and its sentence.  Pages are one file for all of their addresses; what they show is in
 * the script.  Invariant: every answer has a code, a type and a body, and nothing that came with
 * the request is in one, but for the sentence that refuses it, in JSON. */
#include "ui/fuzz_web_api.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <pare/pare.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "ui/fuzz_web_change.h"
#include "ui/fuzz_web_json.h"
#include "ui/fuzz_web_page.h"

/* Of a list rows, of a curve points: how many there are when the request does not say,
 * and at most. */
enum {
    ROWS = 100, /* of a list, when no limit is given */
    MOST_ROWS = 1000,
    POINTS = 200,
    MOST_POINTS = 1000,
    API_VERSION = 1,
    METHODS_BYTES = 64
};

/* One request on its way through a route, and what becomes its answer. */
struct call {
    const pare_fuzz_web_api *api;
    const pare_fuzz_web_request *request;
    pare_fuzz_web_answer *answer;
    int64_t id;         /* what stood for # */
    const char *digest; /* what stood for * */
    json_t *value;      /* the answer, to be printed */
};

/* ---- parameters -------------------------------------------------------------------- */

/* Reads a parameter that is a number; *number stays as it is when there is no such
 * parameter. */
static pare_status read_number(const struct call *call, const char *name, uint64_t most,
                               uint64_t *number, pare_error *err)
{
    const char *text = pare_fuzz_web_request_parameter(call->request, name);
    if (!text || pare_fuzz_web_request_number(text, most, number)) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "%s is not a number from 0 to %llu", name,
                     (unsigned long long)most);
}

/* Reads how many rows of a list are wanted; *limit stays as it is when that is not said.  0 would be
 * all of them for the store, and is refused. */
static pare_status read_limit(const struct call *call, uint64_t *limit, pare_error *err)
{
    assert(*limit > 0 && *limit <= MOST_ROWS && "the default keeps to it as well");
    pare_status status = read_number(call, "limit", MOST_ROWS, limit, err);
    return !status && !*limit ? pare_fail(err, PARE_E_ARG, "limit must be at least 1") : status;
}

/* Sets the bits of the states in "new,reduced", or of all for "all", which includes
 * merged ones.  Without a text none is set, which the store takes for all but merged
 * ones. */
static pare_status read_states(const char *text, uint32_t *states, pare_error *err)
{
    if (!text || !*text) return PARE_OK;
    if (strcmp(text, "all") == 0) {
        *states = (1U << PARE_FINDING_N_STATES) - 1;
        return PARE_OK;
    }
    for (size_t size; *text; text += size + (text[size] == ',')) {
        char name[16];
        pare_finding_state state;
        size = strcspn(text, ",");
        /* A name that does not fit becomes "", which is no state either. */
        (void)snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : 0), text);
        if (!pare_finding_state_find(name, &state))
            return pare_fail(err, PARE_E_ARG, "unknown state '%.*s'", (int)size, text);
        *states |= 1U << state;
    }
    return PARE_OK;
}

/* By what a list is sorted ("sort"), and which way round ("order").  Without them it is
 * by the first order there is, ascending. */
static pare_status read_order(const struct call *call, pare_finding_filter *filter, pare_error *err)
{
    static const char *const orders[] = {[PARE_BY_ID] = "id",
                                         [PARE_BY_FIRST_SEEN] = "first_seen",
                                         [PARE_BY_LAST_SEEN] = "last_seen",
                                         [PARE_BY_COUNT] = "count",
                                         [PARE_BY_SIZE] = "size",
                                         [PARE_BY_STATE] = "state",
                                         [PARE_BY_TARGET] = "target"};
    const char *sort = pare_fuzz_web_request_parameter(call->request, "sort");
    const char *order = pare_fuzz_web_request_parameter(call->request, "order");
    size_t i = 0, n = sizeof orders / sizeof *orders;
    while (sort && i < n && strcmp(orders[i], sort) != 0)
        i++;
    if (i == n)
        return pare_fail(
            err, PARE_E_ARG,
            "sort must be one of id, first_seen, last_seen, count, size, state, target");
    filter->order = (pare_finding_order)i;
    filter->descending = order && strcmp(order, "desc") == 0;
    if (order && !filter->descending && strcmp(order, "asc") != 0)
        return pare_fail(err, PARE_E_ARG, "order must be asc or desc");
    return PARE_OK;
}

/* NULL for a parameter that was left empty in a form. */
static const char *word(const struct call *call, const char *name)
{
    const char *text = pare_fuzz_web_request_parameter(call->request, name);
    return text && *text ? text : NULL;
}

/* What a list of findings is to have.  A limit of 0 is refused, since the store takes
 * it for none. */
static pare_status read_filter(const struct call *call, pare_finding_filter *filter,
                               pare_error *err)
{
    *filter = (pare_finding_filter){.target = word(call, "target"),
                                    .source = word(call, "source"),
                                    .search = word(call, "q"),
                                    .limit = ROWS};
    pare_status status = read_states(word(call, "state"), &filter->states, err);
    if (!status) status = read_order(call, filter, err);
    if (!status) status = read_number(call, "offset", INT32_MAX, &filter->offset, err);
    return status ? status : read_limit(call, &filter->limit, err);
}

/* ---- lists ------------------------------------------------------------------------- */

/* Appends a row, which the list takes over; NULL: there was no memory to make it.
 * The functions below are what the store calls for each row that it visits. */
static pare_status append(json_t *list, json_t *row, pare_error *err)
{
    return json_array_append_new(list, row) == 0 ? PARE_OK : pare_fail_nomem(err);
}

static pare_status visit_finding(void *list, const pare_finding *finding, pare_error *err)
{
    return append(list, pare_fuzz_web_json_finding(finding, PARE_FUZZ_WEB_ROW), err);
}

static pare_status visit_member(void *list, const pare_finding_member *member, pare_error *err)
{
    return append(list, pare_fuzz_web_json_member(member), err);
}

static pare_status visit_job(void *list, const pare_job *job, pare_error *err)
{
    return append(list, pare_fuzz_web_json_job(job), err);
}

static pare_status visit_statistics(void *list, const pare_store_statistics *statistics,
                                    pare_error *err)
{
    return append(list, pare_fuzz_web_json_statistics(statistics), err);
}

static pare_status visit_harm(void *list, const pare_store_harm *harm, pare_error *err)
{
    return append(list, pare_fuzz_web_json_harm(harm), err);
}

static pare_status visit_event(void *list, const pare_store_event *event, pare_error *err)
{
    return append(list, pare_fuzz_web_json_event(event), err);
}

/* {NAME: list}, taking the list over; with `status` it is only released. */
static pare_status give_list(struct call *call, const char *name, json_t *list, pare_status status,
                             pare_error *err)
{
    if (!status)
        call->value = json_pack("{s:o}", name, list);
    else
        json_decref(list);
    return status ? status : call->value ? PARE_OK : pare_fail_nomem(err);
}

/* The page and how many there are without offset and limit: two questions to the store, since a
 * count within the first would walk over all that is not shown. */
static pare_status list_findings(struct call *call, pare_error *err)
{
    pare_finding_filter filter;
    uint64_t total = 0;
    pare_status status = read_filter(call, &filter, err);
    if (status) return status;
    json_t *list = json_array();
    if (!list) return pare_fail_nomem(err);
    status = pare_store_findings(call->api->store, &filter, visit_finding, list, err);
    if (!status) status = pare_store_count_findings(call->api->store, &filter, &total, err);
    status = give_list(call, "findings", list, status, err);
    if (status) return status;
    bool fits = json_object_set_new(call->value, "total", json_integer((json_int_t)total)) == 0;
    return fits ? PARE_OK : pare_fail_nomem(err);
}

/* At most PARE_FINDING_MEMBERS, so there is no limit to read. */
static pare_status list_members(struct call *call, pare_error *err)
{
    json_t *list = json_array();
    if (!list) return pare_fail_nomem(err);
    pare_status status = pare_store_members(call->api->store, call->id, visit_member, list, err);
    return give_list(call, "members", list, status, err);
}

/* Jobs that wait or run; all=1: also those that have ended. */
static pare_status list_jobs(struct call *call, pare_error *err)
{
    uint64_t all = 0, limit = ROWS;
    pare_status status = read_number(call, "all", 1, &all, err);
    if (!status) status = read_limit(call, &limit, err);
    if (status) return status;
    json_t *list = json_array();
    if (!list) return pare_fail_nomem(err);
    status = pare_store_jobs(call->api->store, all == 1, limit, visit_job, list, err);
    return give_list(call, "jobs", list, status, err);
}

/* Two lists: what each source did with each target, and what targets did besides
 * failing (harm). */
static pare_status list_statistics(struct call *call, pare_error *err)
{
    json_t *list = json_array();
    if (!list) return pare_fail_nomem(err);
    pare_status status = pare_store_statistics_each(call->api->store, visit_statistics, list, err);
    status = give_list(call, "statistics", list, status, err);
    if (status) return status;
    json_t *harm = json_array();
    bool fits = harm && json_object_set_new(call->value, "harm", harm) == 0;
    return fits ? pare_store_harm_each(call->api->store, NULL, visit_harm, harm, err)
                : pare_fail_nomem(err);
}

/* Events after number `after`, of these the newest `last`; of one finding when the path
 * has its number, since call->id is 0 without. */
static pare_status list_events(struct call *call, pare_error *err)
{
    uint64_t after = 0, last = ROWS;
    pare_status status = read_number(call, "after", INT64_MAX, &after, err);
    if (!status) status = read_number(call, "last", MOST_ROWS, &last, err);
    if (status) return status;
    json_t *list = json_array();
    if (!list) return pare_fail_nomem(err);
    status = pare_store_events(call->api->store, (int64_t)after, call->id, last ? last : ROWS,
                               visit_event, list, err);
    return give_list(call, "events", list, status, err);
}

/* The store thins the curve out itself; a day in minutes would be 1,440 points. */
static pare_status give_curve(struct call *call, pare_error *err)
{
    uint64_t n_points = POINTS;
    size_t n = 0;
    const char *target = word(call, "target");
    pare_status status = read_number(call, "points", MOST_POINTS, &n_points, err);
    if (!status && n_points < 2) status = pare_fail(err, PARE_E_ARG, "points must be at least 2");
    if (status) return status;
    pare_store_point *points = pare_alloc_zero((size_t)n_points, sizeof *points);
    json_t *list = points ? json_array() : NULL;
    status = list ? pare_store_curve(call->api->store, target ? target : "", (size_t)n_points,
                                     points, &n, err)
                  : pare_fail_nomem(err);
    assert(n <= n_points);
    for (size_t i = 0; !status && i < n; i++)
        status = append(list, pare_fuzz_web_json_point(&points[i]), err);
    pare_alloc_free(points);
    return give_list(call, "points", list, status, err);
}

/* ---- single things ----------------------------------------------------------------- */

/* The finding is released before it is printed: the JSON has copies of its texts. */
static pare_status give_finding(struct call *call, pare_error *err)
{
    pare_finding finding = {0};
    pare_status status = pare_store_finding(call->api->store, call->id, &finding, err);
    if (status) return status;
    call->value = pare_fuzz_web_json_finding(&finding, PARE_FUZZ_WEB_WHOLE);
    pare_finding_done(&finding);
    return call->value ? PARE_OK : pare_fail_nomem(err);
}

/* Old versions stay readable for as long as a finding refers to them. */
static pare_status give_configuration(struct call *call, pare_error *err)
{
    char *text = NULL;
    pare_status status = pare_store_config(call->api->store, call->id, &text, err);
    if (status) return status;
    call->value = json_pack("{s:I, s:o}", "config", (json_int_t)call->id, "text",
                            pare_fuzz_web_json_text(text));
    pare_alloc_free(text);
    return call->value ? PARE_OK : pare_fail_nomem(err);
}

/* The bytes as they are; the browser is told to keep its hands off them. */
static pare_status give_content(struct call *call, pare_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    pare_status status = pare_store_content(call->api->store, call->digest, &bytes, &size, err);
    if (!status && size) status = pare_buffer_add(&call->answer->body, bytes, size, err);
    pare_alloc_free(bytes);
    call->answer->type = "application/octet-stream";
    call->answer->is_download = true;
    return status;
}

/* ---- how it stands ----------------------------------------------------------------- */

/* Sums over what the visits give. */
struct about {
    uint64_t tests, failures, edges;
    double tests_per_s;
    int64_t config; /* the newest that something was run with */
    /* By pare_job_state. */
    uint64_t jobs[PARE_JOB_N_STATES];
    json_t *targets, *sources; /* names, each once; borrowed */
};

/* Few enough names that looking through the list is cheaper than an index. */
static pare_status add_name(json_t *list, const char *name, pare_error *err)
{
    json_t *text = pare_fuzz_web_json_text(name);
    for (size_t i = 0; text && i < json_array_size(list); i++) {
        if (!json_equal(json_array_get(list, i), text)) continue;
        json_decref(text);
        return PARE_OK;
    }
    return append(list, text, err);
}

/* A callback of pare_store_statistics_each. */
static pare_status sum_statistics(void *context, const pare_store_statistics *row, pare_error *err)
{
    struct about *about = context;
    about->tests += row->tests;
    about->failures += row->failures;
    about->edges += row->edges;
    if (row->config > about->config) about->config = row->config;
    pare_status status = add_name(about->targets, row->target, err);
    return status ? status : add_name(about->sources, row->source, err);
}

/* A callback of pare_store_jobs. */
static pare_status sum_jobs(void *context, const pare_job *job, pare_error *err)
{
    struct about *about = context;
    (void)err;
    about->jobs[job->state]++;
    return PARE_OK;
}

/* {"new": 3, ...}; in *object, which the caller releases even on failure. */
static pare_status count_states(pare_store *store, json_t **object, pare_error *err)
{
    pare_status status = PARE_OK;
    *object = json_object();
    for (int i = 0; !status && i < PARE_FINDING_N_STATES; i++) {
        uint64_t n = 0;
        const pare_finding_filter filter = {.states = 1U << i};
        status = pare_store_count_findings(store, &filter, &n, err);
        if (!status && json_object_set_new(*object, pare_finding_state_name((pare_finding_state)i),
                                           json_integer((json_int_t)n)) != 0)
            status = pare_fail_nomem(err);
    }
    return status;
}

/* The page shows how long ago things were by the server's clock, not by that of its machine. */
static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Takes over `states` and the lists of names. */
static json_t *about_of(const struct call *call, const struct about *about, json_t *states,
                        bool is_running, int64_t since)
{
    const pare_fuzz_web_door *door = call->api->door;
    return json_pack(
        "{s:i, s:s, s:o, s:b, s:I, s:I, s:b, s:b, s:o, s:{s:I, s:I, s:I}, s:I, s:I, s:I, s:I, s:o, "
        "s:o}",
        "api", API_VERSION, "pare", pare_version(), "store",
        pare_fuzz_web_json_text(call->api->store_path), "running", (int)is_running, "since",
        (json_int_t)since, "now", (json_int_t)now_ms(), "may_change",
        (int)(call->request->has_token && !door->is_read_only), "read_only",
        (int)door->is_read_only, "findings", states, "jobs", "waiting",
        (json_int_t)about->jobs[PARE_JOB_WAITING], "running",
        (json_int_t)about->jobs[PARE_JOB_RUNNING], "paused",
        (json_int_t)about->jobs[PARE_JOB_PAUSED], "tests", (json_int_t)about->tests, "failures",
        (json_int_t)about->failures, "edges", (json_int_t)about->edges, "config",
        (json_int_t)about->config, "targets", about->targets, "sources", about->sources);
}

/* What the head of every page shows: whether the campaign runs, and how far it is.
 * What about_of takes over is released here only when it does not come to that. */
static pare_status give_about(struct call *call, pare_error *err)
{
    pare_store *store = call->api->store;
    bool is_running = false;
    int64_t since = 0;
    json_t *states = NULL;
    struct about about = {.targets = json_array(), .sources = json_array()};
    pare_status status = about.targets && about.sources ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_store_statistics_each(store, sum_statistics, &about, err);
    if (!status) status = pare_store_jobs(store, false, 0, sum_jobs, &about, err);
    if (!status) status = pare_store_is_running(store, &is_running, &since, err);
    if (!status) status = count_states(store, &states, err);
    if (!status) {
        call->value = about_of(call, &about, states, is_running, since);
        return call->value ? PARE_OK : pare_fail_nomem(err);
    }
    json_decref(states);
    json_decref(about.targets);
    json_decref(about.sources);
    return status;
}

/* ---- changes ----------------------------------------------------------------------- */

/* 201 only for a job that is there now; an edit made nothing new. */
static pare_status give_job(struct call *call, int64_t job, pare_error *err)
{
    if (job) call->answer->code = PARE_FUZZ_WEB_CREATED;
    call->value = json_pack("{s:I}", "job", (json_int_t)job);
    return call->value ? PARE_OK : pare_fail_nomem(err);
}

static pare_status need_body(const struct call *call, pare_error *err)
{
    return call->request->body ? PARE_OK : pare_fail(err, PARE_E_ARG, "there is no body");
}

/* POST: the action is a member. */
static pare_status change_finding(struct call *call, pare_error *err)
{
    int64_t job = 0;
    pare_status status = need_body(call, err);
    if (!status)
        status = pare_fuzz_web_change_finding(call->api->store, call->id, call->request->body, &job,
                                              err);
    return status ? status : give_job(call, job, err);
}

/* Does `action` with the finding of the path and the members of the body, if there is
 * one.
 * PATCH and DELETE say by their method what is wanted, where POST has a member for it;
 * so the action is added to a copy of the body, in place of one that it may have. */
static pare_status act(struct call *call, const char *action, pare_error *err)
{
    int64_t job;
    json_t *wanted = call->request->body ? json_copy(call->request->body) : json_object();
    pare_status status = wanted && json_object_set_new(wanted, "action", json_string(action)) == 0
                             ? PARE_OK
                             : pare_fail_nomem(err);
    if (!status)
        status = pare_fuzz_web_change_finding(call->api->store, call->id, wanted, &job, err);
    json_decref(wanted);
    return status;
}

/* Answers with the whole finding, so that a client need not ask again for what it looks like. */
static pare_status edit_finding(struct call *call, pare_error *err)
{
    pare_status status = need_body(call, err);
    if (!status) status = act(call, "edit", err);
    return status ? status : give_finding(call, err);
}

static pare_status delete_finding(struct call *call, pare_error *err)
{
    pare_status status = act(call, "delete", err);
    return status ? status : give_job(call, 0, err);
}

/* POST to the list: one action for several findings.  The answer tells what could not
 * be done. */
static pare_status change_findings(struct call *call, pare_error *err)
{
    pare_status status = need_body(call, err);
    return status ? status
                  : pare_fuzz_web_change_many(call->api->store, call->request->body, &call->value,
                                              err);
}

/* POST to the jobs. */
static pare_status request_job(struct call *call, pare_error *err)
{
    int64_t job = 0;
    pare_status status = need_body(call, err);
    if (!status)
        status = pare_fuzz_web_change_request(call->api->store, call->request->body, &job, err);
    return status ? status : give_job(call, job, err);
}

/* All three of these are wishes: the coordinator fulfils them, and the job says so in the list.
 * Without a number in the path call->id is 0, which the store takes for all jobs. */
static pare_status cancel_job(struct call *call, pare_error *err)
{
    pare_status status = pare_store_cancel(call->api->store, call->id, err);
    return status ? status : give_job(call, 0, err);
}

static pare_status pause_job(struct call *call, pare_error *err)
{
    pare_status status = pare_store_pause(call->api->store, call->id, true, err);
    return status ? status : give_job(call, 0, err);
}

static pare_status resume_job(struct call *call, pare_error *err)
{
    pare_status status = pare_store_pause(call->api->store, call->id, false, err);
    return status ? status : give_job(call, 0, err);
}

/* ---- pages ------------------------------------------------------------------------- */

/* The stream itself is the server's business; here it is only seen whether it may be had. */
static pare_status give_stream(struct call *call, pare_error *err)
{
    uint64_t after = 0;
    bool is_given = pare_fuzz_web_request_parameter(call->request, "after");
    pare_status status = read_number(call, "after", INT64_MAX, &after, err);
    call->answer->is_stream = true;
    call->answer->stream_after = is_given ? (int64_t)after : -1;
    call->answer->type = "text/event-stream";
    return status;
}

/* Whoever comes with the token in the address is sent on without it, so that it is neither in the
 * history nor seen by somebody who looks at the screen. */
static pare_status give_page(struct call *call, pare_error *err)
{
    (void)err;
    pare_fuzz_web_answer *answer = call->answer;
    answer->sets_cookie = call->request->token_in_uri;
    if (answer->sets_cookie) answer->code = PARE_FUZZ_WEB_SEE_OTHER;
    answer->type = "text/html; charset=utf-8";
    answer->fixed = answer->sets_cookie ? "" : pare_fuzz_web_page_html;
    answer->fixed_bytes = strlen(answer->fixed);
    return PARE_OK;
}

/* What pages consist of, by the name after "static/"; the bytes are part of the
 * program. */
static const struct file {
    const char *name, *type, *bytes;
} files[] = {
    {"style.css", "text/css; charset=utf-8", pare_fuzz_web_page_style},
    {"main.js", "text/javascript; charset=utf-8", pare_fuzz_web_page_main},
    {"views.js", "text/javascript; charset=utf-8", pare_fuzz_web_page_views},
    {"finding.js", "text/javascript; charset=utf-8", pare_fuzz_web_page_finding},
    {"plot.js", "text/javascript; charset=utf-8", pare_fuzz_web_page_plot},
    {"parts.js", "text/javascript; charset=utf-8", pare_fuzz_web_page_parts},
    {"icon.svg", "image/svg+xml", pare_fuzz_web_page_icon},
};

/* By name in a table: no path of a request ever reaches a file system. */
static pare_status give_file(struct call *call, pare_error *err)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (strcmp(call->request->segments[1], files[i].name) != 0) continue;
        call->answer->type = files[i].type;
        call->answer->fixed = files[i].bytes;
        call->answer->fixed_bytes = strlen(files[i].bytes);
        return PARE_OK;
    }
    return pare_fail(err, PARE_E_STATE, "there is nothing at this address");
}

/* ---- routes ------------------------------------------------------------------------ */

/* With blanks around each name, so that only a whole name is found by strstr. */
static const char FILTERS[] = " state target source q sort order offset limit ";

/* In the order of docs/guide/fuzz-api.md; then pages, and the files that they consist of. */
static const struct route {
    pare_fuzz_web_method method;
    const char *path;
    const char *parameters; /* names between spaces */
    pare_status (*answer)(struct call *call, pare_error *err);
} routes[] = {
    {PARE_FUZZ_WEB_GET, "api/v1", " ", give_about},
    {PARE_FUZZ_WEB_GET, "api/v1/findings", FILTERS, list_findings},
    {PARE_FUZZ_WEB_POST, "api/v1/findings", " ", change_findings},
    {PARE_FUZZ_WEB_GET, "api/v1/findings/#", " ", give_finding},
    {PARE_FUZZ_WEB_PATCH, "api/v1/findings/#", " ", edit_finding},
    {PARE_FUZZ_WEB_DELETE, "api/v1/findings/#", " ", delete_finding},
    {PARE_FUZZ_WEB_POST, "api/v1/findings/#", " ", change_finding},
    {PARE_FUZZ_WEB_GET, "api/v1/findings/#/members", " ", list_members},
    {PARE_FUZZ_WEB_GET, "api/v1/findings/#/events", " after last ", list_events},
    {PARE_FUZZ_WEB_GET, "api/v1/contents/*", " ", give_content},
    {PARE_FUZZ_WEB_GET, "api/v1/jobs", " all limit ", list_jobs},
    {PARE_FUZZ_WEB_POST, "api/v1/jobs", " ", request_job},
    {PARE_FUZZ_WEB_POST, "api/v1/jobs/cancel", " ", cancel_job},
    {PARE_FUZZ_WEB_POST, "api/v1/jobs/pause", " ", pause_job},
    {PARE_FUZZ_WEB_POST, "api/v1/jobs/resume", " ", resume_job},
    {PARE_FUZZ_WEB_POST, "api/v1/jobs/#/cancel", " ", cancel_job},
    {PARE_FUZZ_WEB_POST, "api/v1/jobs/#/pause", " ", pause_job},
    {PARE_FUZZ_WEB_POST, "api/v1/jobs/#/resume", " ", resume_job},
    {PARE_FUZZ_WEB_GET, "api/v1/statistics", " ", list_statistics},
    {PARE_FUZZ_WEB_GET, "api/v1/curve", " target points ", give_curve},
    {PARE_FUZZ_WEB_GET, "api/v1/configurations/#", " ", give_configuration},
    {PARE_FUZZ_WEB_GET, "api/v1/events", " after last ", list_events},
    {PARE_FUZZ_WEB_GET, "api/v1/stream", " after ", give_stream},
    {PARE_FUZZ_WEB_GET, "", " token ", give_page},
    {PARE_FUZZ_WEB_GET, "findings", " state target source q sort order offset ", give_page},
    {PARE_FUZZ_WEB_GET, "findings/#", " ", give_page},
    {PARE_FUZZ_WEB_GET, "jobs", " ", give_page},
    {PARE_FUZZ_WEB_GET, "sources", " ", give_page},
    {PARE_FUZZ_WEB_GET, "configuration", " ", give_page},
    {PARE_FUZZ_WEB_GET, "configuration/#", " ", give_page},
    {PARE_FUZZ_WEB_GET, "static/style.css", " ", give_file},
    {PARE_FUZZ_WEB_GET, "static/main.js", " ", give_file},
    {PARE_FUZZ_WEB_GET, "static/views.js", " ", give_file},
    {PARE_FUZZ_WEB_GET, "static/finding.js", " ", give_file},
    {PARE_FUZZ_WEB_GET, "static/plot.js", " ", give_file},
    {PARE_FUZZ_WEB_GET, "static/parts.js", " ", give_file},
    {PARE_FUZZ_WEB_GET, "static/icon.svg", " ", give_file},
};

enum { N_ROUTES = sizeof routes / sizeof *routes, DIGEST_LETTERS = 32 };

/* Small letters only, as the store writes them: each content has one address. */
static bool is_digest(const char *text)
{
    return strlen(text) == DIGEST_LETTERS && strspn(text, "0123456789abcdef") == DIGEST_LETTERS;
}

/* Whether one piece of the path is what the route has there, `size` bytes at `wanted`.
 * The number or digest that stands for # or * is kept in the call. */
static bool piece_fits(struct call *call, const char *piece, const char *wanted, size_t size)
{
    uint64_t id = 0;
    if (size == 1 && *wanted == '#') {
        bool fits = pare_fuzz_web_request_number(piece, INT64_MAX, &id) && id > 0;
        call->id = (int64_t)id;
        return fits;
    }
    if (size == 1 && *wanted == '*') {
        call->digest = piece;
        return is_digest(piece);
    }
    return strlen(piece) == size && memcmp(piece, wanted, size) == 0;
}

/* Whether the path of the request is that of a route: "api/v1/findings/#" fits
 * "/api/v1/findings/12", and call->id is 12 then.  A route without pieces is the page
 * at "/".
 * What the call keeps is of the path that was compared last, so the search ends at the
 * one that fits. */
static bool path_fits(struct call *call, const char *path)
{
    size_t i = 0;
    call->id = 0;
    while (*path && i < call->request->n_segments) {
        size_t size = strcspn(path, "/");
        if (!piece_fits(call, call->request->segments[i], path, size)) return false;
        path += size + (path[size] == '/');
        i++;
    }
    return !*path && i == call->request->n_segments;
}

/* Index of the route; N_ROUTES when there is none.  *is_other: there is one with
 * another method.
 * No path fits two routes of one method: # takes numbers only, so "jobs/cancel" is none
 * of "jobs/#/cancel". */
static size_t find_route(struct call *call, bool *is_other)
{
    *is_other = false;
    for (size_t i = 0; i < N_ROUTES; i++) {
        if (!path_fits(call, routes[i].path)) continue;
        if (routes[i].method == call->request->method) return i;
        *is_other = true;
    }
    return N_ROUTES;
}

/* The first parameter that the route does not take; NULL: all are fine.
 * One with a blank in its name could be found across two names of the list, and is
 * none. */
static const char *unknown_parameter(const struct call *call, const struct route *route)
{
    for (size_t i = 0; i < call->request->n_parameters; i++) {
        char name[METHODS_BYTES];
        const char *given = call->request->parameters[i].name;
        int size = snprintf(name, sizeof name, " %s ", given);
        bool fits = size > 2 && (size_t)size < sizeof name && !strchr(given, ' ');
        if (!fits || !strstr(route->parameters, name)) return given;
    }
    return NULL;
}

/* ---- answers ----------------------------------------------------------------------- */

void pare_fuzz_web_api_done(pare_fuzz_web_answer *answer)
{
    pare_buffer_done(&answer->body);
    *answer = (pare_fuzz_web_answer){0};
}

/* What was prepared before the failure is dropped, but for the methods that a 405 has to name. */
pare_status pare_fuzz_web_api_refuse(pare_fuzz_web_code code, const char *sentence,
                                     pare_fuzz_web_answer *answer, pare_error *err)
{
    const char *allow = answer->allow;
    pare_fuzz_web_api_done(answer);
    answer->code = code;
    answer->allow = allow;
    answer->type = "application/json";
    return pare_fuzz_web_json_print(json_pack("{s:o}", "error", pare_fuzz_web_json_text(sentence)),
                                    &answer->body, err);
}

/* PARE_E_STATE is what the store says of a number that is none of its own. */
static pare_fuzz_web_code code_of(pare_status status)
{
    switch (status) {
    case PARE_E_ARG: return PARE_FUZZ_WEB_BAD;
    case PARE_E_STATE: return PARE_FUZZ_WEB_MISSING;
    case PARE_E_BUSY: return PARE_FUZZ_WEB_BUSY;
    default: return PARE_FUZZ_WEB_BROKEN;
    }
}

/* The methods of this path, for Allow.  Only a finding has others than GET and POST,
 * and it has them all. */
static const char *methods_of(struct call *call)
{
    unsigned methods = 0;
    for (size_t i = 0; i < N_ROUTES; i++)
        if (path_fits(call, routes[i].path)) methods |= 1U << routes[i].method;
    static const char *const lists[] = {[1U << PARE_FUZZ_WEB_GET] = "GET, HEAD",
                                        [1U << PARE_FUZZ_WEB_POST] = "POST",
                                        [1U << PARE_FUZZ_WEB_GET | 1U << PARE_FUZZ_WEB_POST] =
                                            "GET, HEAD, POST"};
    return methods < sizeof lists / sizeof *lists && lists[methods]
               ? lists[methods]
               : "GET, HEAD, POST, PATCH, DELETE";
}

/* Whether the request may have the route: FINE, or the code that refuses it and
 * *sentence.
 * Reading is for everybody who reaches a loopback address; from elsewhere it needs the
 * token, too.  A change needs what fuzz_web_request.h calls may_change; why that is
 * missing decides the sentence. */
static pare_fuzz_web_code admit(const struct call *call, const struct route *route,
                                const char **sentence)
{
    const pare_fuzz_web_door *door = call->api->door;
    const pare_fuzz_web_request *request = call->request;
    *sentence = "the token is missing: open the address that pare fuzz web printed";
    if (!door->is_loopback && !request->has_token) return PARE_FUZZ_WEB_NO_TOKEN;
    if (route->method == PARE_FUZZ_WEB_GET || request->may_change) return PARE_FUZZ_WEB_FINE;
    if (!request->has_token) return PARE_FUZZ_WEB_NO_TOKEN;
    *sentence = door->is_read_only ? "this server changes nothing: it was started with --read-only"
                                   : "a change needs Origin, or the token in Authorization";
    return PARE_FUZZ_WEB_FORBIDDEN;
}

/* Does what the route says, and prints what came of it: a JSON value, or the body that
 * the function has filled itself.  A failure becomes an answer, unless it is a lack of
 * memory. */
static pare_status follow(struct call *call, const struct route *route, pare_error *err)
{
    pare_error failure = {0};
    pare_fuzz_web_answer *answer = call->answer;
    answer->code = PARE_FUZZ_WEB_OK;
    answer->type = "application/json";
    pare_status status = route->answer(call, &failure);
    if (!status) {
        assert(!call->value || !answer->fixed);
        return call->value ? pare_fuzz_web_json_print(call->value, &answer->body, err) : PARE_OK;
    }
    json_decref(call->value);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    return pare_fuzz_web_api_refuse(code_of(status), failure.message, answer, err);
}

/* Looked at in this order: is there such an address, may it be had, does it take these
 * parameters. So a stranger learns no more than which addresses there are, which the manual says,
 * too. */
pare_status pare_fuzz_web_api_answer(const pare_fuzz_web_api *api,
                                     const pare_fuzz_web_request *request,
                                     pare_fuzz_web_answer *answer, pare_error *err)
{
    struct call call = {.api = api, .request = request, .answer = answer};
    bool is_other;
    const char *sentence;
    char text[PARE_FUZZ_WEB_SENTENCE_BYTES];
    size_t i = find_route(&call, &is_other);
    if (i == N_ROUTES && is_other) answer->allow = methods_of(&call);
    if (i == N_ROUTES)
        return pare_fuzz_web_api_refuse(is_other ? PARE_FUZZ_WEB_METHOD : PARE_FUZZ_WEB_MISSING,
                                        is_other ? "this address has no such method"
                                                 : "there is nothing at this address",
                                        answer, err);
    pare_fuzz_web_code code = admit(&call, &routes[i], &sentence);
    if (code) return pare_fuzz_web_api_refuse(code, sentence, answer, err);
    const char *unknown = unknown_parameter(&call, &routes[i]);
    if (!unknown) return follow(&call, &routes[i], err);
    (void)snprintf(text, sizeof text, "unknown parameter '%.100s'", unknown);
    return pare_fuzz_web_api_refuse(PARE_FUZZ_WEB_BAD, text, answer, err);
}
