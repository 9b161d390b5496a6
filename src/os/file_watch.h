/* Waiting until somebody changes a file.  One thread. */
#ifndef PARE_OS_FILE_WATCH_H
#define PARE_OS_FILE_WATCH_H

#include <stdbool.h>

#include "base/fail.h"

typedef struct pare_file_watch pare_file_watch;

/* Watches the file NAME of a folder, where `path` is FOLDER/NAME, and those whose names begin
 * with it and go on with '-', as SQLite's write-ahead log does.  They need not be there yet, and
 * may come, go, and be replaced.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_IO (no such folder, no more watches), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_file_watch_new(const char *path, pare_file_watch **out,
                                           pare_error *err);
void pare_file_watch_free(pare_file_watch *watch); /* NULL is a no-op */

/* Is readable when something has happened in the folder: poll it, do not read it. */
int pare_file_watch_fd(const pare_file_watch *watch);

/* Takes what has happened, and says whether any of it was about the file; does not wait.  True,
 * too, when there was more than the kernel could remember.  A writer may not be done yet: a commit of
 * SQLite is seen only after its index, which is mapped, says so, and that is no event.  So whoever
 * looks at once looks again a little later. */
bool pare_file_watch_changed(pare_file_watch *watch);

#endif
