/* Changes that come as JSON: checked whole first, then made by one call of the store.
 *
 * Each action has a list of the members that it takes; one that is not in it is refused by name, so
 * that a slip in a script is not taken for an edit that did nothing.  Addresses are http or https
 * or nothing: the page makes links of them, and one that begins with javascript: would be a
 * program.  States that the campaign decides by itself (merged) are no states to set.
 * Invariant: nothing of `wanted` reaches the store that was not checked here, and one request for
 * one finding is one transaction of the store. */
#include "ui/fuzz_web_change.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ui/fuzz_web_json.h"

/* Of what a request may set, in bytes. */
enum { TITLE_BYTES = 1000, URL_BYTES = 2000, NOTE_BYTES = 32 * 1024, DETAIL_BYTES = 1000 };

/* What is done to the store; REQUEST stands for all kinds of jobs. */
typedef enum action { EDIT, MERGE, SPLIT, DELETE, REQUEST } action;

/* In the order of the manual.  `kind` is read for REQUEST only. */
static const struct {
    const char *name;
    action action;
    pare_job_kind kind;  /* of REQUEST */
    const char *members; /* that may be there besides action and ids, each between spaces */
} actions[] = {
    {"edit", EDIT, PARE_JOB_FUZZ, " state title note url "},
    {"merge", MERGE, PARE_JOB_FUZZ, " into "},
    {"split", SPLIT, PARE_JOB_FUZZ, " "},
    {"delete", DELETE, PARE_JOB_FUZZ, " "},
    {"reduce", REQUEST, PARE_JOB_REDUCE, " "},
    {"validate", REQUEST, PARE_JOB_VALIDATE, " "},
    {"bisect", REQUEST, PARE_JOB_BISECT, " detail "},
    {"report", REQUEST, PARE_JOB_REPORT, " detail "},
};

enum { N_ACTIONS = sizeof actions / sizeof *actions, NAME_BYTES = 40 };

/* ---- members ----------------------------------------------------------------------- */

/* Of `object`, each member has to be one of `known` or `common`, lists of names between
 * blanks.
 * A name that is looked for gets blanks around it as well; one that has a blank itself
 * would be found across two names, and is refused. */
static pare_status check_members(const json_t *object, const char *known, const char *common,
                                 pare_error *err)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        char word[NAME_BYTES];
        int size = snprintf(word, sizeof word, " %s ", name);
        bool fits = size > 2 && (size_t)size < sizeof word && !strchr(name, ' ');
        if (!fits || (!strstr(known, word) && !strstr(common, word)))
            return pare_fail(err, PARE_E_ARG, "unknown member '%.*s'", NAME_BYTES, name);
    }
    return PARE_OK;
}

/* Reads a member that is a text of at most `most` bytes; borrowed from `object`.  *text
 * stays NULL when there is no such member. */
static pare_status read_text(const json_t *object, const char *name, size_t most, const char **text,
                             pare_error *err)
{
    const json_t *value = json_object_get(object, name);
    if (!value) return PARE_OK;
    if (!json_is_string(value)) return pare_fail(err, PARE_E_ARG, "%s is not a text", name);
    if (json_string_length(value) > most)
        return pare_fail(err, PARE_E_ARG, "%s is longer than %zu bytes", name, most);
    *text = json_string_value(value);
    return PARE_OK;
}

/* Numbers of findings begin at 1. */
static pare_status read_id(const json_t *value, const char *name, int64_t *id, pare_error *err)
{
    if (!json_is_integer(value) || json_integer_value(value) < 1)
        return pare_fail(err, PARE_E_ARG, "%s is not the number of a finding", name);
    *id = json_integer_value(value);
    return PARE_OK;
}

/* ---- one finding ------------------------------------------------------------------- */

