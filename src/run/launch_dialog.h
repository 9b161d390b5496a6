/* The launcher over a worker of the user's: one process in each slot, which is told in a
 * line of each candidate, and answers in a line what came of it (docs/guide/worker.md).
 *
 * It is started by the first test of a slot, as a test is, with a pipe as its standard
 * input and one as its standard output, and goes on until a test is killed, the worker
 * ends, or the launcher is freed.  What it says is believed: there is no other way to run
 * such a test.  When it ends without an answer the ending is `lost`; the next start makes
 * another.  Processes that it starts are its own affair as long as they are its children.
 *
 * A path that no line can hold makes `start` of the launcher (pare_launch_dialog in server.h)
 * fail with PARE_E_ARG, what is no answer `start` and `hear` with PARE_E_SYNTAX and a
 * sentence that quotes it; the slot is free then. */
#ifndef PARE_RUN_LAUNCH_DIALOG_H
#define PARE_RUN_LAUNCH_DIALOG_H

#include <stdint.h>

#include "base/fail.h"
#include "os/process_tree.h"

/* What an ending holds as exit code when the worker has answered. */
typedef enum pare_answer { PARE_ANSWER_FAIL, PARE_ANSWER_PASS, PARE_ANSWER_UNRESOLVED } pare_answer;

/* What it means that a worker ends instead of answering.
 *
 * The candidate is given to a new one, for somebody else may have ended it, or the tests
 * before it; only when PARE_DIALOG_TRIES of them end on it, it is the candidate's doing, and
 * UNRESOLVED.  One that ends before it reads what it is told was not ended by a candidate: it
 * does not work, as one that ends on PARE_DIALOG_MOST_LOSSES candidates in a row.  One thread. */

enum { PARE_DIALOG_TRIES = 3, PARE_DIALOG_MOST_LOSSES = 100 };

/* All-zero at the start of a run. */
typedef struct pare_dialog_losses {
    uint64_t n_fatal;    /* candidates on which they ended */
    unsigned n_in_a_row; /* of these, without an answer in between */
    char notice[192];    /* about the first of them; "": none yet */
    char why[96];        /* the last one has no outcome */
} pare_dialog_losses;

void pare_launch_dialog_note_answer(pare_dialog_losses *workers);

/* A worker has ended so, the `n_tries`th on this candidate; `printed` is what it wrote to
 * standard error, NUL-terminated.  *again: another one is to try.
 * Errors: PARE_E_IO (it ends at its start), PARE_E_LIMIT (on every candidate). */
PARE_CHECK pare_status pare_launch_dialog_note_end(pare_dialog_losses *workers,
                                                   const pare_ending *ending, unsigned n_tries,
                                                   const char *printed, bool *again,
                                                   pare_error *err);

#endif
