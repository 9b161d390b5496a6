/* Time and what this process has used. */
#include "os/clock.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

static uint64_t read_ns(clockid_t clock)
{
    struct timespec now = {0};
    (void)clock_gettime(clock, &now); /* cannot fail for the clocks used */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t pare_clock_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

uint64_t pare_clock_ms(void)
{
    return pare_clock_ns() / 1000000u;
}

void pare_clock_sleep_until(uint64_t ns)
{
    struct timespec end = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
        ;
}

double pare_clock_cpu_s(void)
{
    return (double)read_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e9;
}

double pare_clock_thread_cpu_s(void)
{
    return (double)read_ns(CLOCK_THREAD_CPUTIME_ID) / 1e9;
}

size_t pare_clock_peak_rss_bytes(void)
{
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss * 1024u; /* Linux counts in KiB */
}
