/* The result of a session, out of what it has. */
#ifndef PARE_SESSION_SESSION_RESULT_H
#define PARE_SESSION_SESSION_RESULT_H

#include "session/session.h"

#include <pare/result.h>

/* Sets the result's bytes, or its words, from the engine's best, of which the session's
 * statistics hold the size; signature, other failures and statistics are the result's from
 * then on.  Errors: PARE_E_NOMEM; what was set is the caller's all the same. */
PARE_CHECK pare_status pare_session_hand_over(pare_session *session, pare_result *result,
                                              pare_error *err);

#endif
