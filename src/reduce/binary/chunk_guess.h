/* Finds out how the chunks of an unknown format are laid out. */
#ifndef PARE_REDUCE_BINARY_CHUNK_GUESS_H
#define PARE_REDUCE_BINARY_CHUNK_GUESS_H

#include <stdint.h>

#include "reduce/binary/chunk_layout.h"
#include "reduce/binary/chunk_tree.h"

/* A run of chunks of one layout that begins at `from` and ends where the range does. */
typedef struct pare_chunk_guess {
    pare_chunk_layout layout;
    uint32_t from, n; /* n: chunks; 0: there is no such run */
    double bits;      /* how little it is by chance, less what was tried */
} pare_chunk_guess;

/* The likeliest run in bytes from .. to-1.  `steps` is how many chunks may still be looked at, and goes
 * down by those that were. */
pare_chunk_guess pare_chunk_guess_find(const pare_chunk_tree *tree, uint32_t from, uint32_t to,
                                       uint64_t *steps);

#endif
