/* Helper programs of ours, such as a compiler: found in PATH, run, waited for.
 *
 * Not for tests, which have an oracle and a guard.  A helper dies when we die.  Any
 * thread. */
#ifndef PARE_OS_HELPER_H
#define PARE_OS_HELPER_H

#include <stdbool.h>

#include "base/status.h"

/* A program to run.  All members are borrowed during the call. */
typedef struct pare_helper {
    const char *path;        /* as pare_helper_find gives it */
    const char *const *argv; /* NULL-terminated; argv[0] is a name */
    const char *directory;   /* where it runs */
    const char *log_path;    /* receives its output and errors, emptied first; NULL: nowhere */
    int timeout_ms;          /* killed after so much; 0: ten minutes */
} pare_helper;

/* How a helper ended. */
typedef struct pare_helper_end {
    bool timed_out;
    int exit_code; /* 128 and the signal's number when one ended it */
} pare_helper_end;

/* The first executable file called `name` in the folders of PATH.  On PARE_OK the caller
 * owns *out.  Errors: PARE_E_STATE (there is none; the sentence says so), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_helper_find(const char *name, char **out, pare_error *err);

/* Runs `helper` with our environment and nothing on its standard input, and waits.
 * Errors: PARE_E_IO (it does not start); a helper that fails is none. */
PARE_CHECK pare_status pare_helper_run(const pare_helper *helper, pare_helper_end *end,
                                       pare_error *err);

#endif
