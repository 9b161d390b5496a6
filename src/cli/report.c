/* Messages on standard error, and the exit codes.
 *
 * A message is one sentence on one line, after the name of the command; file names may contain any
 * bytes, so it is made safe for a terminal.  The exit code follows from the status of the library
 * alone, so that all commands agree. */
#include "cli/report.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "ui/format.h"

/* PARE_E_STATE is what the input or the test is at fault for, PARE_E_ARG and PARE_E_UNSUPPORTED
 * the command line; all else is the system's. */
pare_exit pare_report_exit(pare_status status)
{
    switch (status) {
    case PARE_OK: return PARE_EXIT_DONE;
    case PARE_E_STATE: return PARE_EXIT_NOTHING;
    case PARE_E_ARG:
    case PARE_E_UNSUPPORTED: return PARE_EXIT_USAGE;
    case PARE_E_INTERRUPTED: return PARE_EXIT_INTERRUPTED;
    default: return PARE_EXIT_ERROR;
    }
}

/* File names may hold anything, so the sentence is made safe for a terminal, and fits it. */
static void print(const char *command, const char *sentence)
{
    char line[PARE_ERROR_TEXT_BYTES * 2];
    const int column = fprintf(stderr, "%s: ", command);
    pare_format_sentence(stderr, pare_format_name(line, sizeof line, sentence), 2,
                         column > 0 ? (size_t)column : 0);
}

/* A failure without a sentence is told by the name of its status. */
void pare_report_error(const char *command, const pare_error *err)
{
    print(command, *err->message ? err->message : pare_status_name(err->status));
}

/* How most commands end that cannot go on. */
pare_exit pare_report_failure(const char *command, const pare_error *err)
{
    assert(err->status != PARE_OK && "else the command would seem to have done it");
    pare_report_error(command, err);
    return pare_report_exit(err->status);
}

/* A sentence that is too long is cut, not refused. */
void pare_report(const char *command, const char *format, ...)
{
    char sentence[PARE_ERROR_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    print(command, sentence);
}

/* Whether standard output is a pipe that nobody reads: what was printed some time ago may have
 * failed for that, and no errno says so any more. */
static bool has_no_reader(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/* Why printing failed some time ago: errno is long overwritten by then, but what was in the way is
 * mostly there still, and tells its name to one more byte, the end of a line that was cut.  A disk
 * that has room again leaves EIO. */
static int reason_of_loss(void)
{
    return write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
}

/* A reader that has seen enough (EPIPE) is no error. */
pare_exit pare_report_printed(const char *command)
{
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE || has_no_reader())
        return PARE_EXIT_DONE;
    pare_error err = {0};
    const int failed = errno ? errno : reason_of_loss();
    (void)pare_fail_errno(&err, failed, "cannot write to standard output");
    pare_report_error(command, &err);
    return PARE_EXIT_ERROR;
}
