/* The launcher that makes a new process for every test: the vfork-like spawn. */
#ifndef PARE_OS_LAUNCH_SPAWN_H
#define PARE_OS_LAUNCH_SPAWN_H

#include "os/launcher.h"
#include "os/sandbox.h"
#include "os/spawn.h"

/* `spawner`, `family` and `sandbox`, in whose cells the tests run, are borrowed until the
 * launcher is freed; the slots are the family's.  On PARE_OK the caller owns *out; free it by pare_launcher_free.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_launch_spawn_new(pare_spawner *spawner, pare_family *family,
                                             pare_sandbox *sandbox, pare_launcher **out,
                                             pare_error *err);

#endif
