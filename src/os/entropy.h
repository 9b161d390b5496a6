/* Randomness of the kernel's: nobody can repeat it, unless it is recorded. */
#ifndef PARE_OS_ENTROPY_H
#define PARE_OS_ENTROPY_H

#include <stdint.h>

#include "base/fail.h"

/* Draws *number below `bound` (1 ..): four bytes, or eight for a bound above 2^32, modulo it.
 * Whoever stands before getrandom sees one number for it, or two.
 * Errors: PARE_E_IO; *number is untouched then. */
PARE_CHECK pare_status pare_entropy_draw(uint64_t bound, uint64_t *number, pare_error *err);

/* Tell whoever records what is drawn (run/shim/interpose.c) that the draws from here to the
 * matching close belong together, and may stand for those with the same label.  No-ops where
 * nobody does. */
void pare_entropy_open(uint32_t label);
void pare_entropy_close(void);

#endif