/* The state is one of several members of an edit, and may be missing. */
static pare_status read_state(const json_t *wanted, pare_finding_edit *edit, pare_error *err)
{
    const char *name = NULL;
    pare_status status = read_text(wanted, "state", NAME_BYTES, &name, err);
    if (status || !name) return status;
    edit->set_state = true;
    if (!pare_finding_state_find(name, &edit->state))
        return pare_fail(err, PARE_E_ARG, "unknown state '%s'", name);
    if (edit->state == PARE_FINDING_MERGED)
        return pare_fail(err, PARE_E_ARG, "merging is an action, not a state to set");
    return PARE_OK;
}

/* Whether the page may make a link of it: http or https, without blanks and controls.
 * "" takes an address away. */
static bool is_address(const char *url)
{
    if (!*url) return true;
    if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0) return false;
    for (; *url; url++)
        if ((unsigned char)*url <= ' ' || *url == 0x7f) return false;
    return true;
}

/* All members are checked before the store is asked, so an edit is made whole or not at all. */
static pare_status apply_edit(pare_store *store, int64_t id, const json_t *wanted, pare_error *err)
{
    pare_finding_edit edit = {0};
    pare_status status = read_state(wanted, &edit, err);
    if (!status) status = read_text(wanted, "title", TITLE_BYTES, &edit.title, err);
    if (!status) status = read_text(wanted, "note", NOTE_BYTES, &edit.note, err);
    if (!status) status = read_text(wanted, "url", URL_BYTES, &edit.url, err);
    if (status) return status;
    if (!edit.set_state && !edit.title && !edit.note && !edit.url)
        return pare_fail(err, PARE_E_ARG, "nothing to edit: state, title, note or url is missing");
    if (edit.url && !is_address(edit.url))
        return pare_fail(err, PARE_E_ARG, "url must be an http or https address");
    return pare_store_edit(store, id, &edit, err);
}

/* The store refuses circles and other targets; a finding into itself is the slip worth a
 * sentence. */
static pare_status apply_merge(pare_store *store, int64_t id, const json_t *wanted, pare_error *err)
{
    int64_t into = 0;
    pare_status status = read_id(json_object_get(wanted, "into"), "into", &into, err);
    if (!status && into == id)
        status = pare_fail(err, PARE_E_ARG, "a finding cannot be merged into itself");
    return status ? status : pare_store_merge(store, id, into, err);
}

/* A report without a place would wait in the queue only to fail there. */
static pare_status apply_request(pare_store *store, int64_t id, pare_job_kind kind,
                                 const json_t *wanted, int64_t *job, pare_error *err)
{
    const char *detail = NULL;
    pare_status status = read_text(wanted, "detail", DETAIL_BYTES, &detail, err);
    if (!status && kind == PARE_JOB_REPORT && (!detail || !*detail))
        status = pare_fail(err, PARE_E_ARG, "detail is missing: where the report goes");
    return status ? status : pare_store_request(store, kind, id, detail ? detail : "", job, err);
}

/* Index of the action that `wanted` names; N_ACTIONS when there is none of this name,
 * or it is not a text. */
static size_t find_action(const json_t *wanted)
{
    const char *name = json_string_value(json_object_get(wanted, "action"));
    size_t i = 0;
    while (i < N_ACTIONS && (!name || strcmp(actions[i].name, name) != 0))
        i++;
    return i;
}

/* Does it; *job is the number of the job that was asked for, 0 for what is done at
 * once. */
static pare_status apply(pare_store *store, int64_t id, size_t which, const json_t *wanted,
                         int64_t *job, pare_error *err)
{
    assert(which < N_ACTIONS);
    *job = 0;
    switch (actions[which].action) {
    case EDIT: return apply_edit(store, id, wanted, err);
    case MERGE: return apply_merge(store, id, wanted, err);
    case SPLIT: return pare_store_split(store, id, err);
    case DELETE: return pare_store_delete(store, id, err);
    default: return apply_request(store, id, actions[which].kind, wanted, job, err);
    }
}

/* Reads which action is wanted, and sees that nothing is there which it does not take:
 * members of its own, and those in `common`. */
static pare_status read_action(const json_t *wanted, size_t *which, const char *common,
                               pare_error *err)
{
    *which = find_action(wanted);
    if (*which == N_ACTIONS)
        return pare_fail(
            err, PARE_E_ARG,
            "action must be one of edit, merge, split, delete, reduce, validate, bisect, report");
    return check_members(wanted, actions[*which].members, common, err);
}

