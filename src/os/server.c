/* Servers: started by the spawner, known to the family. */
#include "os/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum { FIRST_HIGH_FD = 256 }; /* above those that a server gets (shim/protocol.h, AFL's) */

int pare_server_high_fd(int fd)
{
    if (fd < 0) return -1;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_HIGH_FD);
    int cause = errno;
    (void)close(fd);
    errno = cause;
    return high;
}

pare_status pare_server_sockets(int type, int ends[2], pare_error *err)
{
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends))
        return pare_fail_errno(err, errno, "cannot make a socket for a server of tests");
    ends[0] = pare_server_high_fd(ends[0]);
    ends[1] = pare_server_high_fd(ends[1]);
    if (ends[0] >= 0 && ends[1] >= 0) return PARE_OK;
    int cause = errno;
    for (int k = 0; k < 2; k++)
        if (ends[k] >= 0) (void)close(ends[k]);
    return pare_fail_errno(err, cause, "cannot make a socket for a server of tests");
}

bool pare_server_await(int fd, int timeout_ms)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int n;
    do {
        n = poll(&ready, 1, timeout_ms);
    } while (n < 0 && errno == EINTR);
    return n > 0;
}

/* The folder, the program's file and the words of a launch, as one text.  A program that
 * is changed or removed meanwhile is another one. */
static pare_status describe(const pare_launch *launch, pare_buffer *text, pare_error *err)
{
    struct stat folder = {.st_ino = 0}, program = {.st_ino = 0};
    if (fstat(launch->directory_fd, &folder))
        return pare_fail_errno(err, errno, "cannot look at the folder of a test");
    if (stat(launch->path, &program))
        return pare_fail_errno(err, errno, "cannot look at %s", launch->path);
    pare_status status = pare_buffer_format(
        text, err, "%ju:%ju %ju:%ju:%jd:%jd.%ld", (uintmax_t)folder.st_dev,
        (uintmax_t)folder.st_ino, (uintmax_t)program.st_dev, (uintmax_t)program.st_ino,
        (intmax_t)program.st_size, (intmax_t)program.st_ctim.tv_sec, program.st_ctim.tv_nsec);
    for (char *const *word = launch->argv; *word && !status; word++)
        status = pare_buffer_format(text, err, "\n%s", *word);
    return status;
}

bool pare_server_fits(const pare_server *server, const pare_launch *launch)
{
    pare_buffer text = {0};
    bool fits =
        server->pid && !describe(launch, &text, NULL) && !strcmp(text.data, server->launched_as);
    pare_buffer_done(&text);
    return fits;
}

static bool sets_same(const char *entry, const char *variable)
{
    size_t size = strcspn(variable, "=") + 1;
    return !strncmp(entry, variable, size);
}

/* The launch's environment with `variables` in the place of their namesakes; an owned
 * list of borrowed entries, NULL when there is no memory. */
static const char **extend(char *const *envp, const char *const *variables)
{
    size_t n = 0, n_more = 0, used = 0;
    while (envp[n])
        n++;
    while (variables && variables[n_more])
        n_more++;
    const char **made = pare_alloc(n + n_more + 1, sizeof *made);
    if (!made) return NULL;
    for (size_t k = 0; k < n; k++) {
        bool replaced = false;
        for (size_t m = 0; m < n_more; m++)
            replaced = replaced || sets_same(envp[k], variables[m]);
        if (!replaced) made[used++] = envp[k];
    }
    for (size_t m = 0; m < n_more; m++)
        made[used++] = variables[m];
    made[used] = NULL;
    return made;
}

pare_status pare_server_open(pare_server *server, const pare_server_home *home, unsigned slot,
                             const pare_launch *launch, const pare_server_start *start,
                             pare_error *err)
{
    pare_child child = {0};
    pare_buffer text = {0};
    const char **environment = extend(launch->envp, start->variables);
    pare_status status = environment ? describe(launch, &text, err) : pare_fail_nomem(err);
    const pare_cell *cell = NULL;
    if (!status) status = pare_sandbox_enter(home->sandbox, slot, launch->directory, &cell, err);
    if (!status) {
        const pare_spawn order = {.path = start->path ? start->path : launch->path,
                                  .argv = start->path ? start->argv : launch->argv,
                                  .envp = (char *const *)(const void *)environment,
                                  .directory_fd = launch->directory_fd,
                                  .directory = launch->directory,
                                  .cell = cell,
                                  .limits = pare_sandbox_limits(home->sandbox),
                                  .input_fd = start->input_fd,
                                  .output_fd = start->output_fd,
                                  .error_fd = start->error_fd,
                                  .inherited = start->inherited,
                                  .n_inherited = start->n_inherited,
                                  .kind = PARE_SPAWN_TEST};
        status = pare_spawner_start(home->spawner, &order, &child, err);
    }
    pare_release(environment);
    if (status) {
        pare_buffer_done(&text);
        return status;
    }
    *server = (pare_server){.pid = child.pid, .pidfd = child.pidfd, .launched_as = text.data};
    pare_family_serve(home->family, slot, child.pid);
    return PARE_OK;
}

void pare_server_close(pare_server *server, const pare_server_home *home, unsigned slot,
                       pare_ending *ending)
{
    pare_ending ignored = {0};
    if (!server->pid) return;
    if (pare_family_end_server(home->family, slot, ending ? ending : &ignored, NULL)) {
        if (ending) *ending = (pare_ending){.exit_code = -1, .lost = true};
    }
    (void)close(server->pidfd);
    pare_release(server->launched_as);
    *server = (pare_server){0};
}

void pare_server_kill(const pare_server *server)
{
    if (server->pid)
        (void)syscall(SYS_pidfd_send_signal, (long)server->pidfd, (long)SIGKILL, NULL, 0L);
}

/* The first child in the kernel's list of a process's children; 0: none. */
static pid_t first_child(pid_t parent)
{
    char path[64], text[32] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    (void)close(fd);
    return n > 0 ? (pid_t)strtol(text, NULL, 10) : 0;
}

bool pare_server_has_children(pid_t pid)
{
    return first_child(pid) != 0;
}

/* The number may pass to another process between the look and the open; a second look
 * at the same list, with the process held open, tells: a server makes no new child until
 * it is asked to. */
void pare_server_kill_child(const pare_server *server)
{
    pid_t pid = server->pid ? first_child(server->pid) : 0;
    int pidfd = pid > 1 ? (int)syscall(SYS_pidfd_open, (long)pid, 0L) : -1;
    if (pidfd >= 0 && first_child(server->pid) == pid)
        (void)syscall(SYS_pidfd_send_signal, (long)pidfd, (long)SIGKILL, NULL, 0L);
    else
        pare_server_kill(server);
    if (pidfd >= 0) (void)close(pidfd);
}
