/* Findings as lines, as a page of text, and as JSON.
 *
 * Everything that a target or a user wrote goes through pare_sheet_name, so it stays on its line and
 * cannot steer the terminal.  The list has fixed columns and the title last, which is what varies in
 * length; a finding's page has the result first, since that is what people look for, then what the
 * target printed, then the history. */
#include "ui/finding_list.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "ui/format.h"

/* Where the fields of a row begin, in characters from 0. */
enum { STATE_COLUMN = 6, COUNT_COLUMN = 17, SIZE_COLUMN = 25, TIME_COLUMN = 41, TITLE_COLUMN = 59 };
/* Of a finding's page: where values begin, room for a time, and how much of a text
 * (lines) and of the history (events) is shown. */
enum { VALUE_COLUMN = 12, TIME_BYTES = 32, SHOWN_LINES = 30, SHOWN_EVENTS = 20 };

/* Local time to the minute; "never" for 0. */
static const char *format_time(char text[static TIME_BYTES], int64_t ms)
{
    const time_t seconds = (time_t)(ms / 1000);
    struct tm local;
    if (!ms || !localtime_r(&seconds, &local) ||
        !strftime(text, TIME_BYTES, "%Y-%m-%d %H:%M", &local))
        return "never";
    return text;
}

/* Yellow and red wait for somebody, green was dealt with; what is merged, fixed or
 * invalid is dim. */
static pare_ink ink_of(pare_finding_state state)
{
    switch (state) {
    case PARE_FINDING_NEW: return PARE_INK_YELLOW;
    case PARE_FINDING_REGRESSED: return PARE_INK_RED;
    case PARE_FINDING_REDUCED:
    case PARE_FINDING_REPORTED: return PARE_INK_GREEN;
    default: return PARE_INK_DIM;
    }
}

static void add_state(pare_sheet *sheet, pare_finding_state state)
{
    pare_sheet_ink(sheet, ink_of(state));
    pare_sheet_raw(sheet, pare_finding_state_name(state));
    pare_sheet_ink(sheet, PARE_INK_PLAIN);
}

/* ---- the list ---------------------------------------------------------------------- */

/* Headings stand at the columns of pare_finding_list_row.  Numbers end where their
 * heading does, which therefore has blanks before it. */
void pare_finding_list_head(pare_sheet *sheet)
{
    pare_sheet_ink(sheet, PARE_INK_BOLD);
    pare_sheet_raw(sheet, "   ID");
    pare_sheet_pad(sheet, STATE_COLUMN);
    pare_sheet_raw(sheet, "STATE");
    pare_sheet_pad(sheet, COUNT_COLUMN);
    pare_sheet_raw(sheet, "  COUNT");
    pare_sheet_pad(sheet, SIZE_COLUMN);
    pare_sheet_raw(sheet, "BYTES");
    pare_sheet_pad(sheet, TIME_COLUMN);
    pare_sheet_raw(sheet, "LAST SEEN");
    pare_sheet_pad(sheet, TITLE_COLUMN);
    pare_sheet_raw(sheet, "WHAT (TARGET)");
    pare_sheet_ink(sheet, PARE_INK_PLAIN);
    pare_sheet_raw(sheet, "\n");
}

/* "   12 reduced          3 1,204 > 96      2026-01-31 09:05  title (target)": number,
 * state, how often it was seen, bytes of the input and of its reduction, when it was
 * seen last. */
void pare_finding_list_row(pare_sheet *sheet, const pare_finding *finding)
{
    char text[PARE_FORMAT_BYTES], when[TIME_BYTES];
    pare_sheet_format(sheet, "%5lld", (long long)finding->id);
    pare_sheet_pad(sheet, STATE_COLUMN);
    add_state(sheet, finding->state);
    pare_sheet_pad(sheet, COUNT_COLUMN);
    pare_sheet_format(sheet, "%7s", pare_format_count(text, finding->count));
    pare_sheet_pad(sheet, SIZE_COLUMN);
    pare_sheet_raw(sheet, pare_format_count(text, finding->input_bytes));
    if (*finding->reduced)
        pare_sheet_format(sheet, " > %s", pare_format_count(text, finding->reduced_bytes));
    pare_sheet_pad(sheet, TIME_COLUMN);
    pare_sheet_raw(sheet, format_time(when, finding->last_seen));
    pare_sheet_pad(sheet, TITLE_COLUMN);
    pare_sheet_name(sheet, finding->title);
    pare_sheet_raw(sheet, " (");
    pare_sheet_name(sheet, finding->target);
    pare_sheet_raw(sheet, ")\n");
}

