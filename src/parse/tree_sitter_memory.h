/* The memory of one parse by tree-sitter.
 *
 * tree-sitter does not look at what its allocator gives, so a failure leaves it by a jump, and
 * what it had allocated is found again here: all memory of a parse goes with the parse.  A parse
 * that is not wanted any more (base/interrupt.h) is left in the same way.  One
 * parse at a time in a thread; the state is the thread's, since the allocator is told nothing.
 * Where the build has no tree-sitter, nothing here does anything. */
#ifndef PARE_PARSE_TREE_SITTER_MEMORY_H
#define PARE_PARSE_TREE_SITTER_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

enum { PARE_TREE_SITTER_CLASSES = 64 }; /* of small blocks, by multiples of sixteen bytes */

/* A block that came from the heap by itself: they are linked in a ring. */
typedef struct pare_tree_sitter_block {
    struct pare_tree_sitter_block *next, *previous;
} pare_tree_sitter_block;

/* A parse that is going on; on the stack of who starts it. */
typedef struct pare_tree_sitter_memory {
    jmp_buf out_of_memory; /* set by the caller between begin and the first call of tree-sitter */
    pare_tree_sitter_block large; /* the ring's anchor */
    struct pare_tree_sitter_chunk *chunks;
    char *at, *end;                              /* what is free in the newest chunk */
    void *free_blocks[PARE_TREE_SITTER_CLASSES]; /* given back; each begins with the next one */
    size_t n_taken;                              /* blocks, to look at interruptions by */
} pare_tree_sitter_memory;

/* Makes tree-sitter allocate here; once for the process, before the first language is opened. */
void pare_tree_sitter_memory_use(void);

/* What tree-sitter calls: as malloc, calloc, realloc and free, but that in a parse a failure jumps
 * to `out_of_memory`.  Bytes are aligned to sixteen. */
void *pare_tree_sitter_memory_take(size_t size);
void *pare_tree_sitter_memory_take_zero(size_t count, size_t size);
void *pare_tree_sitter_memory_resize(void *memory, size_t size); /* NULL: takes */
void pare_tree_sitter_memory_give_back(void *memory);            /* NULL is a no-op */

/* Leaves the parse by the jump if it is not wanted any more. */
void pare_tree_sitter_memory_look(void);

/* Begins a parse in this thread, which may not be in one already. */
void pare_tree_sitter_memory_begin(pare_tree_sitter_memory *memory);

/* Ends it: frees everything that it allocated, whatever way it was left. */
void pare_tree_sitter_memory_end(pare_tree_sitter_memory *memory);

#endif
