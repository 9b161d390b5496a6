/* The texts on a report: the result by itself, with what it shows, and beside what it was.
 *
 * An explained result is shown by page_explained.h.  One thread. */
#ifndef PARE_UI_PAGE_TEXTS_H
#define PARE_UI_PAGE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/explain.h>
#include <pare/survivors.h>

#include "ui/html.h"

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

/* What is shown.  All borrowed; NULL where there is nothing. */
typedef struct pare_page_texts {
    const char *original_label, *result_label; /* "Original", "Result" */
    const pare_page_file *files;               /* n_files of them, PARE_PAGE_FILES at most */
    size_t n_files, n_hidden;                  /* hidden: of the result, and not shown */
    const pare_explanation *explanation;       /* of the one file */
    const pare_readable *readable;
    bool is_isolated; /* the original is the passing side, and the result the failing one: what is
                         shown first is where they differ */
} pare_page_texts;

/* Adds the result, or those of its files for which there is room: explained, where it was. */
void pare_page_texts_add_results(pare_html *html, const pare_page_texts *texts);

/* Adds the section with the original, folded around what is left of it, and the result; nothing
 * where there is no original to show and nothing to say of it. */
void pare_page_texts_add_pairs(pare_html *html, const pare_page_texts *texts);

#endif
