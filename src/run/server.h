/* A process of ours in a slot that outlives tests and runs one after the other: a fork
 * server, or a worker.
 *
 * It is started as a test is, with the slot's mark, so that nothing of it survives us;
 * the family spares it between tests.  One thread. */
#ifndef PARE_RUN_SERVER_H
#define PARE_RUN_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/status.h"
#include "os/process_tree.h"
#include "os/spawn.h"
#include "run/launcher.h"

/* Of descriptors of ours: above those that a server is given (run/shim/protocol.h, AFL's). */
enum { PARE_SERVER_LEAST_FD = 256 };

/* All-zero: there is none. */
typedef struct pare_server {
    pid_t pid;
    /* All that follows is there while pid is not 0. */
    int pidfd, children_fd; /* owned; its children, as the kernel lists them, or -1 */
    int heard_fd;           /* borrowed; -1: none */
    bool is_muted;          /* see launcher.h: it is not to be used any more */
    /* What it was started as, to notice that something else is asked for: */
    struct stat folder, program;
    uint64_t looked_ns; /* when the program's file was last looked at */
    char *words;        /* owned: each with its NUL */
    size_t words_size;
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
PARE_CHECK pare_status pare_server_open(pare_server *server, const pare_launcher_home *home,
                                        unsigned slot, const pare_launch *launch,
                                        const pare_server_start *start, pare_error *err);

/* Whether `server` runs and was started for such a launch.  *look (may be NULL) says that
 * files which it has read should be looked at too: at most every 10 ms, which is often
 * enough for somebody who builds a program anew. */
bool pare_server_fits(pare_server *server, const pare_launch *launch, bool *look);

/* An event of the slot's server comes whenever `fd` is readable, until it is closed or
 * muted; `fd` is borrowed.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_server_hear(pare_server *server, const pare_launcher_home *home,
                                        unsigned slot, int fd, pare_error *err);
void pare_server_mute(pare_server *server, const pare_launcher_home *home);

/* Kills the server and all that it started; *ending (may be NULL) says how it ended if it
 * had ended before.  All-zero is a no-op. */
void pare_server_close(pare_server *server, const pare_launcher_home *home, unsigned slot,
                       pare_ending *ending);

/* Kills the one child of the server that runs a test, so that the server tells its end;
 * or the server itself when it has none. */
void pare_server_kill_child(const pare_server *server);
void pare_server_kill(const pare_server *server);

#endif
