/* Child processes: the system calls that take a process number, after one check; and what a child
 * does in our memory before it executes a program.
 *
 * Invariant: no number below 2 ever reaches kill or waitid.  A zero left over from an
 * initialiser, or a minus one from a failed clone, would otherwise kill the session of the
 * user who runs us; that has happened to other tools that kill by number.
 * Numbers are used rather than pidfds where the kernel takes nothing else (groups, waiting
 * for usage); a pidfd is preferred wherever a process may have been reaped by somebody else.
 * Sources: waitid(2), pidfd_send_signal(2), proc(5) for the list of children. */

#include "os/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3 /* Linux 5.4 */
#endif

bool pare_child_is_number(pid_t pid)
{
    return pid > 1; /* 1 is init, or we ourselves */
}

/* SIGKILL: nothing else is sure to end a program under test. */
bool pare_child_kill(pid_t pid)
{
    return pare_child_is_number(pid) && !kill(pid, SIGKILL);
}

/* The number of a group is its leader's. */
bool pare_child_kill_group(pid_t leader)
{
    return pare_child_is_number(leader) && !kill(-leader, SIGKILL);
}

bool pare_child_kill_by_fd(int pidfd)
{
    return pidfd >= 0 && !syscall(SYS_pidfd_send_signal, (long)pidfd, (long)SIGKILL, NULL, 0L);
}

bool pare_child_terminate(pid_t pid)
{
    return pare_child_is_number(pid) && !kill(pid, SIGTERM);
}

/* The C library's waitid does not tell the usage of resources; the system call does. */
static bool await(long type, long number, int options, siginfo_t *info, struct rusage *usage)
{
    siginfo_t ignored = {.si_pid = 0};
    long failed;
    do {
        failed = syscall(SYS_waitid, type, number, info ? info : &ignored, (long)options, usage);
    } while (failed && errno == EINTR);
    return !failed;
}

/* A number that is no process of ours fails as the kernel would: with ECHILD. */
bool pare_child_wait(pid_t pid, int options, siginfo_t *info, struct rusage *usage)
{
    if (pare_child_is_number(pid)) return await(P_PID, pid, options, info, usage);
    errno = ECHILD;
    return false;
}

/* For children that end soon: it waits without a limit. */
bool pare_child_reap(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return pare_child_wait(pid, WEXITED, &info, NULL) && info.si_code == CLD_EXITED;
}

/* By the C library's fork, which keeps locks that are shared between processes in order. */
pid_t pare_child_copy(int *pidfd)
{
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid > 0) {
        (void)setpgid(pid, pid);
        *pidfd = (int)syscall(SYS_pidfd_open, (long)pid, 0L);
    }
    if (pid) return pid;
    (void)setpgid(0, 0);
    /* If our parent died before prctl took effect, nobody will tell us. */
    if (prctl(PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L) || getppid() != parent) _exit(1);
    return 0;
}

/* The flags of a process, which /proc tells of one that is not reaped too; 0: they are not known.
 * Its name may contain anything, brackets and blanks too. */
static unsigned long flags_of(pid_t pid)
{
    char path[64], text[512];
    unsigned long flags = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) (void)close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *rest = strrchr(text, ')');
    return rest && sscanf(rest, ") %*c %*d %*d %*d %*d %*d %lu", &flags) == 1 ? flags : 0;
}

/* Waits, though it has ended: a pidfd tells of the end of a traced process before the tracer has
 * taken note of it, and until then waitid sees nothing. */
bool pare_child_was_killed_unexecuted(pid_t pid)
{
    const unsigned long forked_but_not_executed = 0x40; /* the kernel's PF_FORKNOEXEC */
    siginfo_t info = {.si_pid = 0};
    if (!pare_child_wait(pid, WEXITED | WNOWAIT, &info, NULL)) return false;
    return info.si_code == CLD_KILLED && info.si_status == SIGKILL &&
           flags_of(pid) & forked_but_not_executed;
}

/* The first look does not reap: it only tells whether the pidfd is a child's. */
bool pare_child_end_by_fd(int pidfd)
{
    if (pidfd < 0 || !await(P_PIDFD, pidfd, WEXITED | WNOHANG | WNOWAIT, NULL, NULL)) return false;
    (void)pare_child_kill_by_fd(pidfd);
    (void)await(P_PIDFD, pidfd, WEXITED, NULL, NULL);
    (void)close(pidfd);
    return true;
}

