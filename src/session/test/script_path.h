/* Relative paths in test scripts, which mean nothing in the private directory in which tests run. */
#ifndef PARE_SESSION_TEST_SCRIPT_PATH_H
#define PARE_SESSION_TEST_SCRIPT_PATH_H

#include "base/buffer.h"
#include "base/fail.h"
#include "run/command.h"

/* Appends to *word the first relative path in the words of `command`, or in the scripts that they
 * name, at which something is, seen from the current directory, and to *path its whole path.  Both
 * stay empty when there is none, or where the script changes its directory. It is a guess, as
 * scripts can do anything.  `inputs` are the candidate's own names.  Reads scripts of up to 1
 * MiB.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_script_path_find(const pare_command *command, pare_names inputs,
                                             pare_buffer *word, pare_buffer *path, pare_error *err);

#endif
