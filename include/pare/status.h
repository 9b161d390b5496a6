/* What happened to us: the status every fallible function returns, and the
 * sentence that goes with it.
 *
 * A status is about pare itself.  What the *program under test* did is an
 * outcome (see outcome.h); the two are never mixed: a test that could not be
 * started is a status, never an outcome. */
#ifndef PARE_STATUS_H
#define PARE_STATUS_H

#include <stddef.h>

#include <pare/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pare_status {
    PARE_OK = 0,
    PARE_E_NOMEM,       /* memory could not be had */
    PARE_E_ARG,         /* an argument is out of its documented range */
    PARE_E_IO,          /* the operating system refused; see os_errno */
    PARE_E_SYNTAX,      /* outside text is not what it should be; see line */
    PARE_E_LIMIT,       /* something is larger than pare can take */
    PARE_E_INTERRUPTED, /* the caller asked to stop */
    PARE_E_STATE,       /* not possible now, e.g. the failure does not reproduce */
    PARE_E_UNSUPPORTED, /* not possible on this system or in this build */
    PARE_E_CORRUPT,     /* a file of ours is damaged */
    PARE_E_BUSY         /* another process has it; try again when that has ended */
} pare_status;

enum { PARE_ERROR_TEXT_BYTES = 1024 };

/* Caller-owned description of one failure.  Set it to all zeros before use;
 * functions write it only when they fail, and the first that fails wins. */
typedef struct pare_error {
    int os_errno; /* 0 when the system was not at fault */
    pare_status status;
    size_t line, column, byte;           /* where in `message`'s file; 0: no place */
    char message[PARE_ERROR_TEXT_BYTES]; /* one sentence, lower case, no full stop */
} pare_error;

/* Name of a status, such as "PARE_E_NOMEM"; "PARE_E_?" for an unknown value.
 * The text is static. */
PARE_API const char *pare_status_name(pare_status status);

#ifdef __cplusplus
}
#endif

#endif
