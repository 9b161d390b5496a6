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

enum { TAB_COLUMNS = 4, CELL_BYTES = 4, MOST_CELLS = 1 << 20 };

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

pare_pen pare_grid_pen(pare_grid *grid, unsigned row, unsigned column, unsigned columns)
{
    const bool is_there = row < grid->rows && column < grid->columns;
    const unsigned room = is_there ? grid->columns - column : 0;
    return (pare_pen){.grid = grid,
                      .row = row,
                      .column = column,
                      .end = column + (columns < room ? columns : room)};
}

/* One character of `size` bytes and `width` columns; false: there is no room for it. */
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

/* How many bytes the character at `text` has that is one of ours. */
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

/* Writes all of the escape or nothing. */
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

static bool put_tab(pare_pen *pen)
{
    do
        if (!put(pen, " ", 1, 1)) return false;
    while (pen->column % TAB_COLUMNS);
    return true;
}

size_t pare_grid_bytes(pare_pen *pen, const void *bytes, size_t size)
{
    const unsigned char *text = bytes;
    size_t at = 0;
    while (at < size && pen->column < pen->end) {
        size_t escaped = 1;
        long code = -1;
        size_t length = pare_visible_character(text + at, size - at, &escaped, &code);
        const int width = length == 1 ? 1 : length ? wcwidth((wchar_t)code) : 0;
        bool done;
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
