/* What is said of an input that does not fail, and of a test that is at fault for that. */
#ifndef PARE_SESSION_TEST_INPUT_FAULT_H
#define PARE_SESSION_TEST_INPUT_FAULT_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "run/oracle.h"
#include "session/session.h"

enum { PARE_INPUT_FAULT_SCRIPT_BYTES = 256 * 1024 /* of a test script that is looked at */ };

/* Writes the sentence about an input for which the test gave *verdict, after its capture.  *is_sure: it says what
 * is wrong, so that running the test by hand would tell nothing more.  Cost: one test, where the test may mean
 * the opposite.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_input_fault_explain(pare_session *session, const pare_verdict *verdict,
                                                bool *is_sure, pare_buffer *sentence,
                                                pare_error *err);

/* Appends why a test that means a file beside the user does not find it, as what follows a colon; nothing: it does not
 * seem to mean one. */
PARE_CHECK pare_status pare_input_fault_private(const pare_session *session, pare_buffer *reason,
                                                pare_error *err);

/* Where `command`, a TEST, names the input by the path that was given, which has a folder in it; NULL: it does not.  Such
 * a test looks at the input itself in place of a candidate. */
const char *pare_input_fault_find_path(const char *command, const char *path);

/* The name of the input, if TEST is a plain command line and not a shell's, in which "@@" and "$1" mean
 * something; else NULL. */
const char *pare_input_fault_plain_command(const pare_session *session);

/* Whether TEST runs a script of the user's, which is a test most often; programs in PATH may be scripts. */
bool pare_input_fault_runs_script(const pare_session *session);

/* Appends the command line in which what is in TEST stands behind "--", as the program that fails. */
PARE_CHECK pare_status pare_input_fault_write_program(const char *input, const char *line,
                                                      pare_buffer *text, pare_error *err);

#endif
