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

/* Chooses from `records` the first run of a compiler, or of an interpreter, that is known, and appends
 * it to *text as a command for a shell, in which "$1" is the candidate's path: as far as its errors
 * show, and without its results.  Where other compilers run, too,
 * up to three in all, the command runs all of them, and says what the one says that has the fewest errors.
 * `folder` is where the test ran, `name` what the candidate was called there.  *text stays as it was where
 * there is none.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_compiler_line_choose(const char *records, size_t size,
                                                 const char *folder, const char *name,
                                                 pare_buffer *text, pare_error *err);

/* The same, linked where the run makes a program: for an input that is linked itself, and not one that a compiler rejects
 * or crashes with, of which the linker never hears.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_compiler_line_choose_linked(const char *records, size_t size,
                                                        const char *folder, const char *name,
                                                        pare_buffer *text, pare_error *err);

/* The same, but to the end: what a compiler says that fails after it has checked everything.  Of several
 * compilers it says what all say; of very many errors those of the program itself.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_compiler_line_choose_whole(const char *records, size_t size,
                                                       const char *folder, const char *name,
                                                       pare_buffer *text, pare_error *err);

/* The first run of a compiler that makes code, as a command that prints the places of the candidate of which there is
 * code: a line and a column of it, both from 1, in each line, without any order.  It optimises nothing, so that no
 * function that is needed has become a part of another.  *text stays as it was where no run makes any.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_compiler_line_choose_emitter(const char *records, size_t size,
                                                         const char *folder, const char *name,
                                                         pare_buffer *text, pare_error *err);

#endif
