/* Whether what is to be written can be written, before the first test instead of after the
 * last one.  Looks at the file system and leaves it as it is. */
#ifndef PARE_CLI_PLACES_H
#define PARE_CLI_PLACES_H

#include "cli/settings.h"

/* Looks at every file that `settings` have us write.  Errors: PARE_E_IO, with the option
 * that named it; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_places_check(const pare_settings *settings, pare_error *err);

/* The same for one file that is written, or replaced by rename, as `option` says. */
PARE_CHECK pare_status pare_places_check_file(const char *option, const char *path,
                                              pare_error *err);

#endif
