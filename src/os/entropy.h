/* Random numbers from the kernel: they cannot be repeated, unless somebody records them. */
#ifndef PARE_OS_ENTROPY_H
#define PARE_OS_ENTROPY_H

#include <stdint.h>

#include "base/fail.h"

/* Draws *number below `bound` (1 ..): four bytes, or eight for a bound above 2^32, modulo `bound`.
 * A library that takes the place of getrandom (run/shim/interpose.c) sees that as one draw, or
 * two.
 * Errors: PARE_E_IO; *number is untouched then. */
PARE_CHECK pare_status pare_entropy_draw(uint64_t bound, uint64_t *number, pare_error *err);

/* What the kernel gave the process at its start: the same in each call, and no draw that anybody
 * records. */
uint64_t pare_entropy_at_start(void);

/* Tell a recorder (run/shim/interpose.c) that the draws from here to the matching close belong
 * together, and may be exchanged with others of the same label.  No-ops where nothing is
 * recorded. */
void pare_entropy_open(uint32_t label);
void pare_entropy_close(void);

#endif
