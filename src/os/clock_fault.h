/* Test builds only (PARE_FAULT_INJECTION): lets the process, or the whole machine, stand
 * still at one look at the clock, to show that nothing takes that time for a test's own.
 * For one thread. */
#ifndef PARE_OS_CLOCK_FAULT_H
#define PARE_OS_CLOCK_FAULT_H

#include <stddef.h>
#include <stdint.h>

/* Lets `n` looks at the monotonic clock be; before the next one this process sleeps for
 * `asleep_ms`, in which others go on, and then the clock is `ahead_ms` further than it was.
 * Once; SIZE_MAX switches it off. */
void pare_clock_stall_after(size_t n, unsigned asleep_ms, unsigned ahead_ms);

/* True when the planned stall has happened since it was planned. */
_Bool pare_clock_stalled(void);

#endif
