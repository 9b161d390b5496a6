/* Which of the problems that a program reports is to be kept: asked for, or told how to say. */
#ifndef PARE_CLI_CHOOSE_H
#define PARE_CLI_CHOOSE_H

#include <stdio.h>

#include <pare/result.h>

#include "base/buffer.h"
#include "cli/settings.h"

/* For a result with problems to choose from.  On a terminal they are listed, and the one whose
 * number is typed becomes settings->reduce.keep.message: true, to reduce again.  Else false,
 * also when nothing was chosen.  What it points to is the result's: `message` (owned by the
 * caller, released by pare_buffer_done) holds a copy. */
bool pare_choose(const pare_result *result, pare_settings *settings, pare_buffer *message);

/* Lists the problems, each with the line of `command` ("pare reduce") that keeps it. */
void pare_choose_print(FILE *out, const char *command, const pare_result *result,
                       const pare_settings *settings);

#endif
