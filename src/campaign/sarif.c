/* Findings as SARIF 2.1.0, which code scanning and editors read.
 *
 * There is one run.  Its rules are the kinds of failures (the identity's title before " in "), its
 * artifacts are the inputs with their contents, and its results are the findings, which the next
 * file identifies by the digest that also marks issues.  The state appears in three places: in
 * baselineState (absent: it is fixed), as a suppression (it is invalid), and by name in the
 * properties.  A result needs a location: the failing input, with the failing function as its
 * logical location.  Addresses of artifacts are relative, like those of files in a repository.
 * Source: OASIS, SARIF 2.1.0 Plus Errata 01, sections 3.14, 3.24, 3.27; what code scanning asks of
 * results in addition: a rule's id, a message, a place, partialFingerprints. */
#include "campaign/findings_file.h"

#include <assert.h>
#include <string.h>

#include <jansson.h>

#include <pare/pare.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/escape.h"
#include "campaign/finding_json.h"
#include "campaign/report_fields.h"

/* of a rule's id, in bytes */
enum { MAX_RULE = 120 };

static const char SCHEMA[] = "https://json.schemastore.org/sarif-2.1.0.json";

/* What pare_findings_file.own points to. The log is one value; `numbers` has the
 * place of each rule by its id. Owned. */
struct sarif {
    json_t *log, *numbers;
};

/* The lists of a run while it is made; owned by the log. */
struct parts {
    json_t *numbers, *rules, *artifacts, *results;
};

static struct parts parts_of(const pare_findings_file *file)
{
    const struct sarif *sarif = file->own;
    const json_t *run = json_array_get(json_object_get(sarif->log, "runs"), 0);
    const json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    return (struct parts){.numbers = sarif->numbers,
                          .rules = json_object_get(driver, "rules"),
                          .artifacts = json_object_get(run, "artifacts"),
                          .results = json_object_get(run, "results")};
}

/* Begins the log; each finding is appended to its three lists. What was begun in
 * part is ended by done(). */
static pare_status begin(pare_findings_file *file, pare_error *err)
{
    struct sarif *sarif = pare_alloc_zero(1, sizeof *sarif);
    if (!sarif) return pare_fail_nomem(err);
    file->own = sarif;
    sarif->numbers = json_object();
    sarif->log = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:[]}}, s:s, s:[], s:[]}]}", "$schema",
                           SCHEMA, "version", "2.1.0", "runs", "tool", "driver", "name", "pare",
                           "semanticVersion", pare_version(), "rules", "columnKind",
                           "unicodeCodePoints", "artifacts", "results");
    return sarif->log && sarif->numbers ? PARE_OK : pare_fail_nomem(err);
}

/* Appends an item, which moves in, to a list. False: memory ran out, also if
 * `item` is NULL for that. */
static bool append(json_t *list, json_t *item)
{
    return item && json_array_append_new(list, item) == 0;
}

static json_t *text(const char *bytes, size_t size)
{
    return pare_finding_json_text(bytes, size);
}

/* Bytes of a title that name the kind of failure: those before " in ", at most
 * MAX_RULE. */
static size_t rule_size(const char *title)
{
    const char *in = strstr(title, " in ");
    size_t size = in ? (size_t)(in - title) : strlen(title);
    return size < MAX_RULE ? size : MAX_RULE;
}

/* The function that fails; "" where the title names none. */
static const char *function_of(const char *title)
{
    const char *in = strstr(title, " in ");
    return in ? in + 4 : "";
}

/* The number of the rule with this id, which is added if it is new; -1: memory
 * ran out. Found by a table: a target whose messages differ from test to test has
 * as many rules as findings. */
static json_int_t rule_of(const struct parts *parts, const char *id)
{
    const json_t *known = json_object_get(parts->numbers, id);
    if (known) return json_integer_value(known);
    const json_int_t n = (json_int_t)json_array_size(parts->rules);
    bool is_added =
        append(parts->rules, json_pack("{s:s, s:{s:s}, s:{s:s}}", "id", id, "shortDescription",
                                       "text", id, "defaultConfiguration", "level", "error")) &&
        json_object_set_new(parts->numbers, id, json_integer(n)) == 0;
    return is_added ? n : -1;
}

/* The contents of an input: "text", or "binary" in base64 where bytes would be
 * lost. NULL: memory ran out. */
static json_t *contents_of(const pare_findings_entry *entry)
{
    pare_buffer base64 = {0};
    json_t *contents = NULL;
    if (pare_escape_is_faithful(entry->input, entry->size))
        return json_pack("{s:o}", "text", text((const char *)entry->input, entry->size));
    pare_status status = pare_escape_base64(entry->input, entry->size, &base64, NULL);
    /* One line: the schema knows no line ends in it. */
    size_t size = 0;
    for (size_t i = 0; i < base64.size; i++)
        if (base64.data[i] != '\n') base64.data[size++] = base64.data[i];
    if (!status) contents = json_pack("{s:o}", "binary", json_stringn(base64.data, size));
    pare_buffer_done(&base64);
    return contents;
}

/* Adds the input as an artifact; `uri` is where a folder of reports would have
 * it. Without contents if they are not kept or too large. */
static bool add_artifact(json_t *artifacts, const pare_findings_entry *entry, const char *uri)
{
    const pare_finding *finding = entry->finding;
    size_t bytes = finding->reduced[0] ? finding->reduced_bytes : finding->input_bytes;
    json_t *artifact = json_pack("{s:{s:s}, s:I, s:[s]}", "location", "uri", uri, "length",
                                 (json_int_t)bytes, "roles", "analysisTarget");
    bool is_good = artifact != NULL;
    if (is_good && entry->input && entry->size <= PARE_FINDINGS_FILE_INPUT) {
        json_t *contents = contents_of(entry);
        is_good = contents && json_object_set_new(artifact, "contents", contents) == 0;
    }
    if (is_good) return append(artifacts, artifact);
    json_decref(artifact);
    return false;
}

