/* Child processes by number: killing, waiting, reaping, and the list of a process's children.
 *
 * kill(0), kill(-1) and kill(-0) reach our own group, or every process of the user: the
 * numbers 0, 1 and below are refused here, in every build.  Nobody else in src/ calls kill
 * with a signal, or waitid (scripts/check_layers.sh looks).
 *
 * A number is safe to use as long as its process is a child of ours that is not reaped yet.
 * Any thread. */
#ifndef PARE_OS_CHILD_H
#define PARE_OS_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Whether `pid` can be the number of a child: 2 or more. */
bool pare_child_is_number(pid_t pid);

/* SIGKILL to one child; to the group that it leads; to the process of a pidfd.  False when
 * nothing was sent: the number is none, or there is no such process. */
bool pare_child_kill(pid_t pid);
bool pare_child_kill_group(pid_t leader);
bool pare_child_kill_by_fd(int pidfd);

/* waitid for one child, made again when a signal interrupts it; `options` as there.  `info`
 * and `usage` may be NULL.  False with errno: ECHILD (no number, or no child of ours). */
bool pare_child_wait(pid_t pid, int options, siginfo_t *info, struct rusage *usage);

/* Waits until the child has ended, and reaps it.  True when it exited by itself. */
bool pare_child_reap(pid_t pid);

/* Kills, awaits and reaps the child of `pidfd`, and closes that.  False, and `pidfd` is left
 * alone, when it does not lead to a child of ours. */
bool pare_child_end_by_fd(int pidfd);

/* Opens the kernel's list of the children of `pid`'s main thread, close-on-exec; -1 with
 * errno.  It stays valid, and up to date, until the process is reaped. */
int pare_child_open_list(pid_t pid);

/* The first child in such a list; 0: none, or `list_fd` is negative.  Cost: one system call. */
pid_t pare_child_first(int list_fd);

#endif
