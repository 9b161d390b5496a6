/* What the machine is, for defaults and for figures that depend on it.  Any thread. */
#ifndef PARE_OS_MACHINE_H
#define PARE_OS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many processors this process may use, at least 1: what the affinity mask allows, so
 * taskset and containers count. */
unsigned pare_machine_processors(void);

/* Memory of the machine, bytes; at least 1 GiB is assumed. */
uint64_t pare_machine_memory_bytes(void);

/* Whether programs wait for processors: over the last minute there were on average more than twice as
 * many that wanted to run as there are processors.  False where nobody knows. */
bool pare_machine_is_busy(void);

/* Writes "Linux 6.1 x86_64, 2 processors (Some Model)" into `text`, cut to `size` bytes. */
void pare_machine_describe(char *text, size_t size);

#endif
