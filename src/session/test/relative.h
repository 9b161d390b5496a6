/* Files that a test means and does not find.
 *
 * A test runs in a private directory that holds the candidate and nothing else, so "./tool/chk"
 * and "../data" in a script, which work when it is run by hand, name nothing there.  Looked for
 * when a test says that the failure is not there; a guess, as scripts can do anything. */
#ifndef PARE_SESSION_TEST_RELATIVE_H
#define PARE_SESSION_TEST_RELATIVE_H

#include "base/buffer.h"
#include "run/command.h"

/* Appends to *word the first relative path in the words of `command`, or in the scripts that
 * they name, at which something is, seen from the current directory, and to *path its whole
 * path.  Both stay empty when there is none, or where the script changes its directory.
 * `inputs` are the candidate's own names.  Reads scripts of up to 1 MiB.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_relative_find(const pare_command *command, pare_names inputs,
                                          pare_buffer *word, pare_buffer *path, pare_error *err);

#endif
