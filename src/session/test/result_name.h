/* Results that fail in another way because of what their file is called.
 *
 * Candidates have the input's name, a result has ".min" in it.  Compilers that make an identifier of a file's name (D,
 * Java, Ada) reject such a name before they look at the text, so whoever runs the command on the result sees another
 * failure than the one that was kept. */
#ifndef PARE_SESSION_TEST_RESULT_NAME_H
#define PARE_SESSION_TEST_RESULT_NAME_H

#include "base/fail.h"
#include "session/session.h"

/* Runs the program on the best once more, as a file with the result's name.  If the failure is not there, and is there with
 * the input's name, a notice says so.  Nothing is run where the program is not given a path, or where the names are
 * the same.  Cost: one run, two where the name matters; no figure counts them.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_result_name_check(pare_session *session, pare_error *err);

#endif
