/* The launcher over a fork server in the program itself: src/run/shim/preload.c is preloaded
 * into it, and each test is a fork at the start of its main.
 *
 * A program that cannot be served (a script, static, setuid, threads or open files
 * before main...) makes `start` fail with PARE_E_UNSUPPORTED and a sentence that says
 * why; nothing has been tested then.  When a server dies, its test ends `lost`, and the
 * slot's next start makes a new one. */
#ifndef PARE_RUN_LAUNCH_PRELOAD_H
#define PARE_RUN_LAUNCH_PRELOAD_H

#include "run/launcher.h"

/* `home` is borrowed until the launcher is freed; the slots are its family's.  On
 * PARE_OK the caller owns *out; free it by pare_launcher_free.
 * Errors: PARE_E_STATE (our library is not installed), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_launch_preload_new(const pare_launcher_home *home, pare_launcher **out,
                                               pare_error *err);

#endif
