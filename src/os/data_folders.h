/* Where additions to pare (languages) are kept: a user's own, and the system's for everybody. */
#ifndef PARE_OS_DATA_FOLDERS_H
#define PARE_OS_DATA_FOLDERS_H

#include <stddef.h>

#include "base/fail.h"

/* `below` in the user's data folder: $PARE_DATA, else $XDG_DATA_HOME/pare, else
 * ~/.local/share/pare.  The folder need not exist.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_STATE (none of the variables is set), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_data_folders_user_path(const char *below, char **out, pare_error *err);

/* `below` in the folder of what can be made again: $XDG_CACHE_HOME/pare, else ~/.cache/pare.  Otherwise
 * the same. */
PARE_CHECK pare_status pare_data_folders_cache_path(const char *below, char **out, pare_error *err);

enum { PARE_DATA_FOLDERS_MAX = 16 };

/* Folders that need not exist.  All-zero before it is filled. */
typedef struct pare_data_folders {
    char *paths[PARE_DATA_FOLDERS_MAX]; /* owned */
    size_t n;
} pare_data_folders;

/* The folders in which the system has `below`, in the order in which they are looked through:
 * those that the environment variable `variable` lists, separated by colons (none, if it is
 * empty); where it is not set, `below` in the folder PARE_LIBEXEC, beside the program that
 * runs (a build tree), in ../lib/pare from there, in /usr/local/lib/pare, and where `make
 * install` puts it.
 * Errors: PARE_E_NOMEM; pare_data_folders_done is to be called then too. */
PARE_CHECK pare_status pare_data_folders_list(const char *below, const char *variable,
                                              pare_data_folders *folders, pare_error *err);
void pare_data_folders_done(pare_data_folders *folders);

/* The folder in which an administrator installs more: the first that `variable` lists, else
 * `below` in /usr/local/lib/pare.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_data_folders_system_path(const char *below, const char *variable,
                                                     char **out, pare_error *err);

#endif
