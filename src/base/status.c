/* Statuses and errors.  An error keeps its first cause: see status.h. */
#include "base/status.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <pare/outcome.h>

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

static bool is_set(const pare_error *err)
{
    return err->status != PARE_OK;
}

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

void pare_error_prefix(pare_error *err, const char *format, ...)
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

void pare_error_clear(pare_error *err)
{
    if (err) *err = (pare_error){.status = PARE_OK};
}
