/* All findings that match a filter, as one file: the table of formats, and the small formats.
 *
 * A file is made in memory and then written by rename, so that a concurrent reader gets the
 * previous one.  The text taken from a finding is limited, so the size follows the number of
 * different failures.  Findings are ordered by target, which JUnit's suites need.  SARIF and JUnit
 * are in files of their own. */
#include "campaign/findings_file.h"

#include <assert.h>
#include <string.h>

#include <jansson.h>

#include <pare/campaign_report.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "campaign/escape.h"
#include "campaign/finding_json.h"
#include "campaign/report_fields.h"
#include "os/file.h"

/* ---- json: an object with a list ------------------------------------------------------- */

/* Begins the object. Its version rises when a name changes its meaning; new
 * names do not change it. */
static pare_status begin_json(pare_findings_file *file, pare_error *err)
{
    file->own = json_pack("{s:s, s:i, s:[]}", "format", "pare-findings", "version", 1, "findings");
    return file->own ? PARE_OK : pare_fail_nomem(err);
}

/* Sets the input as a text, or in base64 if it is none; neither if it is larger
 * than PARE_FINDINGS_FILE_INPUT bytes. False: memory ran out. */
static bool set_input(json_t *object, const pare_findings_entry *entry)
{
    pare_buffer base64 = {0};
    if (!entry->input || entry->size > PARE_FINDINGS_FILE_INPUT) return true;
    if (pare_escape_is_faithful(entry->input, entry->size))
        return json_object_set_new(object, "input_text",
                                   pare_finding_json_text(entry->input, entry->size)) == 0;
    bool is_good =
        !pare_escape_base64(entry->input, entry->size, &base64, NULL) &&
        json_object_set_new(object, "input_base64", json_stringn(base64.data, base64.size)) == 0;
    pare_buffer_done(&base64);
    return is_good;
}

/* Adds an object for one finding. The fingerprint is that of marks and of
 * SARIF, so that files of different formats can be joined. */
static pare_status add_json(pare_findings_file *file, const pare_findings_entry *entry,
                            pare_error *err)
{
    json_t *object = pare_finding_json_of(entry->finding);
    json_t *list = json_object_get(file->own, "findings");
    if (object && set_input(object, entry) &&
        json_object_set_new(object, "fingerprint",
                            json_string(pare_report_fields_digest(entry->mark))) == 0)
        return json_array_append_new(list, object) == 0 ? PARE_OK : pare_fail_nomem(err);
    json_decref(object);
    return pare_fail_nomem(err);
}

/* Prints the object, which moves into the printer, so done_json finds nothing
 * any more. */
static pare_status end_json(pare_findings_file *file, pare_buffer *out, pare_error *err)
{
    json_t *object = file->own;
    file->own = NULL;
    return pare_finding_json_print(object, PARE_FINDING_JSON_INDENTED, out, err);
}

/* Frees the object of a file that was given up on its way. */
static void done_json(pare_findings_file *file)
{
    json_decref(file->own);
    file->own = NULL;
}

/* ---- markdown: a heading for each finding ---------------------------------------------- */

/* Begins the body as "", so that its data is never NULL. */
static pare_status begin_markdown(pare_findings_file *file, pare_error *err)
{
    return pare_buffer_text(&file->body, "", err);
}

/* Appends "- Name: `text`", or nothing for an empty text. */
static pare_status add_item(const char *name, const char *text, pare_buffer *out, pare_error *err)
{
    if (!text[0]) return PARE_OK;
    pare_status status = pare_buffer_format(out, err, "- %s: ", name);
    if (!status) status = pare_escape_code(text, strlen(text), out, err);
    return status ? status : pare_buffer_text(out, "\n", err);
}

/* Appends a block of code under its name; nothing at all for an empty one. */
static pare_status add_block(const char *name, const void *bytes, size_t size, pare_buffer *out,
                             pare_error *err)
{
    if (!size) return PARE_OK;
    pare_status status = pare_buffer_format(out, err, "\n%s:\n\n", name);
    return status ? status : pare_escape_fence(bytes, size, out, err);
}

/* Appends one finding: heading, a list of what is short, blocks of what is
 * long. No tables: a bar in a cell would have to be escaped even in code, and a
 * cell holds no lines. */
