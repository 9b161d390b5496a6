/* The launcher over a worker that runs a library's LLVMFuzzerTestOneInput again and again
 * (src/run/shim/worker.c): no process, no file and mostly no system call for a test.
 *
 * Tests of a slot share one process, so only a normal return is believed, as exit code 0:
 * any other ending is `unsure`, and whoever wants to know runs the launch as a process,
 * which the same program does once.  After such an ending, and when a test leaves a
 * process, the worker is replaced.
 *
 * The launch's words are those of the worker program: its path, the library, what the
 * library's LLVMFuzzerInitialize is given. */
#ifndef PARE_RUN_LAUNCH_WORKER_H
#define PARE_RUN_LAUNCH_WORKER_H

#include "run/launcher.h"

/* `home` is borrowed until the launcher is freed; the slots are its family's.  On PARE_OK
 * the caller owns *out; free it by pare_launcher_free.  Memory: that of the largest
 * candidate, for each slot.  Candidates above 1 GiB make `start` fail with
 * PARE_E_UNSUPPORTED.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_launch_worker_new(const pare_launcher_home *home, pare_launcher **out,
                                              pare_error *err);

#endif
