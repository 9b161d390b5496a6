/* INPUT.orig: what --in-place keeps of the input.
 *
 * Made before anything is reduced.  An INPUT.orig that exists is never
 * overwritten: when it is the same file as INPUT it will do; beside the journal of an unfinished run of ours it *is* the
 * input, and the reduction goes on from it; otherwise it is somebody's file
 * and the reduction does not start. */
#ifndef PARE_CLI_BACKUP_H
#define PARE_CLI_BACKUP_H

#include <stdbool.h>

#include "base/buffer.h"

/* All-zero before pare_backup_make. */
typedef struct pare_backup {
    pare_buffer path;    /* owned; INPUT.orig */
    pare_buffer resumed; /* owned; the bytes of the input of an unfinished run */
    bool is_resumed;
} pare_backup;

/* `journal_dir` may be NULL: then nothing can be unfinished.
 * Errors: PARE_E_IO (INPUT.orig exists or cannot be made), PARE_E_NOMEM;
 * *backup needs pare_backup_done in any case. */
PARE_CHECK pare_status pare_backup_make(pare_backup *backup, const char *input_path,
                                        const char *journal_dir, pare_error *err);

/* Removes INPUT.orig again if the input is still as it was. */
void pare_backup_drop_unneeded(const pare_backup *backup, const char *input_path);

void pare_backup_done(pare_backup *backup); /* frees memory, touches no file */

#endif
