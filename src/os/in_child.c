/* What a child of ours does in our memory before it executes a program: the parts that tests
 * and the processes that make name spaces share.
 *
 * Descriptors are marked close-on-exec rather than closed: an emulator copies the child, and
 * then a pipe that closes tells us that it has executed (os/spawn.c). close_range marks them
 * all at once; before Linux 5.11 they are listed by /proc and marked one by one.
 *
 * Invariant: nothing here calls the C library but for its syscall function, allocates, or
 * touches memory of ours other than its own stack (and, in test builds, the points below).
 *
 * In test builds a process can be made to die or stop at each point on its way: there is no
 * other way to show what is left when the kernel, or somebody's `kill -9`, hits just there. */
#include "os/in_child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

enum { FIRST_FD = 3 };

/* What getdents64 writes, up to the name. */
struct entry {
    uint64_t inode, offset;
    unsigned short size;
    unsigned char type;
    char name[];
};

/* The number that a name is, or -1. */
PARE_IN_CHILD static long number_of(const char *name)
{
    long number = 0;
    if (*name < '0' || *name > '9') return -1;
    for (; *name >= '0' && *name <= '9'; name++)
        number = number * 10 + (*name - '0');
    return number;
}

/* One by one, as /proc lists them. */
PARE_IN_CHILD static bool mark_listed(void)
{
    _Alignas(struct entry) char text[2048];
    long n = 0, folder = syscall(SYS_openat, (long)AT_FDCWD, "/proc/self/fd",
                                 (long)(O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0L);
    if (folder < 0) return false;
    while ((n = syscall(SYS_getdents64, folder, text, (long)sizeof text)) > 0) {
        for (long at = 0; at < n;) {
            const struct entry *entry = (const struct entry *)(const void *)(text + at);
            long fd = number_of(entry->name);
            if (fd >= FIRST_FD) (void)syscall(SYS_fcntl, fd, (long)F_SETFD, (long)FD_CLOEXEC);
            at += entry->size;
        }
    }
    int cause = errno;
    (void)syscall(SYS_close, folder);
    errno = cause;
    return n == 0;
}

#ifdef PARE_FAULT_INJECTION
static _Atomic bool lacks_close_range;
#else
enum { lacks_close_range = false };
#endif

/* One system call on kernels since 5.11. */
PARE_IN_CHILD bool pare_in_child_close_rest(void)
{
    if (!lacks_close_range &&
        !syscall(SYS_close_range, (long)FIRST_FD, (long)UINT_MAX, (long)CLOSE_RANGE_CLOEXEC))
        return true;
    return mark_listed();
}

#ifdef PARE_FAULT_INJECTION

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

/* Points at which the next process dies, or stops; who passed a point last; whom the stopped
 * one keeps waiting. */
static _Atomic int deadly, stopping;
static _Atomic pid_t last_passed, waits_for;

void pare_in_child_die_at(pare_start_point point)
{
    atomic_store(&deadly, point);
}

void pare_in_child_stop_at(pare_start_point point)
{
    atomic_store(&last_passed, 0);
    atomic_store(&waits_for, 0);
    atomic_store(&stopping, point);
}

void pare_in_child_lack_close_range(bool is_old)
{
    atomic_store(&lacks_close_range, is_old);
}

pid_t pare_in_child_await_stop(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    pid_t pid;
    while (!(pid = atomic_load(&waits_for)))
        (void)nanosleep(&moment, NULL);
    return pid;
}

/* Only system calls and atomics: this is the child, and its errno is ours. */
PARE_IN_CHILD void pare_in_child_pass(pare_start_point point)
{
    pid_t self = (pid_t)syscall(SYS_getpid);
    int expected = point;
    if (atomic_compare_exchange_strong(&deadly, &expected, PARE_POINT_NONE))
        (void)syscall(SYS_kill, (long)self, (long)SIGKILL);
    expected = point;
    if (atomic_compare_exchange_strong(&stopping, &expected, PARE_POINT_NONE)) {
        atomic_store(&waits_for, atomic_load(&last_passed));
        for (;;)
            (void)syscall(SYS_ppoll, NULL, 0L, NULL, NULL, 0L);
    }
    atomic_store(&last_passed, self);
}

#endif
