/* What is left of a command line and an environment, for people and for shells. */
#ifndef PARE_SESSION_OUTPUT_SCRIPT_H
#define PARE_SESSION_OUTPUT_SCRIPT_H

#include "base/buffer.h"
#include "run/command.h"
#include "text/candidate.h"
#include "text/layout.h"

/* All borrowed. */
typedef struct pare_script {
    const pare_layout *layout;
    const pare_command *command;
    const char *program; /* as the user wrote it */
    bool environment;    /* the variables were reduced */
} pare_script;

/* Prints a script for sh(1) that runs the candidate as its test did: in a new directory, with
 * a copy of the result, which is called `result` and lies beside the script; NULL: there was no
 * input.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_script_print(const pare_script *script, const pare_candidate *candidate,
                                         const char *result, pare_buffer *text, pare_error *err);

/* Appends the command line with its marks; the names of the variables.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_script_command(const pare_script *script,
                                           const pare_candidate *candidate, pare_buffer *text,
                                           pare_error *err);
PARE_CHECK pare_status pare_script_variables(const pare_script *script,
                                             const pare_candidate *candidate, pare_buffer *text,
                                             pare_error *err);

/* Both as texts, for a result: *command and *variables (NULL before) are the caller's, on failure too; NULL
 * where no words, or no variables, were reduced.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_script_texts(const pare_script *script, const pare_candidate *candidate,
                                         char **command, char **variables, pare_error *err);

#endif
