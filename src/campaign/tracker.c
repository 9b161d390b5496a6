/* Requests to trackers: a row for each kind says what differs; the rest is the same for all.
 *
 * An issue is found again by its mark, a line in its text with a digest of the target and the
 * finding's identity.  So two reporters of one failure find each other's issue, and so does a
 * reporter that was killed after the tracker had created the issue and before we had stored that.
 * The mark is a visible line, since not every search looks into comments of markup.  The newest
 * issues are listed too, since the index of a search may be minutes late.  An issue found only by
 * its title *seems* to be the one; nothing is sent then, and the user decides.
 * Invariant: text of a target is in a request only as a value of JSON or percent-encoded.
 * Sources: GitHub REST 2022-11-28 (issues, search), GitLab REST v4 (issues), Bugzilla 5 REST
 * (bug; its search takes the fields of the advanced search, f1/o1/v1). */
#include "campaign/tracker.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include <jansson.h>

#include "base/fail.h"
#include "campaign/escape.h"
#include "run/command.h"

/* N_NEWEST: issues in an answer; SAID_BYTES: of a tracker's refusal; MAX_URL:
 * bytes of an address */
enum { N_NEWEST = 100, SAID_BYTES = 240, MAX_URL = 2048 };

/* What a kind of tracker wants, and what its answers look like. */
struct kind {
    const char *name, *url, *variable;
    const char *accept, *header;
    size_t most_body;         /* bytes */
    const char *list;         /* where a search's answer has its issues; NULL: it is the list */
    const char *title, *text; /* of an issue in an answer; NULL: it holds no text */
    const char *address;      /* of an issue in an answer; NULL: made of its number */
};

static const struct kind kinds[PARE_TRACKER_N_KINDS] = {
    [PARE_TRACKER_GITHUB] = {.name = "github",
                             .url = "https://api.github.com",
                             .variable = "GITHUB_TOKEN",
                             .accept = "application/vnd.github+json",
                             .header = "Authorization: Bearer ",
                             .most_body = 60000, /* of 65,536 characters */
                             .list = "items",
                             .title = "title",
                             .text = "body",
                             .address = "html_url"},
    [PARE_TRACKER_GITLAB] = {.name = "gitlab",
                             .url = "https://gitlab.com",
                             .variable = "GITLAB_TOKEN",
                             .accept = "application/json",
                             .header = "PRIVATE-TOKEN: ",
                             .most_body = 900000, /* of 1,048,576 characters */
                             .title = "title",
                             .text = "description",
                             .address = "web_url"},
    [PARE_TRACKER_BUGZILLA] = {.name = "bugzilla",
                               .url = "",
                               .variable = "BUGZILLA_API_KEY",
                               .accept = "application/json",
                               .header = "X-BUGZILLA-API-KEY: ",
                               .most_body = 60000, /* of 65,535 characters */
                               .list = "bugs",
                               .title = "summary"},
};

/* Under this name files and sentences speak of a kind. */
const char *pare_tracker_name(pare_tracker_kind kind)
{
    assert(kind < PARE_TRACKER_N_KINDS);
    return kinds[kind].name;
}

/* By the word that [report] has in `to`; a folder is no tracker, and not found. */
bool pare_tracker_find(const char *name, pare_tracker_kind *kind)
{
    for (int i = 0; i < PARE_TRACKER_N_KINDS; i++) {
        if (strcmp(kinds[i].name, name) != 0) continue;
        *kind = (pare_tracker_kind)i;
        return true;
    }
    return false;
}

/* As the trackers' own tools call it. */
const char *pare_tracker_token_variable(pare_tracker_kind kind)
{
    return kinds[kind].variable;
}

/* Bytes, where trackers count characters: always fewer than allowed. */
size_t pare_tracker_most_body(pare_tracker_kind kind)
{
    return kinds[kind].most_body;
}

/* The address of the tracker that the user gives, or the usual one of its kind. */
static const char *base_of(const pare_tracker *tracker)
{
    return tracker->url[0] ? tracker->url : kinds[tracker->kind].url;
}

/* Bytes of that address without slashes at its end. */
static int base_size(const pare_tracker *tracker)
{
    const char *url = base_of(tracker);
    size_t size = strlen(url);
    while (size && url[size - 1] == '/')
        size--;
    return (int)size;
}

