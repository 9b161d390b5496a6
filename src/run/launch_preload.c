/* Fork servers by preloading: one in each slot, one message a test in each direction. */
#include "run/launch_preload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "os/descriptor.h"
#include "os/executable.h"
#include "os/process_tree.h"
#include "os/sandbox/sandbox.h"
#include "os/spawn.h"
#include "run/launcher.h"
#include "run/server.h"
#include "run/shim/protocol.h"

enum {
    START_LIMIT_MS = 10000, /* for a program to come to its main */
    N_STANDARD = 3          /* descriptors at most: input, output, error */
};

struct slot {
    pare_server server;
    int socket; /* owned while there is a server */
    bool killed;
};

typedef struct preload_launcher {
    pare_launcher head;
    pare_launcher_home home;
    char *library;      /* owned: the shim's path */
    struct slot *slots; /* owned */
} preload_launcher;

static preload_launcher *of(pare_launcher *launcher)
{
    return (preload_launcher *)(void *)launcher;
}

/* The sentence for what the shim said. */
static const char *why(uint32_t word)
{
    switch (word) {
    case PARE_SHIM_THREADS: return "it starts threads before main";
    case PARE_SHIM_FILES: return "it opens files before main";
    case PARE_SHIM_OUTPUT: return "it prints before main";
    case PARE_SHIM_MEMORY: return "it shares memory before main";
    default: return "it does not come to a main of the C library's";
    }
}

static pare_status refuse(const char *path, const char *reason, pare_error *err)
{
    return pare_fail(err, PARE_E_UNSUPPORTED, "no fork server can be put into %s: %s", path,
                     reason);
}

/* Refuses by the file what would fail, or not do what it should. */
static pare_status check_program(const pare_launch *launch, pare_executable *program,
                                 pare_error *err)
{
    pare_status status = pare_executable_read(launch->path, program, err);
    if (status) return status;
    if (program->is_script || !program->is_elf)
        return refuse(launch->path, "it is a script, whose programs would start as before", err);
    if (!program->is_dynamic) return refuse(launch->path, "it is linked statically", err);
    if (program->is_setuid) return refuse(launch->path, "it is set-user-ID", err);
    return PARE_OK;
}

/* "LD_PRELOAD=[RUNTIME:]SHIM[:what the user has]". */
static pare_status name_preloads(const preload_launcher *self, const pare_launch *launch,
                                 const pare_executable *program, pare_buffer *text, pare_error *err)
{
    static const char own[] = "LD_PRELOAD=";
    pare_status status = pare_buffer_format(text, err, "%s%s%s%s", own, program->runtime,
                                            *program->runtime ? ":" : "", self->library);
    for (char *const *entry = launch->envp; *entry && !status; entry++)
        if (!strncmp(*entry, own, sizeof own - 1) && (*entry)[sizeof own - 1])
            status = pare_buffer_format(text, err, ":%s", *entry + sizeof own - 1);
    return status;
}

static void close_server(preload_launcher *self, unsigned k, pare_ending *ending)
{
    struct slot *slot = &self->slots[k];
    if (!slot->server.pid) return;
    pare_server_close(&slot->server, &self->home, k, ending);
    (void)close(slot->socket);
}

/* Waits for the server's first word. */
static pare_status greet(const struct slot *slot, const char *path, pare_error *err)
{
    uint32_t word = UINT32_MAX;
    if (!pare_descriptor_await(slot->socket, START_LIMIT_MS) ||
        recv(slot->socket, &word, sizeof word, 0) != (ssize_t)sizeof word)
        word = UINT32_MAX;
    return word == PARE_SHIM_READY ? PARE_OK : refuse(path, why(word), err);
}

static bool has_variable(const pare_launch *launch, const char *name)
{
    const size_t size = strlen(name);
    for (char *const *entry = launch->envp; *entry; entry++)
        if (!strncmp(*entry, name, size) && (*entry)[size] == '=') return true;
    return false;
}

/* Whether all functions are to be found before main.  Libraries that the program opens
 * itself would be bound at once too, which may fail for one that lacks what is not called. */
static bool binds_early(const pare_launch *launch, const pare_executable *program)
{
    return !program->opens_libraries && !has_variable(launch, PARE_SHIM_BIND_VARIABLE);
}

static pare_status open_with(preload_launcher *self, unsigned k, const pare_launch *launch,
                             const char *preloads, bool bind, int output_fd, pare_error *err)
{
    struct slot *slot = &self->slots[k];
    int ends[2];
    pare_status status = pare_descriptor_sockets(SOCK_SEQPACKET, PARE_SERVER_LEAST_FD, ends,
                                                 "a socket for a server of tests", err);
    if (status) return status;
    static const char bind_now[] = PARE_SHIM_BIND_VARIABLE "=" PARE_SHIM_BIND_VALUE;
    const char *const variables[] = {preloads, bind ? bind_now : NULL, NULL};
    const pare_spawn_fd socket = {.fd = ends[1], .as = PARE_SHIM_SOCKET_FD};
    const pare_server_start start = {.variables = variables,
                                     .input_fd = -1,
                                     .output_fd = output_fd,
                                     .error_fd = output_fd,
                                     .inherited = &socket,
                                     .n_inherited = 1};
    status = pare_server_open(&slot->server, &self->home, k, launch, &start, err);
    (void)close(ends[1]);
    if (status) {
        (void)close(ends[0]);
        return status;
    }
    slot->socket = ends[0];
    status = greet(slot, launch->path, err);
    if (!status) status = pare_server_hear(&slot->server, &self->home, k, slot->socket, err);
    if (status) close_server(self, k, NULL);
    return status;
}

