/* The page of --report: its path is checked before the run, and it is written after it. */
#ifndef PARE_CLI_PAGE_FILE_H
#define PARE_CLI_PAGE_FILE_H

#include <pare/explain.h>
#include <pare/result.h>

#include "cli/settings.h"
#include "ui/best_log.h"

/* What the page is about.  All borrowed. */
typedef struct pare_page_task {
    const pare_settings *settings; /* with a report_path */
    const char *command;           /* "pare reduce" */
    const char *proof;             /* see pare_summary */
    const pare_result *result;
    const char *original_path; /* of what stands first; NULL: settings' input */
    const void *passing;       /* isolate: this stands first instead; else NULL */
    size_t passing_bytes;
    size_t n_differences, n_differences_in; /* isolate: between the sides, at the end and before */
    const pare_explanation *explanation;    /* of the result; NULL: there is none */
    const pare_readable *readable;
    const pare_best_log *log; /* of the run; NULL: there is none */
} pare_page_task;

/* Says at once what would make the writing fail.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_page_file_check(const char *path, pare_error *err);

/* Gathers what the page shows, reading the original again, and writes it: into a file
 * beside it that is then renamed; into what is not a regular file directly.
 * Errors: PARE_E_IO, PARE_E_NOMEM; what was at the path is unchanged then. */
PARE_CHECK pare_status pare_page_file_write(const pare_page_task *task, pare_error *err);

#endif