static pare_status add_markdown(pare_findings_file *file, const pare_findings_entry *entry,
                                pare_error *err)
{
    const pare_finding *finding = entry->finding;
    pare_buffer *out = &file->body;
    size_t output = strlen(finding->output);
    size_t skipped = output > PARE_FINDINGS_FILE_OUTPUT ? output - PARE_FINDINGS_FILE_OUTPUT : 0;
    const struct {
        const char *name, *text;
    } items[] = {{"Signature", finding->signature},
                 {"Version", finding->version},
                 {"First bad version", finding->first_bad},
                 {"Gone with version", finding->gone_version},
                 {"Source", finding->source},
                 {"Issue", finding->url},
                 {"Note", finding->note}};
    file->n++;
    pare_status status = pare_buffer_format(out, err, "\n## %lld. ", (long long)finding->id);
    if (!status) status = pare_escape_code(finding->title, strlen(finding->title), out, err);
    if (!status) status = pare_buffer_text(out, " in ", err);
    if (!status) status = pare_escape_code(finding->target, strlen(finding->target), out, err);
    if (!status)
        status = pare_buffer_format(
            out, err, "\n\n- State: %s\n- Seen: %llu %s\n", pare_finding_state_name(finding->state),
            (unsigned long long)finding->count, finding->count == 1 ? "time" : "times");
    for (size_t i = 0; i < sizeof items / sizeof *items && !status; i++)
        status = add_item(items[i].name, items[i].text, out, err);
    if (!status && entry->size <= PARE_FINDINGS_FILE_INPUT)
        status = add_block(finding->reduced[0] ? "Input, reduced" : "Input", entry->input,
                           entry->size, out, err);
    if (!status)
        status = add_block("What of it matters", finding->explanation, strlen(finding->explanation),
                           out, err);
    if (!status)
        status = add_block("Output", finding->output + skipped, output - skipped, out, err);
    return status;
}

/* Puts the number of findings, which is known only now, before the body. */
static pare_status end_markdown(pare_findings_file *file, pare_buffer *out, pare_error *err)
{
    pare_status status =
        pare_buffer_format(out, err, "# Findings\n\n%llu %s.\n", (unsigned long long)file->n,
                           file->n == 1 ? "finding" : "findings");
    if (!status && file->body.size)
        status = pare_buffer_add(out, file->body.data, file->body.size, err);
    return status;
}

/* ---- the table ------------------------------------------------------------------------- */

static const pare_findings_writer json_writer = {
    .name = "json",
    .summary = "one JSON object with everything about each finding",
    .begin = begin_json,
    .add = add_json,
    .end = end_json,
    .done = done_json,
};

static const pare_findings_writer markdown_writer = {
    .name = "markdown",
    .summary = "a Markdown page",
    .begin = begin_markdown,
    .add = add_markdown,
    .end = end_markdown,
};

/* In the order in which help shows them. */
static const pare_findings_writer *const writers[] = {&pare_sarif_writer, &pare_junit_writer,
                                                      &markdown_writer, &json_writer};
enum { N_WRITERS = sizeof writers / sizeof *writers };

/* The writer of a format; NULL, with a sentence that names all formats. */
static const pare_findings_writer *find_writer(const char *name, pare_error *err)
{
    for (size_t i = 0; i < N_WRITERS; i++)
        if (strcmp(writers[i]->name, name) == 0) return writers[i];
    (void)pare_fail(err, PARE_E_ARG, "unknown format '%.40s': use sarif, junit, markdown or json",
                    name);
    return NULL;
}

/* ---- the file -------------------------------------------------------------------------- */

/* One file being made. */
struct visit {
    pare_store *store;
    const pare_findings_writer *writer;
    pare_findings_file file;
};

/* A pare_finding_visit: adds one finding. Its input is read here and released
 * before the next one, so that only one is in memory. */
static pare_status add_finding(void *context, const pare_finding *finding, pare_error *err)
{
    struct visit *visit = context;
    char mark[PARE_REPORT_MARK_BYTES];
    unsigned char *bytes = NULL;
    size_t size = 0;
    const pare_report_about about = {.store = visit->store, .finding = finding};
    pare_report_fields_mark(finding, mark);
    pare_status status = pare_report_fields_input(
        &about, finding->reduced[0] ? finding->reduced : finding->input, &bytes, &size, err);
    const pare_findings_entry entry = {
        .finding = finding, .input = bytes, .size = size, .mark = mark};
    if (!status) status = visit->writer->add(&visit->file, &entry, err);
    pare_alloc_free(bytes);
    return status;
}

/* Makes the whole text in *out, with findings sorted by target whatever the
 * filter says. The writer gives up what it holds, also after a failure. */
static pare_status make(struct visit *visit, const pare_finding_filter *filter, pare_buffer *out,
                        pare_error *err)
{
    pare_finding_filter by_target = filter ? *filter : (pare_finding_filter){.states = 0};
    by_target.order = PARE_BY_TARGET;
    by_target.descending = false;
    pare_status status = visit->writer->begin(&visit->file, err);
    if (!status) status = pare_store_findings(visit->store, &by_target, add_finding, visit, err);
    if (!status) status = visit->writer->end(&visit->file, out, err);
    if (visit->writer->done) visit->writer->done(&visit->file);
    assert(!visit->file.own);
    pare_buffer_done(&visit->file.head);
    pare_buffer_done(&visit->file.body);
    pare_buffer_done(&visit->file.target);
    return status;
}

/* Writes the file of a format. It is replaced by rename when all of it is made:
 * an error leaves the old one. */
pare_status pare_report_file(pare_store *store, const pare_finding_filter *filter,
                             const char *format, const char *path, pare_error *err)
{
    pare_buffer out = {0};
    struct visit visit = {.store = store, .writer = find_writer(format, err)};
    if (!visit.writer) return PARE_E_ARG;
    pare_status status = make(&visit, filter, &out, err);
    if (!status) status = pare_file_write_bytes(path, out.data, out.size, err);
    pare_buffer_done(&out);
    return status;
}
