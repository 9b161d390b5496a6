/* The launcher that makes a new process for every test: the vfork-like spawn. */
#ifndef PARE_RUN_LAUNCH_SPAWN_H
#define PARE_RUN_LAUNCH_SPAWN_H

#include "run/launcher.h"
#include "run/server.h"

/* What is in `home`, in whose cells the tests run, is borrowed until the launcher is freed;
 * the slots are its family's.  On PARE_OK the caller owns *out; free it by
 * pare_launcher_free.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_launch_spawn_new(const pare_server_home *home, pare_launcher **out,
                                             pare_error *err);

#endif
