/* Commands that are not right yet, whatever the input: found by their first run, and
 * answered by the one that is. */
#ifndef PARE_SESSION_TEST_COMMAND_FAULT_H
#define PARE_SESSION_TEST_COMMAND_FAULT_H

#include <stdbool.h>

#include <pare/input.h>
#include <pare/test.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "run/command.h"
#include "run/signature.h"

/* Looks at what the program of `test` did and printed on the input: PARE_E_STATE, with a
 * sentence and, where it is known, the command that is right, when it ended with exit code
 * 126 or 127, or did not find a file of the command's own, or one that lies beside the input, in the
 * private directory in which tests run.  PARE_OK: the command is not at fault.  PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_fault(const pare_input_options *input,
                                          const pare_test_options *test, const pare_signature *seen,
                                          const char *printed, pare_error *err);

/* The same for a target of a campaign, of which there is no input yet: looks at what its command
 * ended with and printed on an empty one.  PARE_E_STATE, with a sentence and what to do, when it did
 * not find a file that it names and that is there (the sandbox does not show it, or it is named by a
 * relative path), or when it could not be run at all.  PARE_OK: not at fault.  PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_fault_target(const pare_input_options *input,
                                                 const pare_test_options *test,
                                                 const pare_command *command, int exit_code,
                                                 const char *printed, pare_error *err);

/* Appends the command line "pare reduce INPUT", `option` (quoted already; may be ""), "--" and
 * the words of the program, and `last` (may be ""), for a shell.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_fault_line(const pare_input_options *input,
                                               const pare_test_options *test, const char *option,
                                               const char *last, pare_buffer *text,
                                               pare_error *err);

/* Whether no word of the program stands for the candidate's path, nor for its name, by which it could be found in the
 * directory where tests run; false without a program. */
bool pare_command_fault_is_unread(const pare_input_options *input, const pare_test_options *test);

/* Whether the candidate's path is the last word of the program. */
bool pare_command_fault_ends_with_mark(const pare_test_options *test);

/* Appends the command line of such a program with the candidate's path behind its words.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_fault_with_mark(const pare_input_options *input,
                                                    const pare_test_options *test,
                                                    pare_buffer *line, pare_error *err);

/* Appends the command line with `whole` in the place of the relative `path`, wherever it stands in the words.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_fault_with_path(const pare_input_options *input,
                                                    const pare_test_options *test, const char *path,
                                                    const char *whole, pare_buffer *text,
                                                    pare_error *err);

/* Where a word of the program names the input by its path, which is not the candidate's, appends the command
 * line with "@@" in its place; else nothing.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_fault_own_path(const pare_input_options *input,
                                                   const pare_test_options *test, pare_buffer *line,
                                                   pare_error *err);

/* The same before the first run, for a program that would not end: npx(1) without the folder of its packages. */
PARE_CHECK pare_status pare_command_fault_unrun(const pare_input_options *input,
                                                const pare_test_options *test, pare_error *err);

/* Refuses a build tool that is not given the input and fails for anything else, too.  Errors: PARE_E_STATE, with
 * the command line that is right; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_fault_tool(const pare_input_options *input,
                                               const pare_test_options *test, pare_error *err);

/* Refuses a program that is given none of several inputs.  Errors: PARE_E_STATE, with the command line that
 * is right; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_fault_ungiven(const pare_input_options *input,
                                                  const pare_test_options *test, pare_error *err);

/* Where words of the program mean something to a shell alone ("&&", "|"), appends the command line with all of
 * them as the one word that a shell is given; else nothing.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_fault_unquoted(const pare_input_options *input,
                                                   const pare_test_options *test, pare_buffer *line,
                                                   pare_error *err);

/* Whether the last command of a shell's `line` compares or looks for something, as those of tests do:
 * "./prog < $1; [ $? = 139 ]".  It is a guess. */
bool pare_command_fault_is_check(const char *line);

/* Fails with what to say of a program that ends with exit code 0 and reports no problem: the
 * command that keeps the last line of what it `printed`, or the options there are. */
PARE_CHECK pare_status pare_command_fault_advise(const pare_input_options *input,
                                                 const pare_test_options *test, const char *printed,
                                                 pare_error *err);

#endif
