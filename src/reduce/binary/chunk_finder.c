/* Finds the chunks of a binary file, and of those what is in them, level by level.
 *
 * Each chunk without children is looked at once, in the order in which chunks are found: first for
 * the header of a known format, then for a table of positions, then for a run of lengths.  What is packed is unpacked by the reader
 * of its format and looked into like any other.
 * Invariant: a chunk is looked at once, so the search ends; steps and chunks are limited, so it ends
 * soon. */
#include "reduce/binary/chunk_finder.h"

#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_tiling.h"
#include "reduce/binary/chunk_wasm.h"

enum { LEAST_BYTES = 6, POSITION_BYTES = 4 };

static const uint64_t MOST_STEPS = UINT64_C(1) << 22; /* beside four for each byte */

/* The coding of a chunk's body that is, after `skip` bytes, a count and as many ascending positions
 * of the file, and nothing else; false: it is no such table. */
static bool is_table(const pare_chunk_tree *tree, const pare_chunk *chunk, uint32_t skip,
                     pare_coding coding)
{
    const uint32_t size = chunk->body_to - chunk->body;
    if (size < skip + 2 * POSITION_BYTES || (size - skip) % POSITION_BYTES) return false;
    const uint32_t begin = chunk->body + skip;
    const uint32_t n = (size - skip) / POSITION_BYTES - 1;
    uint64_t last = 0;
    for (uint32_t i = 0; i <= n; i++) {
        const uint32_t at = begin + i * POSITION_BYTES;
        const uint64_t value =
            pare_coding_read(coding, POSITION_BYTES, tree->bytes + at, POSITION_BYTES).value;
        if (i ? value <= last || value >= tree->size : value != n) return false;
        if (i) last = value;
    }
    return true;
}

/* Notes a table whose count stands at `at`: each position is a chunk that may go. */
static pare_status add_table(pare_chunk_tree *tree, uint32_t chunk, uint32_t at, pare_coding coding,
                             pare_error *err)
{
    const pare_chunk_field count = {.number = PARE_NUMBER_COUNT,
                                    .coding = coding,
                                    .width = POSITION_BYTES,
                                    .at = at,
                                    .chunk = chunk};
    const uint32_t end = tree->chunks[chunk].body_to;
    pare_status status = PARE_OK;
    for (at += POSITION_BYTES; !status && at < end; at += POSITION_BYTES) {
        const uint64_t value =
            pare_coding_read(coding, POSITION_BYTES, tree->bytes + at, POSITION_BYTES).value;
        uint32_t entry;
        status = pare_chunk_tree_add(tree, chunk, at, at + POSITION_BYTES, &entry, err);
        if (status || entry == PARE_NO_CHUNK) return status;
        tree->chunks[entry].known = true;
        status = pare_chunk_tree_field(tree,
                                       &(pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                                           .coding = coding,
                                                           .width = POSITION_BYTES,
                                                           .at = at,
                                                           .to = (uint32_t)value},
                                       err);
    }
    return status ? status : pare_chunk_tree_field(tree, &count, err);
}

/* A table of positions, as a film's stco: there may be a version before it.  Only in a file of which
 * nothing was unpacked, where positions are those of the bytes. */
static pare_status find_table(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    static const pare_coding codings[] = {PARE_CODING_BIG, PARE_CODING_LITTLE};
    for (size_t i = 0; i < sizeof codings / sizeof *codings && chunk && !tree->n_packings; i++)
        for (uint32_t skip = 0; skip <= POSITION_BYTES; skip += POSITION_BYTES)
            if (is_table(tree, &tree->chunks[chunk], skip, codings[i])) {
                *found = true;
                return add_table(tree, chunk, tree->chunks[chunk].body + skip, codings[i], err);
            }
    return PARE_OK;
}

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
        status = find_table(tree, chunk, &found, err);
    if (!status && !found && tree->chunks[chunk].first == PARE_NO_CHUNK)
        status = pare_chunk_tiling_find(tree, chunk, search, &found, err);
    return status;
}

pare_status pare_chunk_finder_find_within(const unsigned char *bytes, size_t n, uint64_t steps,
                                          pare_chunk_tree **out, pare_error *err)
{
    pare_chunk_tree *tree = NULL;
    pare_chunk_search search = {.steps = steps};
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

pare_status pare_chunk_finder_find(const unsigned char *bytes, size_t n, pare_chunk_tree **out,
                                   pare_error *err)
{
    return pare_chunk_finder_find_within(bytes, n, MOST_STEPS + 4 * (uint64_t)n, out, err);
}
