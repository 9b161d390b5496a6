/* Signals and waits for children; see child.h for the invariant. */
#include "os/child.h"

#include <errno.h>
#include <stdint.h>
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

/* Only the system call itself tells the usage too. */
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

bool pare_child_end_by_fd(int pidfd)
{
    if (pidfd < 0 || !await(P_PIDFD, pidfd, WEXITED | WNOHANG | WNOWAIT, NULL, NULL)) return false;
    (void)pare_child_kill_by_fd(pidfd);
    (void)await(P_PIDFD, pidfd, WEXITED, NULL, NULL);
    (void)close(pidfd);
    return true;
}
