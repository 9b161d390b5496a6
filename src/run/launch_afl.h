/* The launcher over AFL's fork server, which its compilers put into a program.
 *
 * Speaks both forms of the protocol (before and since AFL++ 4.20), and gives the candidate
 * in shared memory to a program that asks for it, else as the file or standard input that
 * the launch names.  A program that loops in one process (persistent mode) goes on from
 * test to test, so only its normal return is believed, as exit code 0: any other ending
 * of such a test is `unsure`, and whoever wants to know runs it as a process.
 *
 * Programs without such a server, and candidates that it cannot take, make `start` fail
 * with PARE_E_UNSUPPORTED and a sentence that says why; nothing has been tested then.
 * Sources: AFL++'s documents on persistent mode and the layout of its messages. */
#ifndef PARE_RUN_LAUNCH_AFL_H
#define PARE_RUN_LAUNCH_AFL_H

#include "run/launcher.h"

/* `home` is borrowed until the launcher is freed; the slots are its family's.  On
 * PARE_OK the caller owns *out; free it by pare_launcher_free.  Memory: 8 MiB of address
 * space a slot for the map of AFL's instrumentation, which nobody reads.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_launch_afl_new(const pare_launcher_home *home, pare_launcher **out,
                                           pare_error *err);

#endif
