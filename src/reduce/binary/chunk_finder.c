/* Finds the chunks of a binary file, and of those what is in them, level by level.
 *
 * Each chunk without children is looked at once, in the order in which chunks are found: first for
 * the header of a known format, then for a run of lengths.  What is packed is unpacked by the reader
 * of its format and looked into like any other.
 * Invariant: a chunk is looked at once, so the search ends; steps and chunks are limited, so it ends
 * soon. */
#include "reduce/binary/chunk_finder.h"

#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_tiling.h"
#include "reduce/binary/chunk_wasm.h"

enum { MOST_STEPS = 1 << 22, LEAST_BYTES = 6 };

/* Looks into one chunk. */
static pare_status look(pare_chunk_tree *tree, uint32_t chunk, pare_chunk_search *search,
                        pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    bool found = false;
    pare_status status = PARE_OK;
    if (pare_chunk_wasm_is(tree, from, to))
        status = pare_chunk_wasm_read(tree, chunk, from, to, &found, err);
    if (!status && !found) status = pare_chunk_formats_read(tree, chunk, &found, err);
    if (!status && !found && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_tiling_find(tree, chunk, search, &found, err);
    return status;
}

pare_status pare_chunk_finder_find(const unsigned char *bytes, size_t n, pare_chunk_tree **out,
                                   pare_error *err)
{
    pare_chunk_tree *tree = NULL;
    pare_chunk_search search = {.steps = MOST_STEPS + 4 * (uint64_t)n};
    pare_status status = pare_chunk_tree_new(bytes, n, &tree, err);
    for (uint32_t i = 0; !status && i < tree->n_chunks; i++) {
        const pare_chunk *chunk = &tree->chunks[i];
        if (chunk->known || chunk->first != PARE_NO_CHUNK || !search.steps) continue;
        if (chunk->body_to - chunk->body >= LEAST_BYTES) status = look(tree, i, &search, err);
    }
    if (!status) status = pare_chunk_tree_seal(tree, err);
    if (status) {
        pare_chunk_tree_unref(tree);
        return status;
    }
    *out = tree;
    return PARE_OK;
}