/* Only children of the main thread are listed; those of other threads are in the lists of these. */
int pare_child_open_list(pid_t pid)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* The list is made anew for each read at its beginning. */
pid_t pare_child_first(int list_fd)
{
    char text[32] = "";
    ssize_t n = list_fd < 0 ? 0 : pread(list_fd, text, sizeof text - 1, 0);
    return n > 0 ? (pid_t)strtol(text, NULL, 10) : 0;
}

/* ---- before a child executes its program ------------------------------------------------
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

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

enum { FIRST_FD = 3 };

#if defined(__SANITIZE_THREAD__)
#define THREADS_ARE_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREADS_ARE_WATCHED 1
#endif
#endif

#ifdef THREADS_ARE_WATCHED
/* glibc's other name of it, which is nobody else's. */
int __clone(int (*function)(void *), void *stack_end, int flags, void *context, ...);
#define clone __clone
#endif

PARE_IN_CHILD pid_t pare_child_clone(int (*function)(void *), void *stack_end, int flags,
                                     void *context, int *pidfd)
{
    return clone(function, stack_end, flags, context, pidfd);
}

/* An entry as getdents64 writes it, up to its name. */
struct entry {
    uint64_t inode, offset;
    unsigned short size;
    unsigned char type;
    char name[];
};

/* The number that a name in /proc/self/fd is; -1: "." and "..". */
PARE_IN_CHILD static long number_of(const char *name)
{
    long number = 0;
    if (*name < '0' || *name > '9') return -1;
    for (; *name >= '0' && *name <= '9'; name++)
        number = number * 10 + (*name - '0');
    return number;
}

/* Marks the descriptors one by one, as /proc lists them.  False with errno when it does not, or not
 * to the end. */
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

/* A single system call on kernels since 5.11. */
PARE_IN_CHILD bool pare_child_close_rest(void)
{
    if (!lacks_close_range &&
        !syscall(SYS_close_range, (long)FIRST_FD, (long)UINT_MAX, (long)CLOSE_RANGE_CLOEXEC))
        return true;
    return mark_listed();
}

#ifdef PARE_FAULT_INJECTION

/* Points at which the next process dies, or stops; who passed a point last; whom the stopped
 * one keeps waiting. */
static _Atomic int deadly, n_deadly, stopping;
static _Atomic pid_t last_passed, waits_for;

/* Plans hold for the next process of any slot: one start at a time. */
void pare_child_die_often_at(pare_start_point point, int times)
{
    atomic_store(&n_deadly, times);
    atomic_store(&deadly, point);
}

void pare_child_die_at(pare_start_point point)
{
    pare_child_die_often_at(point, 1);
}

/* Forgets which points were passed before: only the start that is to be stopped counts. */
void pare_child_stop_at(pare_start_point point)
{
    atomic_store(&last_passed, 0);
    atomic_store(&waits_for, 0);
    atomic_store(&stopping, point);
}

void pare_child_lack_close_range(bool is_old)
{
    atomic_store(&lacks_close_range, is_old);
}

/* By looking again and again: there is nothing in a stopped child that could wake us. */
pid_t pare_child_await_stop(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    pid_t pid;
    while (!(pid = atomic_load(&waits_for)))
        (void)nanosleep(&moment, NULL);
    return pid;
}

/* May only use system calls and atomics: this runs in the child, which shares our errno. A plan is
 * taken back before it is carried out, so that it holds for exactly as many processes as it
 * says. */
PARE_IN_CHILD void pare_child_pass_point(pare_start_point point)
{
    pid_t self = (pid_t)syscall(SYS_getpid);
    int expected = (int)point;
    if (atomic_load(&deadly) == expected) {
        if (atomic_fetch_sub(&n_deadly, 1) == 1) atomic_store(&deadly, PARE_POINT_NONE);
        (void)syscall(SYS_kill, (long)self, (long)SIGKILL);
    }
    if (atomic_compare_exchange_strong(&stopping, &expected, PARE_POINT_NONE)) {
        atomic_store(&waits_for, atomic_load(&last_passed));
        for (;;)
            (void)syscall(SYS_ppoll, NULL, 0L, NULL, NULL, 0L);
    }
    atomic_store(&last_passed, self);
}

#endif
