/* Masking: what a program says of a failure, without what changes from run to run.
 *
 * Addresses become "0x#", numbers (with the times, dates and versions that are made of
 * them) "#", a path its last component, blanks one space; control characters, and bytes beyond ASCII, "?".  Digits
 * inside a word stay: names of functions are told by them. */
#ifndef PARE_RUN_MASK_H
#define PARE_RUN_MASK_H

#include <stddef.h>

/* Writes `line` (`size` bytes) masked to `to`, NUL-terminated, cut at `capacity` - 1
 * bytes; `capacity` is at least 1.  Cost: O(size), which is looked at up to 4 KiB. */
void pare_mask(const char *line, size_t size, char *to, size_t capacity);

#endif
