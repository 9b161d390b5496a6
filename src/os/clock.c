/* Time, and what this process has used of it: covers of clock_gettime and getrusage.
 *
 * Durations are measured by the monotonic clock alone: the time of day may be set while a
 * reduction runs, and a test would then seem to take an hour, or less than nothing.  What is
 * printed for people (reports) is the only use of the time of day.
 *
 * In test builds the monotonic clock can be made to jump at a chosen look (clock.h,
 * PARE_FAULT_INJECTION): that is how the process oracle's extended deadlines are tested
 * without a machine that sleeps.  Invariant: the clock never goes backwards, with or without
 * jumps. */
#include "os/clock.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

/* Nanoseconds of `clock` since its own start. */
static uint64_t read_ns(clockid_t clock)
{
    struct timespec now = {0};
    (void)clock_gettime(clock, &now); /* cannot fail for the clocks used */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#ifdef PARE_FAULT_INJECTION

/* How many looks are left before the planned stall; then what happens at it, and by how much
 * the clock is ahead since the last one. */
static size_t looks_left = SIZE_MAX;
static uint64_t asleep_ns, planned_ns, ahead_ns;

/* Counted in looks, since those are what a test of the caller can control. */
void pare_clock_stall_after(size_t n, unsigned asleep_ms, unsigned ahead_ms)
{
    looks_left = n;
    asleep_ns = asleep_ms * UINT64_C(1000000);
    planned_ns = ahead_ms * UINT64_C(1000000);
}

_Bool pare_clock_stalled(void)
{
    return looks_left == SIZE_MAX;
}

/* Nanoseconds that all stalls so far have taken; makes the planned one if its turn has come. */
static uint64_t stalls_ns(void)
{
    if (looks_left == SIZE_MAX) return ahead_ns;
    if (looks_left-- > 0) return ahead_ns;
    looks_left = SIZE_MAX;
    const struct timespec asleep = {.tv_nsec = (long)asleep_ns};
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &asleep, NULL);
    ahead_ns += planned_ns;
    return ahead_ns;
}
#else
static uint64_t stalls_ns(void)
{
    return 0;
}
#endif

/* Includes the stalls that tests have planned; in released builds there are none. */
uint64_t pare_clock_ns(void)
{
    const uint64_t stalled_ns = stalls_ns();
    return read_ns(CLOCK_MONOTONIC) + stalled_ns;
}

uint64_t pare_clock_ms(void)
{
    return pare_clock_ns() / 1000000u;
}

/* An absolute end is not moved by the signals that interrupt the sleep. */
void pare_clock_sleep_until(uint64_t ns)
{
    ns -= stalls_ns();
    struct timespec end = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
        ;
}

/* For people and file names only: it may jump. */
int64_t pare_clock_unix_s(void)
{
    return (int64_t)time(NULL);
}

int64_t pare_clock_unix_ms(void)
{
    return (int64_t)(read_ns(CLOCK_REALTIME) / 1000000);
}

/* User and system time together. */
double pare_clock_cpu_s(void)
{
    return (double)read_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e9;
}

double pare_clock_thread_cpu_s(void)
{
    return (double)read_ns(CLOCK_THREAD_CPUTIME_ID) / 1e9;
}

/* The largest since our start, which never falls. */
size_t pare_clock_peak_rss_bytes(void)
{
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss * 1024u; /* Linux counts in KiB */
}