/* Whether a text is an address that can be used: nothing in it can end a line
 * of a request or a word of a shell, and no user's name, as another host could
 * hide behind it. */
static bool is_address(const char *url)
{
    if (strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0) return false;
    if (strlen(url) > MAX_URL) return false;
    for (const unsigned char *at = (const unsigned char *)url; *at; at++)
        if (*at <= ' ' || *at >= 0x7f || strchr("\"'\\<>@^`{|}", *at)) return false;
    return true;
}

/* Checks a tracker before anything is made of it: a request that lacks its
 * project would go to another address. Errors: PARE_E_ARG. */
pare_status pare_tracker_check(const pare_tracker *tracker, pare_error *err)
{
    const char *name = pare_tracker_name(tracker->kind);
    bool is_bugzilla = tracker->kind == PARE_TRACKER_BUGZILLA;
    const char *slash = strchr(tracker->project, '/');
    if (!base_of(tracker)[0])
        return pare_fail(err, PARE_E_ARG,
                         "%s: its address is missing, such as url = https://bugs.example.org",
                         name);
    if (!is_address(base_of(tracker)))
        return pare_fail(err, PARE_E_ARG, "%s: '%.200s' is not the address of a tracker", name,
                         tracker->url);
    if (is_bugzilla && (!tracker->product[0] || !tracker->component[0]))
        return pare_fail(err, PARE_E_ARG, "%s: the %s is missing", name,
                         tracker->product[0] ? "component" : "product");
    if (!is_bugzilla && !tracker->project[0])
        return pare_fail(err, PARE_E_ARG,
                         "%s: the project is missing, such as project = OWNER/NAME", name);
    if (tracker->kind == PARE_TRACKER_GITHUB &&
        (!slash || slash == tracker->project || !slash[1] || strchr(slash + 1, '/')))
        return pare_fail(err, PARE_E_ARG, "%s: write the project as OWNER/NAME, not '%.100s'", name,
                         tracker->project);
    return PARE_OK;
}

/* All-zero afterwards. */
void pare_tracker_request_done(pare_tracker_request *request)
{
    pare_buffer_done(&request->url);
    pare_buffer_done(&request->body);
    *request = (pare_tracker_request){0};
}

/* Percent-encoded: nothing in it can end a part of the address. */
static pare_status add_encoded(const char *text, pare_buffer *out, pare_error *err)
{
    return pare_escape_url(text, strlen(text), out, err);
}

/* Appends the project. A slash in GitHub's separates two parts of the path; in
 * GitLab's it is encoded. */
static pare_status add_project(const pare_tracker *tracker, pare_buffer *out, pare_error *err)
{
    const char *slash = strchr(tracker->project, '/');
    if (tracker->kind != PARE_TRACKER_GITHUB || !slash)
        return add_encoded(tracker->project, out, err);
    size_t owner = (size_t)(slash - tracker->project);
    pare_status status = pare_escape_url(tracker->project, owner, out, err);
    if (!status) status = pare_buffer_text(out, "/", err);
    return status ? status : add_encoded(slash + 1, out, err);
}

/* "BASE/repos/OWNER/NAME/issues" and its like. */
static pare_status add_issues(const pare_tracker *tracker, pare_buffer *url, pare_error *err)
{
    static const char *const before[] = {"/repos/", "/api/v4/projects/", "/rest/bug"};
    static const char *const after[] = {"/issues", "/issues", ""};
    pare_status status = pare_buffer_format(url, err, "%.*s%s", base_size(tracker),
                                            base_of(tracker), before[tracker->kind]);
    if (!status && tracker->kind != PARE_TRACKER_BUGZILLA) status = add_project(tracker, url, err);
    return status ? status : pare_buffer_text(url, after[tracker->kind], err);
}

/* Headers that all requests to a tracker have. */
static void begin_request(const pare_tracker *tracker, const char *method,
                          pare_tracker_request *request)
{
    *request = (pare_tracker_request){.method = method,
                                      .accept = kinds[tracker->kind].accept,
                                      .header = kinds[tracker->kind].header};
}

/* ---- making an issue ------------------------------------------------------------------- */

/* Appends a member of an object, with a comma before it unless it is the first. */
static pare_status add_member(const char *name, const char *text, pare_buffer *body,
                              pare_error *err)
{
    const char *before = body->size > 1 ? ",\n " : "";
    pare_status status = pare_buffer_format(body, err, "%s\"%s\": ", before, name);
    return status ? status : pare_escape_json(text, strlen(text), body, err);
}

