/* Candidates as piece lists: slices of the current best and small literals.
 *
 * The digest is folded over the pieces from the prefix hashes of the base, so a candidate
 * that repeats an earlier one is recognised in O(pieces) without building its bytes; it is
 * written with scatter/gather, so nothing is concatenated either.
 * Invariant: size and hash are those of the bytes that the pieces print; no piece
 * is empty; two slices that touch in the base are one piece. */
#include "text/candidate.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "text/text.h"

/* The new base is taken before the old one is given up: they may be the same.  Memory of pieces
 * and literals is kept, as an engine makes thousands of candidates in one struct. */
void pare_candidate_start(pare_candidate *candidate, const pare_text *base)
{
    const pare_text *old = candidate->base;
    candidate->base = pare_text_ref(base);
    pare_text_unref(old);
    candidate->n_pieces = 0;
    candidate->size = 0;
    candidate->hash = (pare_hash){{0, 0}};
    pare_buffer_reset(&candidate->literals);
}

/* All-zero is a no-op. */
void pare_candidate_done(pare_candidate *candidate)
{
    pare_text_unref(candidate->base);
    if (candidate->pieces != candidate->inline_pieces) pare_alloc_free(candidate->pieces);
    pare_buffer_done(&candidate->literals);
    *candidate = (pare_candidate){0};
}

/* Moves ownership.  Pieces inside the struct move with it, so the pointer to them must follow. */
void pare_candidate_move(pare_candidate *to, pare_candidate *from)
{
    pare_candidate_done(to);
    *to = *from;
    if (from->pieces == from->inline_pieces) to->pieces = to->inline_pieces;
    *from = (pare_candidate){0};
}

/* Makes room for `n` pieces in all.  The first few lie in the struct itself, so that small
 * candidates allocate nothing. */
static pare_status reserve(pare_candidate *candidate, size_t n, pare_error *err)
{
    if (!candidate->pieces) {
        candidate->pieces = candidate->inline_pieces;
        candidate->capacity = PARE_CANDIDATE_INLINE_PIECES;
    }
    if (n <= candidate->capacity) return PARE_OK;
    /* Pieces inside the struct cannot be resized: they are copied once they are too many. */
    bool is_inline = candidate->pieces == candidate->inline_pieces;
    size_t capacity = candidate->capacity;
    while (capacity < n)
        capacity *= 2;
    pare_piece *pieces =
        pare_alloc_resize(is_inline ? NULL : candidate->pieces, capacity, sizeof *pieces);
    if (!pieces) return pare_fail_nomem(err);
    if (is_inline) memcpy(pieces, candidate->pieces, candidate->n_pieces * sizeof *pieces);
    candidate->pieces = pieces;
    candidate->capacity = capacity;
    return PARE_OK;
}

/* Pieces, literals and hash as they are: nothing is hashed again.  On failure *to is the empty
 * candidate of the same base. */
pare_status pare_candidate_copy(pare_candidate *to, const pare_candidate *from, pare_error *err)
{
    const pare_buffer *literals = &from->literals;
    pare_candidate_start(to, from->base);
    pare_status status = reserve(to, from->n_pieces, err);
    if (!status && literals->size)
        status = pare_buffer_add(&to->literals, literals->data, literals->size, err);
    if (status) return status;
    if (from->n_pieces) memcpy(to->pieces, from->pieces, from->n_pieces * sizeof *to->pieces);
    to->n_pieces = from->n_pieces;
    to->size = from->size;
    to->hash = from->hash;
    return PARE_OK;
}

/* Appends a piece whose hash is known.  A piece that continues the last one in the same source
 * prolongs it, so that equal edits give equal pieces, and few of them. */
static pare_status append(pare_candidate *candidate, pare_piece piece, pare_hash hash,
                          pare_error *err)
{
    pare_status status = reserve(candidate, candidate->n_pieces + 1, err);
    if (status) return status;
    assert(candidate->pieces);
    pare_piece *last = candidate->n_pieces ? &candidate->pieces[candidate->n_pieces - 1] : NULL;
    if (last && last->literal == piece.literal && last->offset + last->size == piece.offset)
        last->size += piece.size;
    else
        candidate->pieces[candidate->n_pieces++] = piece;
    candidate->size += piece.size;
    candidate->hash = pare_digest_join(candidate->hash, hash, piece.size);
    return PARE_OK;
}

