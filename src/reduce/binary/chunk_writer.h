/* Writes what is left of a file of chunks, with its numbers corrected. */
#ifndef PARE_REDUCE_BINARY_CHUNK_WRITER_H
#define PARE_REDUCE_BINARY_CHUNK_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "reduce/binary/chunk_tree.h"

/* What is to be written; borrowed. */
typedef struct pare_chunk_edits {
    const unsigned char *kept; /* for each plain byte: 0: it is gone */
    const uint64_t *shifts;    /* for each field, added to it; NULL: 0 */
    bool tight;                /* numbers of variable width take as few bytes as they need */
} pare_chunk_edits;

/* Appends the file to `out`.  `values` (room for one a field, or NULL) are the numbers without their
 * shifts.  What is packed and unchanged is as it was, so that a file of which nothing goes is written
 * byte by byte.  Errors: PARE_E_NOMEM, PARE_E_UNSUPPORTED (a member was unpacked elsewhere). */
PARE_CHECK pare_status pare_chunk_writer_write(const pare_chunk_tree *tree,
                                               const pare_chunk_edits *edits, pare_buffer *out,
                                               uint64_t *values, pare_error *err);

#endif
