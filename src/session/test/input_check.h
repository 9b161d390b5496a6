/* Controls: inputs that have nothing of the failing one, tested before the first candidate.
 *
 * A test that nothing, a line end or the first few bytes of the input fail as well says
 * nothing about the input: a reduction by it would end at once, with a result that looks
 * finished and is wrong.  So it is refused.  A crash that an empty input shows is another
 * matter: that is an answer. */
#ifndef PARE_SESSION_TEST_INPUT_CHECK_H
#define PARE_SESSION_TEST_INPUT_CHECK_H

#include "run/oracle.h"
#include "session/session.h"
#include "text/text.h"

#include <pare/result.h>

/* Tests the input; *verdict says what came of it.  Cost: one test. */
PARE_CHECK pare_status pare_input_check_try(pare_session *session, const pare_text *input,
                                            pare_verdict *verdict, pare_error *err);

/* What is said of an input that does not fail: PARE_E_STATE, with a sentence and
 * result->check_* set. */
PARE_CHECK pare_status pare_input_check_refuse(pare_session *session, const pare_verdict *verdict,
                                               pare_result *result, pare_error *err);

/* Both in one: an input that does not fail is refused. */
PARE_CHECK pare_status pare_input_check_failing(pare_session *session, const pare_text *input,
                                                pare_result *result, pare_error *err);

/* Tests an input that should pass; the same when it does not.  Cost: one test. */
PARE_CHECK pare_status pare_input_check_passing(pare_session *session, const pare_text *input,
                                                pare_result *result, pare_error *err);

enum { PARE_INPUT_CHECK_CONTROLS = 3 }; /* tests, at most */

/* Tests the controls of `input`, which was checked to fail: nothing, a line end, the first bytes; of a folder an
 * empty one and, where the failure was learnt, the same files with nothing in what may be reduced.  Nothing is tested when the run
 * goes on from a journal, when the options allow an empty result, when the choices of a
 * generator or words of a command are what is reduced, or by a predicate that was not asked
 * to.  The outcomes are neither kept nor counted as the algorithms' tests.
 * Where a hang is kept they also tell how long ordinary runs take (hang.h), with an empty result
 * allowed too.
 * Cost: up to PARE_INPUT_CHECK_CONTROLS tests; where ordinary runs come near to a hang, some more.
 * Errors: PARE_E_STATE (a control fails, or takes nearly as long as a hang: one sentence, with
 * what to do), PARE_E_INTERRUPTED, those of pare_reducible_ranges_open and of the oracle. */
PARE_CHECK pare_status pare_input_check_controls(pare_session *session, const pare_text *input,
                                                 pare_error *err);

/* After the end (pare_session_finish), of the best: runs it once more, with output.keep_printed, and sets *out to the last lines
 * that the test prints then, which the caller owns; *out stays where there are none, or where it does not
 * fail.  No figure counts the run.  Errors: those of the oracle; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_input_check_printed(pare_session *session, char **out, pare_error *err);

#endif