/* Costs the look-up of two prefix hashes, whatever the size. */
pare_status pare_candidate_slice(pare_candidate *candidate, size_t offset, size_t size,
                                 pare_error *err)
{
    if (!size) return PARE_OK;
    assert(offset <= pare_text_size(candidate->base));
    pare_hash hash = pare_text_slice(candidate->base, offset, size);
    return append(candidate, (pare_piece){.offset = offset, .size = size}, hash, err);
}

/* Literals are copied and hashed byte by byte: they are short. */
pare_status pare_candidate_literal(pare_candidate *candidate, const void *bytes, size_t size,
                                   pare_error *err)
{
    if (!size) return PARE_OK;
    size_t offset = candidate->literals.size;
    pare_status status = pare_buffer_add(&candidate->literals, bytes, size, err);
    if (status) return status;
    pare_hash hash = pare_digest_extend((pare_hash){{0, 0}}, bytes, size);
    status =
        append(candidate, (pare_piece){.offset = offset, .size = size, .literal = true}, hash, err);
    if (status) {
        candidate->literals.size = offset;
        candidate->literals.data[offset] = '\0';
    }
    return status;
}

/* The name of the candidate in cache and journal: equal bytes, equal digest, however they were put
 * together. */
pare_digest pare_candidate_digest(const pare_candidate *candidate)
{
    return pare_digest_of(candidate->hash, candidate->size);
}

/* Visits the bytes in order where they lie, in literals and in the store; stops at the first visit
 * that returns something else than 0, and returns that. */
int pare_candidate_spans(const pare_candidate *candidate, int (*each)(void *context, pare_span),
                         void *context)
{
    for (size_t k = 0; k < candidate->n_pieces; k++) {
        const pare_piece *piece = &candidate->pieces[k];
        int stop;
        if (piece->literal) {
            const char *bytes = candidate->literals.data + piece->offset;
            stop = each(context, (pare_span){(const unsigned char *)bytes, piece->size});
        } else {
            stop = pare_text_spans(candidate->base, piece->offset, piece->size, each, context);
        }
        if (stop) return stop;
    }
    return 0;
}

/* Appends a run to where *end points. */
static int copy_span(void *context, pare_span span)
{
    unsigned char **end = context;
    memcpy(*end, span.bytes, span.size);
    *end += span.size;
    return 0;
}

/* `to` has room for candidate->size bytes. */
void pare_candidate_read(const pare_candidate *candidate, void *to)
{
    unsigned char *end = to;
    (void)pare_candidate_spans(candidate, copy_span, &end);
    assert((size_t)(end - (unsigned char *)to) == candidate->size);
}

/* Makes the candidate a text with bytes of its own, in one piece.  Errors: PARE_E_NOMEM. */
static pare_status render(const pare_candidate *candidate, pare_text **out, pare_error *err)
{
    pare_buffer buffer = {0};
    pare_status status = pare_buffer_reserve(&buffer, candidate->size, err);
    if (!status) {
        pare_candidate_read(candidate, buffer.data);
        buffer.size = candidate->size;
        status = pare_text_take(&buffer, out, err);
    }
    pare_buffer_done(&buffer);
    return status;
}

/* Made once for each success: by reference to the base's store where that is cheaper than copying.
 * Literals are in no store, so a candidate that has some is copied. */
pare_status pare_candidate_text(const pare_candidate *candidate, pare_text **out, pare_error *err)
{
    size_t n_segments = 0;
    bool literals = false;
    for (size_t k = 0; k < candidate->n_pieces; k++) {
        const pare_piece *piece = &candidate->pieces[k];
        literals = literals || piece->literal;
        /* Segments are counted only as long as they are wanted. */
        if (!literals)
            n_segments += pare_text_count_segments(candidate->base, piece->offset, piece->size);
    }
    /* A segment costs about as much as eight bytes of a flat copy. */
    if (literals || n_segments > 4 + candidate->size / 8) return render(candidate, out, err);
    pare_text *text = pare_text_build_start(candidate->base, n_segments);
    if (!text) return pare_fail_nomem(err);
    for (size_t k = 0; k < candidate->n_pieces; k++)
        pare_text_build_slice(text, candidate->base, candidate->pieces[k].offset,
                              candidate->pieces[k].size);
    *out = text;
    return PARE_OK;
}
