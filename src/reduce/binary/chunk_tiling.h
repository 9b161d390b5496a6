/* Finds runs of chunks with lengths that tile a range, whatever the format. */
#ifndef PARE_REDUCE_BINARY_CHUNK_TILING_H
#define PARE_REDUCE_BINARY_CHUNK_TILING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/binary/chunk_layout.h"
#include "reduce/binary/chunk_tree.h"

enum { PARE_CHUNK_MOST_LEARNED = 8 };

/* A layout that was found out in the file, and the first bytes that its chunks begin with. */
typedef struct pare_chunk_learned {
    pare_chunk_layout layout;
    bool begins[256];
    uint32_t n_begins;
} pare_chunk_learned;

/* What is known while a file is searched. */
typedef struct pare_chunk_search {
    uint64_t steps; /* how many chunks may still be looked at: a hostile file ends the search early,
                       not late */
    pare_chunk_learned learned[PARE_CHUNK_MOST_LEARNED];
    uint32_t n_learned;
    bool as_it_is; /* nothing is written anew (chunk_pdf_plain.h) */
} pare_chunk_search;

/* Adds the chunks of the likeliest run in the body of `chunk`, which has no children, and the numbers
 * about them; *found: there was one. */
PARE_CHECK pare_status pare_chunk_tiling_find(pare_chunk_tree *tree, uint32_t chunk,
                                              pare_chunk_search *search, bool *found,
                                              pare_error *err);

#endif
