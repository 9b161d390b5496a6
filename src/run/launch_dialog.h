/* The launcher over a worker of the user's: one process in each slot, which is told in a
 * line of each candidate, and answers in a line what came of it (docs/guide/worker.md).
 *
 * It is started by the first test of a slot, as a test is, with a pipe as its standard
 * input and one as its standard output, and goes on until a test is killed, the worker
 * ends, or the launcher is freed.  What it says is believed: there is no other way to run
 * such a test.  When it ends without an answer the ending is `lost`; the next start makes
 * another.  Processes that it starts are its own affair as long as they are its children. */
#ifndef PARE_RUN_LAUNCH_DIALOG_H
#define PARE_RUN_LAUNCH_DIALOG_H

#include "run/launcher.h"
#include "run/server.h"

/* What an ending holds as exit code when the worker has answered. */
typedef enum pare_answer { PARE_ANSWER_FAIL, PARE_ANSWER_PASS, PARE_ANSWER_UNRESOLVED } pare_answer;

/* `home` is borrowed until the launcher is freed; the slots are its family's.  On PARE_OK
 * the caller owns *out; free it by pare_launcher_free.  A path that no line can hold makes
 * `start` fail with PARE_E_ARG, what is no answer `start` and `hear` with PARE_E_SYNTAX and
 * a sentence that quotes it; the slot is free then.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_launch_dialog_new(const pare_server_home *home, pare_launcher **out,
                                              pare_error *err);

#endif
