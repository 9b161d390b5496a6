/* Escapes: every format is reached through one step, the visible form of the bytes.
 *
 * That form is valid UTF-8 without control characters, so each format has only its own markup left
 * to take care of.  Invariant: what was markup, a mention or a line end of the outer format in the
 * bytes is none in the result.  In Markdown nothing is escaped by backslashes: extensions of the
 * trackers (mentions, references to issues, bare addresses) are looked for after backslashes have
 * been taken away, but never in code; so text from outside is code there, in a span or a block.
 * The fence rule is CommonMark's 0.31, sections 4.5 and 6.1: a block ends at a fence at least as
 * long as the one that began it, a span at a run of exactly as many backticks. */
#include "campaign/escape.h"

#include <assert.h>
#include <string.h>

#include <utf8proc.h>

/* One character of the visible form. */
struct character {
    size_t size;     /* bytes that it takes in the text */
    bool is_visible; /* it stands for itself */
    long code;       /* code point; -1: no UTF-8 */
};

/* Those that are not seen, or change the order of those that are (Unicode's Bidi_Control, and
 * joiners and marks of width zero), and those that no text may hold. */
static bool is_hidden(long code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0) ||
           code == 0xad || code == 0x61c || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
           code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
           (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) == 0xfffe ||
           (code >= 0xe0000 && code <= 0xe0fff);
}

/* utf8proc refuses surrogates, overlong forms and what is beyond the last code point. */
static struct character next(const unsigned char *bytes, size_t size)
{
    utf8proc_int32_t code = -1;
    assert(size > 0);
    utf8proc_ssize_t used = utf8proc_iterate(bytes, (utf8proc_ssize_t)(size < 4 ? size : 4), &code);
    if (used <= 0) return (struct character){.size = 1, .code = -1};
    return (struct character){
        .size = (size_t)used, .is_visible = !is_hidden(code), .code = (long)code};
}

/* Length of the stretch at the beginning that is visible as it is. */
static size_t visible_run(const unsigned char *bytes, size_t size)
{
    size_t at = 0;
    while (at < size) {
        struct character c = next(bytes + at, size - at);
        if (!c.is_visible) break;
        at += c.size;
    }
    return at;
}

/* In stretches: text that is visible as it is costs one copy. */
pare_status pare_escape_visible(const void *bytes, size_t size, pare_buffer *out, pare_error *err)
{
    const unsigned char *at = bytes;
    pare_status status = PARE_OK;
    while (size && !status) {
        size_t run = visible_run(at, size);
        if (run) {
            status = pare_buffer_add(out, at, run, err);
        } else {
            struct character c = next(at, size);
            run = c.size;
            status = c.code < 0x80
                         ? pare_buffer_format(out, err, "\\x%02x", (unsigned)*at)
                         : pare_buffer_format(out, err, "\\u{%lx}", (unsigned long)c.code);
        }
        at += run;
        size -= run;
    }
    return status;
}

/* One pass, and nothing is made. */
bool pare_escape_is_faithful(const void *bytes, size_t size)
{
    return !size || visible_run(bytes, size) == size;
}

/* The visible form is cut at the beginning of a character. */
pare_status pare_escape_line(const void *bytes, size_t size, size_t most, pare_buffer *out,
                             pare_error *err)
{
    assert(most >= 8);
    pare_buffer shown = {0};
    const unsigned char *text = bytes;
    while (size && strchr(" \t\r\n", text[0]) && text[0])
        text++, size--;
    while (size && strchr(" \t\r\n", text[size - 1]) && text[size - 1])
        size--;
    /* No character of the visible form is made of less than one byte. */
    pare_status status = pare_escape_visible(text, size < most + 1 ? size : most + 1, &shown, err);
    if (!status && shown.size > most) {
        size_t cut = most - 3;
        while (cut && ((unsigned char)shown.data[cut] & 0xc0) == 0x80)
            cut--;
        shown.size = cut;
        status = pare_buffer_text(&shown, "...", err);
    }
    for (size_t i = 0; i < shown.size; i++)
        if (shown.data[i] == '\n' || shown.data[i] == '\t') shown.data[i] = ' ';
    if (!status) status = pare_buffer_add(out, shown.size ? shown.data : "", shown.size, err);
    pare_buffer_done(&shown);
    return status;
}

