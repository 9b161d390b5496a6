/* What the end of a run comes to, for process.c: the verdict of its test, or the next run of it.
 * One thread. */
#ifndef PARE_RUN_PROCESS_VERDICT_H
#define PARE_RUN_PROCESS_VERDICT_H

#include "run/oracle.h"
#include "run/process_slot.h"

/* An event came about the run in slot `number`.  If the run has ended, either the next run of
 * its test is started (the next command of a trial, the same once more elsewhere, a sample), or
 * *ended is set and *verdict is that of the test.
 * Errors: PARE_E_IO, PARE_E_NOMEM, PARE_E_LIMIT (see process.h); the slot is free then. */
PARE_CHECK pare_status pare_process_verdict_conclude(pare_process_oracle *self, unsigned number,
                                                     bool *ended, pare_verdict *verdict,
                                                     pare_error *err);

#endif
