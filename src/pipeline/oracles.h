/* The oracle that a session's options ask for, whichever kind it is. */
#ifndef PARE_PIPELINE_ORACLES_H
#define PARE_PIPELINE_ORACLES_H

#include <pare/reduce.h>

#include "base/digest.h"
#include "oracle/command.h"
#include "oracle/oracle.h"

/* A test command's oracle, or a predicate's. */
typedef struct pare_session_oracle {
    pare_oracle *oracle;   /* owned */
    pare_command *command; /* owned; NULL: a predicate */
    pare_safety safety;    /* of a command, as asked for */
} pare_session_oracle;

/* Makes the oracle for the test, jobs, time-out and stop that `options` names.
 * Errors: PARE_E_ARG (no test, or two; jobs out of range), and those of the oracles. */
PARE_CHECK pare_status pare_session_oracle_open(const pare_reduce_options *options,
                                                pare_session_oracle *out, pare_error *err);
void pare_session_oracle_close(pare_session_oracle *oracle);

/* What the test is, to notice that it changed: the command, the files that it names, the
 * time-out given, what it may see and use.  All-zero for a predicate. */
pare_digest pare_session_oracle_identity(const pare_session_oracle *oracle);

/* Limit for one test, in force now; 0: none. */
uint64_t pare_session_oracle_timeout_ms(const pare_session_oracle *oracle);
void pare_session_oracle_set_timeout(pare_session_oracle *oracle, uint64_t timeout_ms);

/* What of the system is not protected although it was to be, one sentence; NULL: nothing,
 * as far as is known after the first test. */
const char *pare_session_oracle_notice(const pare_session_oracle *oracle);

/* How tests are run now, and why so; AUTO for a predicate. */
pare_runner pare_session_oracle_runner(const pare_session_oracle *oracle, const char **reason);

/* What holds for the tests, as far as is known after the first. */
pare_safety pare_session_oracle_safety(const pare_session_oracle *oracle);

/* Keeps the last lines that the next test prints. */
void pare_session_oracle_capture(pare_session_oracle *oracle);

/* Whether the test can know the candidate: false for a shell's text in which neither its
 * path nor its name nor a pattern occurs. */
bool pare_session_oracle_sees_candidate(const pare_session_oracle *oracle,
                                        const pare_reduce_options *options);

/* The command as it would be run on the input, and what the captured test printed last; the
 * caller owns both.  Both stay NULL for a predicate.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_session_oracle_describe(const pare_session_oracle *oracle,
                                                    const pare_reduce_options *options,
                                                    char **command, char **output, pare_error *err);

#endif
