/* Folders that are replaced as a whole, as files are by rename. */
#ifndef PARE_OS_FOLDER_H
#define PARE_OS_FOLDER_H

#include <stdbool.h>

#include "base/status.h"

/* Puts everything into the open, empty folder and returns 0, or an errno; `previous` is the
 * one that will be replaced, or -1. */
typedef int (*pare_folder_write)(void *context, int folder, int previous);

/* Makes `path` a folder so that at any instant it names either what it did or all that
 * `write` put: a new one is written beside it, and the two change places (renameat2,
 * RENAME_EXCHANGE).  On a file system that cannot do that there is an instant between two
 * renames at which `path` names nothing.  What it named before is removed.  What a killed
 * process leaves is removed by pare_file_sweep.
 * Errors: PARE_E_IO, PARE_E_NOMEM; nothing has changed then. */
PARE_CHECK pare_status pare_folder_replace(const char *path, pare_folder_write write, void *context,
                                           pare_error *err);

/* True when `path` is a folder, and no link to one. */
bool pare_folder_is_plain(const char *path);

/* True when `path`, which need not exist, lies in the folder `folder`, links resolved. */
bool pare_folder_holds(const char *folder, const char *path);

#endif
