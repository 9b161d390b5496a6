/* How one text follows from another, in few bytes: stretches of the old one, and what is new between
 * them.
 *
 * Made for the bests of a reduction, of which each is the one before with something gone: a deletion
 * takes some six bytes, wherever it is.  The form, all numbers as in base/varint.h, repeated to the
 * end of the bytes:
 *   where the next stretch begins in the old text, counted from the end of the one before (0 at
 *   first) and folded (0, -1, 1, -2 ... are 0, 1, 2, 3 ...); its length; the length of what is new
 *   after it; those bytes
 * One thread. */
#ifndef PARE_TEXT_DELTA_H
#define PARE_TEXT_DELTA_H

#include "base/buffer.h"
#include "base/fail.h"
#include "text/text.h"

/* Appends to *out what makes `fresh` of `old`.  It is no larger than `fresh` and a few bytes, not the
 * smallest there is.  O(bytes), at the speed of memcmp outside of what has changed, plus in memory
 * while it runs about one byte for each there.  On error *out is as it was.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_delta_make(pare_span old, pare_span fresh, pare_buffer *out,
                                       pare_error *err);

/* Appends to *out what `delta` makes of `old`.  Errors: PARE_E_CORRUPT (it is none of `old`, or would
 * append more than `most` bytes), PARE_E_NOMEM; *out then ends somewhere. */
PARE_CHECK pare_status pare_delta_apply(pare_span delta, pare_span old, size_t most,
                                        pare_buffer *out, pare_error *err);

#endif
