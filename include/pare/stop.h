/* Asking a running reduction to stop, from a signal handler or another thread. */
#ifndef PARE_STOP_H
#define PARE_STOP_H

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Locked inside: any thread may request, and so may a signal handler. */
typedef struct pare_stop pare_stop;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM, PARE_E_IO. */
PARE_API PARE_CHECK pare_status pare_stop_new(pare_stop **out, pare_error *err);
PARE_API void pare_stop_free(pare_stop *stop); /* NULL is a no-op */

/* Requests the stop; async-signal-safe, idempotent.  The reduction ends its tests
 * at once and returns with the best so far. */
PARE_API void pare_stop_request(pare_stop *stop);

#ifdef __cplusplus
}
#endif

#endif
