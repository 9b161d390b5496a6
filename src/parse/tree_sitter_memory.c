/* tree-sitter's allocator: small blocks are cut from chunks, and all go when the parse ends.
 *
 * A parse of a large text makes millions of blocks of some ten to a hundred bytes.  From the heap
 * each would cost a head for the heap and one for the ring by which it is found after a jump, and
 * when they are freed their holes stay in the process.  Chunks are given back whole.
 * Within a parse a block that is given back is taken again for one of its size class (multiples
 * of sixteen bytes): segregated free lists, as in Wilson et al., "Dynamic storage allocation: a
 * survey and critical review", IWMM 1995.  Blocks above the largest class, and all that is
 * allocated outside of a parse (a language being opened), come from the heap.
 *
 * Invariant: a block's head says its size and whether it came from the heap by itself, so that
 * it can be given back at any time.
 * Source of the allocator's contract: tree-sitter's lib/src/alloc.h. */
#include "parse/tree_sitter_memory.h"

#ifdef PARE_HAVE_TREE_SITTER

#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "base/alloc.h"
#include "base/interrupt.h"

enum {
    STEP = 16, /* sizes of blocks, heads included, are multiples of it */
    CHUNK_BYTES = 256 << 10
};

/* Stands right before a block's bytes, which are aligned to sixteen. */
struct head {
    uint32_t from_heap; /* 1: it ends a struct heap_head */
    uint32_t size;      /* of others: bytes of the block, its head included */
};

/* Before the bytes of a block from the heap. */
struct heap_head {
    pare_tree_sitter_block ring;
    size_t size; /* bytes that follow */
    struct head head;
};

/* Blocks stand after it, the first one's head at once. */
struct pare_tree_sitter_chunk {
    struct pare_tree_sitter_chunk *next;
};

static_assert(sizeof(struct head) == 8 && sizeof(struct pare_tree_sitter_chunk) % STEP == 8,
              "the first block's bytes are aligned");
static_assert(sizeof(struct heap_head) % alignof(max_align_t) == 0,
              "the bytes of a block from the heap are aligned");

static _Thread_local pare_tree_sitter_memory *current;

/* The head of the block that begins at `memory`. */
static struct head *head_of(void *memory)
{
    return (struct head *)memory - 1;
}

static struct heap_head *heap_head_of(void *memory)
{
    assert(head_of(memory)->from_heap);
    return (struct heap_head *)memory - 1;
}

/* Leaves the parse by a jump.  Outside of one tree-sitter gets NULL: only a language's opening
 * allocates there, and little. */
static void *no_memory(void)
{
    if (current) longjmp(current->out_of_memory, 1);
    return NULL;
}

/* --- blocks from the heap ------------------------------------------------------------------ */

/* Puts a block into the ring of the parse that is going on; outside of one it is a ring of its
 * own, so that unlinking needs no case. */
static void *link_heap(struct heap_head *block)
{
    pare_tree_sitter_block *ring = &block->ring, *anchor = current ? &current->large : ring;
    ring->next = current ? anchor->next : ring;
    ring->previous = anchor;
    ring->next->previous = ring;
    anchor->next = ring;
    return block + 1;
}

static void unlink_heap(struct heap_head *block)
{
    block->ring.next->previous = block->ring.previous;
    block->ring.previous->next = block->ring.next;
}

/* Half of SIZE_MAX is refused, so that adding the head cannot overflow. */
static void *take_heap(size_t size)
{
    struct heap_head *block = size < SIZE_MAX / 2 ? pare_alloc(1, sizeof *block + size) : NULL;
    if (!block) return no_memory();
    block->size = size;
    block->head = (struct head){.from_heap = 1};
    return link_heap(block);
}

/* The same block, larger or smaller; on failure the old one is still tree-sitter's. */
static void *resize_heap(void *memory, size_t size)
{
    struct heap_head *block = heap_head_of(memory), *moved;
    /* Off the ring meanwhile, and back on it if the jump is going to free it. */
    unlink_heap(block);
    moved = size < SIZE_MAX / 2 ? pare_alloc_resize(block, 1, sizeof *block + size) : NULL;
    if (!moved) {
        link_heap(block);
        return no_memory();
    }
    moved->size = size;
    return link_heap(moved);
}

/* --- blocks from chunks -------------------------------------------------------------------- */

