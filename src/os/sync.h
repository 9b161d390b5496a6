/* Bringing files to disk, so that they survive a loss of power.
 *
 * A file system may write what was not synced in any order: the name of a file before its bytes,
 * the second of two renames before the first.  So a new file is synced before it gets its place,
 * and its folder after; what is removed goes only when that is done.  Each function does nothing
 * under PARE_SYNC_NEVER.  Where a file system cannot sync (EINVAL, ENOSYS, EROFS), that counts as
 * done.  Any thread. */
#ifndef PARE_OS_SYNC_H
#define PARE_OS_SYNC_H

#include <pare/sync.h>

#include "base/fail.h"

/* Waits until the bytes of `fd`, or of a folder the names in it, are on disk.
 * Returns 0 or an errno. */
int pare_sync_descriptor(int fd, pare_sync sync);

/* The same for the file or folder `path`, links followed. */
int pare_sync_path(const char *path, pare_sync sync);

/* The same for the folder that holds `path`: the name itself is on disk then. */
int pare_sync_name(const char *path, pare_sync sync);

/* The same for the names of all folders above `path`. */
int pare_sync_way(const char *path, pare_sync sync);

/* The same for everything in the file system of `fd`: for a folder with all that is in it. */
int pare_sync_tree(int fd, pare_sync sync);

/* ---- later: a file that is appended to, synced without making the writer wait ----
 *
 * A thread sleeps until something was written, waits half a second and syncs: what is written is
 * on disk within a second, and a writer pays for one load from memory.  One thread writes. */

typedef struct pare_sync_later pare_sync_later;

/* Watches over `fd`, which is borrowed.  The thread starts with the first write.  On PARE_OK the
 * caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_sync_later_new(int fd, pare_sync sync, pare_sync_later **out,
                                           pare_error *err);

/* Syncs what is not synced yet, ends the thread and frees.  NULL is a no-op. */
void pare_sync_later_close(pare_sync_later *later);

/* The same without syncing: the file is to be removed. */
void pare_sync_later_drop(pare_sync_later *later);

/* Something was written.  Under PARE_SYNC_ALWAYS, or where no thread can be started, it is on disk
 * on return.  Returns 0, or the errno of this sync or of one before, told once. */
int pare_sync_later_note(pare_sync_later *later);

#endif
