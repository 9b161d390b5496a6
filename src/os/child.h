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

/* SIGTERM to one child, which may take its time; false as above. */
bool pare_child_terminate(pid_t pid);

/* waitid for one child, made again when a signal interrupts it; `options` as there.  `info`
 * and `usage` may be NULL.  False with errno: ECHILD (no number, or no child of ours). */
bool pare_child_wait(pid_t pid, int options, siginfo_t *info, struct rusage *usage);

/* Waits until the child has ended, and reaps it.  True when it exited by itself. */
bool pare_child_reap(pid_t pid);

/* A copy of this process, with the calling thread alone, that is killed when that thread ends, and leads a
 * process group of its own.  Returns its number, and 0 in the copy; -1 with errno.  *pidfd is readable
 * when it has ended, and -1 where the kernel has none; the caller owns both.  To be used where there are no
 * other threads: what they hold in the copy stays held. */
pid_t pare_child_copy(int *pidfd);

/* Whether the child, which is not reaped yet, was killed before it had executed a program; waits until
 * it has ended.  False where the kernel does not tell.  Cost: one system call for one that was not
 * killed. */
bool pare_child_was_killed_unexecuted(pid_t pid);

/* Kills, awaits and reaps the child of `pidfd`, and closes that.  False, and `pidfd` is left
 * alone, when it does not lead to a child of ours. */
bool pare_child_end_by_fd(int pidfd);

/* Opens the kernel's list of the children of `pid`'s main thread, close-on-exec; -1 with
 * errno.  It stays valid, and up to date, until the process is reaped. */
int pare_child_open_list(pid_t pid);

/* The first child in such a list; 0: none, or `list_fd` is negative.  Cost: one system call. */
pid_t pare_child_first(int list_fd);

/* ---- before a child executes its program ------------------------------------------------
 *
 * Functions for children that share our memory until then (os/spawn.h,
 * os/sandbox/namespace_sandbox.h): system calls only, by number, so that no sanitizer keeps books
 * on them, and no allocation.  errno is the parent's, which waits. */

/* Marks such a function: nothing of the sanitizers in it. */
#define PARE_IN_CHILD __attribute__((no_sanitize("address", "thread", "undefined"), noinline))

/* clone(2) of a child that shares our memory: its number, or -1 with errno.  `pidfd` may be NULL.
 *
 * ThreadSanitizer's own `clone` takes the child for one that has a copy, and switches itself off there,
 * which is in us: it would see no race any more in a program with threads. */
pid_t pare_child_clone(int (*function)(void *), void *stack_end, int flags, void *context,
                       int *pidfd);

/* Marks every descriptor from 3 on close-on-exec: what we inherited, or others of our
 * process opened without the mark, does not reach the program.  False with errno when the
 * kernel cannot (before Linux 5.11) and /proc does not list them either. */
bool pare_child_close_rest(void);

/* Where a process on the way to a test can be made to die, or to stop: in test builds
 * (PARE_FAULT_INJECTION), to show what is left then.  For one start at a time. */
typedef enum pare_start_point {
    PARE_POINT_NONE,
    PARE_POINT_GO_BETWEEN, /* in the cell, about to make the test */
    PARE_POINT_TEST,       /* in the test, about to execute its program */
    PARE_POINT_CLERK,      /* about to make the builder of a cell */
    PARE_POINT_BUILDER,    /* of a cell, about to wait for its maps */
    PARE_POINT_KEEPER      /* about to execute its program */
} pare_start_point;

#ifdef PARE_FAULT_INJECTION

/* Called by the process that has come to `point`: carries out what was planned for it. */
void pare_child_pass_point(pare_start_point point);

/* The next process that comes to `point` kills itself; NONE switches it off.  The next `times` of
 * them. */
void pare_child_die_at(pare_start_point point);
void pare_child_die_often_at(pare_start_point point, int times);

/* The next process that comes to `point` stops there and never goes on.  The process that passed a
 * point before it waits in the kernel (vfork) until it executes or ends. */
void pare_child_stop_at(pare_start_point point);

/* Lets children do without close_range, as on a kernel before 5.11, or with it again. */
void pare_child_lack_close_range(bool is_old);

/* Waits until a process has stopped where pare_child_stop_at said; returns the number of the one
 * that was the last to pass another point before that.  Any thread. */
pid_t pare_child_await_stop(void);

#else
static inline void pare_child_pass_point(pare_start_point point)
{
    (void)point;
}
#endif

#endif