/* Appends a member that is a list, out of a text with commas; blanks around the
 * parts do not count. */
static pare_status add_list(const char *name, const char *text, pare_buffer *body, pare_error *err)
{
    pare_status status = pare_buffer_format(body, err, ",\n \"%s\": [", name);
    for (bool is_first = true; *text && !status; is_first = false) {
        size_t size = strcspn(text, ","), from = 0, to = size;
        while (from < to && isspace((unsigned char)text[from]))
            from++;
        while (to > from && isspace((unsigned char)text[to - 1]))
            to--;
        if (!is_first) status = pare_buffer_text(body, ", ", err);
        if (!status) status = pare_escape_json(text + from, to - from, body, err);
        text += size + (text[size] == ',');
    }
    return status ? status : pare_buffer_text(body, "]", err);
}

/* Appends the members of a bug. Bugzilla wants the fields of its form; op_sys
 * and rep_platform have no default everywhere. */
static pare_status add_bug(const pare_tracker *tracker, const pare_tracker_issue *issue,
                           pare_buffer *body, pare_error *err)
{
    const struct {
        const char *name, *text;
    } members[] = {{"product", tracker->product},
                   {"component", tracker->component},
                   {"version", tracker->version[0] ? tracker->version : "unspecified"},
                   {"summary", issue->title},
                   {"description", issue->body},
                   {"op_sys", "All"},
                   {"rep_platform", "All"}};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < sizeof members / sizeof *members && !status; i++)
        status = add_member(members[i].name, members[i].text, body, err);
    if (!status && tracker->labels[0]) status = add_list("keywords", tracker->labels, body, err);
    return status;
}

/* GitHub takes labels as a list, GitLab as one text with commas. */
static pare_status add_issue(const pare_tracker *tracker, const pare_tracker_issue *issue,
                             pare_buffer *body, pare_error *err)
{
    bool is_gitlab = tracker->kind == PARE_TRACKER_GITLAB;
    pare_status status = add_member("title", issue->title, body, err);
    if (!status) status = add_member(is_gitlab ? "description" : "body", issue->body, body, err);
    if (status || !tracker->labels[0]) return status;
    return is_gitlab ? add_member("labels", tracker->labels, body, err)
                     : add_list("labels", tracker->labels, body, err);
}

/* Makes the request for a new issue. Each member is on a line of its own, so
 * that the file can be read before it is sent. */
pare_status pare_tracker_create(const pare_tracker *tracker, const pare_tracker_issue *issue,
                                pare_tracker_request *request, pare_error *err)
{
    begin_request(tracker, "POST", request);
    pare_status status = add_issues(tracker, &request->url, err);
    if (!status) status = pare_buffer_text(&request->body, "{", err);
    if (!status)
        status = tracker->kind == PARE_TRACKER_BUGZILLA
                     ? add_bug(tracker, issue, &request->body, err)
                     : add_issue(tracker, issue, &request->body, err);
    return status ? status : pare_buffer_text(&request->body, "}\n", err);
}

/* ---- looking for one ------------------------------------------------------------------- */

/* The digest in the mark, which is what is searched for: search languages take
 * a colon for their own. */
static const char *digest_of(const pare_tracker_issue *issue)
{
    const char *blank = strrchr(issue->mark, ' ');
    return blank ? blank + 1 : issue->mark;
}

/* Appends a phrase for a query, cut to a length that it may have. Quotes become
 * blanks, as they would end it. */
static pare_status add_phrase(const char *text, pare_buffer *query, pare_error *err)
{
    enum { MOST = 120 };
    size_t before = query->size;
    pare_status status = pare_escape_line(text, strlen(text), MOST, query, err);
    for (size_t i = before; i < query->size; i++)
        if (query->data[i] == '"' || query->data[i] == '\\') query->data[i] = ' ';
    return status;
}

/* GitHub's search takes one query, whose qualifiers (in:, repo:) are words of it; the newest are
 * a list. */
