/* Names of the files that belong to an input, and whether they can be written. */
#ifndef PARE_CLI_PATHS_H
#define PARE_CLI_PATHS_H

#include <stdbool.h>

#include "base/buffer.h"

/* Puts `mark` before the extension: x.c -> x.min.c, a.b/x -> a.b/x.min,
 * .foo -> .foo.min, x.tar.gz -> x.tar.min.gz.  `name` (which must be empty) is
 * owned by the caller.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_paths_mark(pare_buffer *name, const char *path, const char *mark,
                                       pare_error *err);

/* What comes after the last slash; borrowed from `path`. */
const char *pare_paths_base(const char *path);

/* The extension of `path` with its dot, "" if it has none; borrowed from `path`. */
const char *pare_paths_extension(const char *path);

/* Whether the folder `dir` (NULL: none) has the journal of a run that was not completed: the history of a
 * complete one stays there without it.  Looks at the file system. */
bool pare_paths_has_journal(const char *dir);

/* Whether the file `path` can be written, or replaced by rename.  Looks at the file system and
 * leaves it as it is.  `option` is what named it, for the sentence.  Errors: PARE_E_IO,
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_paths_check_file(const char *option, const char *path, pare_error *err);

/* The same for the folder that `path` is in only: `path` itself may be a folder. */
PARE_CHECK pare_status pare_paths_check_parent(const char *option, const char *path,
                                               pare_error *err);

#endif
