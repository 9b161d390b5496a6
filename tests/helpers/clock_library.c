/* Preloaded: a machine whose clock is wrong by PARE_CLOCK_OFF_S seconds.
 *
 * Only the time of day is moved; the clock that measures how long something takes goes on as it is, which
 * is what a machine with a wrong date has.  Waiting until a time of day, as libnats does, is waiting until
 * the right one: the kernel does not know that the clock is wrong. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long off_s(void)
{
    const char *text = getenv("PARE_CLOCK_OFF_S");
    return text ? strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    const int failed = (int)syscall(SYS_clock_gettime, clock, out);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        out->tv_sec += off_s();
    return failed;
}

time_t time(time_t *out)
{
    struct timespec now = {.tv_sec = 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct timespec now = {.tv_sec = 0};
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict lock,
                           const struct timespec *restrict until)
{
    union {
        void *found;
        int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    } real = {.found = dlsym(RTLD_NEXT, "pthread_cond_timedwait")};
    const struct timespec right = {.tv_sec = until->tv_sec - off_s(), .tv_nsec = until->tv_nsec};
    return real.wait(condition, lock, &right);
}