/* A new chunk; what is left of the one before stays unused. */
static bool add_chunk(pare_tree_sitter_memory *memory)
{
    struct pare_tree_sitter_chunk *chunk = pare_alloc(1, CHUNK_BYTES);
    if (!chunk) return false;
    chunk->next = memory->chunks;
    memory->chunks = chunk;
    memory->at = (char *)(chunk + 1);
    memory->end = (char *)chunk + CHUNK_BYTES;
    return true;
}

/* A block of `size` bytes, its head included: one that was given back, else a new one. */
static void *take_small(pare_tree_sitter_memory *memory, size_t size)
{
    size_t class = size / STEP - 1;
    void *block = memory->free_blocks[class];
    if (block) {
        memcpy(&memory->free_blocks[class], block, sizeof block);
        return block;
    }
    if ((size_t)(memory->end - memory->at) < size && !add_chunk(memory)) return no_memory();
    *(struct head *)memory->at = (struct head){.size = (uint32_t)size};
    block = memory->at + sizeof(struct head);
    memory->at += size;
    return block;
}

static void give_back_small(pare_tree_sitter_memory *memory, void *block)
{
    size_t class = head_of(block)->size / STEP - 1;
    assert(class < PARE_TREE_SITTER_CLASSES);
    memcpy(block, &memory->free_blocks[class], sizeof block);
    memory->free_blocks[class] = block;
}

/* --- what tree-sitter calls ------------------------------------------------------------------ */

/* A parse takes many thousand blocks in a millisecond, so that it is interrupted here. */
void *pare_tree_sitter_memory_take(size_t size)
{
    enum { LARGEST = PARE_TREE_SITTER_CLASSES * STEP };
    if (current && pare_interrupt_asked_at(current->n_taken++)) return no_memory();
    if (!current || size > LARGEST - sizeof(struct head)) return take_heap(size);
    return take_small(current, (size + sizeof(struct head) + STEP - 1) / STEP * STEP);
}

void *pare_tree_sitter_memory_take_zero(size_t count, size_t size)
{
    /* calloc's own check: the product may not wrap round. */
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return no_memory();
    void *block = pare_tree_sitter_memory_take(bytes);
    if (block) memset(block, 0, bytes);
    return block;
}

/* Chunks belong to a parse, so outside of one no block lies in a chunk. */
void pare_tree_sitter_memory_give_back(void *memory)
{
    if (!memory) return;
    if (head_of(memory)->from_heap) {
        unlink_heap(heap_head_of(memory));
        pare_alloc_free(heap_head_of(memory));
    } else {
        assert(current);
        give_back_small(current, memory);
    }
}

void *pare_tree_sitter_memory_resize(void *memory, size_t size)
{
    if (!memory) return pare_tree_sitter_memory_take(size);
    if (head_of(memory)->from_heap) return resize_heap(memory, size);
    size_t room = head_of(memory)->size - sizeof(struct head);
    if (size <= room) return memory;
    void *larger = pare_tree_sitter_memory_take(size);
    if (!larger) return NULL;
    memcpy(larger, memory, room);
    pare_tree_sitter_memory_give_back(memory);
    return larger;
}

void pare_tree_sitter_memory_look(void)
{
    if (current && pare_interrupt_asked()) (void)no_memory();
}

/* --- parses --------------------------------------------------------------------------------- */

static void set_allocator(void)
{
    ts_set_allocator(pare_tree_sitter_memory_take, pare_tree_sitter_memory_take_zero,
                     pare_tree_sitter_memory_resize, pare_tree_sitter_memory_give_back);
}

void pare_tree_sitter_memory_use(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, set_allocator);
}

void pare_tree_sitter_memory_begin(pare_tree_sitter_memory *memory)
{
    assert(!current && "a parse does not start another one");
    memory->large.next = memory->large.previous = &memory->large;
    memory->chunks = NULL;
    memory->at = memory->end = NULL;
    memory->n_taken = 0;
    memset((void *)memory->free_blocks, 0, sizeof memory->free_blocks);
    current = memory;
}

/* After a jump tree-sitter's objects are unreachable, but their blocks are all here. */
void pare_tree_sitter_memory_end(pare_tree_sitter_memory *memory)
{
    assert(current == memory);
    current = NULL;
    while (memory->large.next != &memory->large)
        /* Blocks are unlinked one by one, so the ring is empty at last. */
        pare_tree_sitter_memory_give_back((struct heap_head *)memory->large.next + 1);
    while (memory->chunks) {
        struct pare_tree_sitter_chunk *chunk = memory->chunks;
        memory->chunks = chunk->next;
        pare_alloc_free(chunk);
    }
}

#endif