static pare_status search_github(const pare_tracker *tracker, pare_tracker_look look,
                                 const pare_tracker_issue *issue, pare_buffer *url, pare_error *err)
{
    pare_buffer query = {0};
    if (look == PARE_LOOK_NEWEST) {
        pare_status status = add_issues(tracker, url, err);
        if (status) return status;
        return pare_buffer_format(url, err, "?state=all&sort=created&per_page=%d", N_NEWEST);
    }
    bool by_mark = look == PARE_LOOK_MARK;
    pare_status status = pare_buffer_text(&query, "\"", err);
    if (!status) status = add_phrase(by_mark ? digest_of(issue) : issue->title, &query, err);
    if (!status)
        status = pare_buffer_format(&query, err, "\" in:%s repo:%s is:issue",
                                    by_mark ? "body" : "title", tracker->project);
    if (!status)
        status =
            pare_buffer_format(url, err, "%.*s/search/issues?per_page=%d&q=", base_size(tracker),
                               base_of(tracker), N_NEWEST);
    if (!status) status = pare_escape_url(query.data, query.size, url, err);
    pare_buffer_done(&query);
    return status;
}

/* A search of GitLab is a filter of its list of issues; without one it is the newest of them. */
static pare_status search_gitlab(const pare_tracker *tracker, pare_tracker_look look,
                                 const pare_tracker_issue *issue, pare_buffer *url, pare_error *err)
{
    pare_status status = add_issues(tracker, url, err);
    if (!status)
        status = pare_buffer_format(
            url, err, "?scope=all&state=all&order_by=created_at&sort=desc&per_page=%d", N_NEWEST);
    if (status || look == PARE_LOOK_NEWEST) return status;
    bool by_mark = look == PARE_LOOK_MARK;
    status = pare_buffer_format(url, err, "&in=%s&search=", by_mark ? "description" : "title");
    return status ? status : add_encoded(by_mark ? digest_of(issue) : issue->title, url, err);
}

/* Makes a search of Bugzilla. It looks into the texts themselves, so there is
 * no need to look through the newest: that asks for the mark, too. */
static pare_status search_bugzilla(const pare_tracker *tracker, pare_tracker_look look,
                                   const pare_tracker_issue *issue, pare_buffer *url,
                                   pare_error *err)
{
    bool by_title = look == PARE_LOOK_TITLE;
    pare_status status = add_issues(tracker, url, err);
    if (!status) status = pare_buffer_text(url, "?product=", err);
    if (!status) status = add_encoded(tracker->product, url, err);
    if (!status)
        status = pare_buffer_format(
            url, err, "&include_fields=id,summary&limit=%d&f1=%s&o1=%s&v1=", N_NEWEST,
            by_title ? "short_desc" : "longdesc", by_title ? "equals" : "substring");
    return status ? status : add_encoded(by_title ? issue->title : issue->mark, url, err);
}

/* Makes the request of a look. One page of the answer is enough: a digest is in
 * one issue, or in a few. */
pare_status pare_tracker_search(const pare_tracker *tracker, pare_tracker_look look,
                                const pare_tracker_issue *issue, pare_tracker_request *request,
                                pare_error *err)
{
    begin_request(tracker, "GET", request);
    switch (tracker->kind) {
    case PARE_TRACKER_GITHUB: return search_github(tracker, look, issue, &request->url, err);
    case PARE_TRACKER_GITLAB: return search_gitlab(tracker, look, issue, &request->url, err);
    default: return search_bugzilla(tracker, look, issue, &request->url, err);
    }
}

/* ---- answers --------------------------------------------------------------------------- */

/* The text of a member, "" if it has none. */
static const char *text_of(const json_t *object, const char *name)
{
    const char *text = name ? json_string_value(json_object_get(object, name)) : NULL;
    return text ? text : "";
}

/* Appends what a tracker says when it refuses, by the names that trackers have
 * for it; else the beginning of an answer that is no JSON. */
static pare_status add_said(const pare_tracker_answer *answer, const json_t *object,
                            pare_buffer *said, pare_error *err)
{
    static const char *const names[] = {"message", "error", "errors"};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && !status; i++) {
        json_t *member = json_object_get(object, names[i]);
        char line[SAID_BYTES];
        const char *text = json_string_value(member);
        if (!member || json_is_boolean(member)) continue;
        /* jansson writes at most so many bytes, and says how many it would be. */
        size_t size = text ? strlen(text) : json_dumpb(member, line, sizeof line, JSON_ENCODE_ANY);
        if (!text && size > sizeof line) size = sizeof line;
        if (said->size) status = pare_buffer_text(said, " ", err);
        if (!status) status = pare_escape_line(text ? text : line, size, SAID_BYTES, said, err);
    }
    if (!status && !said->size && answer->bytes.size && !object)
        status =
            pare_escape_line(answer->bytes.data, answer->bytes.size, SAID_BYTES / 2, said, err);
    return status;
}

