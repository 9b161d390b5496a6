/* Time and what this process has used.  Any thread. */
#ifndef PARE_OS_CLOCK_H
#define PARE_OS_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* Monotonic time since an arbitrary start. */
uint64_t pare_clock_ns(void);
uint64_t pare_clock_ms(void);

/* Seconds since 1970, UTC. */
int64_t pare_clock_unix_s(void);
int64_t pare_clock_unix_ms(void); /* the same in milliseconds */

/* Lets this thread sleep until that time of pare_clock_ns; at once when it is past. */
void pare_clock_sleep_until(uint64_t ns);

/* CPU time of this process, all threads, children not counted. */
double pare_clock_cpu_s(void);

/* CPU time of the calling thread. */
double pare_clock_thread_cpu_s(void);

/* Largest resident memory of this process so far. */
size_t pare_clock_peak_rss_bytes(void);

#ifdef PARE_FAULT_INJECTION

/* Test builds only: the process, or the whole machine, can be made to stand still when the clock is
 * read, to show that the lost time is not counted as a test's own.  For one thread.
 *
 * The next `n` readings of the monotonic clock are as they are.  Before the one after them, once,
 * this process sleeps for `asleep_ms`, while others go on; then the clock jumps by `ahead_ms`.
 * SIZE_MAX switches it off. */
void pare_clock_stall_after(size_t n, unsigned asleep_ms, unsigned ahead_ms);

/* True when the planned stall has happened since it was planned. */
_Bool pare_clock_stalled(void);

#endif

#endif
