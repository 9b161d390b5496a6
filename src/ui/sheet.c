/* Text in lines of 80 columns: escaping, columns and breaking lines.
 *
 * The column is kept while bytes are added, so that breaking a line needs no second pass: a word
 * goes onto a line of its own when it would end beyond the last column.  Invariant: `column` is
 * what stands after the last line end takes on a terminal, escape sequences of colours not
 * counted.  Names are cut before they are escaped, at a whole character, so that no name of a
 * hostile engine can fill a terminal. */
#include "ui/sheet.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/visible.h"

/* The colours are the caller's choice, which outlives the text. */
void pare_sheet_done(pare_sheet *sheet)
{
    pare_buffer_done(&sheet->bytes);
    *sheet = (pare_sheet){.paint = sheet->paint};
}

/* A failure stays: a text of which an earlier part is missing is never whole again. */
void pare_sheet_reset(pare_sheet *sheet)
{
    pare_buffer_reset(&sheet->bytes);
    sheet->column = 0;
}

/* A buffer that nothing was added to has no bytes, not even the NUL. */
const char *pare_sheet_text(const pare_sheet *sheet)
{
    return sheet->bytes.size ? sheet->bytes.data : "";
}

/* Adds whole characters that can be seen, and counts their columns. */
static void add(pare_sheet *sheet, const char *bytes, size_t size)
{
    if (sheet->status == PARE_OK) sheet->status = pare_buffer_add(&sheet->bytes, bytes, size, NULL);
    const char *end = memrchr(bytes, '\n', size);
    if (end) sheet->column = 0;
    const size_t from = end ? (size_t)(end + 1 - bytes) : 0;
    sheet->column += pare_visible_width(bytes + from, size - from);
}

/* Line ends in it are ours, and begin a line. */
void pare_sheet_raw(pare_sheet *sheet, const char *text)
{
    add(sheet, text, strlen(text));
}

/* 512 bytes are enough for what is ours; what comes from outside never goes through here. */
void pare_sheet_format(pare_sheet *sheet, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pare_sheet_raw(sheet, text);
}

/* A tab moves by more than a column, so it takes an escape too.  The last character may end beyond
 * `end`, but never beyond `size`: it is looked at as a whole. */
void pare_sheet_bytes(pare_sheet *sheet, const void *bytes, size_t size)
{
    const unsigned char *text = bytes;
    size_t end = size < PARE_SHEET_NAME_BYTES ? size : PARE_SHEET_NAME_BYTES;
    size_t at = 0, length, escaped = 0;
    for (long code; at < end; at += length) {
        length = pare_visible_character(text + at, size - at, &escaped, &code);
        if (length && text[at] != '\t') {
            add(sheet, (const char *)text + at, length);
            continue;
        }
        /* A tab is a character of one byte, which html.h shows as itself. */
        if (!length) length = escaped;
        if (text[at] == '\n')
            pare_sheet_raw(sheet, "\\n");
        else if (text[at] == '\t')
            pare_sheet_raw(sheet, "\\t");
        else if (code < 0x80)
            pare_sheet_format(sheet, "\\x%02x", (unsigned)text[at]);
        else
            pare_sheet_format(sheet, "\\u{%lx}", (unsigned long)code);
    }
    assert(at <= size);
    if (at < size) pare_sheet_raw(sheet, "...");
}

/* Names of a graph have no NUL in them: its reader refuses those. */
void pare_sheet_name(pare_sheet *sheet, const char *text)
{
    pare_sheet_bytes(sheet, text, strlen(text));
}

/* Written as other text is, but the column is put back: a terminal does not move for it. */
void pare_sheet_ink(pare_sheet *sheet, pare_ink ink)
{
    static const char *const sequence[] = {
        [PARE_INK_PLAIN] = "\x1b[0m",  [PARE_INK_BOLD] = "\x1b[1m", [PARE_INK_DIM] = "\x1b[2m",
        [PARE_INK_GREEN] = "\x1b[32m", [PARE_INK_RED] = "\x1b[31m", [PARE_INK_YELLOW] = "\x1b[33m"};
    if (sheet->paint != PARE_COLORED) return;
    assert((size_t)ink < sizeof sequence / sizeof *sequence && sequence[ink]);
    size_t column = sheet->column;
    pare_sheet_raw(sheet, sequence[ink]);
    sheet->column = column;
}

/* At least one, so that what stands before never touches what comes after. */
void pare_sheet_pad(pare_sheet *sheet, size_t column)
{
    do
        add(sheet, " ", 1);
    while (sheet->column < column);
}

/* The spaces before it are dropped where a line is broken. */
void pare_sheet_flow(pare_sheet *sheet, const char *text, size_t indent)
{
    while (*text) {
        size_t spaces = strspn(text, " "), size = strcspn(text + spaces, " ");
        const size_t width = pare_visible_width(text + spaces, size);
        /* At the beginning of a line a word has to stay whatever its width: no line is wider. */
        if (sheet->column + spaces + width <= PARE_SHEET_COLUMNS || sheet->column <= indent) {
            add(sheet, text, spaces + size);
        } else {
            add(sheet, "\n", 1);
            while (sheet->column < indent)
                add(sheet, " ", 1);
            add(sheet, text + spaces, size);
        }
        text += spaces + size;
    }
}
