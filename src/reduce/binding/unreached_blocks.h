/* Pieces of a text that were not reached: stretches that go, one by one or together, and those that
 * the blocks of a text without a grammar (reduce/structure) make of lines. */
#ifndef PARE_REDUCE_BINDING_UNREACHED_BLOCKS_H
#define PARE_REDUCE_BINDING_UNREACHED_BLOCKS_H

#include <stddef.h>

#include "base/fail.h"
#include "reduce/binding/unreached_ranges.h"
#include "reduce/passes/pass.h"

/* They ascend and do not overlap.  All-zero: there are none. */
typedef struct pare_unreached_pieces {
    pare_extent *items; /* owned: ends with pare_alloc_free */
    size_t n, capacity;
} pare_unreached_pieces;

/* Appends bytes from .. to-1, which are not empty.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_unreached_pieces_add(pare_unreached_pieces *pieces, size_t from,
                                                 size_t to, pare_error *err);

/* Whether all of bytes begin .. end-1 was not reached.  `*at` goes on to the first range that ends
 * after `begin`, for questions that ascend. */
bool pare_unreached_is(const pare_unreached *unreached, size_t *at, size_t begin, size_t end);

/* Appends what was not reached of the items of blocks, the largest that are: with INSIDE the end of
 * a block's body, or all of it, the surest; with AROUND neighbours elsewhere, which may be the rest of a
 * statement.  Where brackets in them have no partner they stay, and so does one
 * item of a block without a closer, since there indentation may have to show a body.  *any is whether
 * the text has blocks that do not all end with brackets; without them nothing is appended.  O(bytes).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_unreached_blocks_list(const pare_pass_view *view,
                                                  const pare_unreached *unreached,
                                                  pare_unreached_depth depth, bool *any,
                                                  pare_unreached_pieces *pieces, pare_error *err);

#endif
