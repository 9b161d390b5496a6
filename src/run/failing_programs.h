/* What the programs of a test did with the text: how they ended, and what they said.
 *
 * A test script hides what it runs: all that can be seen of it from outside is its exit code.  For people who
 * are to understand a failure the test is run once more and watched (shim/watch.c), and this makes a line of
 * each of its programs that matters.  One thread. */
#ifndef PARE_RUN_FAILING_PROGRAMS_H
#define PARE_RUN_FAILING_PROGRAMS_H

#include <stddef.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "run/command.h"

/* Makes of the command of a test, which is neither a program nor a worker, one that runs it on the candidate
 * `name`, watched, and then prints the exit code of the test and the records; done with pare_command_done.
 * Errors: PARE_E_STATE (the shim is not where it was installed), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_failing_programs_watch(const pare_command *test, const char *name,
                                                   pare_command *out, pare_error *err);

/* Appends to *lines what such a command has printed, as text for people: a line for each program, such as
 * "hxtoc in.html: killed by SIGSEGV" or "python3 -I -: exit code 1, and prints: ZeroDivisionError: division
 * by zero", at most four of them, each ended by a line feed; nothing where the test did not exit with 0, or
 * nothing is known.  What cannot be seen, or is no UTF-8, becomes '?'.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_failing_programs_tell(const char *printed, size_t size,
                                                  const char *name, pare_buffer *lines,
                                                  pare_error *err);

#endif
