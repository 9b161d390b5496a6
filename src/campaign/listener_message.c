/* Messages of listeners.
 *
 * The subject of a mail contains text from targets.  It is made one line first; if it is not ASCII,
 * it is written as encoded words of RFC 2047, each a whole number of characters and at most 75
 * long, so no byte of it can end the header.  The body is sent as base64, since it may contain
 * lines longer than mail allows, or that begin with a dot or "From ".  A mail that is delivered
 * twice has the same Message-ID both times, so mail readers recognise it. */
#include "campaign/listener_message.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include <pare/pare.h>

#include "base/digest.h"
#include "base/fail.h"
#include "campaign/escape.h"
#include "campaign/finding_json.h"
#include "campaign/report_fields.h"
#include "campaign/report_text.h"
#include "campaign/template.h"

/* SUBJECT_BYTES: of a mail's subject; WORD_BYTES: of text in an encoded word,
 * which are 56 characters of base64; MAIL_BYTES: of a report in a mail. */
enum { SUBJECT_BYTES = 200, WORD_BYTES = 42, MAIL_BYTES = 200000 };

/* A JSON string of any bytes. NULL: memory ran out. */
static json_t *text_of(const char *text)
{
    return pare_finding_json_text(text, strlen(text));
}

/* Appends an event as one line of JSON. json_pack takes its parts over only if
 * all of them are there, so they are made and checked first. */
pare_status pare_listener_message_json(const pare_listener_message *message, pare_buffer *out,
                                       pare_error *err)
{
    const pare_store_event *event = message->event;
    json_t *finding = message->finding ? pare_finding_json_of(message->finding) : json_null();
    json_t *parts[] = {text_of(event->kind), text_of(event->text), text_of(message->store->path),
                       finding};
    bool is_whole = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        is_whole = is_whole && parts[i];
    if (!is_whole) {
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            json_decref(parts[i]);
        return pare_fail_nomem(err);
    }
    json_t *object = json_pack("{s:s, s:i, s:I, s:I, s:o, s:o, s:o, s:I, s:o}", "format",
                               "pare-event", "version", 1, "id", (json_int_t)event->id, "time",
                               (json_int_t)event->time, "kind", parts[0], "text", parts[1], "store",
                               parts[2], "job", (json_int_t)event->job, "finding", parts[3]);
    return pare_finding_json_print(object, PARE_FINDING_JSON_LINE, out, err);
}

/* ---- mail ------------------------------------------------------------------------------ */

/* Whether a text can be the recipient of a mail. Wary and not exact: what could
 * end the header, begin a group, or be an option of sendmail is refused. */
bool pare_listener_message_is_address(const char *address)
{
    size_t size = strlen(address);
    if (!strchr(address, '@') && strchr(address, ' ')) return false;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)address[i];
        if (c < ' ' || c >= 0x7f || c == ':' || c == ';') return false;
    }
    return size > 0 && size < SUBJECT_BYTES * 4 && address[0] != '-';
}

/* Whether the text can stand in a header as it is: ASCII without control characters. */
static bool is_ascii(const pare_buffer *text)
{
    for (size_t i = 0; i < text->size; i++)
        if ((unsigned char)text->data[i] >= 0x7f || (unsigned char)text->data[i] < ' ')
            return false;
    return true;
}

/* Appends a text as encoded words of RFC 2047, one on each line. Words end at
 * whole characters: readers decode each by itself. */
static pare_status add_encoded(const pare_buffer *text, pare_buffer *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t at = 0; at < text->size && !status;) {
        size_t size = text->size - at < WORD_BYTES ? text->size - at : WORD_BYTES;
        while (at + size < text->size && ((unsigned char)text->data[at + size] & 0xc0) == 0x80)
            size--;
        status = pare_buffer_text(out, at ? "\n =?UTF-8?B?" : "=?UTF-8?B?", err);
        if (!status) status = pare_escape_base64(text->data + at, size, out, err);
        if (!status) status = pare_buffer_text(out, "?=", err);
        at += size;
    }
    return status;
}

