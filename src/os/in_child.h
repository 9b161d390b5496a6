/* Functions for children that share our memory until they execute a program (os/spawn.h,
 * os/sandbox/namespace_sandbox.h): system calls only, by number, so that no sanitizer keeps books on them, and
 * no allocation.  errno is the parent's, which waits. */
#ifndef PARE_OS_IN_CHILD_H
#define PARE_OS_IN_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Marks such a function: nothing of the sanitizers in it. */
#define PARE_IN_CHILD __attribute__((no_sanitize("address", "thread", "undefined"), noinline))

/* Marks every descriptor from 3 on close-on-exec: what we inherited, or others of our
 * process opened without the mark, does not reach the program.  False with errno when the
 * kernel cannot (before Linux 5.11) and /proc does not list them either. */
bool pare_in_child_close_rest(void);

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

/* Comes to a point, where what was planned for it happens. */
void pare_in_child_pass(pare_start_point point);

/* The next process that comes to `point` kills itself; NONE switches it off. */
void pare_in_child_die_at(pare_start_point point);

/* The next process that comes to `point` stays there; it never goes on.  Who was the last
 * to pass the point before it waits in the kernel for that one to execute, or to end. */
void pare_in_child_stop_at(pare_start_point point);

/* Whether children do without close_range, as on a kernel before 5.11. */
void pare_in_child_lack_close_range(bool is_old);

/* Waits until a process has stopped there; returns the number of the one that was the last
 * to pass another point before.  Any thread. */
pid_t pare_in_child_await_stop(void);

#else
static inline void pare_in_child_pass(pare_start_point point)
{
    (void)point;
}
#endif

#endif
