/* A text for a terminal or a file, put together piece by piece in lines of 80 columns.
 *
 * Words of ours go in as they are; what comes from outside (names, paths, literals) goes in by
 * pare_sheet_name, after which it can be seen and stays on its line, whatever bytes it holds:
 * what pare_visible_character (html.h) does not show as itself is written as \xNN or \u{NNNN}.
 * Columns are counted in characters.
 *
 * Running out of memory is kept, and nothing is added after it.  One thread. */
#ifndef PARE_UI_SHEET_H
#define PARE_UI_SHEET_H

#include "base/buffer.h"
#include "ui/format.h"

enum {
    PARE_SHEET_COLUMNS = 80,
    PARE_SHEET_NAME_BYTES = 240 /* of a name that are shown; "..." stands for the rest */
};

/* All-zero is empty, without colours. */
typedef struct pare_sheet {
    pare_buffer bytes;  /* owned; valid UTF-8 */
    pare_status status; /* PARE_E_NOMEM: not complete */
    pare_paint paint;
    size_t column; /* of a terminal, that the last line takes */
} pare_sheet;

typedef enum pare_ink {
    PARE_INK_PLAIN, /* ends the others */
    PARE_INK_BOLD,
    PARE_INK_DIM,
    PARE_INK_GREEN,
    PARE_INK_RED,
    PARE_INK_YELLOW
} pare_ink;

void pare_sheet_done(pare_sheet *sheet);
void pare_sheet_reset(pare_sheet *sheet); /* empties, keeps the memory and the status */

/* What has been added, as text; "" when it is empty. */
const char *pare_sheet_text(const pare_sheet *sheet);

/* Words of ours, UTF-8. */
void pare_sheet_raw(pare_sheet *sheet, const char *text);

/* The same by printf: arguments must be numbers, or text of ours; at most 511 bytes. */
void pare_sheet_format(pare_sheet *sheet, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Text from outside, NUL-terminated or of `size` bytes. */
void pare_sheet_name(pare_sheet *sheet, const char *text);
void pare_sheet_bytes(pare_sheet *sheet, const void *bytes, size_t size);

/* Colour of what is added next; a no-op without colours.  Takes no column. */
void pare_sheet_ink(pare_sheet *sheet, pare_ink ink);

/* Spaces up to `column`; a space if that has been passed. */
void pare_sheet_pad(pare_sheet *sheet, size_t column);

/* Adds `text`, which can be seen already, broken at its spaces where a word would pass
 * PARE_SHEET_COLUMNS; lines after the first begin with `indent` spaces.  A word that is longer
 * than a line stays whole. */
void pare_sheet_flow(pare_sheet *sheet, const char *text, size_t indent);

#endif
