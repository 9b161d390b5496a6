/* Requests to a running reduction, from a signal handler or another thread: to stop, to pause, to
 * skip the phase that runs, to go back to an earlier best, to show what a test prints. */
#ifndef PARE_STOP_H
#define PARE_STOP_H

#include <stdint.h>

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

/* Pauses the reduction, or has it go on; async-signal-safe.  Tests that are under way end, and no
 * other is started; the time of a limit on time (pare_limits.max_time_ms) goes on. */
typedef enum pare_pausing { PARE_GO_ON, PARE_PAUSE } pare_pausing;
PARE_API void pare_stop_pause(pare_stop *stop, pare_pausing pausing);

/* Asks the reduction to leave the phase that it is in: what that has found stays, and it is not run
 * again before another phase has found something.  Where it was left is in the journal, so a run
 * that goes on from there leaves it at the same test.  A result after that is not claimed to be
 * minimal.  Async-signal-safe. */
PARE_API void pare_stop_skip_phase(pare_stop *stop);

/* Asks for what the test that is started next prints: events have the end of it in `printed` once that
 * test has ended.  Of a predicate there is nothing.  Async-signal-safe. */
PARE_API void pare_stop_want_output(pare_stop *stop);

/* Asks the reduction to go back to a step of its history, from 1 on, and to go on from there; what it
 * has found stays in the history, and its result beside the next one (pare_output_options.keep_earlier).
 * It is as if the run had been stopped and begun again with pare_output_options.from_step: so a run that
 * goes on from its journal goes on from there, too.  Without a history, or when its time is spent, the
 * run ends with the best so far.  The last step that was asked for counts; a requested stop is one all
 * the same.  Async-signal-safe. */
PARE_API void pare_stop_go_from(pare_stop *stop, uint64_t step);

#ifdef __cplusplus
}
#endif

#endif
