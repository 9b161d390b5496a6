/* Servers: started by the spawner, known to the family. */
#include "run/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
#include "base/status.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/sandbox/namespace_sandbox.h"
#include "os/sandbox/sandbox.h"

enum { LOOK_NS = 10000000 }; /* between two looks at a program's file */

/* Notes in *server the folder, the program's file and the words of a launch. */
static pare_status describe(const pare_launch *launch, pare_server *server, pare_error *err)
{
    pare_buffer words = {0};
    pare_status status = PARE_OK;
    if (fstat(launch->directory_fd, &server->folder))
        return pare_fail_errno(err, errno, "cannot look at the folder of a test");
    if (stat(launch->path, &server->program))
        return pare_fail_errno(err, errno, "cannot look at %s", launch->path);
    for (char *const *word = launch->argv; *word && !status; word++)
        status = pare_buffer_add(&words, *word, strlen(*word) + 1, err);
    if (status) {
        pare_buffer_done(&words);
        return status;
    }
    server->words = words.data; /* a plain block */
    server->words_size = words.size;
    return PARE_OK;
}

static bool is_same_file(const struct stat *left, const struct stat *right)
{
    return left->st_dev == right->st_dev && left->st_ino == right->st_ino;
}

/* A program that is changed or removed meanwhile is another one. */
static bool is_same_program(const struct stat *left, const struct stat *right)
{
    return is_same_file(left, right) && left->st_size == right->st_size &&
           left->st_ctim.tv_sec == right->st_ctim.tv_sec &&
           left->st_ctim.tv_nsec == right->st_ctim.tv_nsec;
}

static bool has_same_words(const pare_server *server, char *const *argv)
{
    size_t at = 0;
    for (; *argv && at < server->words_size; argv++) {
        if (strcmp(server->words + at, *argv) != 0) return false;
        at += strlen(*argv) + 1;
    }
    return !*argv && at == server->words_size;
}

bool pare_server_fits(pare_server *server, const pare_launch *launch, bool *look)
{
    struct stat now;
    if (look) *look = false;
    if (!server->pid || server->is_muted || !has_same_words(server, launch->argv) ||
        fstat(launch->directory_fd, &now) || !is_same_file(&now, &server->folder))
        return false;
    const uint64_t now_ns = pare_clock_ns();
    if (now_ns - server->looked_ns < LOOK_NS) return true;
    server->looked_ns = now_ns;
    if (look) *look = true;
    return !stat(launch->path, &now) && is_same_program(&now, &server->program);
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

pare_status pare_server_open(pare_server *server, const pare_launcher_home *home, unsigned slot,
                             const pare_launch *launch, const pare_server_start *start,
                             pare_error *err)
{
    pare_child child = {0};
    pare_server made = {.heard_fd = -1};
    const char **environment = extend(launch->envp, start->variables);
    pare_status status = environment ? describe(launch, &made, err) : pare_fail_nomem(err);
    const pare_namespace_sandbox *cell = NULL;
    if (!status) status = pare_sandbox_enter(home->sandbox, slot, launch->directory, &cell, err);
    if (!status) {
        const pare_spawn order = {.path = start->path ? start->path : launch->path,
                                  .argv = start->path ? start->argv : launch->argv,
                                  .shell_argv = start->path ? NULL : launch->shell_argv,
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
        pare_release(made.words);
        return status;
    }
    made.pid = child.pid;
    made.pidfd = child.pidfd;
    made.children_fd = pare_child_open_list(child.pid);
    *server = made;
    pare_process_tree_serve(home->family, slot, child.pid);
    return PARE_OK;
}

pare_status pare_server_hear(pare_server *server, const pare_launcher_home *home, unsigned slot,
                             int fd, pare_error *err)
{
    pare_status status =
        pare_descriptor_watch(home->epoll_fd, fd, slot | PARE_LAUNCHER_SERVER, err);
    if (!status) server->heard_fd = fd;
    return status;
}

void pare_server_mute(pare_server *server, const pare_launcher_home *home)
{
    if (!server->pid) return;
    pare_descriptor_unwatch(home->epoll_fd, server->heard_fd);
    server->heard_fd = -1;
    server->is_muted = true;
}

void pare_server_close(pare_server *server, const pare_launcher_home *home, unsigned slot,
                       pare_ending *ending)
{
    pare_ending ignored = {0};
    if (!server->pid) return;
    pare_descriptor_unwatch(home->epoll_fd, server->heard_fd);
    if (pare_process_tree_end_server(home->family, slot, ending ? ending : &ignored, NULL)) {
        if (ending) *ending = (pare_ending){.exit_code = -1, .lost = true};
    }
    (void)close(server->pidfd);
    if (server->children_fd >= 0) (void)close(server->children_fd);
    pare_release(server->words);
    *server = (pare_server){0};
}

void pare_server_kill(const pare_server *server)
{
    if (server->pid) (void)pare_child_kill_by_fd(server->pidfd);
}

/* The number may pass to another process between the look and the open; a second look
 * at the same list, with the process held open, tells: a server makes no new child until
 * it is asked to. */
void pare_server_kill_child(const pare_server *server)
{
    pid_t pid = server->pid ? pare_child_first(server->children_fd) : 0;
    int pidfd = pare_child_is_number(pid) ? (int)syscall(SYS_pidfd_open, (long)pid, 0L) : -1;
    if (pidfd >= 0 && pare_child_first(server->children_fd) == pid)
        (void)pare_child_kill_by_fd(pidfd);
    else
        pare_server_kill(server);
    if (pidfd >= 0) (void)close(pidfd);
}
