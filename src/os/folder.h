/* Folders that are replaced as a whole, as files are by rename. */
#ifndef PARE_OS_FOLDER_H
#define PARE_OS_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

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

/* Keeping what is replaced: what `path` named is called `kept` afterwards, a name that must be
 * free. */
typedef struct pare_folder_keep {
    const char *kept;
    /* Called before any name changes, with the inode number of the new folder; returns 0 or
     * an errno, which ends it. */
    int (*announce)(void *context, uint64_t inode);
    void *context;
} pare_folder_keep;

/* The same for a `path` that is there, once: at any instant what it named is still called
 * `path` or already `kept`.  For that the new folder takes the name `kept` first, and then
 * the two change places: a process that is killed between leaves what was announced there.
 * Where names cannot be exchanged there is an instant at which only `kept` is there.
 * Errors: PARE_E_IO, PARE_E_NOMEM; what `path` named is still there then, under one of the two
 * names. */
PARE_CHECK pare_status pare_folder_replace_keeping(const char *path, const pare_folder_keep *keep,
                                                   pare_folder_write write, void *context,
                                                   pare_error *err);

/* Gives `from` the name `to`, which must be free.  Returns 0 or an errno (EEXIST). */
int pare_folder_rename_free(const char *from, const char *to);

/* Inode number of what `path` names, a link not followed; 0: nothing. */
uint64_t pare_folder_inode(const char *path);

/* True when `path` is a folder, and no link to one. */
bool pare_folder_is_plain(const char *path);

/* True when `path`, which need not exist, lies in the folder `folder`, links resolved. */
bool pare_folder_holds(const char *folder, const char *path);

#endif
