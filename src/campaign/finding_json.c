/* Findings as JSON.
 *
 * The names are a contract (docs/guide/fuzz-reports.md): new ones are added at the end.  Texts keep
 * their control characters, which JSON escapes anyway; bytes that are not UTF-8 cannot be in a
 * string and are spelled out.  Everything is ASCII, so that it can be printed and mailed as it
 * is. */
#include "campaign/finding_json.h"

#include <string.h>

#include "base/fail.h"
#include "campaign/escape.h"

/* A JSON string of any bytes; those that are no UTF-8 are shown by their
 * visible form. NULL: memory ran out. The caller owns it. */
json_t *pare_finding_json_text(const void *bytes, size_t size)
{
    /* Refuses what is no UTF-8, and for lack of memory, which fails again below. */
    json_t *string = json_stringn(size ? bytes : "", size);
    if (string) return string;
    pare_buffer shown = {0};
    if (!pare_escape_visible(bytes, size, &shown, NULL))
        string = json_stringn(shown.size ? shown.data : "", shown.size);
    pare_buffer_done(&shown);
    return string;
}

/* Sets a member; `value` moves in, and NULL is memory that ran out. */
static bool set(json_t *object, const char *name, json_t *value)
{
    return value && json_object_set_new(object, name, value) == 0;
}

/* Sets the texts. The input and the result are given by their digests; the
 * contents are in the store, or beside the object. */
static bool set_texts(json_t *object, const pare_finding *finding)
{
    const struct {
        const char *name, *text;
    } texts[] = {{"state", pare_finding_state_name(finding->state)},
                 {"target", finding->target},
                 {"source", finding->source},
                 {"title", finding->title},
                 {"identity", finding->identity},
                 {"signature", finding->signature},
                 {"version", finding->version},
                 {"gone_version", finding->gone_version},
                 {"first_bad", finding->first_bad},
                 {"url", finding->url},
                 {"note", finding->note},
                 {"explanation", finding->explanation},
                 {"output", finding->output},
                 {"input", finding->input},
                 {"reduced", finding->reduced}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!set(object, texts[i].name,
                 pare_finding_json_text(texts[i].text, strlen(texts[i].text))))
            return false;
    return true;
}

/* Sets the numbers. Times are ms since 1970, sizes are bytes; 0 is "not yet"
 * for all of them. */
static bool set_numbers(json_t *object, const pare_finding *finding)
{
    const struct {
        const char *name;
        json_int_t number;
    } numbers[] = {{"count", (json_int_t)finding->count},
                   {"first_seen", (json_int_t)finding->first_seen},
                   {"last_seen", (json_int_t)finding->last_seen},
                   {"validated", (json_int_t)finding->validated},
                   {"bytes", (json_int_t)finding->input_bytes},
                   {"reduced_bytes", (json_int_t)finding->reduced_bytes},
                   {"fails", (json_int_t)finding->fails},
                   {"runs", (json_int_t)finding->runs},
                   {"merged_into", (json_int_t)finding->merged_into}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!set(object, numbers[i].name, json_integer(numbers[i].number))) return false;
    return true;
}

/* The object of a finding with all its members, or NULL when memory is out. The
 * caller owns it. */
json_t *pare_finding_json_of(const pare_finding *finding)
{
    json_t *object = json_object();
    if (object && set(object, "id", json_integer((json_int_t)finding->id)) &&
        set_texts(object, finding) && set_numbers(object, finding))
        return object;
    json_decref(object);
    return NULL;
}

/* As jansson asks for it: anything but 0 is a failure. */
static int add_bytes(const char *bytes, size_t size, void *context)
{
    return pare_buffer_add(context, bytes, size, NULL) ? -1 : 0;
}

/* Appends the text of an object, on one line or indented, and a line end. The
 * object moves in, also on failure; NULL is memory that ran out before. */
pare_status pare_finding_json_print(json_t *object, pare_finding_json_form form, pare_buffer *out,
                                    pare_error *err)
{
    size_t layout = form == PARE_FINDING_JSON_LINE ? 0 : JSON_INDENT(2);
    bool is_good =
        object && !json_dump_callback(object, add_bytes, out, layout | JSON_ENSURE_ASCII);
    json_decref(object);
    return is_good ? pare_buffer_text(out, "\n", err) : pare_fail_nomem(err);
}
