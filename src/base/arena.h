/* Memory that is given back all at once.
 *
 * An all-zero struct is an empty arena.  What it hands out lives until done.
 * One thread. */
#ifndef PARE_BASE_ARENA_H
#define PARE_BASE_ARENA_H

#include <stddef.h>

#include <pare/export.h>

typedef struct pare_arena {
    struct pare_arena_block *last; /* owned; chained to the earlier ones */
} pare_arena;

void pare_arena_done(pare_arena *arena); /* empties; all-zero is a no-op */

/* `size_bytes` bytes, aligned for any type, not initialised; NULL when memory is out. */
PARE_CHECK void *pare_arena_alloc(pare_arena *arena, size_t size_bytes);

/* Copy of `size_bytes` bytes with a NUL byte after them; NULL when memory is out. */
PARE_CHECK char *pare_arena_text(pare_arena *arena, const char *text, size_t size_bytes);

#endif
