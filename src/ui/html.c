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

#include "base/visible.h"
#include "ui/format.h"

/* Whoever keeps the bytes takes them out of the struct instead. */
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

/* Our own markup only: nothing in it is escaped. */
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

/* Bytes from the start that go in unchanged: characters that can be seen, up to the
 * first that needs an entity or an escape. */
static size_t plain(const unsigned char *bytes, size_t size)
{
    size_t at = 0, length = 1, escaped;
    long code;
    for (; at < size && length && !entity(bytes[at]); at += length)
        length = pare_visible_character(bytes + at, size - at, &escaped, &code);
    return at;
}

/* Adds the escapes that `bytes` begin with, if any, in one element; returns how many bytes
 * they stand for. */
static size_t add_escapes(pare_html *html, const unsigned char *bytes, size_t size)
{
    size_t at = 0, escaped = 0;
    long code;
    while (at < size && !pare_visible_character(bytes + at, size - at, &escaped, &code)) {
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

/* For texts that end with a NUL byte; all others have a size. */
void pare_html_text(pare_html *html, const char *text)
{
    pare_html_bytes(html, text, strlen(text));
}

/* Line by line, so that pare_html_bytes never sees a line end, of which it would make
 * an escape. */
void pare_html_lines(pare_html *html, const void *text, size_t size)
{
    const char *bytes = text;
    for (size_t at = 0; at < size;) {
        const char *end = memchr(bytes + at, '\n', size - at);
        const size_t next = end ? (size_t)(end - bytes) : size;
        pare_html_bytes(html, bytes + at, next - at);
        if (end) pare_html_raw(html, "\n");
        at = next + 1;
    }
}

/* ---- JSON ------------------------------------------------------------------------- */

/* A UTF-16 unit, or two for what is beyond the first 65,536 characters (RFC 8259, section 7). */
static void add_json_escape(pare_html *html, unsigned long code)
{
    if (code > 0xffff) {
        /* The upper and the lower ten bits, each in a range of its own. */
        code -= 0x10000;
        pare_html_format(html, "\\u%04lx", 0xd800 + (code >> 10));
        code = 0xdc00 + (code & 0x3ff);
    }
    pare_html_format(html, "\\u%04lx", code);
}

/* A JSON string; what is no UTF-8 becomes the replacement character.  Everything that HTML or
 * JavaScript could take for something else is escaped, so the text is the same to a parser of JSON,
 * and nothing to one of HTML.  A tab would be shown as itself, but JSON has none in strings. */
void pare_html_json_string(pare_html *html, const char *text)
{
    size_t size = strlen(text), escaped = 0, length;
    pare_html_raw(html, "\"");
    for (size_t at = 0; at < size; at += length ? length : escaped) {
        long code;
        length =
            pare_visible_character((const unsigned char *)text + at, size - at, &escaped, &code);
        /* Four bytes are the longest character. */
        char one[5] = "";
        memcpy(one, text + at, length);
        if (length && !strchr("<>&\"\\'\t", *one))
            pare_html_raw(html, one);
        else
            add_json_escape(html, code < 0 ? 0xfffd : (unsigned long)code);
        assert(length || escaped);
    }
    pare_html_raw(html, "\"");
}

/* ---- panes ------------------------------------------------------------------------ */

/* One walk over the text, from one stretch that is shown to the next.  Only stretches that are
 * shown are looked at byte by byte; the lines between them are counted by memchr.  Invariant:
 * `mark` is the first mark that ends after `at`, and never goes back.  The limit is looked at every
 * PIECE_BYTES bytes, which bounds how far the HTML can exceed it. */

enum {
    NEAR_LINES = 2,    /* shown before and after a line with a mark */
    FIRST_LINES = 12,  /* shown of a text without any mark */
    LONG_LINE = 600,   /* bytes; longer ones are folded inside */
    NEAR_BYTES = 60,   /* shown before and after a mark in a long line */
    ROW_BYTES = 16,    /* in a row of hexadecimal */
    FORM_BYTES = 8192, /* that tell whether it is a text */
    PIECE_BYTES = 512  /* of a text that are added between two looks at the limit */
};

/* Where the walk is.  `line` counts from 1, as editors do. */
struct walk {
    const pare_pane *pane;
    pare_html *html;
    size_t at;       /* what is before has been told of */
    size_t mark;     /* the first that ends after `at` */
    uint64_t line;   /* number of the line at `at` */
    size_t end_size; /* of the HTML: the limit */
};

/* Out of room, or of memory. */
static bool is_full(const struct walk *walk)
{
    return walk->html->status != PARE_OK || walk->html->bytes.size >= walk->end_size;
}

/* Where the line that holds `at` ends: after its line end, or, of the last one, at the
 * end of the text.  In hexadecimal a line is a row of ROW_BYTES. */
static size_t line_end(const pare_pane *pane, size_t at)
{
    const size_t row = at - at % ROW_BYTES + ROW_BYTES;
    if (pane->form == PARE_PANE_HEX) return row < pane->size ? row : pane->size;
    const unsigned char *end = memchr(pane->bytes + at, '\n', pane->size - at);
    return end ? (size_t)(end - pane->bytes) + 1 : pane->size;
}

/* The first byte of the line that `at` is in. */
static size_t line_begin(const pare_pane *pane, size_t at)
{
    if (pane->form == PARE_PANE_HEX) return at - at % ROW_BYTES;
    const unsigned char *end = at ? memrchr(pane->bytes, '\n', at) : NULL;
    return end ? (size_t)(end - pane->bytes) + 1 : 0;
}

/* Lines from `begin`, where one begins, up to `end`; the last may have no line end. */
static uint64_t count_lines(const pare_pane *pane, size_t begin, size_t end)
{
    uint64_t n = 0;
    for (size_t at = begin; at < end; n++)
        at = line_end(pane, at);
    return n;
}

/* ---- inside a line --------------------------------------------------------------- */

/* Says what is left out, in place of it.  In words, and not as an ellipsis, so that a reader
 * knows how much is missing. */
static void add_fold(struct walk *walk, const char *tag, uint64_t n, const char *what,
                     size_t n_bytes)
{
    char count[PARE_FORMAT_BYTES], size[PARE_FORMAT_BYTES];
    pare_html_format(walk->html, "<%s class=\"fold\">%s %s%s left out", tag,
                     pare_format_count(count, n), what, n == 1 ? "" : "s");
    if (n_bytes) pare_html_format(walk->html, ", %s", pare_format_size(size, n_bytes));
    pare_html_format(walk->html, "</%s>", tag);
}

/* The mark that holds `at` or comes next; NULL: none. */
static const pare_mark *next_mark(struct walk *walk, size_t at)
{
    const pare_pane *pane = walk->pane;
    /* Both the walk and the marks only go forward, so all calls together take one look at each
     * mark. */
    while (walk->mark < pane->n_marks && pane->marks[walk->mark].end <= at)
        walk->mark++;
    return walk->mark < pane->n_marks ? &pane->marks[walk->mark] : NULL;
}

/* Opens the element of the mark that the walk is in. */
static void open_mark(struct walk *walk)
{
    const pare_pane *pane = walk->pane;
    if (pane->open)
        pane->open(pane->context, walk->html, walk->mark);
    else
        pare_html_format(walk->html, "<%s>", pane->element);
}

/* Pairs of digits; the blank after each belongs to it, so that a mark is one stretch. */
static void add_hex(pare_html *html, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        pare_html_format(html, "%02x ", bytes[i]);
}

/* Adds bytes begin .. end - 1 of one line, with their marks; says so when it is full. */
static void add_bytes(struct walk *walk, size_t begin, size_t end)
{
    const pare_pane *pane = walk->pane;
    while (begin < end && !is_full(walk)) {
        const pare_mark *mark = next_mark(walk, begin);
        assert(!mark || mark->begin < mark->end);
        bool marked = mark && mark->begin <= begin;
        size_t stop = end;
        if (mark) stop = marked ? mark->end : mark->begin;
        if (stop > end) stop = end;
        /* A mark that is cut here goes on as another element of the same kind. */
        if (stop - begin > PIECE_BYTES) stop = begin + PIECE_BYTES;
        if (marked) open_mark(walk);
        if (pane->form == PARE_PANE_HEX)
            add_hex(walk->html, pane->bytes + begin, stop - begin);
        else
            pare_html_bytes(walk->html, pane->bytes + begin, stop - begin);
        if (marked) pare_html_format(walk->html, "</%s>", pane->element);
        begin = stop;
    }
    if (begin < end) add_fold(walk, "span", end - begin, "byte", 0);
}

/* The next stretch of a long line that is shown, from `at` on: its first marks with what
 * is near them.  False: there is none. */
static bool next_stretch(struct walk *walk, size_t at, size_t end, size_t *from, size_t *to)
{
    const pare_pane *pane = walk->pane;
    const pare_mark *mark = next_mark(walk, at);
    if (!mark || mark->begin >= end) return false;
    *from = mark->begin > at + NEAR_BYTES ? mark->begin - NEAR_BYTES : at;
    *to = mark->end;
    for (const pare_mark *after = mark + 1; after < pane->marks + pane->n_marks; after++) {
        /* Marks whose surroundings touch are shown in one stretch. */
        if (after->begin > *to + 2 * NEAR_BYTES) break;
        *to = after->end;
    }
    *to = *to + NEAR_BYTES < end ? *to + NEAR_BYTES : end;
    return true;
}

/* Minified code is one line of a megabyte: what is near a mark is shown, of a line without marks
 * its beginning. */
static void add_long_line(struct walk *walk, size_t begin, size_t end)
{
    size_t from, to, at = begin;
    if (!next_mark(walk, begin) || next_mark(walk, begin)->begin >= end) {
        add_bytes(walk, begin, begin + NEAR_BYTES);
        at = begin + NEAR_BYTES;
    }
    while (at < end && !is_full(walk) && next_stretch(walk, at, end, &from, &to)) {
        if (from > at) add_fold(walk, "span", from - at, "byte", 0);
        add_bytes(walk, from, to);
        at = to;
    }
    if (at < end && !is_full(walk)) add_fold(walk, "span", end - at, "byte", 0);
}

/* The characters of a row, where all are ASCII that is seen; a dot for every other. */
static void add_characters(struct walk *walk, size_t begin, size_t end)
{
    char row[ROW_BYTES];
    for (size_t i = begin; i < end; i++) {
        const unsigned char byte = walk->pane->bytes[i];
        row[i - begin] = (char)(byte < ' ' || byte > '~' ? '.' : byte);
    }
    for (size_t i = end; i < begin + ROW_BYTES; i++)
        pare_html_raw(walk->html, "   ");
    pare_html_raw(walk->html, " <i class=\"a\">");
    pare_html_bytes(walk->html, row, end - begin);
    pare_html_raw(walk->html, "</i>");
}

/* Adds the row at walk->at; its number is the offset of its first byte. */
static void add_row(struct walk *walk)
{
    const size_t next = line_end(walk->pane, walk->at);
    pare_html_format(walk->html, "<div class=\"l\" data-n=\"%zx\">", walk->at);
    add_bytes(walk, walk->at, next);
    add_characters(walk, walk->at, next);
    pare_html_raw(walk->html, "</div>\n");
    walk->at = next;
    walk->line++;
}

/* Adds the line at walk->at.  Its end is the element's.  The line's number is an attribute,
 * which a copy of the text leaves out. */
static void add_line(struct walk *walk)
{
    const pare_pane *pane = walk->pane;
    if (pane->form == PARE_PANE_HEX) {
        add_row(walk);
        return;
    }
    size_t next = line_end(pane, walk->at), end = next;
    if (end > walk->at && pane->bytes[end - 1] == '\n') end--;
    if (end > walk->at && pane->bytes[end - 1] == '\r') end--;
    pare_html_format(walk->html, "<div class=\"l\" data-n=\"%llu\">",
                     (unsigned long long)walk->line);
    if (pane->fold == PARE_FOLD_FAR && end - walk->at > LONG_LINE)
        add_long_line(walk, walk->at, end);
    else
        add_bytes(walk, walk->at, end);
    pare_html_raw(walk->html, "</div>\n");
    walk->at = next;
    walk->line++;
}

/* ---- lines ----------------------------------------------------------------------- */

/* The lines from walk->at on up to `end` are not shown; one line is, as telling would
 * take as much room. */
static void skip_lines(struct walk *walk, size_t end)
{
    assert(walk->at <= end && end <= walk->pane->size);
    uint64_t n = count_lines(walk->pane, walk->at, end);
    if (n == 1 && end - walk->at < LONG_LINE) {
        add_line(walk);
        return;
    }
    if (n)
        add_fold(walk, "div", n, walk->pane->form == PARE_PANE_HEX ? "row" : "line",
                 end - walk->at);
    walk->at = end;
    walk->line += n;
}

/* Beginning of the lines that are shown before a mark at `at`; `least` is where the walk stands. */
static size_t lines_before(const pare_pane *pane, size_t at, size_t least)
{
    at = line_begin(pane, at);
    for (int i = 0; i < NEAR_LINES && at > least; i++)
        at = line_begin(pane, at - 1);
    return at > least ? at : least;
}

/* End of the lines that are shown after a mark that ends at `end`. */
static size_t lines_after(const pare_pane *pane, size_t end)
{
    /* A mark that ends with a line is followed by the next one; in the middle of a
     * line, the rest of that is shown as well. */
    const bool is_end = pane->form == PARE_PANE_HEX ? end % ROW_BYTES == 0 || end == pane->size
                                                    : end > 0 && pane->bytes[end - 1] == '\n';
    if (!is_end) end = line_end(pane, end);
    for (int i = 0; i < NEAR_LINES && end < pane->size; i++)
        end = line_end(pane, end);
    return end;
}

/* All lines up to `end`, which ends one, as far as there is room. */
static void add_lines(struct walk *walk, size_t end)
{
    while (walk->at < end && !is_full(walk))
        add_line(walk);
}

/* From mark to mark; of a text without any the first lines, so that it can be recognised. */
static void add_near_marks(struct walk *walk)
{
    const pare_pane *pane = walk->pane;
    for (const pare_mark *mark; !is_full(walk) && (mark = next_mark(walk, walk->at)) != NULL;) {
        size_t begin = mark->begin > walk->at ? mark->begin : walk->at;
        skip_lines(walk, lines_before(pane, begin, walk->at));
        add_lines(walk, lines_after(pane, mark->end));
    }
    if (pane->n_marks == 0)
        for (int i = 0; i < FIRST_LINES && walk->at < pane->size && !is_full(walk); i++)
            add_line(walk);
}

pare_pane_form pare_html_form(const void *text, size_t size)
{
    const unsigned char *bytes = text;
    size_t n = 0, escaped, length;
    long code;
    if (size > FORM_BYTES) size = FORM_BYTES;
    for (size_t at = 0; at < size; at += length ? length : escaped) {
        length = pare_visible_character(bytes + at, size - at, &escaped, &code);
        /* Of the hidden ones, line ends are what texts have. */
        if (!length && code != '\n' && code != '\r') n += escaped;
    }
    return n > size / 8 ? PARE_PANE_HEX : PARE_PANE_TEXT;
}

/* Can be scrolled by keyboard (tabindex), and named for screen readers (role, aria-label). */
void pare_html_add_pane(pare_html *html, const pare_pane *pane)
{
    struct walk walk = {
        .pane = pane, .html = html, .line = 1, .end_size = html->bytes.size + pane->limit};
    pare_html_format(
        html, "<div class=\"code%s%s\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n",
        pane->form == PARE_PANE_HEX ? " hex" : "", pane->extra ? pane->extra : "", pane->label);
    if (pane->fold == PARE_FOLD_NONE)
        add_lines(&walk, pane->size);
    else
        add_near_marks(&walk);
    /* What is after the last mark, or what there was no room for. */
    if (walk.at < pane->size) skip_lines(&walk, pane->size);
    if (pane->size == 0) pare_html_raw(html, "<div class=\"fold\">nothing: it is empty</div>\n");
    pare_html_raw(html, "</div>\n");
}
