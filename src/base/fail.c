/* Failing: how an error is filled and given context; and the names of statuses and outcomes.
 *
 * An error keeps its first cause: pare_fail writes only into an error that is not set, so that
 * cleanup after a failure cannot replace the reason by a consequence.  One sentence, no chain of
 * errors and no thread-local last error: the caller owns the struct, and whoever calls prefixes
 * context once. */
#include "base/fail.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <pare/outcome.h>

/* No default case: the compiler then warns of a status that has no name here.  A number from
 * outside that is no status still gets a text, so that a message can always be printed. */
const char *pare_status_name(pare_status status)
{
    switch (status) {
    case PARE_OK: return "PARE_OK";
    case PARE_E_NOMEM: return "PARE_E_NOMEM";
    case PARE_E_ARG: return "PARE_E_ARG";
    case PARE_E_IO: return "PARE_E_IO";
    case PARE_E_SYNTAX: return "PARE_E_SYNTAX";
    case PARE_E_LIMIT: return "PARE_E_LIMIT";
    case PARE_E_INTERRUPTED: return "PARE_E_INTERRUPTED";
    case PARE_E_STATE: return "PARE_E_STATE";
    case PARE_E_UNSUPPORTED: return "PARE_E_UNSUPPORTED";
    case PARE_E_CORRUPT: return "PARE_E_CORRUPT";
    case PARE_E_BUSY: return "PARE_E_BUSY";
    }
    return "PARE_E_?";
}

/* The words are those of the trace and of workers (pare(1)), not of the enum: "-" stands where no
 * test was run. */
const char *pare_outcome_name(pare_outcome outcome)
{
    switch (outcome) {
    case PARE_NO_OUTCOME: break;
    case PARE_FAIL: return "FAIL";
    case PARE_PASS: return "PASS";
    case PARE_UNRESOLVED: return "UNRESOLVED";
    }
    return "-";
}

/* An error that is set keeps its cause: whoever fails later, while it cleans up, does not replace
 * it. */
static bool is_set(const pare_error *err)
{
    return err->status != PARE_OK;
}

/* Returns the status also where nobody wants the sentence (err is NULL) or there is one already,
 * so that `return pare_fail(...)` is always right.  A sentence too long for the struct is cut. */
pare_status pare_fail(pare_error *err, pare_status status, const char *format, ...)
{
    if (!err || is_set(err)) return status;
    va_list args;
    va_start(args, format);
    err->status = status;
    (void)vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

/* Out of memory is told apart even when the system says so (ENOMEM), because callers go on after
 * an I/O error in places where they must stop without memory. */
pare_status pare_fail_errno(pare_error *err, int os_errno, const char *format, ...)
{
    pare_status status = os_errno == ENOMEM ? PARE_E_NOMEM : PARE_E_IO;
    if (!err || is_set(err)) return status;
    va_list args;
    va_start(args, format);
    err->status = status;
    err->os_errno = os_errno;
    (void)vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    char reason[128];
    size_t used = strlen(err->message);
    (void)snprintf(err->message + used, sizeof err->message - used, ": %s",
                   strerror_r(os_errno, reason, sizeof reason));
    return status;
}

/* The old sentence is copied first: vsnprintf must not read the buffer that it writes. */
void pare_fail_prefix(pare_error *err, const char *format, ...)
{
    if (!err || !is_set(err)) return;
    char sentence[PARE_ERROR_TEXT_BYTES];
    memcpy(sentence, err->message, sizeof sentence);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    size_t used = strlen(err->message);
    (void)snprintf(err->message + used, sizeof err->message - used, ": %s", sentence);
}

/* NULL is a no-op. */
void pare_fail_clear(pare_error *err)
{
    if (err) *err = (pare_error){.status = PARE_OK};
}
