/* Arrays that several states share until one of them writes.
 *
 * A state that is copied by memcpy retains the array; before it writes it makes the
 * array its own.  While more than one state refers to it, it does not change.
 * One thread: states that share an array belong to the same one. */
#ifndef PARE_BASE_SHARED_H
#define PARE_BASE_SHARED_H

#include <stddef.h>

#include "base/fail.h"

typedef struct pare_shared pare_shared;

/* An array with room for `capacity` items of `item_bytes` (above 0), not initialised.
 * On PARE_OK the caller has the one reference to *out; else *out is untouched.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_shared_new(size_t capacity, size_t item_bytes, pare_shared **out,
                                       pare_error *err);

void pare_shared_retain(pare_shared *shared);  /* NULL is a no-op */
void pare_shared_release(pare_shared *shared); /* NULL is a no-op */

const void *pare_shared_items(const pare_shared *shared);

/* Makes *shared the caller's alone, with its first `n_used` items and room for `capacity`
 * (at least n_used): itself if that is so already, else a copy, for which the reference
 * to the old one is given up.  *items, to be written, is valid until the next call.
 * Errors: PARE_E_NOMEM; everything is as before. */
PARE_CHECK pare_status pare_shared_own(pare_shared **shared, size_t n_used, size_t capacity,
                                       void **items, pare_error *err);

#endif
