/* Building a text out of slices of another one: for candidate.c only. */
#ifndef PARE_TEXT_BUILD_H
#define PARE_TEXT_BUILD_H

#include "text/text.h"

/* Segments that bytes offset .. offset+size-1 of the text touch. */
size_t pare_text_count_segments(const pare_text *text, size_t offset, size_t size);

/* An empty text over the store of `base` with room for `n_segments`; NULL when
 * memory is out.  It becomes an ordinary text by appending. */
PARE_CHECK pare_text *pare_text_build_start(const pare_text *base, size_t n_segments);

/* Appends a slice of `base`; the room must be there.  O(segments touched). */
void pare_text_build_slice(pare_text *text, const pare_text *base, size_t offset, size_t size);

#endif
