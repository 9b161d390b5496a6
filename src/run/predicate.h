/* The oracle over a function of the caller's: no process, no file.
 *
 * With one slot the predicate runs inside wait, on the caller's thread.  With more it
 * runs on a pool of that many threads, several calls at once.  A predicate cannot be
 * interrupted: a cancelled test that runs gives its verdict when the predicate returns,
 * and free waits for it.  From the first predicate on that gives PARE_NO_OUTCOME, wait returns
 * PARE_WAIT_INTERRUPTED, and no verdict for it.  One thread uses the oracle; the pool is inside. */
#ifndef PARE_RUN_PREDICATE_H
#define PARE_RUN_PREDICATE_H

#include <pare/stop.h>
#include <pare/test.h>

#include "run/oracle.h"

typedef struct pare_predicate_options {
    pare_predicate predicate;
    void *context;         /* given to it; borrowed */
    unsigned n_slots;      /* 1 .. */
    const pare_stop *stop; /* borrowed; may be NULL */
} pare_predicate_options;

/* On PARE_OK the caller owns *out; free it by pare_oracle_free.  Memory: a copy of the
 * candidate for each slot.  A wait without anything started times out at once.
 * Errors: PARE_E_ARG (no slots, no predicate), PARE_E_NOMEM, PARE_E_IO (a thread or a
 * descriptor cannot be had). */
PARE_CHECK pare_status pare_predicate_new(const pare_predicate_options *options, pare_oracle **out,
                                          pare_error *err);

#endif
