/* The files that a report shows side by side: those that are left of folders and of several
 * inputs, each with what it was. */
#ifndef PARE_CLI_PAGE_FILES_H
#define PARE_CLI_PAGE_FILES_H

#include "base/buffer.h"
#include "ui/page.h"

#include <pare/reduce.h>

/* All-zero is empty. */
typedef struct pare_page_files {
    pare_page_file files[PARE_PAGE_FILES]; /* in the order of their paths */
    pare_buffer names[PARE_PAGE_FILES], originals[PARE_PAGE_FILES],
        results[PARE_PAGE_FILES]; /* owned; what `files` borrows */
    size_t n, n_hidden;           /* hidden: there was no room for */
} pare_page_files;

/* Reads them from the disk.  What cannot be read any more is left out, or told of in its
 * place.  Errors: PARE_E_IO (the result cannot be listed), PARE_E_NOMEM; *files needs
 * pare_page_files_done in any case. */
PARE_CHECK pare_status pare_page_files_read(const pare_reduce_options *reduce,
                                            pare_page_files *files, pare_error *err);
void pare_page_files_done(pare_page_files *files);

#endif
