/* The history of a size as a row of small bars.
 *
 * Holds a fixed number of samples, evenly spaced in time; when it is full,
 * neighbours are merged and the spacing doubles, so that the whole reduction
 * is always in view.  An all-zero struct is empty.  One thread. */
#ifndef PARE_UI_SPARKLINE_H
#define PARE_UI_SPARKLINE_H

#include <stddef.h>
#include <stdint.h>

enum { PARE_SPARKLINE_SAMPLES = 64 };

typedef enum pare_charset { PARE_ASCII, PARE_UTF8 } pare_charset;

typedef struct pare_sparkline {
    uint64_t size[PARE_SPARKLINE_SAMPLES]; /* bytes, oldest first */
    size_t n;
    double spacing_s; /* time between two samples */
} pare_sparkline;

/* Notes that the size is `size_bytes` at `elapsed_s` seconds; times ascend. */
void pare_sparkline_add(pare_sparkline *line, double elapsed_s, uint64_t size_bytes);

/* Writes at most `columns` bars, NUL-terminated, to `text`; an UTF-8 bar takes
 * 3 bytes, so `text` needs 3 * columns + 1.  Bars are logarithmic: the first
 * sample is the top, the bottom is the least, or 1/64 of the first if that is
 * smaller.  Returns the number of bars. */
size_t pare_sparkline_draw(const pare_sparkline *line, size_t columns, pare_charset charset,
                           char *text);

#endif
