/* The immutable text: an input or the current best, as segments of one store.
 *
 * A text is a sequence of segments, each a slice of one flat, shared store of
 * bytes.  Removing something from a text makes a new one that shares the store:
 * O(segments), not O(bytes).  Every prefix has a hash at hand, so the digest of a
 * slice costs O(log segments + PARE_TEXT_STRIDE).  Memory: the store once, 1/16 of
 * its size for the prefix table, 56 bytes a segment.
 *
 * Immutable and reference-counted; references are counted without atomics: all
 * texts of one session belong to one thread. */
#ifndef PARE_TEXT_TEXT_H
#define PARE_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"

typedef struct pare_text pare_text;

enum {
    PARE_TEXT_STRIDE = 256 /* bytes between two entries of the prefix table */
};
#define PARE_TEXT_MAX_BYTES ((size_t)UINT32_MAX - 1) /* unit boundaries are 32 bits */

/* One run of bytes in memory, as handed to scatter/gather writing. */
typedef struct pare_span {
    const unsigned char *bytes;
    size_t size;
} pare_span;

/* Takes over the contents of *buffer (which is empty afterwards, on success) as
 * a flat text with one reference, owned by the caller.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (over PARE_TEXT_MAX_BYTES). */
PARE_CHECK pare_status pare_text_take(pare_buffer *buffer, pare_text **out, pare_error *err);

/* The same from a copy of `size` bytes. */
PARE_CHECK pare_status pare_text_copy(const void *bytes, size_t size, pare_text **out,
                                      pare_error *err);

pare_text *pare_text_ref(const pare_text *text);
void pare_text_unref(const pare_text *text); /* NULL is a no-op */

size_t pare_text_size(const pare_text *text);
pare_digest pare_text_digest(const pare_text *text);
size_t pare_text_segments(const pare_text *text);

/* Bytes in memory held by the store that this text keeps alive. */
size_t pare_text_store_size(const pare_text *text);

/* All bytes in one piece; NULL unless the text is flat (made by take, copy or
 * flatten, or has at most one segment). */
const unsigned char *pare_text_bytes(const pare_text *text);

/* Hash of the first `size` bytes. */
pare_hash pare_text_prefix(const pare_text *text, size_t size);

/* Hash of bytes offset .. offset+size-1. */
pare_hash pare_text_slice(const pare_text *text, size_t offset, size_t size);

/* Longest run of bytes from `offset` (below the size) that lies in one piece and
 * is at most `limit` bytes.  O(log segments). */
pare_span pare_text_span(const pare_text *text, size_t offset, size_t limit);

/* Calls `each` for every run of bytes offset .. offset+size-1 that lies in one piece, in
 * order; stops at the first non-zero result and returns it.  O(log segments + runs). */
int pare_text_spans(const pare_text *text, size_t offset, size_t size,
                    int (*each)(void *context, pare_span), void *context);

/* Copies bytes offset .. offset+size-1 to `to`. */
void pare_text_read(const pare_text *text, size_t offset, size_t size, void *to);

/* A flat text with the same bytes and a store of its own, so that the old store
 * can go.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_text_flatten(const pare_text *text, pare_text **out, pare_error *err);

/* Building a text out of slices of another one: for candidate.c only. */

/* Segments that bytes offset .. offset+size-1 of the text touch. */
size_t pare_text_count_segments(const pare_text *text, size_t offset, size_t size);

/* An empty text over the store of `base` with room for `n_segments`; NULL when
 * memory is out.  It becomes an ordinary text by appending. */
PARE_CHECK pare_text *pare_text_build_start(const pare_text *base, size_t n_segments);

/* Appends a slice of `base`; the room must be there.  O(segments touched). */
void pare_text_build_slice(pare_text *text, const pare_text *base, size_t offset, size_t size);

/* Whether bytes are a text. */

/* How many bytes there are that no text has, those before the tabulator.  O(bytes). */
static inline size_t pare_bytes_of_no_text(const unsigned char *bytes, size_t n)
{
    size_t n_found = 0;
    for (size_t i = 0; i < n; i++)
        n_found += bytes[i] < '\t';
    return n_found;
}

/* Whether the bytes are no text: more than one in sixteen is a control character that texts have no
 * use for, or one in 128 is and high bytes are no UTF-8.  What is packed has one in ten.  O(bytes). */
bool pare_bytes_are_no_text(const unsigned char *bytes, size_t n);

#endif
