/* Escaping for HTML: any bytes in, visible text out.
 *
 * Text is taken character by character; neighbours that need no escape are added as one run,
 * neighbours that need one share their element.  Invariant: what was added by pare_html_bytes is
 * valid UTF-8 without markup and without a character that is not seen or that moves others (bidi
 * controls: "Trojan Source", CVE-2021-42574).  Bytes that are no UTF-8 are shown as \xNN one by
 * one, so that a reader can tell them apart.  One failed allocation ends all adding: callers look
 * at the status once, at the end. */
#include "ui/html.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void pare_html_done(pare_html *html)
{
    pare_buffer_done(&html->bytes);
    html->status = PARE_OK;
}

/* A no-op once memory has run out. */
static void add(pare_html *html, const void *bytes, size_t size)
{
    if (html->status == PARE_OK) html->status = pare_buffer_add(&html->bytes, bytes, size, NULL);
}

void pare_html_raw(pare_html *html, const char *markup)
{
    add(html, markup, strlen(markup));
}

/* 512 bytes are enough for markup of ours; text from outside never comes here. */
void pare_html_format(pare_html *html, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pare_html_raw(html, text);
}

/* ---- characters ------------------------------------------------------------------ */

/* Decodes one character; 0: the bytes are no UTF-8 (Unicode, table 3-7). */
static size_t decode(const unsigned char *bytes, size_t size, long *code)
{
    unsigned char first = bytes[0];
    size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (!length || length > size || first > 0xf4) return 0;
    long value = length == 1 ? first : first & (0x7f >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) return 0;
        value = value << 6 | (bytes[i] & 0x3f);
    }
    bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    if (overlong || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 0;
    *code = value;
    return length;
}

/* Characters without a picture of their own, or that turn the line around them. */
static bool is_hidden(long code)
{
    static const struct {
        long first, last;
    } hidden[] = {
        {0x00, 0x08},       {0x0a, 0x1f},       {0x7f, 0xa0},        {0xad, 0xad},
        {0x034f, 0x034f},   {0x061c, 0x061c},   {0x115f, 0x1160},    {0x17b4, 0x17b5},
        {0x180b, 0x180f},   {0x2000, 0x200f},   {0x2028, 0x202f},    {0x205f, 0x206f},
        {0x3000, 0x3000},   {0x3164, 0x3164},   {0xe000, 0xf8ff},    {0xfdd0, 0xfdef},
        {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},    {0xfff0, 0xfffb},
        {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0x10ffff},
    };
    if ((code & 0xfffe) == 0xfffe) return true;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        if (code <= hidden[i].last) return code >= hidden[i].first;
    }
    return false;
}

size_t pare_html_character(const unsigned char *bytes, size_t size, size_t *escaped, long *code)
{
    size_t length = decode(bytes, size, code);
    if (length && !is_hidden(*code)) return length;
    *escaped = length ? length : 1;
    if (!length) *code = -1;
    return 0;
}

/* ---- text ------------------------------------------------------------------------ */

/* All five, so that text is safe in attributes too. */
static const char *entity(unsigned char c)
{
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

/* Bytes from the start that go in unchanged. */
static size_t plain(const unsigned char *bytes, size_t size)
{
    size_t at = 0, length = 1, escaped;
    long code;
    for (; at < size && length && !entity(bytes[at]); at += length)
        length = pare_html_character(bytes + at, size - at, &escaped, &code);
    return at;
}

/* Adds the escapes that `bytes` begin with, if any, in one element; returns how many bytes
 * they stand for. */
static size_t add_escapes(pare_html *html, const unsigned char *bytes, size_t size)
{
    size_t at = 0, escaped = 0;
    long code;
    while (at < size && !pare_html_character(bytes + at, size - at, &escaped, &code)) {
        if (at == 0) pare_html_raw(html, "<i class=\"x\">");
        if (code == '\n')
            pare_html_raw(html, "\\n");
        else if (code < 0x80)
            pare_html_format(html, "\\x%02x", (unsigned)bytes[at]);
        else
            pare_html_format(html, "\\u{%lx}", (unsigned long)code);
        at += escaped;
    }
    if (at) pare_html_raw(html, "</i>");
    return at;
}

/* In turns: a run that needs nothing, then an entity or some escapes. */
void pare_html_bytes(pare_html *html, const void *text, size_t size)
{
    const unsigned char *bytes = text;
    for (size_t at = 0; at < size;) {
        size_t n = plain(bytes + at, size - at);
        assert(at + n <= size);
        add(html, bytes + at, n);
        at += n;
        if (at == size) return;
        const char *name = entity(bytes[at]);
        if (name) pare_html_raw(html, name);
        at += name ? 1 : add_escapes(html, bytes + at, size - at);
    }
}

void pare_html_text(pare_html *html, const char *text)
{
    pare_html_bytes(html, text, strlen(text));
}