/* ---- one finding ------------------------------------------------------------------- */

static void add_label(pare_sheet *sheet, const char *label)
{
    pare_sheet_raw(sheet, "  ");
    pare_sheet_ink(sheet, PARE_INK_DIM);
    pare_sheet_raw(sheet, label);
    pare_sheet_ink(sheet, PARE_INK_PLAIN);
    pare_sheet_pad(sheet, VALUE_COLUMN);
}

/* Nothing for an empty value. */
static void add_text(pare_sheet *sheet, const char *label, const char *value)
{
    if (!*value) return;
    add_label(sheet, label);
    pare_sheet_name(sheet, value);
    pare_sheet_raw(sheet, "\n");
}

/* A content of the store: its size, and the digest under which the store has it;
 * nothing where there is none (""). */
static void add_content(pare_sheet *sheet, const char *label, const char *digest, size_t bytes)
{
    char text[PARE_FORMAT_BYTES];
    if (!*digest) return;
    add_label(sheet, label);
    pare_sheet_format(sheet, "%s, %s\n", pare_format_size(text, bytes), digest);
}

/* What is known of the finding, a label and a value on each line.  Texts that the store
 * does not have are left out; a time that it does not have is "never". */
static void add_facts(pare_sheet *sheet, const pare_finding *finding)
{
    char first[TIME_BYTES], last[TIME_BYTES], count[PARE_FORMAT_BYTES];
    add_label(sheet, "state");
    add_state(sheet, finding->state);
    if (finding->merged_into)
        pare_sheet_format(sheet, " into finding %lld", (long long)finding->merged_into);
    pare_sheet_raw(sheet, finding->pinned ? ", kept apart by hand\n" : "\n");
    add_text(sheet, "target", finding->target);
    add_text(sheet, "version", finding->version);
    add_text(sheet, "fixed with", finding->gone_version);
    add_text(sheet, "since", finding->first_bad);
    add_text(sheet, "source", finding->source);
    add_label(sheet, "seen");
    pare_sheet_format(
        sheet, "%s times, first %s, last %s\n", pare_format_count(count, finding->count),
        format_time(first, finding->first_seen), format_time(last, finding->last_seen));
    add_label(sheet, "validated");
    pare_sheet_raw(sheet, format_time(first, finding->validated));
    /* Only a validation runs the input, so without one there is no count to tell. */
    if (finding->runs)
        pare_sheet_format(sheet, ", fails %llu times of %llu", (unsigned long long)finding->fails,
                          (unsigned long long)finding->runs);
    pare_sheet_raw(sheet, "\n");
    add_text(sheet, "identity", finding->identity);
    add_text(sheet, "signature", finding->signature);
    add_content(sheet, "input", finding->input, finding->input_bytes);
    add_content(sheet, "result", finding->reduced, finding->reduced_bytes);
    add_text(sheet, "reported", finding->url);
    add_text(sheet, "note", finding->note);
    add_text(sheet, "matters", finding->explanation);
}

/* A callback of pare_store_harm_each: a line for each kind of harm.  It is the
 * target's, not this finding's. */
static pare_status add_harm(void *context, const pare_store_harm *harm, pare_error *err)
{
    pare_sheet *sheet = context;
    char count[PARE_FORMAT_BYTES];
    (void)err;
    add_label(sheet, "besides");
    pare_sheet_format(sheet, "the target %s in %s %s\n", harm->what,
                      pare_format_count(count, harm->tests), harm->tests == 1 ? "test" : "tests");
    return PARE_OK;
}

/* The first SHOWN_LINES lines of what is not ours, below a heading; "..." says that
 * there are more.  Nothing for no bytes.  The last line needs no line end. */
static void add_lines(pare_sheet *sheet, const char *heading, const char *bytes, size_t size)
{
    if (!size) return;
    pare_sheet_format(sheet, "\n%s\n", heading);
    for (int n = 0; size && n < SHOWN_LINES; n++) {
        const char *end = memchr(bytes, '\n', size);
        const size_t length = end ? (size_t)(end - bytes) : size;
        pare_sheet_raw(sheet, "    ");
        pare_sheet_bytes(sheet, bytes, length);
        pare_sheet_raw(sheet, "\n");
        bytes += length + (end != NULL);
        size -= length + (end != NULL);
    }
    if (size) pare_sheet_raw(sheet, "    ...\n");
}

/* A callback of pare_store_events: a line of the history. */
static pare_status add_event(void *context, const pare_store_event *event, pare_error *err)
{
    (void)err;
    pare_sheet *sheet = context;
    char when[TIME_BYTES];
    pare_sheet_format(sheet, "    %s  ", format_time(when, event->time));
    pare_sheet_name(sheet, event->text);
    pare_sheet_raw(sheet, "\n");
    return PARE_OK;
}

