/* What the user sees while a reduction runs.
 *
 * A watcher of pare_reduce: reads events, nothing else.  On a terminal one
 * line, redrawn in place; otherwise plain lines, few of them; or one line for
 * each test.  Time comes from the events, so output depends on them alone.
 * One thread. */
#ifndef PARE_UI_PROGRESS_H
#define PARE_UI_PROGRESS_H

#include <stdio.h>

#include <pare/events.h>

#include "base/status.h"
#include "ui/sparkline.h"
#include "ui/style.h"

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
