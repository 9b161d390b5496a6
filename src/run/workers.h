/* What it means that a worker of the user's (run/launch_dialog.h) ends instead of answering.
 *
 * The candidate is given to a new one, for somebody else may have ended it, or the tests
 * before; only when PARE_WORKERS_TRIES of them end on it, it is the candidate's doing, and
 * UNRESOLVED.  One that ends before it reads what it is told was not ended by a candidate:
 * it does not work, as one that ends on PARE_WORKERS_MOST candidates in a row.  One thread. */
#ifndef PARE_RUN_WORKERS_H
#define PARE_RUN_WORKERS_H

#include <stdint.h>

#include "base/status.h"
#include "os/process_tree.h"

enum { PARE_WORKERS_TRIES = 3, PARE_WORKERS_MOST = 100 };

/* All-zero at the start of a run. */
typedef struct pare_workers {
    uint64_t n_fatal;    /* candidates on which they ended */
    unsigned n_in_a_row; /* of these, without an answer in between */
    char notice[192];    /* about the first of them; "": none yet */
    char why[96];        /* the last one has no outcome */
} pare_workers;

void pare_workers_answered(pare_workers *workers);

/* A worker has ended so, the `n_tries`th on this candidate; `printed` is what it wrote to
 * standard error, NUL-terminated.  *again: another one is to try.
 * Errors: PARE_E_IO (it ends at its start), PARE_E_LIMIT (on every candidate). */
PARE_CHECK pare_status pare_workers_ended(pare_workers *workers, const pare_ending *ending,
                                          unsigned n_tries, const char *printed, bool *again,
                                          pare_error *err);

#endif
