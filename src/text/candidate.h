/* A candidate: what would be tested, as pieces of a text and small literals.
 *
 * The one kind of candidate that every algorithm proposes.  Its digest is folded
 * from its pieces, so two edits that print the same bytes are the same candidate,
 * found in O(pieces) without printing.  One thread. */
#ifndef PARE_TEXT_CANDIDATE_H
#define PARE_TEXT_CANDIDATE_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "text/text.h"

/* A slice of the base text, or a literal when `literal` is set: `offset` then
 * counts in the candidate's own literal bytes. */
typedef struct pare_piece {
    size_t offset, size; /* bytes; size > 0 */
    bool literal;
} pare_piece;

enum { PARE_CANDIDATE_INLINE_PIECES = 6 };

/* An all-zero candidate is empty and has no base. */
typedef struct pare_candidate {
    const pare_text *base; /* one reference is held */
    pare_piece *pieces;    /* owned unless it is `inline_pieces` */
    size_t n_pieces, capacity;
    pare_piece inline_pieces[PARE_CANDIDATE_INLINE_PIECES];
    pare_buffer literals;
    size_t size;    /* bytes it prints */
    pare_hash hash; /* of what it prints */
} pare_candidate;

/* Makes *candidate (initialised or all-zero) the empty candidate over `base`. */
void pare_candidate_start(pare_candidate *candidate, const pare_text *base);
void pare_candidate_done(pare_candidate *candidate);

/* Moves `from` into *to (another candidate, which is done first); `from` becomes
 * all-zero. */
void pare_candidate_move(pare_candidate *to, pare_candidate *from);

/* Makes *to (initialised or all-zero, another candidate) the same as `from`.
 * Errors: PARE_E_NOMEM; *to is then empty over the same base. */
PARE_CHECK pare_status pare_candidate_copy(pare_candidate *to, const pare_candidate *from,
                                           pare_error *err);

/* Appends; pieces that touch are joined.  On error the candidate is as it was.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_candidate_slice(pare_candidate *candidate, size_t offset, size_t size,
                                            pare_error *err);
PARE_CHECK pare_status pare_candidate_literal(pare_candidate *candidate, const void *bytes,
                                              size_t size, pare_error *err);

pare_digest pare_candidate_digest(const pare_candidate *candidate);

/* Calls `each` for every run of bytes in order; stops at the first non-zero
 * result and returns it. */
int pare_candidate_spans(const pare_candidate *candidate, int (*each)(void *context, pare_span),
                         void *context);

/* Copies all bytes (candidate->size) to `to`. */
void pare_candidate_read(const pare_candidate *candidate, void *to);

/* What it prints, as a text of its own: shares the base's store while that is
 * cheap (no literals, few segments), else copies.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (literals made it larger than
 * PARE_TEXT_MAX_BYTES). */
PARE_CHECK pare_status pare_candidate_text(const pare_candidate *candidate, pare_text **out,
                                           pare_error *err);

#endif
