/* Where what a user adds to pare is kept. */
#ifndef PARE_OS_USER_DATA_H
#define PARE_OS_USER_DATA_H

#include "base/status.h"

/* `below` in the user's data folder: $PARE_DATA, else $XDG_DATA_HOME/pare, else
 * ~/.local/share/pare.  The folder need not exist.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_STATE (none of the variables is set), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_user_data_path(const char *below, char **out, pare_error *err);

#endif
