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
#include <stdint.h>

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

    /* May be NULL.  What the last test in `slot` reached: how often each edge was taken, up to 255
     * times, which the caller may change until the next start; NULL: nothing is known.  From the
     * first call on, tests are prepared for that. */
    unsigned char *(*coverage)(pare_launcher *launcher, unsigned slot, size_t *size_bytes);

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

/* The launcher over a worker of the user's: one process in each slot, which is told in a
 * line of each candidate, and answers in a line what came of it (docs/guide/worker.md).
 *
 * It is started by the first test of a slot, as a test is, with a pipe as its standard
 * input and one as its standard output, and goes on until a test is killed, the worker
 * ends, or the launcher is freed.  What it says is believed: there is no other way to run
 * such a test.  When it ends without an answer the ending is `lost`; the next start makes
 * another.  Processes that it starts are its own affair as long as they are its children.
 *
 * A path that no line can hold makes `start` of the launcher (pare_launch_dialog in server.h)
 * fail with PARE_E_ARG, what is no answer `start` and `hear` with PARE_E_SYNTAX and a
 * sentence that quotes it; the slot is free then. */

/* What an ending holds as exit code when the worker has answered. */
typedef enum pare_answer { PARE_ANSWER_FAIL, PARE_ANSWER_PASS, PARE_ANSWER_UNRESOLVED } pare_answer;

/* What it means that a worker ends instead of answering.
 *
 * The candidate is given to a new one, for somebody else may have ended it, or the tests
 * before it; only when PARE_DIALOG_TRIES of them end on it, it is the candidate's doing, and
 * UNRESOLVED.  One that ends before it reads what it is told was not ended by a candidate: it
 * does not work, as one that ends on PARE_DIALOG_MOST_LOSSES candidates in a row.  One thread. */

enum { PARE_DIALOG_TRIES = 3, PARE_DIALOG_MOST_LOSSES = 100 };

/* All-zero at the start of a run. */
typedef struct pare_dialog_losses {
    uint64_t n_fatal;    /* candidates on which they ended */
    unsigned n_in_a_row; /* of these, without an answer in between */
    char notice[192];    /* about the first of them; "": none yet */
    char why[96];        /* the last one has no outcome */
} pare_dialog_losses;

void pare_launch_dialog_note_answer(pare_dialog_losses *workers);

/* A worker has ended so, the `n_tries`th on this candidate; `printed` is what it wrote to
 * standard error, NUL-terminated.  *again: another one is to try.
 * Errors: PARE_E_IO (it ends at its start), PARE_E_LIMIT (on every candidate). */
PARE_CHECK pare_status pare_launch_dialog_note_end(pare_dialog_losses *workers,
                                                   const pare_ending *ending, unsigned n_tries,
                                                   const char *printed, bool *again,
                                                   pare_error *err);

#endif
