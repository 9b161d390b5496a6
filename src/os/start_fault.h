/* Test builds only (PARE_FAULT_INJECTION): lets one of the processes that start a test die
 * at a chosen moment.  For one start at a time. */
#ifndef PARE_OS_START_FAULT_H
#define PARE_OS_START_FAULT_H

#include <sys/types.h>

#include "os/in_child.h"

/* The next process that comes to `point` kills itself; NONE switches it off. */
void pare_start_fault_die_at(pare_start_point point);

/* The next process that comes to `point` stays there; it never goes on.  Who was the last
 * to pass the point before it waits in the kernel for that one to execute, or to end. */
void pare_start_fault_stop_at(pare_start_point point);

/* Whether children do without close_range, as on a kernel before 5.11. */
void pare_start_fault_old_kernel(bool is_old);

/* Waits until a process has stopped there; gives the number of the one that was the last
 * to pass another point before.  Any thread. */
pid_t pare_start_fault_await(void);

#endif
