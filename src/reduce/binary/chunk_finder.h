/* Finds the chunks of a binary file. */
#ifndef PARE_REDUCE_BINARY_CHUNK_FINDER_H
#define PARE_REDUCE_BINARY_CHUNK_FINDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/binary/chunk_tree.h"

/* The chunks of the `n` bytes, sealed.  On PARE_OK the caller owns *out, one reference.
 * Time: bounded by the size and by a fixed number of steps, whatever the bytes are.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (more than PARE_CHUNK_MOST_BYTES). */
PARE_CHECK pare_status pare_chunk_finder_find(const unsigned char *bytes, size_t n,
                                              pare_chunk_tree **out, pare_error *err);

/* The same of a file for which a form that is written anew is no use: the failure is one of the packed form. */
PARE_CHECK pare_status pare_chunk_finder_find_as_it_is(const unsigned char *bytes, size_t n,
                                                       pare_chunk_tree **out, pare_error *err);

/* The first with at most `steps` of the search; what is not found by then stays in one chunk. */
PARE_CHECK pare_status pare_chunk_finder_find_within(const unsigned char *bytes, size_t n,
                                                     uint64_t steps, pare_chunk_tree **out,
                                                     pare_error *err);

#endif
