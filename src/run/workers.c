/* Counting ends. */
#include "run/workers.h"

#include <stdio.h>
#include <string.h>

enum { PRINTED_BYTES = 200, HOW_BYTES = 40 };

void pare_workers_answered(pare_workers *workers)
{
    workers->n_in_a_row = 0;
}

static const char *describe(const pare_ending *ending, char how[HOW_BYTES])
{
    if (ending->signal)
        (void)snprintf(how, HOW_BYTES, "signal %d", ending->signal);
    else if (ending->exit_code >= 0)
        (void)snprintf(how, HOW_BYTES, "exit code %d", ending->exit_code);
    else
        (void)snprintf(how, HOW_BYTES, "nobody knows how");
    return how;
}

/* The last line that is not empty, behind ": "; "" when there is none. */
static const char *last_line(const char *printed, char line[PRINTED_BYTES])
{
    size_t end = strlen(printed);
    while (end && (printed[end - 1] == '\n' || printed[end - 1] == '\r'))
        end--;
    size_t start = end;
    while (start && printed[start - 1] != '\n' && end - start < PRINTED_BYTES - 8)
        start--;
    (void)snprintf(line, PRINTED_BYTES, "%s%.*s", end ? ": " : "", (int)(end - start),
                   printed + start);
    return line;
}

pare_status pare_workers_ended(pare_workers *workers, const pare_ending *ending, unsigned n_tries,
                               const char *printed, bool *again, pare_error *err)
{
    char how[HOW_BYTES], line[PRINTED_BYTES];
    *again = n_tries < PARE_WORKERS_TRIES;
    if (*again) return PARE_OK;
    describe(ending, how);
    if (ending->unread)
        return pare_fail(err, PARE_E_IO, "the worker ends before it reads its first line (%s)%s",
                         how, last_line(printed, line));
    workers->n_fatal++;
    (void)snprintf(workers->why, sizeof workers->why, "the worker ends on it (%s)", how);
    if (!workers->notice[0])
        (void)snprintf(workers->notice, sizeof workers->notice,
                       "the worker ended on a candidate (%s): what ends %d of them is UNRESOLVED",
                       how, PARE_WORKERS_TRIES);
    if (++workers->n_in_a_row < PARE_WORKERS_MOST) return PARE_OK;
    return pare_fail(
        err, PARE_E_LIMIT,
        "the worker ended on %d candidates in a row (%s): let it answer for those too, "
        "as by testing in a process of its own%s",
        PARE_WORKERS_MOST, how, last_line(printed, line));
}
