/* What is said of a test for which nothing, a line end or the first bytes of the input fail as well. */
#ifndef PARE_SESSION_TEST_CONTROL_FAULT_H
#define PARE_SESSION_TEST_CONTROL_FAULT_H

#include <stdbool.h>

#include "base/fail.h"
#include "session/session.h"
#include "text/text.h"

/* A text that is tested instead of the input, and that should not fail; borrowed. */
typedef struct pare_control {
    const char *bytes;
    size_t size;
    const char *what; /* as a part of a sentence */
} pare_control;

/* Whether what is kept is a crash: a signal, an assertion, a sanitizer's report.  One that an empty input shows is an
 * answer, not a fault. */
bool pare_control_fault_keeps_crash(const pare_session *session);

/* Refuses a program whose command line shows why a control fails as the input does: PARE_E_STATE; PARE_OK: it does not. */
PARE_CHECK pare_status pare_control_fault_refuse_command(const pare_session *session,
                                                         pare_error *err);

/* Whether the problem that is kept, with the names of the input in it, was not reported by the last test: then its
 * message without names is all that less than the input has in common with it. */
bool pare_control_fault_lacks_names(const pare_session *session);

/* Whether the last test named another line with the problem than the input: the message is about what is read, and
 * its line tells it from that of less than the input. */
bool pare_control_fault_lacks_line(const pare_session *session);

/* Refuses the test, since the control fails as well, and says what is wrong with it: most often it never looks at the
 * candidate.  Cost: some runs beside the tests, where the program may want its input's own name.
 * Where the path of the candidate is at fault, or the command, session->wants_names and
 * session->wants_line are taken back.
 * Errors: PARE_E_STATE; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_control_fault_refuse(pare_session *session, const pare_text *input,
                                                 const pare_control *control, pare_error *err);

#endif