/* Fails with "github refuses it (422): Validation Failed". PARE_E_IO, unless
 * memory runs out. */
static pare_status refuse(const pare_tracker *tracker, const pare_tracker_answer *answer,
                          const json_t *object, const char *what, pare_error *err)
{
    pare_buffer said = {0};
    pare_status status = add_said(answer, object, &said, err);
    if (!status)
        status = pare_fail(err, PARE_E_IO, "%s %s (%ld)%s%s", pare_tracker_name(tracker->kind),
                           what, answer->code, said.size ? ": " : "", said.size ? said.data : "");
    pare_buffer_done(&said);
    return status;
}

/* Creation is 201, but some servers say 200. */
static bool is_good(const pare_tracker_answer *answer)
{
    return answer->code >= 200 && answer->code < 300;
}

/* The answer as JSON, owned by the caller; NULL for what is none. Jansson
 * bounds the depth, so no answer can exhaust the stack. */
static json_t *parse(const pare_tracker_answer *answer)
{
    return json_loadb(answer->bytes.size ? answer->bytes.data : "", answer->bytes.size, 0, NULL);
}

/* Appends the address of an issue. *is_one is false if the answer has none, or
 * one that a browser should not go to. */
static pare_status add_address(const pare_tracker *tracker, const json_t *issue, pare_buffer *url,
                               bool *is_one, pare_error *err)
{
    const json_t *id = json_object_get(issue, "id");
    const char *address = text_of(issue, kinds[tracker->kind].address);
    *is_one = true;
    if (!kinds[tracker->kind].address && json_is_integer(id) && json_integer_value(id) > 0)
        return pare_buffer_format(url, err, "%.*s/show_bug.cgi?id=%lld", base_size(tracker),
                                  base_of(tracker), (long long)json_integer_value(id));
    if (is_address(address)) return pare_buffer_text(url, address, err);
    *is_one = false;
    return PARE_OK;
}

/* Whether the tracker says that it has this issue: GitHub and Bugzilla in
 * words, GitLab by its code. */
static bool says_exists(const pare_tracker_answer *answer)
{
    return answer->code == 409 ||
           (answer->code == 422 && answer->bytes.size &&
            memmem(answer->bytes.data, answer->bytes.size, "already_exists", 14));
}

/* Reads the answer to a new issue; *url is its address. Bugzilla may refuse
 * with a code of success, and has "error" then. */
pare_status pare_tracker_read_created(const pare_tracker *tracker,
                                      const pare_tracker_answer *answer, pare_buffer *url,
                                      pare_error *err)
{
    json_t *object = parse(answer);
    bool is_one = false;
    pare_status status = PARE_OK;
    if (says_exists(answer)) {
        status = pare_fail(err, PARE_E_STATE, "%s says that it has this issue",
                           pare_tracker_name(tracker->kind));
    } else if (!is_good(answer) || json_is_true(json_object_get(object, "error"))) {
        status = refuse(tracker, answer, object, "refuses it", err);
    } else {
        status = add_address(tracker, object, url, &is_one, err);
        if (!status && !is_one)
            status = refuse(tracker, answer, object, "gives an answer without an issue", err);
    }
    json_decref(object);
    return status;
}

/* Titles as people compare them. */
static bool is_same_title(const char *a, const char *b)
{
    return *a && strcasecmp(a, b) == 0;
}

/* What a found issue is to ours, by its text and title and not by its having
 * been found. */
static pare_tracker_match match_of(const pare_tracker *tracker, pare_tracker_look look,
                                   const pare_tracker_issue *issue, const json_t *found)
{
    const struct kind *kind = &kinds[tracker->kind];
    if (!json_is_object(found)) return PARE_MATCH_NONE;
    /* What was asked for by its text, and gives no text to see. */
    if (!kind->text && look != PARE_LOOK_TITLE) return PARE_MATCH_MARK;
    if (kind->text && strstr(text_of(found, kind->text), issue->mark)) return PARE_MATCH_MARK;
    return is_same_title(text_of(found, kind->title), issue->title) ? PARE_MATCH_TITLE
                                                                    : PARE_MATCH_NONE;
}

