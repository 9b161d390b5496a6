/* The only way to the heap.
 *
 * Every allocation of the library goes through here, so that a test build can
 * make the n-th one fail and sizes are multiplied without overflow.  Any thread. */
#ifndef PARE_BASE_ALLOC_H
#define PARE_BASE_ALLOC_H

#include <stddef.h>

#include <pare/export.h>

/* `count` objects of `size_bytes` each, not initialised; NULL when memory is
 * out or the product overflows.  Zero objects give a pointer to free. */
PARE_CHECK void *pare_alloc(size_t count, size_t size_bytes);

/* The same, filled with zero bytes. */
PARE_CHECK void *pare_alloc_zero(size_t count, size_t size_bytes);

/* Changes the size of `block` (NULL: allocates); NULL leaves `block` alone. */
PARE_CHECK void *pare_alloc_resize(void *block, size_t count, size_t size_bytes);

/* Copy of `size_bytes` bytes with a NUL byte after them. */
PARE_CHECK char *pare_alloc_text(const char *text, size_t size_bytes);

void pare_alloc_free(void *block); /* NULL is a no-op */

#ifdef PARE_FAULT_INJECTION

/* Test builds only: one allocation can be made to fail, to show that every path out of memory is
 * a clean one.  The counters are per thread.
 *
 * Lets `n` allocations of this thread succeed and fails the next one, once;
 * SIZE_MAX switches failing off. */
void pare_alloc_fault_after(size_t n);

/* True when the planned failure has happened since it was planned. */
_Bool pare_alloc_fault_hit(void);

/* Blocks allocated by this thread and not yet released (by any thread that
 * released them through this one); a test compares it before and after. */
long pare_alloc_live(void);

/* Takes over `blocks` that another thread, which has ended, has allocated. */
void pare_alloc_adopt(long blocks);

#endif

#endif