/* What the state is for a reader that compares with the file before. Reported
 * findings are known to people; what has regressed is new to them. */
static const char *baseline_of(pare_finding_state state)
{
    switch (state) {
    case PARE_FINDING_FIXED: return "absent";
    case PARE_FINDING_REPORTED: return "unchanged";
    case PARE_FINDING_REGRESSED:
    case PARE_FINDING_REDUCED:
    case PARE_FINDING_NEW: return "new";
    default: return "unchanged";
    }
}

/* The place of a result: its input, and the function if the title names one.
 * The caller owns it; NULL: memory ran out. */
static json_t *location_of(const pare_finding *finding, const char *uri, size_t artifact)
{
    const char *function = function_of(finding->title);
    json_t *place = json_pack("{s:{s:{s:s, s:I}}}", "physicalLocation", "artifactLocation", "uri",
                              uri, "index", (json_int_t)artifact);
    if (!place || !function[0]) return place;
    json_t *name = text(function, strlen(function));
    json_t *logical = name ? json_pack("[{s:o, s:s}]", "name", name, "kind", "function") : NULL;
    if (logical && json_object_set_new(place, "logicalLocations", logical) == 0) return place;
    json_decref(place);
    return NULL;
}

/* Adds what SARIF has no names for: all of the finding under "properties", as
 * other formats have it, its address, and for an invalid one the suppression. */
static bool add_rest(json_t *result, const pare_finding *finding)
{
    json_t *properties = pare_finding_json_of(finding);
    if (!properties || json_object_set_new(result, "properties", properties) != 0) return false;
    if (finding->url[0] &&
        json_object_set_new(result, "workItemUris",
                            json_pack("[o]", text(finding->url, strlen(finding->url)))) != 0)
        return false;
    if (finding->state != PARE_FINDING_INVALID) return true;
    json_t *suppressions =
        json_pack("[{s:s, s:s}]", "kind", "external", "justification",
                  "the input does not show it any more with the same version of the target");
    return suppressions && json_object_set_new(result, "suppressions", suppressions) == 0;
}

/* Adds the result of a finding. json_pack takes message and place over, also if
 * it fails. */
static bool add_result(const struct parts *parts, const pare_findings_entry *entry,
                       const char *rule, const char *uri)
{
    const pare_finding *finding = entry->finding;
    json_int_t index = rule_of(parts, rule);
    json_t *place = location_of(finding, uri, json_array_size(parts->artifacts) - 1);
    pare_buffer said = {0};
    if (pare_buffer_format(&said, NULL, "%s: %s", finding->target, finding->title)) index = -1;
    json_t *message = index < 0 ? NULL : text(said.data, said.size);
    pare_buffer_done(&said);
    if (!message || !place) {
        json_decref(message);
        json_decref(place);
        return false;
    }
    json_t *result = json_pack(
        "{s:s, s:I, s:s, s:s, s:{s:o}, s:[o], s:{s:s}, s:I, s:s}", "ruleId", rule, "ruleIndex",
        index, "kind", "fail", "level", "error", "message", "text", message, "locations", place,
        "partialFingerprints", "pareIdentity/v1", pare_report_fields_digest(entry->mark),
        "occurrenceCount", (json_int_t)(finding->count ? finding->count : 1), "baselineState",
        baseline_of(finding->state));
    if (result && add_rest(result, finding)) return append(parts->results, result);
    json_decref(result);
    return false;
}

/* Adds artifact and result of a finding, in this order: the result names the
 * artifact's index. */
static pare_status add(pare_findings_file *file, const pare_findings_entry *entry, pare_error *err)
{
    const struct parts parts = parts_of(file);
    const pare_finding *finding = entry->finding;
    const char *name = finding->reduced[0] ? "reduced" : "original";
    pare_buffer uri = {0}, rule = {0};
    assert(parts.rules && parts.artifacts && parts.results);
    pare_status status =
        pare_buffer_format(&uri, err, "finding-%lld/%s", (long long)finding->id, name);
    size_t size = rule_size(finding->title);
    if (!status)
        status = pare_escape_line(size ? finding->title : "failure", size ? size : 7, MAX_RULE,
                                  &rule, err);
    if (!status && (!add_artifact(parts.artifacts, entry, uri.data) ||
                    !add_result(&parts, entry, rule.data, uri.data)))
        status = pare_fail_nomem(err);
    pare_buffer_done(&uri);
    pare_buffer_done(&rule);
    return status;
}

/* The log moves into the printer. */
static pare_status end(pare_findings_file *file, pare_buffer *out, pare_error *err)
{
    struct sarif *sarif = file->own;
    json_t *log = sarif->log;
    sarif->log = NULL;
    return pare_finding_json_print(log, PARE_FINDING_JSON_INDENTED, out, err);
}

/* Frees what `begin` has made and end() has not taken. */
static void done(pare_findings_file *file)
{
    struct sarif *sarif = file->own;
    if (!sarif) return;
    json_decref(sarif->log);
    json_decref(sarif->numbers);
    pare_alloc_free(sarif);
    file->own = NULL;
}

const pare_findings_writer pare_sarif_writer = {
    .name = "sarif",
    .summary = "SARIF 2.1.0, for code scanning and editors",
    .begin = begin,
    .add = add,
    .end = end,
    .done = done,
};
