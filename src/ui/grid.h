/* A screen as a grid of cells, and a terminal that shows it.
 *
 * Whatever is written goes into cells, is cut at the last column of its stretch and never moves to
 * another row, so that nothing wraps and nothing can steer the terminal.  Words of ours are UTF-8
 * and go in as they are; what comes from outside (names, contents, what a test printed) goes in by
 * pare_grid_bytes, which shows a character as itself only where it can be seen (ui/html.h) and takes
 * one column or two, and as \xNN or \u{NNNN} otherwise.
 *
 * Running out of memory is kept: nothing is drawn then.  One thread. */
#ifndef PARE_UI_GRID_H
#define PARE_UI_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"

typedef enum pare_style {
    PARE_STYLE_PLAIN,
    PARE_STYLE_BAR,  /* title, and the line of keys */
    PARE_STYLE_HEAD, /* of a list */
    PARE_STYLE_FRESH,
    PARE_STYLE_GOOD,
    PARE_STYLE_BAD,
    PARE_STYLE_DIM,
    PARE_STYLE_MARK, /* what has changed */
    PARE_STYLE_WORD, /* of a program: keyword, */
    PARE_STYLE_TEXT, /* text and number in it, */
    PARE_STYLE_NOTE, /* comment */
    PARE_N_STYLES
} pare_style;

/* One column of one row.  Of a character that takes two, the second has no text. */
typedef struct pare_cell {
    char text[5]; /* a character, NUL-terminated; "" with `is_rest`, or for a space */
    unsigned char style;
    bool is_rest;
} pare_cell;

/* All-zero has no cells. */
typedef struct pare_grid {
    unsigned rows, columns;
    pare_cell *cells; /* owned; by row */
} pare_grid;

/* Where is written: columns from `column` up to `end` of `row`; what is written moves `column`. */
typedef struct pare_pen {
    pare_grid *grid;
    unsigned row, column, end;
    pare_style style;
} pare_pen;

/* Empties the grid, and gives it that size.  Errors: PARE_E_NOMEM; it has no cells then. */
PARE_CHECK pare_status pare_grid_clear(pare_grid *grid, unsigned rows, unsigned columns,
                                       pare_error *err);
void pare_grid_done(pare_grid *grid);

/* A pen at the beginning of `columns` columns of a row.  Rows and columns that are not there take
 * nothing. */
pare_pen pare_grid_pen(pare_grid *grid, unsigned row, unsigned column, unsigned columns);

/* Words of ours, UTF-8, each character one column; the same by printf, at most 511 bytes. */
void pare_grid_text(pare_pen *pen, const char *text);
void pare_grid_format(pare_pen *pen, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bytes from outside; a tab becomes spaces.  Returns how many of them were written: as many as fit. */
size_t pare_grid_bytes(pare_pen *pen, const void *bytes, size_t size);

/* Spaces up to `column`. */
void pare_grid_pad(pare_pen *pen, unsigned column);

/* ---- the terminal (terminal.c) ------------------------------------------------------------ */

/* Keys that are no characters; others are their bytes. */
enum {
    PARE_KEY_UP = 0x100,
    PARE_KEY_DOWN,
    PARE_KEY_LEFT,
    PARE_KEY_RIGHT,
    PARE_KEY_PAGE_UP,
    PARE_KEY_PAGE_DOWN,
    PARE_KEY_HOME,
    PARE_KEY_END,
    PARE_KEY_ENTER,
    PARE_KEY_ESCAPE,
    PARE_KEY_BACKSPACE,
    PARE_KEY_TAB
};

/* Whether there is a terminal to be taken over; `instead` says what can be done without one.
 * Errors: PARE_E_STATE, PARE_E_UNSUPPORTED (built without ncursesw). */
PARE_CHECK pare_status pare_terminal_check(const char *instead, pare_error *err);

/* Takes over the terminal that is standard input and output; one at a time.  Errors: PARE_E_STATE
 * (it is not known), PARE_E_UNSUPPORTED. */
PARE_CHECK pare_status pare_terminal_open(pare_error *err);

/* Puts the terminal back as it was; a no-op where none is open. */
void pare_terminal_close(void);

/* Its size now, which the user may change; at least 1 each. */
void pare_terminal_size(unsigned *rows, unsigned *columns);

/* Shows the grid: of the screen only what differs from what it shows is written. */
void pare_terminal_show(const pare_grid *grid);

/* The next key that was typed; -1: none.  Does not wait. */
int pare_terminal_key(void);

#endif
