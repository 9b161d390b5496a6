/* The one module that may call the C library's allocator.
 *
 * Invariant: pare_alloc_live() counts the blocks handed out and not taken
 * back, in test builds. */
#include "base/alloc.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef PARE_FAULT_INJECTION

/* Fault injection: the number of allocations of this thread that will succeed before one fails. Per
 * thread, because a test asks about its own calls, whatever other threads allocate meanwhile. */
static _Thread_local size_t allocations_left = SIZE_MAX;
static _Thread_local bool fault_hit;
static _Thread_local long live_blocks;

/* Forgets an earlier plan, and whether it was carried out. */
void pare_alloc_fault_after(size_t n)
{
    allocations_left = n;
    fault_hit = false;
}

bool pare_alloc_fault_hit(void)
{
    return fault_hit;
}

/* Counts this thread's allocations: see the header. */
long pare_alloc_live(void)
{
    return live_blocks;
}

/* Negative where that thread has freed more than it had allocated. */
void pare_alloc_adopt(long blocks)
{
    live_blocks += blocks;
}

static bool refused(void)
{
    if (allocations_left == SIZE_MAX) return false;
    if (allocations_left-- > 0) return false;
    allocations_left = SIZE_MAX;
    fault_hit = true;
    return true;
}

static void count(long blocks)
{
    live_blocks += blocks;
}
#else
static bool refused(void)
{
    return false;
}

static void count(long blocks)
{
    (void)blocks;
}
#endif

/* Bytes to ask the system for, at least 1; 0 when the product overflows. */
static size_t product(size_t number, size_t size_bytes)
{
    size_t total;
    if (__builtin_mul_overflow(number, size_bytes, &total)) return 0;
    return total ? total : 1;
}

/* A size of 0 gives a block too: so NULL always means that memory is out, for callers with empty
 * lists. */
void *pare_alloc(size_t number, size_t size_bytes)
{
    size_t total = product(number, size_bytes);
    void *block = total && !refused() ? malloc(total) : NULL;
    if (block) count(1);
    return block;
}

/* calloc instead of malloc and memset: the system's pages are zero already. */
void *pare_alloc_zero(size_t number, size_t size_bytes)
{
    size_t total = product(number, size_bytes);
    void *block = total && !refused() ? calloc(1, total) : NULL;
    if (block) count(1);
    return block;
}

/* The old block stays valid when this fails, as with realloc. */
void *pare_alloc_resize(void *block, size_t number, size_t size_bytes)
{
    size_t total = product(number, size_bytes);
    void *bigger = total && !refused() ? realloc(block, total) : NULL;
    if (bigger && !block) count(1);
    return bigger;
}

/* `text` need not end in a NUL byte; the copy does. */
char *pare_alloc_text(const char *text, size_t size_bytes)
{
    if (size_bytes == SIZE_MAX) return NULL;
    char *copy = pare_alloc(size_bytes + 1, 1);
    if (!copy) return NULL;
    if (size_bytes) memcpy(copy, text, size_bytes);
    copy[size_bytes] = '\0';
    return copy;
}

/* NULL is a no-op, and does not count as a block. */
void pare_alloc_free(void *block)
{
    if (block) count(-1);
    free(block);
}
