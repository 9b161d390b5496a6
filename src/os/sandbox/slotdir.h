/* The private directories in which tests run, one for each slot, reused.
 *
 * A run's directory (mode 0700) lies in memory where there is a tmpfs for it, else on
 * disk.  Each slot has a folder in it, made when it is first used and held open; a test
 * finds its candidate there under the input's own base name.  Tests are hostile: what
 * they leave is removed, and what they destroy is made again; marks and mounts with which a test of
 * root's keeps its folder from being emptied are undone.  One thread. */
#ifndef PARE_OS_SANDBOX_SLOTDIR_H
#define PARE_OS_SANDBOX_SLOTDIR_H

#include <sys/types.h>

#include "base/fail.h"
#include "os/descriptor.h"

typedef struct pare_slotdirs pare_slotdirs;

typedef struct pare_slotdirs_options {
    const char *run_id;    /* becomes part of the directory's name */
    const char *base_name; /* of the candidate; any bytes but '/' and NUL */
    unsigned n_slots;
    mode_t mode;                       /* of the candidate; 0: 0600 */
    const char *memory_dir, *disk_dir; /* where to put it; NULL: /dev/shm; $TMPDIR or /tmp */
} pare_slotdirs_options;

/* Removes what runs of our user's left in the same places that were killed together with their
 * guards (os/sandbox/guard.h); a living one's folder is locked, and stays.  Names the run's
 * directories; the first put makes what it needs, so that a guard can be
 * set over the names before.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_ARG (base name), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_slotdirs_new(const pare_slotdirs_options *options, pare_slotdirs **out,
                                         pare_error *err);

/* Removes everything; NULL is a no-op. */
void pare_slotdirs_free(pare_slotdirs *dirs);

/* Writes the candidate of `slot`, which must be clear.  When memory is full, moves the
 * slot to disk.  Errors: PARE_E_IO, PARE_E_NOMEM; the slot is clear then. */
PARE_CHECK pare_status pare_slotdirs_put(pare_slotdirs *dirs, unsigned slot, pare_iovec_fill fill,
                                         void *context, pare_error *err);

/* The same for a candidate of several files: `write` puts them into the open folder and
 * returns 0 or an errno; it may be called again after the folder was emptied. */
typedef int (*pare_slotdirs_write)(void *context, int folder);
PARE_CHECK pare_status pare_slotdirs_put_all(pare_slotdirs *dirs, unsigned slot,
                                             pare_slotdirs_write write, void *context,
                                             pare_error *err);

/* Makes the folder of `slot`, which must be clear, without a candidate: its test gets that
 * in another way.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_slotdirs_open(pare_slotdirs *dirs, unsigned slot, pare_error *err);

/* Removes the candidate and everything else in the slot's folder.  Cannot fail: what
 * cannot be removed stays in a folder that is not used any more. */
void pare_slotdirs_clear(pare_slotdirs *dirs, unsigned slot);

/* After a put or an open: the slot's folder (borrowed descriptor), its absolute path, and that
 * of the candidate (valid until the next put). */
int pare_slotdirs_fd(const pare_slotdirs *dirs, unsigned slot);
const char *pare_slotdirs_folder(const pare_slotdirs *dirs, unsigned slot);
const char *pare_slotdirs_path(const pare_slotdirs *dirs, unsigned slot);

/* The run's directories, in memory (or the only one) and on disk; they may not exist yet,
 * and the second is NULL when the first is the only one. */
const char *pare_slotdirs_root(const pare_slotdirs *dirs);
const char *pare_slotdirs_disk_root(const pare_slotdirs *dirs);

#endif
