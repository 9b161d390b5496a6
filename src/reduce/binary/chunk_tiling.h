/* Finds runs of chunks with lengths that tile a range, whatever the format. */
#ifndef PARE_REDUCE_BINARY_CHUNK_TILING_H
#define PARE_REDUCE_BINARY_CHUNK_TILING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/binary/chunk_tree.h"

/* Adds the chunks of the likeliest run in the body of `chunk`, which has no children, and the numbers
 * about them; *found: there was one.  `steps` is how many chunks may still be looked at, and goes down
 * by those that were: a hostile file ends the search early, not late.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_tiling_find(pare_chunk_tree *tree, uint32_t chunk,
                                              uint64_t *steps, bool *found, pare_error *err);

#endif
