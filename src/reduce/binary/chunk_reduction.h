/* Reduction of a binary file by its chunks. */
#ifndef PARE_REDUCE_BINARY_CHUNK_REDUCTION_H
#define PARE_REDUCE_BINARY_CHUNK_REDUCTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/binary/chunk_tree.h"
#include "text/text.h"

/* The file in a flat text: `tree` is that of bytes begin .. end-1. */
typedef struct pare_chunk_view {
    const pare_text *text; /* a reference is taken */
    size_t begin, end;
    pare_chunk_tree *tree; /* the same */
} pare_chunk_view;

typedef enum pare_chunk_effort {
    PARE_CHUNKS_WHILE_THEY_PAY, /* it ends when the next tests are not likely to gain much */
    PARE_CHUNKS_TO_THE_END
} pare_chunk_effort;

/* The strategy.  On PARE_OK the caller owns *out.
 * Cost: about 2 k log2(n / k) tests for k of n chunks that are needed, then as much for bytes.
 * Deterministic; not 1-minimal.  Memory: 5 bytes a plain byte, and one a byte for each copy that has
 * made another change.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_reduction_new(const pare_chunk_view *view,
                                                pare_chunk_effort effort, pare_strategy **out,
                                                pare_error *err);

#endif
