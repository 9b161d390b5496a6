/* Numbers that a program asks for: noted, or taken from the list that is replayed; and which
 * of its functions were under way, so that numbers that belong together are known.
 * Any thread of the program. */
#ifndef PARE_RUN_SHIM_DRAWS_H
#define PARE_RUN_SHIM_DRAWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether numbers come from a list.  False too where nobody listens. */
bool pare_draws_replays(void);

/* The number below `bound` that is drawn: `real` as the program would have it, which is
 * noted; or the list's next one, modulo `bound`.  Where the list has ended the process does
 * too.  `caller` is where the program stands. */
uint64_t pare_draws_number(uint64_t real, uint64_t bound, const void *caller);

/* The same for `size` bytes, which hold the real ones unless numbers are replayed.  2, 4 and
 * 8 bytes are numbers of 2 and 4 bytes, the lower bytes first; of others each is a number. */
void pare_draws_bytes(void *bytes, size_t size, const void *caller);

/* What the calling thread draws from here to the matching close belongs together, and may stand
 * for what has the same label.  A thread that says so is not looked at any more. */
void pare_draws_open_span(uint32_t label);
void pare_draws_close_span(void);

#endif
