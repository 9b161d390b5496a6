/* The command line with which a test compiles its candidate, found by watching the test.
 *
 * A test script hides what its compiler says, but one run of the same compiler on a candidate
 * says it.  Which compiler, with which options, is seen by a shim that is preloaded into the test
 * while it runs on the input (shim/watch.c); this chooses among the records of that.  One
 * thread. */
#ifndef PARE_RUN_COMPILER_LINE_H
#define PARE_RUN_COMPILER_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "run/command.h"

/* Makes of the command of a test, which is no worker, one that is watched while it does the same
 * on the candidate `name`; done with pare_command_done.
 * Errors: PARE_E_STATE (the shim is not where it was installed), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_compiler_line_watch(const pare_command *test, const char *name,
                                                pare_command *out, pare_error *err);

/* Whether tests can be watched: the shim was built and installed with us. */
bool pare_compiler_line_can_watch(void);

/* Chooses from `records` the first run of a compiler, or of an interpreter, that is known, and
 * the first of each other compiler, up to three in all, and appends them to *text as commands for a
 * shell, in which "$1" is the candidate's path: as far as their errors show, and without their results.  `folder` is where the test ran, `name` what the
 * candidate was called there.  *text stays as it was where there is none.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_compiler_line_choose(const char *records, size_t size,
                                                 const char *folder, const char *name,
                                                 pare_buffer *text, pare_error *err);

/* The same runs, but to their ends: what a compiler says that fails after it has checked everything.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_compiler_line_choose_whole(const char *records, size_t size,
                                                       const char *folder, const char *name,
                                                       pare_buffer *text, pare_error *err);

#endif
