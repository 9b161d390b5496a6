/* The inside of a pare_stop (pare/stop.h), for code that waits for a stop. */
#ifndef PARE_OS_STOP_H
#define PARE_OS_STOP_H

#include <stdbool.h>

#include <pare/stop.h>

/* Descriptor that becomes, and stays, readable once a stop is requested; -1 for
 * NULL.  Owned by `stop`: poll it, do not read it. */
int pare_stop_fd(const pare_stop *stop);

/* True once a stop is requested; false for NULL.  Any thread. */
bool pare_stop_requested(const pare_stop *stop);

#endif
