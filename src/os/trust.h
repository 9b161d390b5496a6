/* Who can change a file that is to be executed: a parser is loaded into our own process.
 *
 * Trusted are we, root, and whoever owns the program that runs or can write to it by its group: they
 * could change that instead.  Any
 * thread. */
#ifndef PARE_OS_TRUST_H
#define PARE_OS_TRUST_H

#include "base/fail.h"

/* Refuses `path` when somebody who is not trusted owns it or can write to it, or to a folder above
 * it, links resolved.  A folder in which only owners may remove what is theirs (sticky, as /tmp is)
 * may be written to by all; a group counts as its members, by /etc/group and /etc/passwd.  Folders
 * that hold the program that runs are not looked at.
 * Errors: PARE_E_CORRUPT (refused; the sentence says which file and why), PARE_E_IO (it is not
 * there), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_trust_check(const char *path, pare_error *err);

#endif
