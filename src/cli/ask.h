/* Asks which of several reported problems to keep, or prints how to say so. */
#ifndef PARE_CLI_ASK_H
#define PARE_CLI_ASK_H

#include <stdio.h>

#include <pare/result.h>

#include "base/buffer.h"
#include "cli/settings.h"

/* For a result with problems to choose from.  On a terminal they are listed, and the one whose
 * number is typed becomes settings->reduce.keep.message: true, to reduce again.  Else false,
 * also when nothing was chosen.  What it points to is the result's: `message` (owned by the
 * caller, released by pare_buffer_done) holds a copy. */
bool pare_ask_problem(const pare_result *result, pare_settings *settings, pare_buffer *message);

/* Lists the problems, each with the line of `command` ("pare reduce") that keeps it. */
void pare_ask_print_problems(FILE *out, const char *command, const pare_result *result,
                             const pare_settings *settings);

/* A missing language is offered where somebody can answer. */

/* Asks on a terminal whether a language that the reduction would read its input by, and that is
 * not there, is to be added now, and adds it.  Says why if that fails; the reduction goes on
 * without it then.  A "no" to a language that only the input's name tells is not asked, nor
 * told, again.  Nothing with --quiet, or when no terminal is there to ask. */
void pare_ask_language(const char *command, pare_settings *settings);

/* The same for the language `name` of a command that cannot do without it; NULL, and a name that
 * is none, are no-ops. */
void pare_ask_needed_language(const char *command, const char *name);

#endif