/* Its output goes to a file at first, which tells whether there was any. */
static pare_status open_server(preload_launcher *self, unsigned k, const pare_launch *launch,
                               pare_error *err)
{
    pare_executable program;
    pare_buffer preloads = {0};
    pare_status status = check_program(launch, &program, err);
    if (!status) status = name_preloads(self, launch, &program, &preloads, err);
    if (!status) {
        int output_fd =
            pare_descriptor_raise(memfd_create("pare-output", MFD_CLOEXEC), PARE_SERVER_LEAST_FD);
        status = output_fd < 0
                     ? pare_fail_errno(err, errno, "cannot make a file for a server's output")
                     : open_with(self, k, launch, preloads.data, binds_early(launch, &program),
                                 output_fd, err);
        if (output_fd >= 0) (void)close(output_fd);
    }
    pare_buffer_done(&preloads);
    return status;
}

/* Sends the request; false when the server is dead. */
static bool ask(const struct slot *slot, const pare_launch *launch)
{
    const int standard[] = {launch->input_fd, launch->output_fd, launch->error_fd};
    int passed[N_STANDARD] = {-1, -1, -1};
    unsigned n = 0;
    pare_shim_request request = {0};
    for (unsigned k = 0; k < N_STANDARD; k++) {
        if (standard[k] < 0) continue;
        request.given |= 1u << k;
        passed[n++] = standard[k];
    }
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof passed)] = {0};
    struct iovec part = {.iov_base = &request, .iov_len = sizeof request};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (n) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(n * sizeof *passed);
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(n * sizeof *passed);
        memcpy(CMSG_DATA(head), passed, n * sizeof *passed);
    }
    return sendmsg(slot->socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof request;
}

static pare_status start(pare_launcher *launcher, unsigned k, const pare_launch *launch,
                         pare_error *err)
{
    preload_launcher *self = of(launcher);
    struct slot *slot = &self->slots[k];
    if (!pare_server_fits(&slot->server, launch, NULL) ||
        !pare_sandbox_is_ready(self->home.sandbox, k, launch->directory))
        close_server(self, k, NULL);
    bool asked = slot->server.pid && ask(slot, launch);
    if (!asked) { /* there was none, or it died between two tests */
        close_server(self, k, NULL);
        pare_status status = open_server(self, k, launch, err);
        if (status) return status;
        if (!ask(slot, launch)) {
            close_server(self, k, NULL);
            return refuse(launch->path, "its server dies", err);
        }
    }
    pare_process_tree_enter_served(self->home.family, k);
    slot->killed = false;
    return PARE_OK;
}

/* First the test alone, for the server may live on; when that is of no use, both. */
static void kill_test(pare_launcher *launcher, unsigned k)
{
    struct slot *slot = &of(launcher)->slots[k];
    if (slot->killed)
        pare_server_kill(&slot->server);
    else
        pare_server_kill_child(&slot->server);
    slot->killed = true;
}

static pare_status hear(pare_launcher *launcher, unsigned k, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    preload_launcher *self = of(launcher);
    pare_shim_end end = {.status = -1};
    ssize_t n;
    do {
        n = recv(self->slots[k].socket, &end, sizeof end, 0);
    } while (n < 0 && errno == EINTR);
    *ended = true;
    *ending = (pare_ending){.exit_code = -1, .usage = end.usage};
    if (n != (ssize_t)sizeof end || end.status == -1) {
        close_server(self, k, ending);
        ending->lost = true;
    } else if (WIFEXITED(end.status)) {
        ending->exit_code = WEXITSTATUS(end.status);
    } else {
        ending->signal = WTERMSIG(end.status);
    }
    pare_process_tree_leave_served(self->home.family, k);
    pare_sandbox_leave(self->home.sandbox, k);
    (void)err;
    return PARE_OK;
}

static void mute(pare_launcher *launcher, unsigned k)
{
    preload_launcher *self = of(launcher);
    pare_server_mute(&self->slots[k].server, &self->home);
}

static void destroy(pare_launcher *launcher)
{
    preload_launcher *self = of(launcher);
    for (unsigned k = 0; self->slots && k < self->home.family->n_slots; k++)
        close_server(self, k, NULL);
    pare_release(self->slots);
    pare_release(self->library);
    pare_release(self);
}

static const pare_launcher_ops ops = {
    .start = start, .kill = kill_test, .hear = hear, .mute = mute, .destroy = destroy};

pare_status pare_launch_preload_new(const pare_launcher_home *home, pare_launcher **out,
                                    pare_error *err)
{
    preload_launcher *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    *self = (preload_launcher){.head.ops = &ops, .home = *home};
    self->slots = pare_alloc_zero(home->family->n_slots, sizeof *self->slots);
    pare_status status = self->slots
                             ? pare_executable_find_own(PARE_SHIM_PRELOAD, &self->library, err)
                             : pare_fail_nomem(err);
    if (status)
        destroy(&self->head);
    else
        *out = &self->head;
    return status;
}
