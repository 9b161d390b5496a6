/* How many processors this process may use.  Any thread. */
#ifndef PARE_OS_CORES_H
#define PARE_OS_CORES_H

/* At least 1; what the affinity mask allows, so taskset and containers count. */
unsigned pare_cores_count(void);

#endif
