/* The processors of the affinity mask. */
#include "os/cores.h"

#include <sched.h>

unsigned pare_cores_count(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set)) return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (unsigned)n : 1;
}
