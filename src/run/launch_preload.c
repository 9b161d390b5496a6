/* The protocol of our own fork server, which is put into a program by preloading
 * (src/run/shim/preload.c): each test is a fork at the start of the program's main.
 *
 * One message a test in each direction: we send the test's standard files, the server sends
 * the exit status and the usage of the child that it forked.  Nothing of a test stays in the
 * server, so its endings are believed as those of new processes are.
 *
 * What is saved is the start of the program: loading, relocation, and, since functions are
 * bound before main where that is safe, most of the binding.  A program that cannot be
 * served is refused before anything was tested: a script, one that is linked statically or
 * set-user-ID by a look at its file; one that starts threads, opens files, prints or shares
 * memory before main by what the shim says.
 * Sources: the fork server of AFL, whose idea it is; ld.so(8) for LD_PRELOAD and
 * LD_BIND_NOW. */
#include "run/server.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "os/descriptor.h"
#include "os/executable.h"
#include "os/process_tree.h"
#include "os/spawn.h"
#include "run/launcher.h"
#include "run/shim/protocol.h"

enum { N_STANDARD = 3 }; /* descriptors at most: input, output, error */

/* The sentence for the shim's first word; UINT32_MAX, or any other, when there was none. */
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

/* Refuses programs with which preloading would fail or do the wrong thing: the loader puts no
 * library into a static program and ignores LD_PRELOAD for a set-user-ID one; and for a script the
 * interpreter would be served, but not the programs that it starts. Fills *program for what
 * follows. */
static pare_status check_program(const pare_server_launcher *self, const pare_launch *launch,
                                 pare_executable *program, pare_error *err)
{
    pare_status status = pare_executable_read(launch->path, program, err);
    if (status) return status;
    if (program->is_script || !program->is_elf)
        return pare_server_refuse(self, launch->path,
                                  "it is a script, whose programs would start as before", err);
    if (!program->is_dynamic)
        return pare_server_refuse(self, launch->path, "it is linked statically", err);
    if (program->is_setuid) return pare_server_refuse(self, launch->path, "it is set-user-ID", err);
    return PARE_OK;
}

/* Waits for the server's first word: that it is ready, or why not. A program whose main is not
 * started in the C library's usual way, or does not get there in time, says nothing. */
static pare_status greet(const pare_server_launcher *self, unsigned k, const char *path,
                         pare_error *err)
{
    const int socket = pare_server_of(self, k)->fds[PARE_SERVER_HEARD];
    uint32_t word = UINT32_MAX;
    if (!pare_descriptor_await(socket, PARE_SERVER_START_MS) ||
        recv(socket, &word, sizeof word, 0) != (ssize_t)sizeof word)
        word = UINT32_MAX;
    return word == PARE_SHIM_READY ? PARE_OK : pare_server_refuse(self, path, why(word), err);
}

/* Whether the environment of the launch sets the variable, to any value. */
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

/* Starts the server with `variables` in its environment and its output in `output_fd`, and hears
 * its first word.  Its own standard files do not matter later: each test gets its own. */
static pare_status open_with(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                             const char *const *variables, int output_fd, pare_error *err)
{
    int ends[2];
    pare_status status = pare_descriptor_sockets(SOCK_SEQPACKET, PARE_SERVER_LEAST_FD, ends,
                                                 "a socket for a server of tests", err);
    if (status) return status;
    pare_server_of(self, k)->fds[PARE_SERVER_HEARD] = ends[0];
    const pare_spawn_fd socket = {.fd = ends[1], .as = PARE_SHIM_SOCKET_FD};
    const pare_server_start start = {.variables = variables,
                                     .input_fd = -1,
                                     .output_fd = output_fd,
                                     .error_fd = output_fd,
                                     .inherited = &socket,
                                     .n_inherited = 1};
    status = pare_server_spawn(self, k, launch, &start, err);
    pare_descriptor_close(&ends[1]);
    return status ? status : greet(self, k, launch->path, err);
}

/* The server's output goes to a file, which tells the shim whether anything was printed before
 * main: every test would have to repeat that. */
static pare_status open_server(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                               pare_error *err)
{
    static const char bind_now[] = PARE_SHIM_BIND_VARIABLE "=" PARE_SHIM_BIND_VALUE;
    pare_executable program;
    pare_buffer preloads = {0};
    int output_fd = -1;
    pare_status status = check_program(self, launch, &program, err);
    if (!status)
        status =
            pare_executable_name_preloads(&program, self->library, launch->envp, &preloads, err);
    if (!status) {
        output_fd =
            pare_descriptor_raise(memfd_create("pare-output", MFD_CLOEXEC), PARE_SERVER_LEAST_FD);
        if (output_fd < 0)
            status = pare_fail_errno(err, errno, "cannot make a file for a server's output");
    }
    if (!status) {
        const bool bind = binds_early(launch, &program);
        const char *const variables[] = {preloads.data, bind ? bind_now : NULL, NULL};
        status = open_with(self, k, launch, variables, output_fd, err);
    }
    pare_descriptor_close(&output_fd);
    pare_buffer_done(&preloads);
    return status;
}

/* Sends the request with the descriptors that are there (SCM_RIGHTS); bits say which, since a -1
 * cannot be sent.  False when the server is dead. */
static bool ask(int socket, const pare_launch *launch)
{
    const int standard[] = {launch->input_fd, launch->output_fd, launch->error_fd};
    int passed[N_STANDARD] = {-1, -1, -1};
    unsigned n = 0;
    assert(socket >= PARE_SERVER_LEAST_FD);
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
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof request;
}

/* The socket tells at once when the server is dead. */
static pare_status send_test(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                             bool *sent, pare_error *err)
{
    (void)err;
    *sent = ask(pare_server_of(self, k)->fds[PARE_SERVER_HEARD], launch);
    return PARE_OK;
}

/* The server's message, or the end of its socket, which says that it has died.  A status of -1 says
 * that it could not fork: another server may be able to. */
static pare_status hear(pare_server_launcher *self, unsigned k, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    pare_shim_end end = {.status = -1};
    ssize_t n;
    (void)err;
    do {
        n = recv(pare_server_of(self, k)->fds[PARE_SERVER_HEARD], &end, sizeof end, 0);
    } while (n < 0 && errno == EINTR);
    *ended = true;
    *ending = (pare_ending){.exit_code = -1, .usage = end.usage};
    if (n != (ssize_t)sizeof end || end.status == -1) {
        pare_server_close(self, k, ending);
        ending->lost = true;
    } else if (WIFEXITED(end.status)) {
        ending->exit_code = WEXITSTATUS(end.status);
    } else {
        ending->signal = WTERMSIG(end.status);
    }
    return PARE_OK;
}

const pare_server_protocol pare_launch_preload = {.slot_bytes = sizeof(pare_server),
                                                  .library = PARE_SHIM_PRELOAD,
                                                  .refusal = "no fork server can be put into",
                                                  .isolates_tests = true,
                                                  .open = open_server,
                                                  .send = send_test,
                                                  .hear = hear};
