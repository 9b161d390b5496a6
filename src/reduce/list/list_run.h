/* One run of a list algorithm inside another strategy, which says what the positions stand for: rows
 * of a table, statements of a function.  All-zero: none runs.
 *
 * A plain struct, so that a strategy that holds one is copied by assignment and then by
 * pare_list_run_copied.  One thread. */
#ifndef PARE_REDUCE_LIST_LIST_RUN_H
#define PARE_REDUCE_LIST_LIST_RUN_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"
#include "reduce/list/algorithms.h"

enum { PARE_LIST_RUN_STATE_BYTES = 512 }; /* of an algorithm that can be run here, at most */

typedef struct pare_list_run {
    const pare_list_algorithm *algorithm; /* NULL: none runs */
    pare_edit edit;                       /* what it proposed last: positions to leave out */
    alignas(max_align_t) unsigned char state[PARE_LIST_RUN_STATE_BYTES];
} pare_list_run;

/* Starts `algorithm` over `n` positions with the default knobs; ends what ran.  Errors: PARE_E_NOMEM;
 * none runs then. */
PARE_CHECK pare_status pare_list_run_start(pare_list_run *run, const pare_list_algorithm *algorithm,
                                           size_t n, pare_error *err);

/* Ends what runs, and releases all; a no-op where none does. */
void pare_list_run_stop(pare_list_run *run);

/* Fills run->edit with the next proposal, or says that it is done; one runs.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_list_run_next(pare_list_run *run, bool *done, pare_error *err);

/* The outcome of run->edit; one runs.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_list_run_tell(pare_list_run *run, bool fails, pare_error *err);

/* After `*copy = *from`: makes the copy independent.  Errors: PARE_E_NOMEM; the copy is to be stopped
 * then, too. */
PARE_CHECK pare_status pare_list_run_copied(pare_list_run *copy, const pare_list_run *from,
                                            pare_error *err);

#endif
