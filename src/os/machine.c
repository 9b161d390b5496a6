/* What the machine has: processors, memory, a description of it.
 *
 * Everything is asked anew at each call, since a container's limits may change while we run.
 * What cannot be found out is assumed small (1 processor, 1 GiB) or left out of the
 * description; nothing here fails.
 * Processors are those of the affinity mask, not those of the machine: taskset and the
 * cpusets of containers count. */
#include "os/machine.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MODEL_BYTES = 120, START_BYTES = 2048 };

static const uint64_t GIB = (uint64_t)1 << 30;

/* cpu_set_t holds 1,024 processors; on a machine with more the call fails, and we take one. */
unsigned pare_machine_processors(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set)) return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (unsigned)n : 1;
}

/* Of the machine: limits of a container are not asked for. */
uint64_t pare_machine_memory_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
    return bytes > GIB ? bytes : GIB;
}

/* Twice: with as many tests at once as there are processors, our own tests are one of them. */
bool pare_machine_is_busy(void)
{
    double load = 0;
    return getloadavg(&load, 1) == 1 && load > 2.0 * pare_machine_processors();
}

/* Reads the model of the first processor from /proc/cpuinfo, where it stands near the start;
 * "" when it is not there, as on some architectures. */
static void find_model(char model[static MODEL_BYTES])
{
    static const char key[] = "model name";
    char text[START_BYTES + 1];
    *model = '\0';
    int fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    ssize_t size = read(fd, text, START_BYTES);
    (void)close(fd);
    text[size > 0 ? size : 0] = '\0';
    const char *line = strstr(text, key);
    const char *colon = line ? strchr(line, ':') : NULL;
    if (!colon) return;
    colon += 1 + strspn(colon + 1, " \t");
    (void)snprintf(model, MODEL_BYTES, "%.*s", (int)strcspn(colon, "\n"), colon);
}

/* For reports: figures of two machines are not to be compared. */
void pare_machine_describe(char *text, size_t size)
{
    struct utsname system = {0};
    char model[MODEL_BYTES];
    unsigned n = pare_machine_processors();
    find_model(model);
    if (uname(&system)) system.sysname[0] = '\0';
    (void)snprintf(text, size, "%s %s %s, %u processor%s%s%s%s", system.sysname, system.release,
                   system.machine, n, n == 1 ? "" : "s", *model ? " (" : "", model,
                   *model ? ")" : "");
}
