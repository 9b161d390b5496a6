/* Chunks of formats that are known by their headers. */
#ifndef PARE_REDUCE_BINARY_CHUNK_FORMATS_H
#define PARE_REDUCE_BINARY_CHUNK_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/binary/chunk_tree.h"

/* Looks whether the body of `chunk`, which has no children, is of a known format, and adds its chunks
 * and numbers; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_formats_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                               pare_error *err);

#endif
