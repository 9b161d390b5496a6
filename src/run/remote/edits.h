/* Edits: bytes described as slices of other bytes (the base) and literals, for sending.
 *
 * A worker already has the text that a candidate is made from, so only the pieces of the candidate
 * are sent.  The same form describes a text by an older one.
 *
 * Form: a number for each piece, size * 2, + 1 for a literal; then a literal's bytes, or where the
 * slice begins, relative to the end of the slice before (zigzag).  Numbers are of 7 bits a byte, the
 * low ones first.  Any thread. */
#ifndef PARE_RUN_REMOTE_EDITS_H
#define PARE_RUN_REMOTE_EDITS_H

#include "base/buffer.h"
#include "text/candidate.h"
#include "text/text.h"

/* Appends the pieces of `candidate`, about its base.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_edits_of_candidate(const pare_candidate *candidate, pare_buffer *out,
                                               pare_error *err);

/* Appends edits that make `text` out of `base`: greedy, by equal blocks of some bytes.  O(sizes).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_edits_between(pare_span base, pare_span text, pare_buffer *out,
                                          pare_error *err);

/* Appends to *out what `edits` make of `base`, at most `limit` bytes.
 * Errors: PARE_E_CORRUPT (edits are cut, or a slice is not in the base), PARE_E_LIMIT,
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_edits_apply(pare_span base, pare_span edits, size_t limit,
                                        pare_buffer *out, pare_error *err);

#endif