pare_status pare_fuzz_web_change_finding(pare_store *store, int64_t id, const json_t *wanted,
                                         int64_t *job, pare_error *err)
{
    size_t which;
    pare_status status = read_action(wanted, &which, " action ", err);
    return status ? status : apply(store, id, which, wanted, job, err);
}

/* ---- several ----------------------------------------------------------------------- */

/* One more in the list of those that failed; false: out of memory. */
static bool add_failed(json_t *failed, int64_t id, const char *message)
{
    return json_array_append_new(failed, json_pack("{s:I, s:o}", "id", (json_int_t)id, "error",
                                                   pare_fuzz_web_json_text(message))) == 0;
}

/* The whole list before the first change: a wrong number at its end must not leave half of it
 * done. */
static pare_status check_ids(const json_t *ids, pare_error *err)
{
    int64_t id;
    size_t n = json_array_size(ids);
    if (!n || n > PARE_FUZZ_WEB_MOST_IDS)
        return pare_fail(err, PARE_E_ARG, "ids must be a list of 1 to %d numbers",
                         PARE_FUZZ_WEB_MOST_IDS);
    for (size_t i = 0; i < n; i++) {
        pare_status status = read_id(json_array_get(ids, i), "an element of ids", &id, err);
        if (status) return status;
    }
    return PARE_OK;
}

/* Each finding is a transaction of its own: one that somebody has deleted meanwhile is no reason to
 * take the others back. */
pare_status pare_fuzz_web_change_many(pare_store *store, const json_t *wanted, json_t **result,
                                      pare_error *err)
{
    size_t which, done = 0;
    const json_t *ids = json_object_get(wanted, "ids");
    pare_status status = read_action(wanted, &which, " action ids ", err);
    if (!status) status = check_ids(ids, err);
    if (status) return status;
    json_t *failed = json_array();
    bool fits = failed;
    for (size_t i = 0; fits && i < json_array_size(ids); i++) {
        pare_error one = {0};
        int64_t id = json_integer_value(json_array_get(ids, i)), job;
        if (apply(store, id, which, wanted, &job, &one) == PARE_OK)
            done++;
        else
            fits = add_failed(failed, id, one.message);
    }
    /* Takes `failed` over, also when it has no memory. */
    if (fits) *result = json_pack("{s:I, s:o}", "done", (json_int_t)done, "failed", failed);
    if (!fits) json_decref(failed);
    return fits && *result ? PARE_OK : pare_fail_nomem(err);
}

/* ---- jobs of no finding ------------------------------------------------------------ */

/* Sources and explorations are started by the coordinator alone, so their kinds are not in the
 * list. */
pare_status pare_fuzz_web_change_request(pare_store *store, const json_t *wanted, int64_t *job,
                                         pare_error *err)
{
    int64_t finding = 0;
    const char *kind = NULL;
    pare_status status = check_members(wanted, " kind finding detail ", "", err);
    if (!status) status = read_text(wanted, "kind", NAME_BYTES, &kind, err);
    if (!status && json_object_get(wanted, "finding"))
        status = read_id(json_object_get(wanted, "finding"), "finding", &finding, err);
    if (status) return status;
    static const pare_job_kind kinds[] = {PARE_JOB_REDUCE, PARE_JOB_VALIDATE, PARE_JOB_UPDATE,
                                          PARE_JOB_BISECT, PARE_JOB_REPORT};
    for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kind, pare_job_kind_name(kinds[i])) != 0) continue;
        /* An update is about no finding, and a validation may be about none in
         * particular. */
        if (!finding && kinds[i] != PARE_JOB_UPDATE && kinds[i] != PARE_JOB_VALIDATE)
            return pare_fail(err, PARE_E_ARG, "finding is missing");
        return apply_request(store, finding, kinds[i], wanted, job, err);
    }
    return pare_fail(err, PARE_E_ARG,
                     "kind must be one of reduce, validate, update, bisect, report");
}
