/* What the user sees while a reduction runs.
 *
 * A watcher of pare_reduce: reads events, nothing else.  On a terminal one
 * line, redrawn in place; otherwise plain lines, few of them; or one line for
 * each test.  Time comes from the events, so output depends on them alone.
 * One thread. */
#ifndef PARE_UI_PROGRESS_H
#define PARE_UI_PROGRESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <pare/events.h>

#include "base/fail.h"
#include "ui/format.h"

/* The history of a size as a row of small bars.
 *
 * Holds a fixed number of samples, evenly spaced in time; when it is full,
 * neighbours are merged and the spacing doubles, so that the whole reduction
 * is always in view.  An all-zero struct is empty.  One thread. */

enum { PARE_SPARKLINE_SAMPLES = 64 };

typedef struct pare_sparkline {
    uint64_t size[PARE_SPARKLINE_SAMPLES]; /* bytes, oldest first */
    size_t n;
    double spacing_s; /* time between two samples */
} pare_sparkline;

/* Notes that the size is `size_bytes` at `elapsed_s` seconds; times ascend. */
void pare_progress_spark_add(pare_sparkline *line, double elapsed_s, uint64_t size_bytes);

/* Writes at most `columns` bars, NUL-terminated, to `text`; an UTF-8 bar takes
 * 3 bytes, so `text` needs 3 * columns + 1.  Bars are logarithmic: the first
 * sample is the top, the bottom is the least, or 1/64 of the first if that is
 * smaller.  Returns the number of bars. */
size_t pare_progress_spark_draw(const pare_sparkline *line, size_t columns, pare_charset charset,
                                char *text);

typedef enum pare_progress_mode {
    PARE_PROGRESS_PLAIN,   /* a line for each phase and for gains that matter */
    PARE_PROGRESS_LINE,    /* one line, redrawn at most ten times a second */
    PARE_PROGRESS_VERBOSE, /* a line for each test */
    PARE_PROGRESS_QUIET    /* nothing */
} pare_progress_mode;

typedef struct pare_progress_options {
    FILE *out; /* borrowed for the life of the progress */
    pare_progress_mode mode;
    pare_charset charset;
    pare_paint paint;
    unsigned columns; /* width of the line; 0: ask the terminal each time */
} pare_progress_options;

typedef struct pare_progress pare_progress;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_progress_new(const pare_progress_options *options, pare_progress **out,
                                         pare_error *err);
void pare_progress_free(pare_progress *progress); /* NULL is a no-op */

/* Shows one event.  Errors of writing are not reported: a reduction does not
 * end because nobody looks at it any more. */
void pare_progress_show(pare_progress *progress, const pare_event *event);

/* Takes the redrawn line away, so that something else can be printed. */
void pare_progress_erase(pare_progress *progress);

#endif
