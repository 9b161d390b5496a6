/* Cleans up after us if we are killed and cannot do it ourselves.
 *
 * A tiny watcher (/bin/sh in its own session) reads from a socket whose other end
 * only we hold.  When it closes without a last word, we are dead: the watcher kills
 * every process that carries a mark of our run and removes the run's directories.
 * Its cost is one process that sleeps.  One thread. */
#ifndef PARE_OS_SANDBOX_GUARD_H
#define PARE_OS_SANDBOX_GUARD_H

#include "base/fail.h"
#include "os/spawn.h"

typedef struct pare_guard {
    pare_child child; /* pid 0: none */
    int fd;           /* owned; our end */
} pare_guard;

/* Starts the watcher of run `run_id`.  `directories` (absolute paths that need not
 * exist yet) are NULL-terminated.
 * Errors: PARE_E_IO, PARE_E_ARG (more than PARE_GUARD_DIRECTORIES). */
enum { PARE_GUARD_DIRECTORIES = 4 };
PARE_CHECK pare_status pare_guard_open(pare_guard *guard, pare_spawner *spawner, const char *run_id,
                                       const char *const *directories, pare_error *err);

/* After somebody has ended the watcher: starts another one.  A no-op while it lives, at the cost of one
 * system call.  Errors: as above; there is none then, and another call may make one. */
PARE_CHECK pare_status pare_guard_renew(pare_guard *guard, pare_spawner *spawner,
                                        const char *run_id, const char *const *directories,
                                        pare_error *err);

/* Dismisses and reaps the watcher; all-zero is a no-op. */
void pare_guard_close(pare_guard *guard);

#endif
