/* The state machine that all server launchers share.
 *
 * Invariants of a slot: `pid` is not 0 exactly while the process tree knows a server there;
 * fds[PARE_SERVER_HEARD] is in the epoll exactly while there is a server that is not muted;
 * a test runs only where there is a server.
 *
 * A server is used again for the next launch if that asks for the same program (the same
 * file, unchanged), in the same folder, with the same words and, where the server holds
 * them, the same standard files.  It is cheaper to start another than to find out what a
 * server can be told to change.
 *
 * A server that turns out to be dead when a candidate is handed over, or that is killed at its
 * start, is replaced twice, since the candidate may not be to blame.  If a third one in a row dies
 * like this, PARE_E_LIMIT is returned, and the runner uses processes from then on.
 *
 * Why one process per slot and not one for all: tests of different slots run at the same
 * time, and a cell, a folder and a mark belong to one slot each. */
#include "run/server.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/executable.h"
#include "os/sandbox/sandbox.h"

enum {
    LOOK_NS = 10000000, /* between two looks at a program's file */
    SERVERS_TRIED = 3,  /* for one test */
    CLOSING_MS = 2000,  /* until a server whose files are closed has ended */
    FDS_BESIDE = 24     /* what we need of them above PARE_SERVER_LEAST_FD, at least */
};

static pare_server_launcher *of(pare_launcher *launcher)
{
    return (pare_server_launcher *)(void *)launcher;
}

/* Slots lie one after the other, each as large as its protocol's struct. */
pare_server *pare_server_of(const pare_server_launcher *self, unsigned k)
{
    assert(k < self->home.tree->n_slots);
    return (pare_server *)(void *)(self->slots + k * self->protocol->slot_bytes);
}

/* A refusal is no failure of the test's: the runner goes back to processes (runner.h). */
pare_status pare_server_refuse(const pare_server_launcher *self, const char *path,
                               const char *reason, pare_error *err)
{
    return pare_fail(err, PARE_E_UNSUPPORTED, "%s %s: %s", self->protocol->refusal, path, reason);
}

/* ---- what a server was started as --------------------------------------------------- */

/* Notes in *server the folder, the program's file, the words and the files of a launch. */
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
    server->output_fd = launch->output_fd;
    server->error_fd = launch->error_fd;
    server->looked_ns = 0;
    server->words = words.data; /* a plain block */
    server->words_size = words.size;
    return PARE_OK;
}

/* Device and inode: the path may lead to another file by now. */
static bool is_same_file(const struct stat *left, const struct stat *right)
{
    return left->st_dev == right->st_dev && left->st_ino == right->st_ino;
}

/* A program that was changed or replaced is another one. */
static bool is_same_program(const struct stat *left, const struct stat *right)
{
    return is_same_file(left, right) && left->st_size == right->st_size &&
           left->st_ctim.tv_sec == right->st_ctim.tv_sec &&
           left->st_ctim.tv_nsec == right->st_ctim.tv_nsec;
}

/* Whether the launch has the words that the server was started with.  The copy holds one word after
 * the other, each with its NUL, so no list of pointers is kept. */
static bool has_same_words(const pare_server *server, char *const *argv)
{
    size_t at = 0;
    for (; *argv && at < server->words_size; argv++) {
        if (strcmp(server->words + at, *argv) != 0) return false;
        at += strlen(*argv) + 1;
    }
    return !*argv && at == server->words_size;
}

/* Whether the files that the server has read are what they were.  They are looked at every
 * 10 ms at most: often enough for somebody who builds a program anew, and free for tests of
 * some microseconds. */
static bool has_same_files(const pare_server_protocol *protocol, pare_server *server,
                           const pare_launch *launch)
{
    struct stat now;
    const uint64_t now_ns = pare_clock_ns();
    if (now_ns - server->looked_ns < LOOK_NS) return true;
    server->looked_ns = now_ns;
    if (stat(launch->path, &now) || !is_same_program(&now, &server->program)) return false;
    return !protocol->has_same_files || protocol->has_same_files(server, launch);
}

/* Whether the server of slot `k` can run `launch`.  What needs no system call is
 * compared first, and files at most every 10 ms. */
