/* Names of the files that belong to an input. */
#ifndef PARE_CLI_NAMES_H
#define PARE_CLI_NAMES_H

#include "base/buffer.h"

/* Puts `mark` before the extension: x.c -> x.min.c, a.b/x -> a.b/x.min,
 * .foo -> .foo.min, x.tar.gz -> x.tar.min.gz.  `name` (which must be empty) is
 * owned by the caller.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_names_mark(pare_buffer *name, const char *path, const char *mark,
                                       pare_error *err);

/* What is behind the last slash; borrowed from `path`. */
const char *pare_names_base(const char *path);

/* The extension of `path` with its dot, "" if it has none; borrowed from `path`. */
const char *pare_names_extension(const char *path);

#endif