/* Appends the subject: "[pare] new: jq: heap-buffer-overflow in jv_free
 * (finding 7)". */
static pare_status add_subject(const pare_listener_message *message, pare_buffer *out,
                               pare_error *err)
{
    pare_buffer whole = {0}, line = {0};
    const pare_finding *finding = message->finding;
    pare_status status =
        finding
            ? pare_buffer_format(&whole, err, "%s: %s: %s", message->event->kind, finding->target,
                                 finding->title)
            : pare_buffer_format(&whole, err, "%s: %s", message->event->kind, message->event->text);
    if (!status) status = pare_buffer_text(&line, "[pare] ", err);
    if (!status) status = pare_escape_line(whole.data, whole.size, SUBJECT_BYTES, &line, err);
    if (!status && finding)
        status = pare_buffer_format(&line, err, " (finding %" PRId64 ")", finding->id);
    if (!status) status = pare_buffer_text(out, "Subject: ", err);
    if (!status)
        status = is_ascii(&line) ? pare_buffer_add(out, line.data, line.size, err)
                                 : add_encoded(&line, out, err);
    pare_buffer_done(&whole);
    pare_buffer_done(&line);
    return status ? status : pare_buffer_text(out, "\n", err);
}

/* Appends the headers. There is no From: sendmail knows who we are. The
 * Message-ID is made of the store and the event, so a mail that is sent twice
 * can be recognised. */
static pare_status add_headers(const pare_listener_message *message, const char *address,
                               pare_buffer *out, pare_error *err)
{
    char digest[PARE_DIGEST_TEXT_BYTES];
    const char *path = message->store->path;
    assert(pare_listener_message_is_address(address));
    pare_store_digest(path, strlen(path), digest);
    pare_status status = pare_buffer_format(out, err, "To: %s\n", address);
    if (!status) status = add_subject(message, out, err);
    if (status) return status;
    return pare_buffer_format(out, err,
                              "Message-ID: <pare.%" PRId64 ".%s@localhost>\n"
                              "Auto-Submitted: auto-generated\n"
                              "X-Pare-Event: %" PRId64 "\n"
                              "MIME-Version: 1.0\n"
                              "Content-Type: text/plain; charset=utf-8\n"
                              "Content-Transfer-Encoding: base64\n\n",
                              message->event->id, digest, message->event->id);
}

/* Appends what has happened, and if the event is about a finding its report. */
static pare_status add_body(const pare_listener_message *message, pare_buffer *body,
                            pare_error *err)
{
    pare_report_text text = {.mark = ""};
    const pare_report_about about = {
        .store = message->store, .campaign = message->campaign, .finding = message->finding};
    const pare_report_text_options options = {.form = PARE_TEMPLATE_PLAIN,
                                              .most_bytes = MAIL_BYTES};
    pare_status status =
        pare_escape_visible(message->event->text, strlen(message->event->text), body, err);
    if (!status) status = pare_buffer_text(body, "\n\n", err);
    if (!status && message->finding) status = pare_report_text_make(&about, &options, &text, err);
    if (!status && message->finding)
        status = pare_buffer_add(body, text.body.data, text.body.size, err);
    pare_report_text_done(&text);
    return status;
}

/* Appends a whole mail. The body goes in base64, which is safe in mail whatever
 * it holds. */
pare_status pare_listener_message_mail(const pare_listener_message *message, const char *address,
                                       pare_buffer *out, pare_error *err)
{
    pare_buffer body = {0};
    pare_status status = add_headers(message, address, out, err);
    if (!status) status = add_body(message, &body, err);
    if (!status) status = pare_escape_base64(body.data, body.size, out, err);
    if (!status) status = pare_buffer_text(out, "\n", err);
    pare_buffer_done(&body);
    return status;
}
