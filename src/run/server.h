/* Launchers over servers: a process of ours in each slot that outlives tests and runs one
 * after the other, a fork server or a worker.
 *
 * In each slot there is one state machine, whatever the server speaks:
 *
 *     none --open--> idle --send--> running --hear--> idle
 *
 * and from each state back to none (close) when the server was killed, has died, has said
 * something wrong, or was started for something else than what is asked for; the next test
 * opens another.  What differs is a protocol: a table of functions, and a struct for each
 * slot that begins with a pare_server.
 *
 * A server is started as a test is, with the slot's mark, so that nothing of it survives us;
 * the process tree spares it between tests.  One thread. */
#ifndef PARE_RUN_SERVER_H
#define PARE_RUN_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/fail.h"
#include "os/process_tree.h"
#include "os/spawn.h"
#include "run/launcher.h"

enum {
    PARE_SERVER_LEAST_FD = 200, /* of descriptors of ours: above those that a server is given
                                   (run/shim/protocol.h, AFL's) */
    PARE_SERVER_FDS = 4,
    PARE_SERVER_HEARD = 0,       /* fds[0] becomes readable when there is something to hear */
    PARE_SERVER_START_MS = 10000 /* for a server's first word */
};

/* The head of a protocol's slot.  All-zero but for `fds`: there is no server. */
typedef struct pare_server {
    int fds[PARE_SERVER_FDS]; /* owned; what each is, the protocol says; -1: none */
    pid_t pid;                /* 0: there is no server */
    /* All that follows is there while pid is not 0. */
    int pidfd, children_fd; /* owned; the kernel's list of its children, or -1 */
    bool is_muted;          /* see launcher.h: it is not to be used any more */
    bool is_killed;         /* with the test that runs */
    bool is_test_killed;    /* the test alone was killed, so that the server tells its end */
    /* What it was started as, to notice that something else is asked for: */
    int output_fd, error_fd; /* of the launch; borrowed */
    struct stat folder, program;
    uint64_t looked_ns; /* when the program's file was last looked at */
    char *words;        /* owned: each with its NUL */
    size_t words_size;
} pare_server;

typedef struct pare_server_launcher pare_server_launcher;

/* What makes a launcher speak to one kind of server.  Functions that may be NULL are not
 * needed by every protocol; `k` is the slot's number. */
typedef struct pare_server_protocol {
    size_t slot_bytes;       /* of its struct for a slot, all-zero at first but for the fds */
    const char *library;     /* a file of ours that it needs; NULL: none */
    const char *refusal;     /* how a sentence about a program that it cannot run begins */
    bool keeps_output;       /* the server holds the launch's output: another one, another server */
    bool keeps_error;        /* likewise */
    bool isolates_tests;     /* each test is a process, can be killed alone, and leaves its
                               sandbox, as a test without a server does */
    bool outlasts_cancel;    /* a cancelled test may run to its end */
    bool tells_end_by_pidfd; /* the server's pidfd is in the epoll too */

    /* May be NULL.  Before a test: whether `launch` can be run at all, and whether the server,
     * if there is one, is in step; may close it.  Errors: of `start`. */
    pare_status (*check)(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                         pare_error *err);

    /* Makes the descriptors and calls pare_server_spawn; shakes hands.  What is left after an
     * error is closed by the caller.  Errors: of `start`. */
    pare_status (*open)(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                        pare_error *err);

    /* May be NULL.  Whether files that the server has read, besides its program, are still
     * what they were; asked at most every 10 ms. */
    bool (*has_same_files)(const pare_server *server, const pare_launch *launch);

    /* Hands over a candidate; *sent stays false when the server is dead.
     * Errors: of `start`; the server may go on. */
    pare_status (*send)(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                        bool *sent, pare_error *err);

    /* As the launcher's `hear`; nothing of the kind is asked for a server that was killed. */
    pare_status (*hear)(pare_server_launcher *self, unsigned k, bool *ended, pare_ending *ending,
                        pare_error *err);

    /* May be NULL, as the launcher's of these names. */
    bool (*glance)(pare_server *server);
    bool (*takes_bytes)(const pare_server *server);

    /* May be NULL, as the launcher's. */
    unsigned char *(*coverage)(pare_server *server, size_t *size_bytes);

    /* May be NULL.  An event came where no test runs: whether that means nothing. */
    bool (*may_go_on)(const pare_server *server);

    /* May be NULL.  Releases what belongs to a server, when it is closed; what belongs to a
     * slot, when the launcher is freed. */
    void (*release)(pare_server *server);
    void (*release_slot)(pare_server *server);
} pare_server_protocol;

/* The protocols, each in the file of its name. */
extern const pare_server_protocol pare_launch_afl, pare_launch_dialog, pare_launch_preload,
    pare_launch_worker;

struct pare_server_launcher {
    pare_launcher head;
    pare_launcher_ops ops;
    const pare_server_protocol *protocol;
    pare_launcher_home home;
    char *library;       /* owned: absolute path of the protocol's; NULL: it needs none */
    char *slots;         /* owned */
    bool wants_coverage; /* somebody has asked for it */
};

/* Makes a launcher.  `home` is borrowed until it is freed; the slots are those of its process
 * tree.  On PARE_OK the caller owns *out; free it by pare_launcher_free.  Programs that it
 * cannot serve make `start` fail with PARE_E_UNSUPPORTED and a sentence that says why;
 * nothing has been tested then.
 * Errors: PARE_E_STATE (the protocol's library is not installed), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_server_new(const pare_server_protocol *protocol,
                                       const pare_launcher_home *home, pare_launcher **out,
                                       pare_error *err);

/* ---- for protocols ---------------------------------------------------------------------- */

/* The slot `k`: a struct of the protocol's. */
pare_server *pare_server_of(const pare_server_launcher *self, unsigned k);

/* More than the launch says about a server's start. */
typedef struct pare_server_start {
    const char *path; /* NULL: the launch's, with its words */
    char *const *argv;
    const char *const *variables; /* "NAME=VALUE", set over the launch's; NULL-terminated */
    int input_fd;                 /* standard input; -1: /dev/null */
    int output_fd, error_fd;      /* standard output and error; -1: /dev/null */
    const pare_spawn_fd *inherited;
    size_t n_inherited;
} pare_server_start;

/* Starts a server in slot `k`, where there must be none.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_server_spawn(pare_server_launcher *self, unsigned k,
                                         const pare_launch *launch, const pare_server_start *start,
                                         pare_error *err);

/* Kills the server of slot `k` and all that it started, and closes the slot's descriptors;
 * *ending (may be NULL) says how it ended, if it had ended before.  A no-op without one. */
void pare_server_close(pare_server_launcher *self, unsigned k, pare_ending *ending);

/* PARE_E_UNSUPPORTED with a sentence: the protocol's refusal, `path`, and `reason`. */
pare_status pare_server_refuse(const pare_server_launcher *self, const char *path,
                               const char *reason, pare_error *err);

#endif
