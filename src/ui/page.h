/* The report: everything a reader wants to know of a reduction, as one HTML page.
 *
 * The page needs nothing else: no font, no picture, no network, and no script but its own (and says
 * so by its Content-Security-Policy), without which all of it can be read.  It is read at any width
 * from 320 pixels on, in light and dark, on paper, and by screen readers.  The same arguments give
 * the same bytes: there is no date in it.  What comes from outside is escaped (html.h) and its size is bounded, so
 * that the page stays below PARE_PAGE_BYTES.  One thread. */
#ifndef PARE_UI_PAGE_H
#define PARE_UI_PAGE_H

#include <stdbool.h>

#include <pare/result.h>

#include "base/buffer.h"
#include "ui/best_log.h"
#include "ui/page_texts.h"

#define PARE_PAGE_BYTES ((size_t)2 << 20)

/* What the page tells besides the result.  All borrowed; NULL where there is nothing. */
typedef struct pare_page {
    const char *name;         /* of the input */
    const char *command;      /* what reproduces the reduction, for a shell */
    const char *check;        /* what shows the failure of the result, for a shell */
    const char *directory;    /* where both are run */
    const char *output_path;  /* of the result */
    const char *test_command; /* of a test script */
    const char *test_text;    /* of the script itself */
    const char *worker_command;
    const char *algorithm; /* as the user named it */
    const char *proof;     /* see pare_summary */
    pare_page_texts texts;
    size_t n_differences, n_differences_in; /* with texts.is_isolated: at the end, and before */
    const pare_best_log *log;               /* of the run */
    bool is_explained_only;                 /* by `pare explain`: nothing was reduced */
} pare_page;

/* Appends the page to *out.  Errors: PARE_E_NOMEM; *out is not complete then. */
PARE_CHECK pare_status pare_page_write(const pare_page *page, const pare_result *result,
                                       pare_buffer *out, pare_error *err);

#endif
