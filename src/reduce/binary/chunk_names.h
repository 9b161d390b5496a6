/* What only numbers hold: chunks that are named, and go when nothing names them any more. */
#ifndef PARE_REDUCE_BINARY_CHUNK_NAMES_H
#define PARE_REDUCE_BINARY_CHUNK_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "reduce/binary/chunk_tree.h"

/* `left` (a byte for each plain byte; 0: it is gone) is what is left of `before`.  Takes out of it what
 * a number named in `before` and none does now, whatever that names itself, and so on; whether there was
 * anything.  Twins and what is fixed are as in any deletion.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_names_cut(const pare_chunk_tree *tree,
                                            const unsigned char *before, unsigned char *left,
                                            bool *any, pare_error *err);

/* Bytes that are left outside of from .. to-1 and named by nothing but a number in it, or in what is named
 * so. */
uint64_t pare_chunk_names_weight(const pare_chunk_tree *tree, const unsigned char *left,
                                 uint32_t from, uint32_t to);

/* The first of the sealed tree's fields that ends behind `at`. */
uint32_t pare_chunk_names_field_from(const pare_chunk_tree *tree, uint32_t at);

/* Takes a chunk out of `left`, with its twin, the twin's twin, and so on round; one that is fixed stays. */
void pare_chunk_names_cut_chunk(const pare_chunk_tree *tree, unsigned char *left, uint32_t index);

#endif