static bool fits(const pare_server_launcher *self, unsigned k, const pare_launch *launch)
{
    const pare_server_protocol *protocol = self->protocol;
    pare_server *server = pare_server_of(self, k);
    struct stat now;
    if (protocol->keeps_output && server->output_fd != launch->output_fd) return false;
    if (protocol->keeps_error && server->error_fd != launch->error_fd) return false;
    if (server->is_muted || !has_same_words(server, launch->argv) ||
        fstat(launch->directory_fd, &now) || !is_same_file(&now, &server->folder))
        return false;
    return has_same_files(protocol, server, launch) &&
           pare_sandbox_is_ready(self->home.sandbox, k, launch->directory);
}

/* ---- opening and closing ------------------------------------------------------------ */

/* What the server was started as is noted before it is started.  On failure the words may be set
 * already; the caller's close releases them. */
pare_status pare_server_spawn(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                              const pare_server_start *start, pare_error *err)
{
    pare_server *server = pare_server_of(self, k);
    const pare_launcher_home *home = &self->home;
    pare_child child = {0};
    assert(!server->pid && !server->words);
    const char **environment = pare_spawn_environment(launch->envp, start->variables);
    pare_status status = environment ? describe(launch, server, err) : pare_fail_nomem(err);
    if (!status) {
        const pare_spawn order = {.path = start->path ? start->path : launch->path,
                                  .argv = start->path ? start->argv : launch->argv,
                                  .shell_argv = start->path ? NULL : launch->shell_argv,
                                  .envp = (char *const *)(const void *)environment,
                                  .directory_fd = launch->directory_fd,
                                  .directory = launch->directory,
                                  .limits = pare_sandbox_limits(home->sandbox),
                                  .input_fd = start->input_fd,
                                  .output_fd = start->output_fd,
                                  .error_fd = start->error_fd,
                                  .inherited = start->inherited,
                                  .n_inherited = start->n_inherited,
                                  .kind = PARE_SPAWN_TEST};
        status = pare_sandbox_start(home->sandbox, k, home->spawner, &order, &child, err);
    }
    pare_alloc_free(environment);
    if (status) return status; /* the caller closes the slot */
    server->pid = child.pid;
    server->pidfd = child.pidfd;
    server->children_fd = pare_child_open_list(child.pid);
    server->is_muted = false;
    pare_process_tree_serve(home->tree, k, child.pid);
    return PARE_OK;
}

/* Lets the epoll tell of the server of slot `k`: that it says something, and where its silence may
 * outlast it, that it has ended. */
static pare_status watch(const pare_server_launcher *self, unsigned k, pare_error *err)
{
    const pare_server *server = pare_server_of(self, k);
    const uint32_t what = k | PARE_LAUNCHER_SERVER;
    const int epoll_fd = self->home.epoll_fd;
    pare_status status = pare_descriptor_watch(epoll_fd, server->fds[PARE_SERVER_HEARD], what, err);
    if (!status && self->protocol->tells_end_by_pidfd)
        status = pare_descriptor_watch(epoll_fd, server->pidfd, what, err);
    return status;
}

/* No event of the server comes any more.  Taking out what is not in the epoll does no harm. */
static void unwatch(const pare_server_launcher *self, const pare_server *server)
{
    pare_descriptor_unwatch(self->home.epoll_fd, server->fds[PARE_SERVER_HEARD]);
    if (self->protocol->tells_end_by_pidfd)
        pare_descriptor_unwatch(self->home.epoll_fd, server->pidfd);
}

/* The order matters: no event, then no process, then no descriptor.  A server that cannot be ended
 * properly is `lost`, which says that nothing is known of the test in it. */
void pare_server_close(pare_server_launcher *self, unsigned k, pare_ending *ending)
{
    pare_server *server = pare_server_of(self, k);
    pare_ending ignored = {0};
    if (server->pid) {
        unwatch(self, server);
        if (pare_process_tree_end_server(self->home.tree, k, ending ? ending : &ignored, NULL) &&
            ending)
            *ending = (pare_ending){.exit_code = -1, .lost = true};
        pare_descriptor_close(&server->pidfd);
        pare_descriptor_close(&server->children_fd);
    }
    if (self->protocol->release) self->protocol->release(server);
    for (size_t i = 0; i < PARE_SERVER_FDS; i++)
        pare_descriptor_close(&server->fds[i]);
    pare_alloc_free(server->words);
    server->words = NULL;
    server->pid = 0;
}

/* Whether the process has ended.  One that is killed closes its files before it has ended, so where
 * nobody is left at the other end it is waited for; one that closed them itself goes on, and is
 * given up. */