/* The reduced input, or the input itself as long as there is none. */
static pare_status add_input(pare_sheet *sheet, pare_store *store, const pare_finding *finding,
                             pare_error *err)
{
    const bool is_reduced = *finding->reduced != '\0';
    unsigned char *bytes = NULL;
    size_t size = 0;
    pare_status status = pare_store_content(store, is_reduced ? finding->reduced : finding->input,
                                            &bytes, &size, err);
    if (status) return status;
    add_lines(sheet, is_reduced ? "The reduced input:" : "The input:", (const char *)bytes, size);
    pare_alloc_free(bytes);
    return PARE_OK;
}

/* The facts first, then the input, what the target printed, and the history.  Lines
 * that there was no memory for are noted in the sheet, so only reading the store can
 * fail here. */
pare_status pare_finding_list_show(pare_sheet *sheet, pare_store *store,
                                   const pare_finding *finding, pare_error *err)
{
    pare_sheet_ink(sheet, PARE_INK_BOLD);
    pare_sheet_format(sheet, "finding %lld: ", (long long)finding->id);
    pare_sheet_name(sheet, finding->title);
    pare_sheet_ink(sheet, PARE_INK_PLAIN);
    pare_sheet_raw(sheet, "\n");
    add_facts(sheet, finding);
    pare_status status = pare_store_harm_each(store, finding->target, add_harm, sheet, err);
    if (!status) status = add_input(sheet, store, finding, err);
    if (status) return status;
    add_lines(sheet, "What the target printed:", finding->output, strlen(finding->output));
    pare_sheet_raw(sheet, "\nHistory:\n");
    return pare_store_events(store, 0, finding->id, SHOWN_EVENTS, add_event, sheet, err);
}

/* ---- JSON -------------------------------------------------------------------------- */

/* Takes what jansson prints, piece by piece; not 0 ends the printing. */
static int add_bytes(const char *bytes, size_t size, void *context)
{
    return pare_buffer_add(context, bytes, size, NULL) ? -1 : 0;
}

/* What the list shows of a finding, as a new object; NULL: there is no memory, or a
 * text is not UTF-8.
 * "reduced_bytes" is null as long as there is no reduction, so that nobody takes it for
 * an empty one. */
static json_t *make_row(const pare_finding *finding)
{
    return json_pack(
        "{s:I, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:o}", "id", (json_int_t)finding->id,
        "state", pare_finding_state_name(finding->state), "target", finding->target, "source",
        finding->source, "signature", finding->signature, "title", finding->title, "count",
        (json_int_t)finding->count, "first_seen", (json_int_t)finding->first_seen, "last_seen",
        (json_int_t)finding->last_seen, "bytes", (json_int_t)finding->input_bytes, "reduced_bytes",
        *finding->reduced ? json_integer((json_int_t)finding->reduced_bytes) : json_null());
}

/* The members that the list does not have.  What the store does not know is "" or 0:
 * the object has the same members for all findings. */
static json_t *make_rest(const pare_finding *finding)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:b}",
        "identity", finding->identity, "version", finding->version, "gone_version",
        finding->gone_version, "first_bad", finding->first_bad, "url", finding->url, "note",
        finding->note, "explanation", finding->explanation, "output", finding->output, "input",
        finding->input, "reduced", finding->reduced, "validated", (json_int_t)finding->validated,
        "merged_into", (json_int_t)finding->merged_into, "fails", (json_int_t)finding->fails,
        "runs", (json_int_t)finding->runs, "config", (json_int_t)finding->config, "pinned",
        finding->pinned ? 1 : 0);
}

pare_status pare_finding_list_json(const pare_finding *finding, pare_finding_extent extent,
                                   pare_buffer *out, pare_error *err)
{
    json_t *object = make_row(finding);
    json_t *rest = object && extent == PARE_FINDING_WHOLE ? make_rest(finding) : NULL;
    pare_status status = PARE_OK;
    /* Also where `rest` is NULL, which jansson refuses. */
    if (!object || (extent == PARE_FINDING_WHOLE && json_object_update_missing(object, rest)))
        status = pare_fail(err, PARE_E_CORRUPT, "finding %lld cannot be written as JSON",
                           (long long)finding->id);
    if (!status && json_dump_callback(object, add_bytes, out, JSON_COMPACT))
        status = pare_fail_nomem(err);
    json_decref(rest);
    json_decref(object);
    return status;
}