/* The best match of the list; *found is borrowed. */
static pare_tracker_match best_of(const pare_tracker *tracker, pare_tracker_look look,
                                  const pare_tracker_issue *issue, const json_t *list,
                                  const json_t **found)
{
    pare_tracker_match best = PARE_MATCH_NONE;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *at = json_array_get(list, i);
        pare_tracker_match match = match_of(tracker, look, issue, at);
        if (match <= best) continue;
        best = match;
        *found = at;
    }
    return best;
}

/* Reads the answer to a look. A refusal is an error and not "none found": the
 * issue would be made twice. */
pare_status pare_tracker_read_found(const pare_tracker *tracker, pare_tracker_look look,
                                    const pare_tracker_issue *issue,
                                    const pare_tracker_answer *answer, pare_tracker_found *found,
                                    pare_error *err)
{
    json_t *object = parse(answer);
    const char *list_name = kinds[tracker->kind].list;
    /* GitHub's search has its list in an object, its list of issues is one itself. */
    const json_t *list =
        json_is_array(object) || !list_name ? object : json_object_get(object, list_name);
    const json_t *best = NULL;
    bool is_one = false;
    pare_status status = PARE_OK;
    found->match = PARE_MATCH_NONE;
    if (!is_good(answer) || !json_is_array(list))
        status = refuse(tracker, answer, object,
                        is_good(answer) ? "answers a search with something that is not a list"
                                        : "refuses a search",
                        err);
    else
        found->match = best_of(tracker, look, issue, list, &best);
    if (!status && found->match) status = add_address(tracker, best, &found->url, &is_one, err);
    if (!status && found->match && !is_one)
        status = refuse(tracker, answer, NULL, "gives an issue without an address", err);
    if (status) found->match = PARE_MATCH_NONE;
    json_decref(object);
    return status;
}

/* ---- for curl -------------------------------------------------------------------------- */

/* As one word of a shell. */
static pare_status add_quoted(const char *text, pare_buffer *out, pare_error *err)
{
    return pare_command_quote(out, text, strlen(text), err);
}

/* Appends the lines of a script that read the token into a variable, and end it
 * if there is none. */
static pare_status add_token(const pare_tracker_token_place *place, pare_buffer *out,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    if (place->variable) {
        status = pare_buffer_format(out, err, "token=\"$%s\"\n", place->variable);
    } else {
        status = pare_buffer_text(out, "token=\"$(cat ", err);
        if (!status) status = add_quoted(place->file, out, err);
        if (!status) status = pare_buffer_text(out, ")\"\n", err);
    }
    if (status) return status;
    return pare_buffer_format(
        out, err, "[ -n \"$token\" ] || { echo 'there is no token: %s' >&2; exit 2; }\n",
        place->variable ? "set the variable to it" : "the file is empty");
}

/* Appends a script that sends the request. printf is part of the shell and curl
 * reads the header from it, so the token is in no list of processes. */
pare_status pare_tracker_script(const pare_tracker_request *request,
                                const pare_tracker_token_place *place, const char *body_name,
                                pare_buffer *out, pare_error *err)
{
    pare_status status = pare_buffer_text(out,
                                          "#!/bin/sh\n"
                                          "# Has curl make the issue.\n"
                                          "cd \"$(dirname \"$0\")\" || exit 3\n",
                                          err);
    if (!status) status = add_token(place, out, err);
    if (!status) status = pare_buffer_text(out, "printf '%s%s\\n' ", err);
    if (!status) status = add_quoted(request->header, out, err);
    if (!status)
        status = pare_buffer_format(out, err,
                                    " \"$token\" |\n  curl --fail-with-body --silent --show-error "
                                    "--max-time 60 -X %s \\\n"
                                    "    -H @- -H 'Content-Type: application/json' "
                                    "-H 'Accept: %s' \\\n    --data-binary @",
                                    request->method, request->accept);
    if (!status) status = add_quoted(body_name, out, err);
    if (!status) status = pare_buffer_text(out, " \\\n    ", err);
    if (!status) status = add_quoted(request->url.data, out, err);
    return status ? status : pare_buffer_text(out, "\n", err);
}
