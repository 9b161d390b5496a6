/* Functions for children that share our memory until they execute a program (os/spawn.h,
 * os/sandbox/namespace_sandbox.h): system calls only, by number, so that no sanitizer keeps books on them, and
 * no allocation.  errno is the parent's, which waits. */
#ifndef PARE_OS_IN_CHILD_H
#define PARE_OS_IN_CHILD_H

#include <stdbool.h>

/* Marks such a function: nothing of the sanitizers in it. */
#define PARE_IN_CHILD __attribute__((no_sanitize("address", "thread", "undefined"), noinline))

/* Marks every descriptor from 3 on close-on-exec: what we inherited, or others of our
 * process opened without the mark, does not reach the program.  False with errno when the
 * kernel cannot (before Linux 5.11) and /proc does not list them either. */
bool pare_in_child_close_rest(void);

/* Where a helper process can be made to die: test builds (start_fault.h). */
typedef enum pare_start_point {
    PARE_POINT_NONE,
    PARE_POINT_GO_BETWEEN, /* in the cell, about to make the test */
    PARE_POINT_TEST,       /* in the test, about to execute its program */
    PARE_POINT_CLERK,      /* about to make the builder of a cell */
    PARE_POINT_BUILDER,    /* of a cell, about to wait for its maps */
    PARE_POINT_KEEPER      /* about to execute its program */
} pare_start_point;

#ifdef PARE_FAULT_INJECTION
void pare_in_child_pass(pare_start_point point);
#else
static inline void pare_in_child_pass(pare_start_point point)
{
    (void)point;
}
#endif

#endif
