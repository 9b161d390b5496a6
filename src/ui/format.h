/* Numbers, sizes, durations and names as people read them.
 *
 * Each function writes into the caller's text and returns it.  Any thread. */
#ifndef PARE_UI_FORMAT_H
#define PARE_UI_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PARE_FORMAT_BYTES = 32 }; /* room that each function below needs */

/* "1 byte", "999 bytes", "1.2 kB", "60 kB", "3.4 GB"; a kB has 1000 bytes. */
const char *pare_format_size(char text[static PARE_FORMAT_BYTES], uint64_t bytes);

/* "0.35 s", "12.3 s", "2 min 05 s", "3 h 07 min", "2 d 05 h". */
const char *pare_format_duration(char text[static PARE_FORMAT_BYTES], double seconds);

/* "1,234,567" */
const char *pare_format_count(char text[static PARE_FORMAT_BYTES], uint64_t n);

/* "1 test", "1,234 tests" */
const char *pare_format_tests(char text[static PARE_FORMAT_BYTES], uint64_t n);

/* "12.3 %" of `part` in `whole`; tiny parts keep two significant digits:
 * "0.0081 %". */
const char *pare_format_percent(char text[static PARE_FORMAT_BYTES], uint64_t part, uint64_t whole);

/* "45/s", "3.2/s", "0.12/s": `n` in `seconds`. */
const char *pare_format_rate(char text[static PARE_FORMAT_BYTES], uint64_t n, double seconds);

/* Copies `name` with what cannot be seen (controls, marks of direction, bytes that are no UTF-8) written
 * as \n, \t, \xNN or \u{NNNN}, so that it stays on its line and cannot steer the terminal.  Cut to
 * `capacity` bytes, with "..." where it was cut; `capacity` is at least 8. */
const char *pare_format_name(char *text, size_t capacity, const char *name);

/* Prints `text`, which begins at `column`, and a line end, broken at blanks so that no line is wider than
 * `width` columns; the second line and those after it begin with `indent` spaces.  What stands in
 * single quotes, such as a command to type, stays together where it fits a line; a word that is
 * longer than a line stands on one of its own and sticks out. */
void pare_format_wrap(FILE *out, const char *text, size_t indent, size_t column, size_t width);

/* The same for whatever `out` is: on a terminal no line is wider than it; for anything else, which
 * programs read by lines, the text stays one line as it is. */
void pare_format_sentence(FILE *out, const char *text, size_t indent, size_t column);

/* How output may look: colours or not, which characters. */

typedef enum pare_color_choice {
    PARE_COLOR_AUTO, /* on a terminal, unless NO_COLOR is set or TERM is dumb */
    PARE_COLOR_ALWAYS,
    PARE_COLOR_NEVER
} pare_color_choice;

typedef enum pare_paint { PARE_PLAIN, PARE_COLORED } pare_paint;

/* Whether what is written to `fd` may be coloured.  Reads the environment. */
pare_paint pare_format_paint(pare_color_choice choice, int fd);

typedef enum pare_charset { PARE_ASCII, PARE_UTF8 } pare_charset;

/* PARE_UTF8 when the user's locale is UTF-8.  Changes no global state. */
pare_charset pare_format_charset(void);

/* Whether a line on `fd` can be redrawn in place: a terminal, not a dumb one. */
typedef enum pare_redraw { PARE_NO_REDRAW, PARE_REDRAW } pare_redraw;
pare_redraw pare_format_redraw(int fd);

#endif
