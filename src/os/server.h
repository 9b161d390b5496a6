/* A process of ours in a slot that outlives tests and runs one after the other: a fork
 * server, or a worker.
 *
 * It is started as a test is, with the slot's mark, so that nothing of it survives us;
 * the family spares it between tests.  One thread. */
#ifndef PARE_OS_SERVER_H
#define PARE_OS_SERVER_H

#include "os/family.h"
#include "os/launcher.h"
#include "os/sandbox.h"
#include "os/spawn.h"

/* Where servers live.  All borrowed. */
typedef struct pare_server_home {
    pare_spawner *spawner;
    pare_family *family;
    pare_sandbox *sandbox;
    bool is_cell; /* each test has a cell of its own: no server can be in it */
} pare_server_home;

/* All-zero: there is none. */
typedef struct pare_server {
    pid_t pid;
    int pidfd;         /* owned while pid is not 0 */
    char *launched_as; /* owned: its words and folder, to notice that others are asked for */
} pare_server;

/* More than the launch says about a server's start. */
typedef struct pare_server_start {
    const char *path; /* NULL: the launch's, with its words */
    char *const *argv;
    const char *const *variables; /* "NAME=VALUE", set over the launch's; NULL-terminated */
    int output_fd, error_fd;      /* standard output and error; -1: /dev/null */
    int input_fd;                 /* standard input; -1: /dev/null */
    const pare_spawn_fd *inherited;
    size_t n_inherited;
} pare_server_start;

/* Starts a server in `slot`, where there must be none.
 * Errors: PARE_E_IO, PARE_E_NOMEM; *server is all zero then. */
PARE_CHECK pare_status pare_server_open(pare_server *server, const pare_server_home *home,
                                        unsigned slot, const pare_launch *launch,
                                        const pare_server_start *start, pare_error *err);

/* Whether `server` runs and was started for such a launch. */
bool pare_server_fits(const pare_server *server, const pare_launch *launch);

/* Kills the server and all that it started; *ending (may be NULL) says how it ended if it
 * had ended before.  All-zero is a no-op. */
void pare_server_close(pare_server *server, const pare_server_home *home, unsigned slot,
                       pare_ending *ending);

/* Kills the one child of the server that runs a test, so that the server tells its end;
 * or the server itself when it has none. */
void pare_server_kill_child(const pare_server *server);
void pare_server_kill(const pare_server *server);

/* Whether the process `pid` has children. */
bool pare_server_has_children(pid_t pid);

/* Makes a pair of connected sockets, `type` as in socket(2), numbers of 256 and more,
 * close-on-exec.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_server_sockets(int type, int ends[2], pare_error *err);

/* A descriptor of 256 or more for the same file, close-on-exec; closes `fd`, always.
 * Returns -1 with errno when that fails, or when `fd` is negative. */
int pare_server_high_fd(int fd);

/* Waits at most `timeout_ms` until `fd` is readable, or its other end closed. */
bool pare_server_await(int fd, int timeout_ms);

#endif
