/* The inside of a pare_stop (pare/stop.h), for code that waits for a stop. */
#ifndef PARE_OS_STOP_H
#define PARE_OS_STOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <pare/stop.h>

/* Descriptor that becomes, and stays, readable once a stop is requested; -1 for
 * NULL.  Owned by `stop`: poll it, do not read it. */
int pare_stop_fd(const pare_stop *stop);

/* The flag itself, for loops that look at it (base/interrupt.h); NULL for NULL. */
const atomic_bool *pare_stop_flag(const pare_stop *stop);

/* True once a stop is requested; false for NULL.  Any thread. */
bool pare_stop_requested(const pare_stop *stop);

/* True while it is paused; false for NULL.  Any thread. */
bool pare_stop_is_paused(const pare_stop *stop);

/* The step that the run was ended for to go on from (pare_stop_go_from); the stop is none any more then,
 * and phases that were to be left belong to the run that has ended.  0: there is none, or a stop was
 * requested besides; also for NULL.  Only where no test runs and nobody waits for the descriptor. */
uint64_t pare_stop_take_step(pare_stop *stop);

/* How many phases were to be left so far; 0 for NULL.  Any thread. */
unsigned pare_stop_phases_skipped(const pare_stop *stop);

/* How often somebody wanted to see what a test prints; 0 for NULL.  Any thread. */
unsigned pare_stop_outputs_wanted(const pare_stop *stop);

#endif
