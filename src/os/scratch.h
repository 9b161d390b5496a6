/* A private folder for a while. */
#ifndef PARE_OS_SCRATCH_H
#define PARE_OS_SCRATCH_H

#include "base/status.h"

/* Makes an empty folder that only this user may enter, in memory (/dev/shm) where that can be
 * written, else in $TMPDIR or /tmp.  On PARE_OK the caller owns *path, absolute, and removes
 * the folder by pare_scratch_remove.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_scratch_make(char **path, pare_error *err);

/* Removes the folder with all that is in it, and releases `path`.  Cannot fail: what cannot be
 * removed stays.  NULL is a no-op. */
void pare_scratch_remove(char *path);

#endif
