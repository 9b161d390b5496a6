/* Any bytes: their chunks are found in bounded time, written back as they were, and written without
 * some of them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "reduce/binary/chunk_finder.h"
#include "reduce/binary/chunk_writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The steps of a search take nearly all the time, and what they find is found with few of them. */
enum { MOST_BYTES = 1 << 16, MOST_STEPS = 1 << 14 };

static void require(bool holds)
{
    if (!holds) abort();
}

/* Writes what is left when each chunk goes whose number the mask hits, and every seventh byte. */
static void write_parts(const pare_chunk_tree *tree, uint32_t mask, unsigned char *kept)
{
    pare_buffer out = {0};
    const pare_chunk_edits edits = {.kept = kept, .tight = mask & 1};
    memset(kept, 1, (size_t)tree->size + 1);
    for (uint32_t i = 1; i < tree->n_chunks; i++)
        if (i * UINT32_C(2654435761) >> 28 == mask)
            memset(kept + tree->chunks[i].from, 0, tree->chunks[i].to - tree->chunks[i].from);
    for (uint32_t i = mask; i < tree->size; i += 7)
        kept[i] = 0;
    require(pare_chunk_writer_write(tree, &edits, &out, NULL, NULL) == PARE_OK);
    pare_buffer_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_chunk_tree *tree = NULL;
    pare_buffer out = {0};
    if (size > MOST_BYTES) return 0;
    require(pare_chunk_finder_find_within(data, size, MOST_STEPS, &tree, NULL) == PARE_OK);
    require(pare_chunk_tree_check(tree));
    unsigned char *kept = pare_alloc((size_t)tree->size + 1, 1);
    require(kept != NULL);
    memset(kept, 1, (size_t)tree->size + 1);
    const pare_chunk_edits edits = {.kept = kept};
    require(pare_chunk_writer_write(tree, &edits, &out, NULL, NULL) == PARE_OK);
    require(out.size == size && (!size || memcmp(out.data, data, size) == 0));
    for (uint32_t mask = 0; mask < 4; mask++)
        write_parts(tree, mask, kept);
    pare_buffer_done(&out);
    pare_alloc_free(kept);
    pare_chunk_tree_unref(tree);
    return 0;
}
