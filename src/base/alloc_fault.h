/* Test builds only (PARE_FAULT_INJECTION): makes one allocation fail, to show
 * that every path out of memory is a clean one.  The counters are per thread. */
#ifndef PARE_BASE_ALLOC_FAULT_H
#define PARE_BASE_ALLOC_FAULT_H

#include <stddef.h>

/* Lets `n` allocations of this thread succeed and fails the next one, once;
 * SIZE_MAX switches failing off. */
void pare_alloc_fault_after(size_t n);

/* True when the planned failure has happened since it was planned. */
_Bool pare_alloc_fault_hit(void);

/* Blocks allocated by this thread and not yet released (by any thread that
 * released them through this one); a test compares it before and after. */
long pare_alloc_live(void);

#endif