static bool has_ended(const pare_server *server)
{
    struct pollfd heard = {.fd = server->fds[PARE_SERVER_HEARD]};
    const bool is_closing = poll(&heard, 1, 0) == 1 && heard.revents & POLLHUP;
    return server->pidfd >= 0 && pare_descriptor_await(server->pidfd, is_closing ? CLOSING_MS : 0);
}

/* Refuses where the numbers that a server's files have are above the limit of open files. */
static pare_status check_limit(const pare_server_launcher *self, const char *path, pare_error *err)
{
    struct rlimit files;
    char reason[96];
    const unsigned needed = PARE_SERVER_LEAST_FD + FDS_BESIDE;
    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= needed) return PARE_OK;
    (void)snprintf(reason, sizeof reason, "it needs %u open files (ulimit -n says %llu)", needed,
                   (unsigned long long)files.rlim_cur);
    return pare_server_refuse(self, path, reason, err);
}

/* Opens a server and watches it; nothing is left of one that fails.  *killed: somebody has killed
 * it before it could say what it can do. */
static pare_status open_server(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                               bool *killed, pare_error *err)
{
    pare_ending ending = {.exit_code = 0};
    pare_status status = check_limit(self, launch->path, err);
    if (!status) status = self->protocol->open(self, k, launch, err);
    if (!status) status = watch(self, k, err);
    const bool started = pare_server_of(self, k)->pid;
    *killed = status == PARE_E_UNSUPPORTED && started && has_ended(pare_server_of(self, k));
    if (status) pare_server_close(self, k, &ending);
    *killed = *killed && ending.signal == SIGKILL;
    return status;
}

/* ---- tests -------------------------------------------------------------------------- */

/* The slot's server is used if it fits, or replaced; a dead one is replaced too.  Whether it is
 * dead is found out by sending: any look before would be out of date when we send. */
static pare_status start(pare_launcher *launcher, unsigned k, const pare_launch *launch,
                         pare_error *err)
{
    pare_server_launcher *self = of(launcher);
    const pare_server_protocol *protocol = self->protocol;
    pare_server *server = pare_server_of(self, k);
    bool sent = false;
    pare_status status = protocol->check ? protocol->check(self, k, launch, err) : PARE_OK;
    if (!status && server->pid && !fits(self, k, launch)) pare_server_close(self, k, NULL);
    for (unsigned n = 0; !status && !sent && n < SERVERS_TRIED; n++) {
        bool killed = false;
        if (!server->pid) status = open_server(self, k, launch, &killed, err);
        if (killed) pare_fail_clear(err);
        if (killed) status = PARE_OK;
        if (!status && server->pid) status = protocol->send(self, k, launch, &sent, err);
        if (!status && !sent) pare_server_close(self, k, NULL);
    }
    if (status) return status;
    if (!sent)
        return pare_fail(err, PARE_E_LIMIT, "%s %s: its server died %d times in a row",
                         self->protocol->refusal, launch->path, SERVERS_TRIED);
    pare_process_tree_enter_served(self->home.tree, k);
    server->is_killed = server->is_test_killed = false;
    return PARE_OK;
}

/* Kills the one child of the server that runs a test; false when it has none.  The number may
 * pass to another process between the look and the open; a second look at the same list, with
 * the process held open, tells: a server makes no new child until it is asked to. */
static bool kill_child(const pare_server *server)
{
    pid_t pid = pare_child_first(server->children_fd);
    int pidfd = pare_child_is_number(pid) ? (int)syscall(SYS_pidfd_open, (long)pid, 0L) : -1;
    bool found = pidfd >= 0 && pare_child_first(server->children_fd) == pid;
    if (found) (void)pare_child_kill_by_fd(pidfd);
    pare_descriptor_close(&pidfd);
    return found;
}

/* First the test alone where that is possible, for the server may live on; when that is of no
 * use, both.  A server that shares a process with its tests is not used again. */
static void kill_test(pare_launcher *launcher, unsigned k)
{
    pare_server_launcher *self = of(launcher);
    pare_server *server = pare_server_of(self, k);
    bool alone = self->protocol->isolates_tests && !server->is_test_killed;
    if (!server->pid) return;
    server->is_test_killed = true;
    if (alone && kill_child(server)) return;
    /* Of one that isolates tests, the end is heard as the end of its socket. */
    if (!alone) server->is_killed = true;
    (void)pare_child_kill_by_fd(server->pidfd);
}

