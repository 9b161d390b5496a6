/* Child processes: the system calls that take a process number, after one check.
 *
 * Invariant: no number below 2 ever reaches kill or waitid.  A zero left over from an
 * initialiser, or a minus one from a failed clone, would otherwise kill the session of the
 * user who runs us; that has happened to other tools that kill by number.
 * Numbers are used rather than pidfds where the kernel takes nothing else (groups, waiting
 * for usage); a pidfd is preferred wherever a process may have been reaped by somebody else.
 * Sources: waitid(2), pidfd_send_signal(2), proc(5) for the list of children. */
#include "os/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3 /* Linux 5.4 */
#endif

bool pare_child_is_number(pid_t pid)
{
    return pid > 1; /* 1 is init, or we ourselves */
}

bool pare_child_kill(pid_t pid)
{
    return pare_child_is_number(pid) && !kill(pid, SIGKILL);
}

bool pare_child_kill_group(pid_t leader)
{
    return pare_child_is_number(leader) && !kill(-leader, SIGKILL);
}

bool pare_child_kill_by_fd(int pidfd)
{
    return pidfd >= 0 && !syscall(SYS_pidfd_send_signal, (long)pidfd, (long)SIGKILL, NULL, 0L);
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

bool pare_child_wait(pid_t pid, int options, siginfo_t *info, struct rusage *usage)
{
    if (pare_child_is_number(pid)) return await(P_PID, pid, options, info, usage);
    errno = ECHILD;
    return false;
}

bool pare_child_reap(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return pare_child_wait(pid, WEXITED, &info, NULL) && info.si_code == CLD_EXITED;
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
