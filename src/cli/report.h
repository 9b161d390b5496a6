/* How a command talks to its user and its caller: messages and exit codes. */
#ifndef PARE_CLI_REPORT_H
#define PARE_CLI_REPORT_H

#include "base/fail.h"

/* Part of the contract of the command line. */
typedef enum pare_exit {
    PARE_EXIT_DONE = 0,
    PARE_EXIT_NOTHING = 1, /* nothing to reduce, or the failure does not reproduce */
    PARE_EXIT_USAGE = 2,
    PARE_EXIT_ERROR = 3,
    PARE_EXIT_INTERRUPTED = 130
} pare_exit;

/* The exit code for a status of the library. */
pare_exit pare_report_exit(pare_status status);

/* Prints "COMMAND: sentence" to standard error, on one line. */
void pare_report_error(const char *command, const pare_error *err);

/* The same, and the exit code for what went wrong (err->status). */
pare_exit pare_report_failure(const char *command, const pare_error *err);

/* Prints "COMMAND: sentence" as pare_report_error does, formatted. */
void pare_report(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends a command whose product is what it printed: PARE_EXIT_ERROR with a
 * sentence when standard output did not take it, PARE_EXIT_DONE otherwise. */
pare_exit pare_report_printed(const char *command);

#endif
