/* uname, the affinity mask, and the first model name of /proc/cpuinfo. */
#include "os/machine.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "os/cores.h"

enum { MODEL_BYTES = 120, START_BYTES = 2048 };

/* The name of the first processor; empty when nobody tells.  It stands near the start. */
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

void pare_machine_describe(char *text, size_t size)
{
    struct utsname system = {0};
    char model[MODEL_BYTES];
    unsigned n = pare_cores_count();
    find_model(model);
    if (uname(&system)) system.sysname[0] = '\0';
    (void)snprintf(text, size, "%s %s %s, %u processor%s%s%s%s", system.sysname, system.release,
                   system.machine, n, n == 1 ? "" : "s", *model ? " (" : "", model,
                   *model ? ")" : "");
}

int64_t pare_machine_time(void)
{
    return (int64_t)time(NULL);
}