/* The longest run of backticks. */
static size_t longest_ticks(const pare_buffer *text)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text->size; i++) {
        run = text->data[i] == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

/* Room is made once, so a run of backticks as long as the text costs no more than the text. */
static pare_status add_ticks(size_t n, pare_buffer *out, pare_error *err)
{
    pare_status status = pare_buffer_reserve(out, n, err);
    for (size_t i = 0; i < n && !status; i++)
        status = pare_buffer_add(out, "`", 1, err);
    return status;
}

/* A span that begins or ends with a backtick or a blank gets a blank on each side, of which
 * Markdown takes one away.  Nothing is shown as a span of one blank: there is no empty one. */
pare_status pare_escape_code(const void *bytes, size_t size, pare_buffer *out, pare_error *err)
{
    enum { MOST = 4096 };
    pare_buffer shown = {0};
    pare_status status = pare_escape_line(bytes, size, MOST, &shown, err);
    size_t ticks = longest_ticks(&shown) + 1;
    bool padded = shown.size && (shown.data[0] == '`' || shown.data[shown.size - 1] == '`');
    if (!status) status = add_ticks(ticks, out, err);
    if (!status) status = pare_buffer_text(out, padded || !shown.size ? " " : "", err);
    if (!status) status = pare_buffer_add(out, shown.size ? shown.data : "", shown.size, err);
    if (!status) status = pare_buffer_text(out, padded ? " " : "", err);
    if (!status) status = add_ticks(ticks, out, err);
    pare_buffer_done(&shown);
    return status;
}

/* A text that does not end in a line end gets one, as the fence needs a line of its own. */
pare_status pare_escape_fence(const void *bytes, size_t size, pare_buffer *out, pare_error *err)
{
    enum { SHORTEST = 3 };
    pare_buffer shown = {0};
    pare_status status = pare_escape_visible(bytes, size, &shown, err);
    size_t ticks = longest_ticks(&shown) + 1;
    if (ticks < SHORTEST) ticks = SHORTEST;
    bool is_ended = !shown.size || shown.data[shown.size - 1] == '\n';
    if (!status) status = add_ticks(ticks, out, err);
    if (!status) status = pare_buffer_text(out, "\n", err);
    if (!status) status = pare_buffer_add(out, shown.size ? shown.data : "", shown.size, err);
    if (!status) status = pare_buffer_text(out, is_ended ? "" : "\n", err);
    if (!status) status = add_ticks(ticks, out, err);
    if (!status) status = pare_buffer_text(out, "\n", err);
    pare_buffer_done(&shown);
    return status;
}

/* What a character becomes in XML; NULL: it stays.  Line ends and tabs are references, since the
 * value of an attribute would lose them. */
static const char *xml_of(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&apos;";
    case '\n': return "&#10;";
    case '\t': return "&#9;";
    default: return NULL;
    }
}

/* XML 1.0 has no way to write most control characters, not even as references: the visible form is
 * what is left of them. */
pare_status pare_escape_xml(const void *bytes, size_t size, pare_buffer *out, pare_error *err)
{
    pare_buffer shown = {0};
    pare_status status = pare_escape_visible(bytes, size, &shown, err);
    for (size_t i = 0; i < shown.size && !status; i++) {
        const char *reference = xml_of(shown.data[i]);
        status = reference ? pare_buffer_text(out, reference, err)
                           : pare_buffer_add(out, shown.data + i, 1, err);
    }
    pare_buffer_done(&shown);
    return status;
}

/* Code points above 0xffff are two surrogates. */
static pare_status add_json(long code, pare_buffer *out, pare_error *err)
{
    if (code == '"' || code == '\\') return pare_buffer_format(out, err, "\\%c", (char)code);
    if (code == '\n') return pare_buffer_text(out, "\\n", err);
    if (code == '\t') return pare_buffer_text(out, "\\t", err);
    if (code >= 0x20 && code < 0x7f) return pare_buffer_format(out, err, "%c", (char)code);
    if (code < 0x10000) return pare_buffer_format(out, err, "\\u%04lx", (unsigned long)code);
    unsigned long rest = (unsigned long)code - 0x10000;
    return pare_buffer_format(out, err, "\\u%04lx\\u%04lx", 0xd800 + (rest >> 10),
                              0xdc00 + (rest & 0x3ff));
}

/* Quoted, and ASCII only.  It starts from the visible form, so a control character is shown as a
 * text (backslash, x, two digits), not as an escape of JSON. */
pare_status pare_escape_json(const void *bytes, size_t size, pare_buffer *out, pare_error *err)
{
    pare_buffer shown = {0};
    pare_status status = pare_escape_visible(bytes, size, &shown, err);
    if (!status) status = pare_buffer_text(out, "\"", err);
    for (size_t at = 0; at < shown.size && !status;) {
        struct character c = next((const unsigned char *)shown.data + at, shown.size - at);
        assert(c.is_visible);
        status = add_json(c.code, out, err);
        at += c.size;
    }
    if (!status) status = pare_buffer_text(out, "\"", err);
    pare_buffer_done(&shown);
    return status;
}

/* RFC 3986, unreserved characters. */
pare_status pare_escape_url(const void *bytes, size_t size, pare_buffer *out, pare_error *err)
{
    const unsigned char *at = bytes;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < size && !status; i++) {
        unsigned char c = at[i];
        bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '-' || c == '.' || c == '_' || c == '~';
        status = stays ? pare_buffer_add(out, &c, 1, err)
                       : pare_buffer_format(out, err, "%%%02X", (unsigned)c);
    }
    return status;
}

/* RFC 4648, section 4; lines as mail and people take them. */
pare_status pare_escape_base64(const void *bytes, size_t size, pare_buffer *out, pare_error *err)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { IN_A_LINE = 57 }; /* bytes: 76 digits */
    const unsigned char *at = bytes;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < size && !status; i += 3) {
        size_t rest = size - i;
        unsigned long bits = (unsigned long)at[i] << 16;
        if (rest > 1) bits |= (unsigned long)at[i + 1] << 8;
        if (rest > 2) bits |= at[i + 2];
        const char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
                              rest > 1 ? digits[bits >> 6 & 63] : '=',
                              rest > 2 ? digits[bits & 63] : '='};
        if (i && i % IN_A_LINE == 0) status = pare_buffer_text(out, "\n", err);
        if (!status) status = pare_buffer_add(out, four, sizeof four, err);
    }
    return status;
}
