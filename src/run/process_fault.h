/* What a run of the process oracle was refused, took, and did besides its outcome; for
 * process_slot.c and process_verdict.c.  One thread. */
#ifndef PARE_RUN_PROCESS_FAULT_H
#define PARE_RUN_PROCESS_FAULT_H

#include <stdint.h>

#include "base/fail.h"
#include "os/process_tree.h"
#include "run/process_slot.h"

/* Fails with the sentence for a test `path` that cannot be executed, for the errno `cause`. */
PARE_CHECK pare_status pare_process_fault_explain(const char *path, int cause, pare_error *err);

/* The memory that the run took; 0 where nobody wants to know.  Errors: PARE_E_LIMIT (we ourselves take
 * more than what is looked for). */
PARE_CHECK pare_status pare_process_fault_rss(const pare_process_oracle *self,
                                              const pare_ending *ending, uint64_t *rss_bytes,
                                              pare_error *err);

/* PARE_HARM_... of the run that has ended in slot `number`, whose folder is as it left it; 0 where no
 * failure of any kind is looked for. */
unsigned pare_process_fault_harm(const pare_process_oracle *self, unsigned number,
                                 const pare_ending *ending);

#endif
