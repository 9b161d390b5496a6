/* The result of a session. */
#ifndef PARE_SESSION_SESSION_RESULT_H
#define PARE_SESSION_SESSION_RESULT_H

#include <pare/result.h>
#include <pare/status.h>

#include "session/session.h"

/* Ends the session: result->stats and ->bytes are set from the engine's best, the
 * output is written if it never was, the journal of a complete run is removed.
 * `stopped` is kept in the statistics.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_session_result_finish(pare_session *session, pare_stopped stopped,
                                                  pare_minimal minimal, pare_result *result,
                                                  pare_error *err);

#endif
