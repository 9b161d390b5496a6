/* Finds the rows and columns of an image that is not packed, or was unpacked. */
#ifndef PARE_REDUCE_BINARY_CHUNK_IMAGE_H
#define PARE_REDUCE_BINARY_CHUNK_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/binary/chunk_tree.h"

/* Looks whether the body of `chunk`, which has no children and is the file or was unpacked, is (but for
 * a header) rows of equal width, as two numbers at the begin of the file say; adds them, what of a row
 * goes from all rows, and both numbers.  Rows that are differences, as in PNG, are made plain ones.
 * *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_image_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                             pare_error *err);

#endif
