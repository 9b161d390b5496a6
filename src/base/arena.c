/* Memory that is given back all at once: a chain of blocks, each cut from the front.
 * A request that is large for a block gets one of its own. */
#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

enum { BLOCK_BYTES = 8192 };

/* A block, cut from the front: bytes 0 .. used-1 are handed out.  `bytes` is aligned for any type,
 * and so is every piece, as sizes are rounded up. */
struct pare_arena_block {
    struct pare_arena_block *earlier;
    size_t used, size; /* bytes */
    alignas(max_align_t) unsigned char bytes[];
};

/* Block by block, from the last to the first. */
void pare_arena_done(pare_arena *arena)
{
    while (arena->last) {
        struct pare_arena_block *block = arena->last;
        arena->last = block->earlier;
        pare_alloc_free(block);
    }
}

/* Only the last block is looked at; what is left in earlier ones is given up.  That wastes at most
 * one request's size for each block and keeps this O(1). */
void *pare_arena_alloc(pare_arena *arena, size_t size_bytes)
{
    enum { ALIGN = alignof(max_align_t) };
    if (size_bytes > SIZE_MAX / 2) return NULL;
    size_t needed = (size_bytes + ALIGN - 1) / ALIGN * ALIGN;
    struct pare_arena_block *block = arena->last;
    if (!block || block->size - block->used < needed) {
        size_t size = needed > BLOCK_BYTES ? needed : BLOCK_BYTES;
        block = pare_alloc(1, sizeof *block + size);
        if (!block) return NULL;
        *block = (struct pare_arena_block){.earlier = arena->last, .size = size};
        arena->last = block;
    }
    void *out = block->bytes + block->used;
    assert(block->used % ALIGN == 0 && block->size - block->used >= needed);
    block->used += needed;
    return out;
}

/* One NUL more than the text, so that it can be handed out as a string. */
char *pare_arena_text(pare_arena *arena, const char *text, size_t size_bytes)
{
    char *copy = pare_arena_alloc(arena, size_bytes + 1);
    if (!copy) return NULL;
    if (size_bytes) memcpy(copy, text, size_bytes);
    copy[size_bytes] = '\0';
    return copy;
}