/* A cancelled test that is let go on: the answer mostly comes before another server could be
 * ready, and whoever gave the order kills later what does not answer. */
static void let_run(pare_launcher *launcher, unsigned k)
{
    (void)launcher;
    (void)k;
}

/* A server that was killed is not asked any more.  Whichever way a test ends, what it left is
 * swept before its slot is free. */
static pare_status hear(pare_launcher *launcher, unsigned k, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    pare_server_launcher *self = of(launcher);
    pare_status status = PARE_OK;
    *ended = pare_server_of(self, k)->is_killed;
    if (*ended) {
        pare_server_close(self, k, ending);
        ending->lost = true;
    } else {
        status = self->protocol->hear(self, k, ended, ending, err);
    }
    if (!*ended) return status;
    ending->n_left = pare_process_tree_leave_served(self->home.tree, k);
    if (self->protocol->isolates_tests) pare_sandbox_leave(self->home.sandbox, k);
    return status;
}

/* The next start will find that the server does not fit. */
static void mute(pare_launcher *launcher, unsigned k)
{
    pare_server_launcher *self = of(launcher);
    pare_server *server = pare_server_of(self, k);
    if (!server->pid || server->is_muted) return;
    if (self->protocol->may_go_on && self->protocol->may_go_on(server)) return;
    unwatch(self, server);
    server->is_muted = true;
}

/* Only for protocols that have one; see pare_server_new. */
static bool glance(pare_launcher *launcher, unsigned k)
{
    pare_server *server = pare_server_of(of(launcher), k);
    return !server->is_killed && of(launcher)->protocol->glance(server);
}

/* Asked also while the slot has no server: the protocol knows what its next one would do. */
static bool takes_bytes(const pare_launcher *launcher, unsigned k)
{
    const pare_server_launcher *self = (const pare_server_launcher *)(const void *)launcher;
    return self->protocol->takes_bytes && self->protocol->takes_bytes(pare_server_of(self, k));
}

/* What was reached is asked for test by test: the first question says that it will be. */
static unsigned char *coverage(pare_launcher *launcher, unsigned k, size_t *size_bytes)
{
    pare_server_launcher *self = of(launcher);
    self->wants_coverage = true;
    return self->protocol->coverage(pare_server_of(self, k), size_bytes);
}

/* ---- life --------------------------------------------------------------------------- */

/* No test runs any more; servers still do. */
static void destroy(pare_launcher *launcher)
{
    pare_server_launcher *self = of(launcher);
    for (unsigned k = 0; self->slots && k < self->home.tree->n_slots; k++) {
        pare_server_close(self, k, NULL);
        if (self->protocol->release_slot) self->protocol->release_slot(pare_server_of(self, k));
    }
    pare_alloc_free(self->slots);
    pare_alloc_free(self->library);
    pare_alloc_free(self);
}

/* Operations that a protocol does not have are NULL, so that nobody asks for them in vain. */
pare_status pare_server_new(const pare_server_protocol *protocol, const pare_launcher_home *home,
                            pare_launcher **out, pare_error *err)
{
    pare_server_launcher *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    *self = (pare_server_launcher){.ops = {.start = start,
                                           .kill = kill_test,
                                           .cancel = protocol->outlasts_cancel ? let_run : NULL,
                                           .hear = hear,
                                           .mute = mute,
                                           .glance = protocol->glance ? glance : NULL,
                                           .takes_bytes = takes_bytes,
                                           .coverage = protocol->coverage ? coverage : NULL,
                                           .destroy = destroy},
                                   .protocol = protocol,
                                   .home = *home};
    self->head.ops = &self->ops;
    self->slots = pare_alloc_zero(home->tree->n_slots, protocol->slot_bytes);
    for (unsigned k = 0; self->slots && k < home->tree->n_slots; k++)
        for (size_t i = 0; i < PARE_SERVER_FDS; i++)
            pare_server_of(self, k)->fds[i] = -1;
    pare_status status = self->slots ? PARE_OK : pare_fail_nomem(err);
    if (!status && protocol->library)
        status = pare_executable_find_own(protocol->library, &self->library, err);
    if (status)
        destroy(&self->head);
    else
        *out = &self->head;
    return status;
}
