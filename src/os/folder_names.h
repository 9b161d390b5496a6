/* What is in a folder, by name.  Any thread. */
#ifndef PARE_OS_FOLDER_NAMES_H
#define PARE_OS_FOLDER_NAMES_H

#include <stddef.h>

#include "base/status.h"

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

#endif
