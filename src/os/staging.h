/* Folders that appear whole or not at all: made under another name, then renamed.
 *
 * A shelf is a folder of such folders.  What is being made lies beside its final place
 * under a name that begins with a dot; a lock lets one process at a time make
 * something on a shelf, so that what a killed one left behind is known for garbage and
 * swept by the next.  One thread. */
#ifndef PARE_OS_STAGING_H
#define PARE_OS_STAGING_H

#include "base/status.h"

typedef struct pare_staging pare_staging;

/* Makes the folder `shelf` if need be, waits for its lock, sweeps it and makes a folder
 * to fill.  On PARE_OK the caller owns *out.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_staging_open(const char *shelf, pare_staging **out, pare_error *err);

/* Removes what was not committed and gives the lock up; NULL is a no-op. */
void pare_staging_close(pare_staging *staging);

/* The folder to fill: an absolute path, borrowed. */
const char *pare_staging_path(const pare_staging *staging);

/* Moves `from` to `to`, both relative to the folder to fill.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_staging_move(const pare_staging *staging, const char *from,
                                         const char *to, pare_error *err);

/* Gives the filled folder its place SHELF/NAME in one step, instead of a folder that was
 * there.  Errors: PARE_E_IO, PARE_E_NOMEM; nothing has changed then. */
PARE_CHECK pare_status pare_staging_commit(pare_staging *staging, const char *name,
                                           pare_error *err);

/* Takes the folder SHELF/NAME away in one step, then removes it.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_staging_discard(pare_staging *staging, const char *name,
                                            pare_error *err);

#endif
