/* Cells, and how text goes into them.
 *
 * A pen writes from left to right within its stretch and stops at its end; a character of two
 * columns that would stand half beyond the end is not written.  How many columns a character takes is asked
 * of the C library in the user's locale (wcwidth): in a locale that knows no such character it is
 * written as an escape, since the terminal could not show it either.  Combining characters take no
 * column of their own and are escaped: a cell holds one character.
 * Invariant: a cell holds "", or one whole UTF-8 character that takes as many columns as there are
 * cells for it. */
#include "ui/grid.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/alloc.h"
#include "base/visible.h"

/* A character of UTF-8 has up to CELL_BYTES.  Rows beyond MOST_CELLS are left out. */
enum { TAB_COLUMNS = 4, CELL_BYTES = 4, MOST_CELLS = 1 << 20 };

/* A grid that has the size already is only emptied.  It has a cell more than it needs,
 * so that one without rows has an array, too, and NULL always says that there was no
 * memory. */
pare_status pare_grid_clear(pare_grid *grid, unsigned rows, unsigned columns, pare_error *err)
{
    if (grid->rows != rows || grid->columns != columns) {
        pare_grid_done(grid);
        if (columns && rows > MOST_CELLS / columns) rows = MOST_CELLS / columns;
        grid->cells = pare_alloc_zero((size_t)rows * columns + 1, sizeof *grid->cells);
        if (!grid->cells) return pare_fail_nomem(err);
        grid->rows = rows;
        grid->columns = columns;
    }
    memset(grid->cells, 0, (size_t)rows * columns * sizeof *grid->cells);
    return PARE_OK;
}

void pare_grid_done(pare_grid *grid)
{
    pare_alloc_free(grid->cells);
    *grid = (pare_grid){.rows = 0};
}

/* A place that is not on the grid gives a pen without room: everything that is written
 * with it is cut. */
pare_pen pare_grid_pen(pare_grid *grid, unsigned row, unsigned column, unsigned columns)
{
    const bool is_there = row < grid->rows && column < grid->columns;
    const unsigned room = is_there ? grid->columns - column : 0;
    return (pare_pen){.grid = grid,
                      .row = row,
                      .column = column,
                      .end = column + (columns < room ? columns : room)};
}

/* Writes one character of `size` bytes and `width` columns; false: there is no room for
 * all of it.
 * A wide one has its text in its first cell; the others are its rest, which the
 * terminal fills by itself. */
static bool put(pare_pen *pen, const char *character, size_t size, unsigned width)
{
    if (pen->column > pen->end || pen->end - pen->column < width) return false;
    assert(size <= CELL_BYTES && width >= 1);
    pare_cell *cell = &pen->grid->cells[(size_t)pen->row * pen->grid->columns + pen->column];
    memcpy(cell->text, character, size);
    cell->text[size] = '\0';
    for (unsigned k = 0; k < width; k++)
        cell[k].style = (unsigned char)pen->style;
    for (unsigned k = 1; k < width; k++) {
        cell[k].text[0] = '\0';
        cell[k].is_rest = true;
    }
    pen->column += width;
    return true;
}

/* Bytes of the character at `text`, which is of ours and so valid UTF-8: the first, and
 * those that continue it (10xxxxxx). */
static size_t length_of(const char *text)
{
    size_t size = 1;
    while (size < CELL_BYTES && ((unsigned char)text[size] & 0xC0) == 0x80)
        size++;
    return size;
}

void pare_grid_text(pare_pen *pen, const char *text)
{
    for (size_t size; *text; text += size) {
        size = length_of(text);
        if (!put(pen, text, size, 1)) return;
    }
}

void pare_grid_format(pare_pen *pen, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pare_grid_text(pen, text);
}

void pare_grid_pad(pare_pen *pen, unsigned column)
{
    while (pen->column < column && put(pen, " ", 1, 1)) {
    }
}

/* Writes what cannot be shown as \n, \xNN or \u{NNNN}: all of the escape or nothing,
 * since half of one would be read as another text.  `code` is below 0 for a byte that
 * is no UTF-8. */
static bool put_escape(pare_pen *pen, const unsigned char *bytes, long code)
{
    char text[16];
    int n;
    if (*bytes == '\n')
        n = snprintf(text, sizeof text, "\\n");
    else if (code < 0x80)
        n = snprintf(text, sizeof text, "\\x%02x", (unsigned)*bytes);
    else
        n = snprintf(text, sizeof text, "\\u{%lx}", (unsigned long)code & 0x1FFFFF);
    if (pen->end - pen->column < (unsigned)n) return false;
    for (int k = 0; k < n; k++)
        (void)put(pen, text + k, 1, 1);
    return true;
}

/* Spaces up to the next multiple of TAB_COLUMNS, counted from the left edge of the
 * screen; at least one.  False: the pen's stretch ends before that. */
static bool put_tab(pare_pen *pen)
{
    do
        if (!put(pen, " ", 1, 1)) return false;
    while (pen->column % TAB_COLUMNS);
    return true;
}

/* Characters that can be seen go in as they are, all others as escapes.  What is
 * returned is where a caller goes on in the next row: a character that does not fit any
 * more is not counted. */
size_t pare_grid_bytes(pare_pen *pen, const void *bytes, size_t size)
{
    const unsigned char *text = bytes;
    size_t at = 0;
    while (at < size && pen->column < pen->end) {
        size_t escaped = 1;
        long code = -1;
        size_t length = pare_visible_character(text + at, size - at, &escaped, &code);
        /* ASCII needs no question.  wcwidth gives 0 or -1 for what has no column of its
         * own or is unknown in this locale: an escape, as for what
         * pare_visible_character does not let through. */
        const int width = length == 1 ? 1 : length ? wcwidth((wchar_t)code) : 0;
        bool done;
        /* Before the others: a tab counts as a character that can be seen. */
        if (text[at] == '\t')
            done = put_tab(pen);
        else if (width > 0)
            done = put(pen, (const char *)text + at, length, (unsigned)width);
        else
            done = put_escape(pen, text + at, code);
        if (!done) break;
        at += length ? length : escaped;
    }
    return at;
}
