/* What the machine is, for figures that depend on it.  Any thread. */
#ifndef PARE_OS_MACHINE_H
#define PARE_OS_MACHINE_H

#include <stddef.h>
#include <stdint.h>

/* Writes "Linux 6.1 x86_64, 2 processors (Some Model)" into `text`, cut to `size` bytes. */
void pare_machine_describe(char *text, size_t size);

/* Seconds since 1970, UTC. */
int64_t pare_machine_time(void);

#endif
