/* The report: everything a reader wants to know of a reduction, as one HTML page.
 *
 * The page needs nothing else: no script, no font, no picture, no network (and says so by
 * its Content-Security-Policy).  It is read at any width from 320 pixels on, in light and
 * dark, on paper, and by screen readers.  The same arguments give the same bytes: there is
 * no date in it.  What comes from outside is escaped (html.h) and its size is bounded, so
 * that the page stays below PARE_PAGE_BYTES.  One thread. */
#ifndef PARE_UI_PAGE_H
#define PARE_UI_PAGE_H

#include <pare/result.h>
#include <pare/survivors.h>

#include "base/buffer.h"

#define PARE_PAGE_BYTES ((size_t)2 << 20)

enum { PARE_PAGE_FILES = 30 }; /* shown at most */

/* A file as it was and as it is.  All borrowed. */
typedef struct pare_page_file {
    const char *name;     /* shown above both; NULL: it is the only one */
    const void *original; /* NULL: not shown */
    size_t original_bytes;
    const char *absent; /* why `original` is NULL: a sentence of ours; may be NULL */
    const void *result;
    size_t result_bytes;
    pare_survivors survivors; /* of the original in the result */
} pare_page_file;

/* What the page tells besides the result.  All borrowed; NULL where there is nothing. */
typedef struct pare_page {
    const char *name;         /* of the input */
    const char *command;      /* what reproduces the reduction, for a shell */
    const char *check;        /* what shows the failure of the result, for a shell */
    const char *directory;    /* where both are run */
    const char *output_path;  /* of the result */
    const char *test_command; /* of a test script */
    const char *worker_command;
    const char *algorithm;                     /* as the user named it */
    const char *proof;                         /* see pare_summary */
    const char *original_label, *result_label; /* "Original", "Result" */
    const pare_page_file *files;               /* n_files of them, PARE_PAGE_FILES at most */
    size_t n_files, n_hidden;                  /* hidden: of the result, and not shown */
} pare_page;

/* Appends the page to *out.  Errors: PARE_E_NOMEM; *out is not complete then. */
PARE_CHECK pare_status pare_page_write(const pare_page *page, const pare_result *result,
                                       pare_buffer *out, pare_error *err);

/* The style sheet, rule by rule, up to a NULL; static. */
extern const char *const pare_page_style[];

#endif
