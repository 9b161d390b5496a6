/* The flags of a thread.
 *
 * Invariant: what a look has found the next one finds, too, until other flags are watched; loops
 * without a status rely on it.  Relaxed loads are enough: nothing is read that the setter of a flag
 * wrote before it.
 *
 * A thread's own state rather than a parameter: see docs/design/decisions.md, "A stop reaches every
 * loop". */
#include "base/interrupt.h"

#include <stdint.h>

#include "base/fail.h"

static _Thread_local pare_interrupt watched;

#ifdef PARE_FAULT_INJECTION
static _Thread_local size_t looks, most_looks = SIZE_MAX;

void pare_interrupt_after(size_t n)
{
    looks = 0;
    most_looks = n;
}

size_t pare_interrupt_looks(void)
{
    return looks;
}

/* Counts a look; whether the test has this one find the work unwanted. */
static bool is_test_unwanted(void)
{
    return looks++ >= most_looks;
}
#else
static bool is_test_unwanted(void)
{
    return false;
}
#endif

pare_interrupt pare_interrupt_watch(pare_interrupt flags)
{
    const pare_interrupt before = watched;
    watched = flags;
    return before;
}

pare_interrupt pare_interrupt_watched(void)
{
    return watched;
}

static bool is_set(const atomic_bool *flag)
{
    return flag && atomic_load_explicit(flag, memory_order_relaxed);
}

bool pare_interrupt_asked(void)
{
    if (!watched.flags[0] && !watched.flags[1]) return false;
    return is_test_unwanted() || is_set(watched.flags[0]) || is_set(watched.flags[1]);
}

pare_status pare_interrupt_look(pare_error *err)
{
    if (!pare_interrupt_asked()) return PARE_OK;
    return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
}
