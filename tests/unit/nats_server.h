/* A NATS server for one test, on a free port of loopback, with a store of its own.
 *
 * It ends with the test, also where that fails and never comes to nats_server_end, and it does not hold
 * what the test writes to: whoever reads that to its end (ctest) would wait for the server.
 * Where nats-server or libnats is missing the functions say so, and the test is to be skipped. */
#ifndef PARE_TESTS_UNIT_NATS_SERVER_H
#define PARE_TESTS_UNIT_NATS_SERVER_H

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/folder.h"
#include "run/remote/cluster.h"

typedef struct nats_server {
    pid_t pid; /* 0: there is none */
    char *folder;
    char url[60];
} nats_server;

static inline unsigned nats_server_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(close(fd), 0);
    return ntohs(address.sin_port);
}

/* In the child: becomes the server.  Whoever started it reads from `told` what failed, if anything. */
static inline void nats_server_become(char *const words[], pid_t parent, int told)
{
    int nothing = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && nothing >= 0; fd++)
        if (dup2(nothing, fd) < 0) nothing = -1;
    if (nothing > 2) (void)close(nothing);
    if (nothing >= 0 && !prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL) && getppid() == parent)
        (void)execvp(words[0], words);
    (void)!write(told, "x", 1);
    _exit(1);
}

/* False: there is no nats-server. */
static inline bool nats_server_start(nats_server *server)
{
    char port[8], log[4200];
    *server = (nats_server){.pid = 0};
    assert_int_equal(pare_folder_make_scratch(&server->folder, NULL), PARE_OK);
    (void)snprintf(port, sizeof port, "%u", nats_server_port());
    (void)snprintf(log, sizeof log, "%s/log", server->folder);
    (void)snprintf(server->url, sizeof server->url, "nats://127.0.0.1:%s", port);
    char *words[] = {"nats-server", "--addr",       "127.0.0.1", "--port", port, "--jetstream",
                     "--store_dir", server->folder, "--log",     log,      NULL};
    char failed = 0;
    int told[2]; /* its end is closed by exec */
    const pid_t parent = getpid();
    assert_int_equal(pipe2(told, O_CLOEXEC), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid) nats_server_become(words, parent, told[1]);
    assert_int_equal(close(told[1]), 0);
    const bool is_there = read(told[0], &failed, 1) == 0;
    assert_int_equal(close(told[0]), 0);
    if (is_there)
        server->pid = pid;
    else
        (void)waitpid(pid, NULL, 0);
    return is_there;
}

/* Opens a cluster there, once the server answers.  False: there is no libnats. */
static inline bool nats_server_open(const nats_server *server, pare_cluster **out)
{
    const pare_link_options options = {.url = server->url};
    pare_status status = PARE_E_IO;
    for (unsigned n = 0; n < 600 && status == PARE_E_IO; n++) {
        status = pare_cluster_open(&options, out, NULL);
        if (status) (void)poll(NULL, 0, 100);
    }
    if (status == PARE_E_UNSUPPORTED) return false;
    assert_int_equal(status, PARE_OK);
    return true;
}

static inline void nats_server_end(nats_server *server)
{
    if (server->pid > 0) {
        (void)kill(server->pid, SIGKILL);
        (void)waitpid(server->pid, NULL, 0);
    }
    pare_folder_remove_scratch(server->folder);
}

#endif
