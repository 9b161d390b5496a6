/* Folders as a whole: replaced in one step as files are by rename, staged and committed, listed,
 * made for temporary use.  Any thread, except that a stage belongs to one. */
#ifndef PARE_OS_FOLDER_H
#define PARE_OS_FOLDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/sync.h>

#include "base/fail.h"
#include "os/file.h"

/* One folder that is being removed, by a thread of its own: to free the files of a large one takes
 * some disks ten times as long as to write them.  All-zero is idle; it stays where it is, and
 * belongs to one thread. */
typedef struct pare_folder_removal {
    char *path; /* owned; NULL: idle */
    atomic_bool done;
    pthread_t thread;
} pare_folder_removal;

/* Whether what was given to it last is still being removed. */
bool pare_folder_removal_is_busy(const pare_folder_removal *removal);

/* Waits until it is idle.  What could not be removed stays. */
void pare_folder_removal_finish(pare_folder_removal *removal);

/* Puts everything into the open, empty folder and returns 0, or an errno; `previous` is the
 * one that will be replaced, or -1. */
typedef int (*pare_folder_write)(void *context, int folder, int previous);

/* How a folder is replaced; all-zero: synced by default, nobody looks, what was there goes at once. */
typedef struct pare_folder_replacing {
    pare_sync sync;
    const pare_file_guard *guard; /* borrowed; NULL: what was there may go */
    pare_folder_removal *removal; /* borrowed: removes it soon after; NULL: on return */
} pare_folder_replacing;

/* Makes `path` a folder so that at any instant it names either what it did or all that
 * `write` put: a new one is written beside it, and the two change places (renameat2,
 * RENAME_EXCHANGE).  On a file system that cannot do that there is an instant between two
 * renames at which `path` names nothing.  What it named before is removed.  What a killed process leaves is removed by
 * pare_file_sweep.  Unless `sync` is PARE_SYNC_NEVER that holds of a
 * loss of power too, and on return the new folder is on disk; all of its file system is synced
 * for that.
 * Errors: PARE_E_IO, PARE_E_NOMEM; nothing has changed then. */
PARE_CHECK pare_status pare_folder_replace(const char *path, const pare_folder_replacing *how,
                                           pare_folder_write write, void *context, pare_error *err);

/* How what is replaced is kept: what `path` named gets the name `kept`, which must be free. */
typedef struct pare_folder_keep {
    const char *kept;
    /* Called before any name changes, with the inode number of the new folder; returns 0 or
     * an errno, which ends it. */
    int (*announce)(void *context, uint64_t inode);
    void *context;
    pare_sync sync; /* as for pare_folder_replace */
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

/* Inode number of what `path` names, a link not followed; 0: nothing. */
uint64_t pare_folder_inode(const char *path);

/* True when `path` is a folder, and no link to one. */
bool pare_folder_is_plain(const char *path);

/* True when `path`, which need not exist, lies in the folder `folder`, links resolved. */
bool pare_folder_holds(const char *folder, const char *path);

/* ---- what is in a folder, by name ---- */

/* All-zero is empty. */
typedef struct pare_folder_names {
    char **items; /* owned, each too; in the order of their bytes, without "." and ".." */
    size_t n, capacity;
} pare_folder_names;

/* Reads the names in `path`, of whatever kind; what is in folders there is not looked at.
 * *names is to be done in any case.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_folder_names_read(pare_folder_names *names, const char *path,
                                              pare_error *err);
void pare_folder_names_done(pare_folder_names *names);

/* ---- a private folder for temporary use ---- */

/* Makes an empty folder that only this user may enter, in memory (/dev/shm) where that can be
 * written, else in $TMPDIR or /tmp.  On PARE_OK the caller owns *path, absolute, and removes
 * the folder by pare_folder_remove_scratch, with this very pointer.  What a killed process left
 * is swept by a later run.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_folder_make_scratch(char **path, pare_error *err);

/* Removes the folder with all that is in it, and releases `path`.  Cannot fail: what cannot be
 * removed stays.  NULL is a no-op. */
void pare_folder_remove_scratch(char *path);

/* ---- folders that appear whole or not at all: made under another name, then renamed ----
 *
 * A shelf is a folder of such folders.  What is being made lies beside its final place
 * under a name that begins with a dot; a lock lets one process at a time make
 * something on a shelf, so that what a killed one left is known for garbage and
 * swept by the next. */

typedef struct pare_folder_stage pare_folder_stage;

/* Makes the folder `shelf` if need be, waits for its lock, sweeps it and makes a folder
 * to fill.  On PARE_OK the caller owns *out.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_folder_stage_open(const char *shelf, pare_folder_stage **out,
                                              pare_error *err);

/* Removes what was not committed and gives the lock up; NULL is a no-op. */
void pare_folder_stage_close(pare_folder_stage *staging);

/* The folder to fill: an absolute path, borrowed. */
const char *pare_folder_stage_path(const pare_folder_stage *staging);

/* Moves `from` to `to`, both relative to the folder to fill.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_folder_stage_move(const pare_folder_stage *staging, const char *from,
                                              const char *to, pare_error *err);

/* Gives the filled folder its place SHELF/NAME in one step, instead of a folder that was
 * there.  Errors: PARE_E_IO, PARE_E_NOMEM; nothing has changed then. */
PARE_CHECK pare_status pare_folder_stage_commit(pare_folder_stage *staging, const char *name,
                                                pare_error *err);

/* Takes the folder SHELF/NAME away in one step, then removes it.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_folder_stage_discard(pare_folder_stage *staging, const char *name,
                                                 pare_error *err);

#endif
