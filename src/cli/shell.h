/* Words as a shell reads them back. */
#ifndef PARE_CLI_SHELL_H
#define PARE_CLI_SHELL_H

#include "base/buffer.h"

/* Appends `word`, quoted where it has to be: as it is, in '...', or, where it holds control
 * characters or bytes beyond ASCII that are no harmless text, in bash's $'...'.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_shell_add_word(pare_buffer *line, const char *word, pare_error *err);

#endif
