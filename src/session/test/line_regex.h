/* A line that a program printed, as a regular expression to be proposed (--any-output).  Any thread. */
#ifndef PARE_SESSION_TEST_LINE_REGEX_H
#define PARE_SESSION_TEST_LINE_REGEX_H

#include "base/buffer.h"
#include "base/fail.h"
#include "run/command.h"

/* Appends `line` as a regular expression that matches it, whatever pointers, times, private paths of the candidate
 * `name` (without folders) and places in it are in it, and nothing else on the line but the blanks that may follow it.
 * The character behind the line is read.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_line_regex_add(pare_buffer *text, pare_command_part line,
                                           const char *name, pare_error *err);

#endif
