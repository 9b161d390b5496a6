/* Escapes for all formats, through one common step: the visible form of the bytes.
 *
 * That form is valid UTF-8 without control characters, so each format only has to handle its own
 * markup.  Invariant: nothing in the bytes is markup, a mention or a line end of the outer format
 * in the result.  In Markdown nothing is escaped by backslashes: extensions of the trackers
 * (mentions, references to issues, bare addresses) are looked for after backslashes have been taken
 * away, but never in code; so text from outside is code there, in a span or a block.  The fence
 * rule is CommonMark's 0.31, sections 4.5 and 6.1: a block ends at a fence at least as long as the
 * one that began it, a span at a run of exactly as many backticks. */
#include "campaign/escape.h"

#include <assert.h>
#include <string.h>

#include <utf8proc.h>

/* One character of a text that may be any bytes. A byte that begins no valid
 * UTF-8 is a character of its own, with code -1. */
struct character {
    size_t size;     /* bytes that it takes in the text */
    bool is_visible; /* it stands for itself */
    long code;       /* code point; -1: no UTF-8 */
};

/* Whether a character must not be shown as it is: control characters, those
 * that are invisible (joiners, marks of width zero), those that change the
 * order of others (Unicode's Bidi_Control), and code points that no text may
 * hold. */
static bool is_hidden(long code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0) ||
           code == 0xad || code == 0x61c || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
           code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
           (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) == 0xfffe ||
           (code >= 0xe0000 && code <= 0xe0fff);
}

/* The character at the beginning of `size` > 0 bytes. utf8proc refuses
 * surrogates, overlong forms and codes beyond the last code point. */
static struct character next(const unsigned char *bytes, size_t size)
{
    utf8proc_int32_t code = -1;
    assert(size > 0);
    utf8proc_ssize_t used = utf8proc_iterate(bytes, (utf8proc_ssize_t)(size < 4 ? size : 4), &code);
    if (used <= 0) return (struct character){.size = 1, .code = -1};
    return (struct character){
        .size = (size_t)used, .is_visible = !is_hidden(code), .code = (long)code};
}

/* How many bytes at the beginning may be shown as they are. */
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

/* Appends the visible form: a byte as \xNN, a hidden character as \u{N}.
 * Visible stretches are copied as a whole, which is nearly all of most texts. */
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

/* Whether the visible form is the text itself. One pass, without memory. */
bool pare_escape_is_faithful(const void *bytes, size_t size)
{
    return !size || visible_run(bytes, size) == size;
}

/* Appends the visible form as one line of at most `most` bytes, without blanks
 * at its ends. What is longer is cut at the beginning of a character and ends
 * with "...". */
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
    /* Each byte gives at least one byte of the visible form, so more than
     * `most` + 1 bytes never matter. */
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

/* Length of the longest run of backticks, which a fence around the text must exceed. */
static size_t longest_ticks(const pare_buffer *text)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text->size; i++) {
        run = text->data[i] == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

/* Appends `n` backticks. Room is made once, so a text that is one long run
 * costs no more than others. */
static pare_status add_ticks(size_t n, pare_buffer *out, pare_error *err)
{
    pare_status status = pare_buffer_reserve(out, n, err);
    for (size_t i = 0; i < n && !status; i++)
        status = pare_buffer_add(out, "`", 1, err);
    return status;
}

/* Appends a span of code. One that begins or ends with a backtick gets a blank
 * on each side, of which Markdown takes one away. Nothing is shown as a span of
 * one blank, since there is no empty span. */
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

/* Appends a block of code. A text that does not end with a line end gets one,
 * as the fence needs a line of its own. */
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

/* What a character becomes in XML; NULL: it stays. Line ends and tabs are
 * references, since an attribute's value would lose them. */
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

/* Appends a text for XML, content or attribute. XML 1.0 cannot hold most
 * control characters, not even as references, so it gets the visible form. */
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

/* Appends one character of a JSON string. ASCII only; code points above 0xffff
 * are written as two surrogates. */
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

/* Appends a quoted JSON string in ASCII. It is made of the visible form, so a
 * control character is shown as a text (backslash, x, two digits) and not as an
 * escape of JSON, which readers would turn back. */
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

/* Appends a text for a URL: all but the unreserved characters of RFC 3986 as %NN. */
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

/* Appends base64 (RFC 4648, section 4) in lines of 76 digits, as mail has them. */
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
