/* The scripts that engines run, as text.  They are the .js files of this folder, which the build
 * puts into C arrays (cmake/Scripts.cmake); each is a function expression, to be called with an
 * object of options, which is written as source code, too. */
#ifndef PARE_GENERATE_DISCOVERY_SCRIPTS_H
#define PARE_GENERATE_DISCOVERY_SCRIPTS_H

#include "base/buffer.h"
#include "base/fail.h"

extern const char pare_scripts_explore[], pare_scripts_learn[]; /* each ends in a NUL */

/* Appends `text`, `size` bytes of UTF-8 or of anything, as a string literal of JavaScript: what is
 * no letter that every engine reads is escaped.  Bytes that are no UTF-8 become U+FFFD.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_scripts_add_literal(pare_buffer *script, const char *text, size_t size,
                                                pare_error *err);

#endif
