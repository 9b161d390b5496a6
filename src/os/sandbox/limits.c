/* Limits by what the machine has and what we are under. */
#include "os/sandbox/limits.h"

#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

static const uint64_t GIB = (uint64_t)1 << 30;

static void clamp(uint64_t *limit, int resource)
{
    struct rlimit own;
    if (*limit && !getrlimit((__rlimit_resource_t)resource, &own) &&
        own.rlim_max != RLIM_INFINITY && *limit > own.rlim_max)
        *limit = own.rlim_max;
}

void pare_limits_clamp(pare_limits *limits)
{
    clamp(&limits->memory_bytes, RLIMIT_DATA);
    clamp(&limits->cpu_s, RLIMIT_CPU);
    struct rlimit cpu; /* the last second is for SIGKILL */
    if (!getrlimit(RLIMIT_CPU, &cpu) && limits->cpu_s > 1 && limits->cpu_s == cpu.rlim_max)
        limits->cpu_s--;
    clamp(&limits->processes, RLIMIT_NPROC);
    clamp(&limits->file_bytes, RLIMIT_FSIZE);
}

/* What holds for this process is put back at once: only programs that are executed meanwhile
 * would see it. */
bool pare_limits_can_fix_addresses(void)
{
    const int now = personality(0xffffffff);
    if (now < 0 || personality((unsigned long)now | ADDR_NO_RANDOMIZE) < 0) return false;
    (void)personality((unsigned long)now);
    return true;
}

uint64_t pare_limits_machine_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
    return bytes > GIB ? bytes : GIB;
}

uint64_t pare_limits_file_bytes(void)
{
    uint64_t quarter = pare_limits_machine_bytes() / 4;
    return quarter > GIB ? quarter : GIB;
}
