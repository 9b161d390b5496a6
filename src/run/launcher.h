/* How the program of a test is started in a slot, and how its end is heard.
 *
 * The oracle (run/process.h) decides what is run, where, and with which standard
 * files; it waits, keeps the time and judges.  A launcher only makes a process of it: a
 * new one each time (pare_launch_spawn_new), or one that a server forks.  Whichever it is,
 * when `hear` says that a test has ended, everything that it started is dead, its
 * output has been written, and the slot is free.
 *
 * A launcher belongs to one thread. */
#ifndef PARE_RUN_LAUNCHER_H
#define PARE_RUN_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"
#include "os/process_tree.h"
#include "os/sandbox/sandbox.h"
#include "os/spawn.h"

/* Added to a slot's number in an event of the epoll: the descriptor is a server's (server.h),
 * which stays in the epoll from test to test.  Without it, it is the test's own. */
enum { PARE_LAUNCHER_SERVER = 1 << 27 };

typedef struct pare_launcher pare_launcher;

/* Where tests and servers live.  All borrowed. */
typedef struct pare_launcher_home {
    pare_spawner *spawner;
    pare_process_tree *tree;
    pare_sandbox *sandbox;
    int epoll_fd; /* gets the events of tests and servers */
    bool is_cell; /* each slot has a cell of its own, which its server shares with its tests */
} pare_launcher_home;

/* A test to start.  All members are borrowed during the call. */
typedef struct pare_launch {
    const char *path;                  /* executed as it is, no search in PATH */
    char *const *argv;                 /* NULL-terminated */
    char *const *shell_argv;           /* see pare_spawn */
    char *const *envp;                 /* NULL-terminated; holds the mark of the slot */
    int directory_fd;                  /* where it runs */
    const char *directory;             /* its absolute path */
    int input_fd, output_fd, error_fd; /* its standard files: at least 3, or -1 for /dev/null */
    bool on_input;                     /* the candidate is its standard input */
    const void *bytes;                 /* the candidate; not needed for new processes */
    size_t size_bytes;
    const char *candidate; /* its path; this and the next are for workers of the user's */
    size_t content_bytes;  /* of the candidate, or of the files in it */
} pare_launch;

typedef struct pare_launcher_ops {
    /* Starts a test in `slot`, which must be free.  An event of the epoll tells whenever
     * there is something to hear (os/descriptor.h).
     * Errors: PARE_E_IO (err->os_errno says why); the slot stays free. */
    pare_status (*start)(pare_launcher *launcher, unsigned slot, const pare_launch *launch,
                         pare_error *err);

    /* Kills the test in `slot`; its end will be heard soon. */
    void (*kill)(pare_launcher *launcher, unsigned slot);

    /* May be NULL, which is `kill`.  Nobody is interested in the test in `slot` any more: it
     * may go on, if that costs less than another process; `kill` follows if it does so long. */
    void (*cancel)(pare_launcher *launcher, unsigned slot);

    /* Hears what there is; waits for it if there is nothing yet.  Sets *ended when the
     * test has ended: *ending says how, and the slot is free.
     * Errors: PARE_E_IO (how it ended is lost; the slot is free). */
    pare_status (*hear)(pare_launcher *launcher, unsigned slot, bool *ended, pare_ending *ending,
                        pare_error *err);

    /* Servers only: an event came for `slot` where no test of the launcher runs, so its
     * server has ended, or is out of step.  No event comes of it any more, and the next
     * start makes another. */
    void (*mute)(pare_launcher *launcher, unsigned slot);

    /* May be NULL.  Whether the test in `slot` has ended already; waits for that for some
     * microseconds, which is less than it takes to fall asleep and be woken.  When it has
     * not, an event will tell. */
    bool (*glance)(pare_launcher *launcher, unsigned slot);

    /* May be NULL.  Whether a test in `slot` gets the candidate from `bytes` alone when
     * that is its standard input: no file is needed. */
    bool (*takes_bytes)(const pare_launcher *launcher, unsigned slot);

    void (*destroy)(pare_launcher *launcher); /* no test may run any more */
} pare_launcher_ops;

/* The head of every implementation. */
struct pare_launcher {
    const pare_launcher_ops *ops;
};

static inline void pare_launcher_free(pare_launcher *launcher)
{
    if (launcher) launcher->ops->destroy(launcher);
}

/* The launcher that makes a new process for every test: the vfork-like spawn.  What is in
 * `home`, in whose sandbox the tests run, is borrowed until the launcher is freed; the slots
 * are those of its process tree.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_launch_spawn_new(const pare_launcher_home *home, pare_launcher **out,
                                             pare_error *err);

#endif
