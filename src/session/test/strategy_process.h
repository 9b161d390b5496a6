/* An algorithm of the user's that is a process: it proposes candidates in lines, and is told in lines
 * what came of them (docs/guide/own-algorithm.md, where the lines stand byte for byte).
 *
 * It runs in a private folder, with the text as the file "input" and the places of its units as the
 * file "units", under a guard: it ends with us.  It is no test: it runs with the user's rights, without
 * a sandbox, and has no time limit but the end of the run.  One thread. */
#ifndef PARE_SESSION_TEST_STRATEGY_PROCESS_H
#define PARE_SESSION_TEST_STRATEGY_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

#include <pare/stop.h>
#include <pare/strategy.h>

#include "base/fail.h"
#include "engine/engine.h"

typedef struct pare_strategy_process pare_strategy_process;

/* Reads `command`, a command line as a test is.  Nothing is started yet.  It is ended from
 * `deadline_ms` on (on the clock; 0: never), or when `stop` (borrowed, may be NULL) is requested.  On
 * PARE_OK the caller owns *out.  Errors: those of pare_command_init, PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_strategy_process_new(const char *command, const pare_stop *stop,
                                                 uint64_t deadline_ms, pare_strategy_process **out,
                                                 pare_error *err);
/* Whether there is such a command, before anything is tested.  Errors: those of pare_command_init. */
PARE_CHECK pare_status pare_strategy_process_check(const char *command, pare_error *err);
void pare_strategy_process_free(pare_strategy_process *process); /* NULL is a no-op */

/* It as an algorithm, one start at a time; valid until it is freed.  Errors of `start`: PARE_E_IO (it
 * cannot be started); of `next`: PARE_E_SYNTAX (what it says is no proposal), PARE_E_IO (it ends
 * without DONE). */
pare_own_strategy pare_strategy_process_as_strategy(pare_strategy_process *process);

/* Its guard and the process itself (0: not started): children of ours that are no tests. */
pid_t pare_strategy_process_guard(const pare_strategy_process *process);
pid_t pare_strategy_process_pid(const pare_strategy_process *process);

/* Why it was ended before it was done, as the engine calls it; PARE_END_DONE: it was not. */
pare_engine_end pare_strategy_process_stopped(const pare_strategy_process *process);

#endif
