/* Whole files: read, written by rename, hashed; folders made and removed.
 *
 * Functions name the path in the sentence of an error.  Any thread. */
#ifndef PARE_OS_FILE_H
#define PARE_OS_FILE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <pare/sync.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/descriptor.h"

/* Reads all of `path` into *buffer, which is emptied first.  A regular file costs its
 * size in memory, nothing more.  `path` may be a pipe or a device with an end.
 * Errors: PARE_E_IO (missing, unreadable, a directory), PARE_E_NOMEM; *buffer is empty
 * then. */
PARE_CHECK pare_status pare_file_read(const char *path, pare_buffer *buffer, pare_error *err);

/* Who is told how far a large file was read: after every 16 MiB or so, at most ten times a second. */
typedef struct pare_file_reading {
    void (*tell)(void *context, size_t read_bytes, size_t size_bytes);
    void *context;
} pare_file_reading;

/* The same; `reading` may be NULL.  Reading more than 16 MiB, or waiting for what nobody writes (a pipe,
 * /proc/kmsg), ends with PARE_E_INTERRUPTED when this thread is asked to stop (base/interrupt.h). */
PARE_CHECK pare_status pare_file_read_told(const char *path, const pare_file_reading *reading,
                                           pare_buffer *buffer, pare_error *err);

/* The same from an open descriptor, from where it stands; `name` is for sentences. */
PARE_CHECK pare_status pare_file_read_fd(int fd, const char *name, pare_buffer *buffer,
                                         pare_error *err);

/* Looks after what is about to be replaced, for who would not lose what somebody else has put there.
 *
 * `check` is called with the path itself just before it is replaced, if anything is there, and once
 * more with the other name that the replaced file or folder has just after that.  PARE_OK: it may go.
 * An error: the path gets back what it held, and the write fails with that error.  The second call
 * leaves no instant in which what others write could be lost; a file system that cannot exchange
 * names (renameat2) has the first one only. */
typedef struct pare_file_guard {
    pare_status (*check)(void *context, const char *name, pare_error *err);
    void *context;
} pare_file_guard;

/* What is written to a file, and how. */
typedef struct pare_file_writing {
    pare_iovec_fill fill; /* adds the bytes */
    void *context;        /* of fill */
    pare_sync sync;
    bool is_script;               /* whoever may read it may run it, where there is such a mode */
    const pare_file_guard *guard; /* borrowed; NULL: what was there may go */
    struct stat *written;         /* set to what the new file is like; NULL: nobody asks */
} pare_file_writing;

/* Writes `path` so that at any instant it holds either what it held or all that
 * `fill` adds: through a file in the same directory that is then renamed.  A file that
 * exists keeps its mode, a symbolic link stays one and its target is replaced; a new
 * file gets 0666 less the umask.  Unless `sync` is PARE_SYNC_NEVER that holds of a loss of power
 * too, and on return the new content is on disk.
 * Errors: PARE_E_IO, PARE_E_NOMEM; nothing has changed then, but where only the folder could
 * not be synced. */
PARE_CHECK pare_status pare_file_replace(const char *path, const pare_file_writing *what,
                                         pare_error *err);

/* Adds the bytes of `context`, a pare_buffer. */
int pare_file_fill_buffer(void *context, pare_iovec *gather);

/* The same without a guard. */
PARE_CHECK pare_status pare_file_write(const char *path, pare_sync sync, pare_iovec_fill fill,
                                       void *context, pare_error *err);

/* The same from one run of bytes. */
PARE_CHECK pare_status pare_file_write_run(const char *path, pare_sync sync, const void *bytes,
                                           size_t size, pare_error *err);

/* The same, not synced: for what another run makes again. */
PARE_CHECK pare_status pare_file_write_bytes(const char *path, const void *bytes, size_t size,
                                             pare_error *err);

/* As pare_file_write_run, for a script: whoever may read it may run it, from the instant it is
 * there.  Where the file system has no such mode it is written all the same. */
PARE_CHECK pare_status pare_file_write_script(const char *path, pare_sync sync, const void *bytes,
                                              size_t size, pare_error *err);

/* Gives the file or folder `from` the name `to`, which must be free.  Returns 0 or an errno (EEXIST). */
int pare_file_rename_free(const char *from, const char *to);

/* Copies the file `from` (links followed) to `to`, which nothing may be called yet, with its mode and times.
 * `to` is there when all of it is; unless `sync` is PARE_SYNC_NEVER it is on disk then.  Costs no space
 * where the file system lets two files share it.  Returns 0 or an errno: EEXIST where `to` is taken. */
int pare_file_copy(const char *from, const char *to, pare_sync sync);

/* Removes what writes of `path` left beside it when their processes were killed.  Cannot
 * fail: what cannot be removed stays. */
void pare_file_sweep(const char *path);

/* True when `path` names something, whatever it is. */
bool pare_file_exists(const char *path);

/* True when it is sure that `path` names nothing; false also when that may not be looked at. */
bool pare_file_is_absent(const char *path);

/* True when `path` names a regular file, or a directory; links are followed. */
bool pare_file_is_regular(const char *path);

/* Whether `path` is a socket, links followed. */
bool pare_file_is_socket(const char *path);
bool pare_file_is_directory(const char *path);

/* The last component of a path: what stands behind its last slash. */
const char *pare_file_base_name(const char *path);

/* Permission bits of a file; 0 when there is none. */
mode_t pare_file_mode(const char *path);

/* Digest of `head` followed by all bytes of `path`, and their number added to *size.
 * About 1 ns a byte, in constant memory.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_file_hash(const char *path, pare_hash *hash, size_t *size,
                                      pare_error *err);

/* The same of an open descriptor, from where it stands; `name` is for sentences. */
PARE_CHECK pare_status pare_file_hash_fd(int fd, const char *name, pare_hash *hash, size_t *size,
                                         pare_error *err);

/* Absolute form of `path`, seen from the current directory, without resolving links.
 * On PARE_OK the caller owns *out.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_file_absolute(const char *path, char **out, pare_error *err);

/* Makes the directory `path` and those above it; fine when it exists.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_file_make_directories(const char *path, pare_error *err);

/* Removes everything in the directory `fd`, without following a link and with two
 * descriptors however deep it is.  Returns 0 or an errno. */
int pare_file_empty_directory(int fd);

/* Removes `path` and all in it; fine when there is none.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_file_remove_tree(const char *path, pare_error *err);

#endif
