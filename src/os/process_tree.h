/* Ends everything that one test started.
 *
 * A test's first process, its leader, has a process group of its own.  When it has
 * ended, or is to end, the group is killed.  What left the group (setsid) is orphaned
 * to us, because we are a subreaper, and found among our children by the mark
 * PARE_TEST=<run id>.<slot> in its environment.  Children of ours that carry no mark
 * belong to the program that uses the library and are left alone, unless
 * `owns_children` says that there can be none.  It has no effect while there is a second tree in
 * the process, which has children of its own.  Without effect, a process that dropped the
 * mark from its environment escapes, and one that left the group and ended by itself
 * stays a zombie until we end.
 *
 * One thread.  Cost of a test that leaves nothing: kill, waitid, pread; in a cell two of these. */
#ifndef PARE_OS_PROCESS_TREE_H
#define PARE_OS_PROCESS_TREE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/fail.h"

enum {
    PARE_PROCESS_TREE_MARK_BYTES = 96,
    PARE_PROCESS_TREE_RUN_ID_BYTES = 48,
    PARE_PROCESS_TREE_COUNTED = 256 /* processes of one test; more are not counted */
};

typedef struct pare_process_tree {
    const char *run_id; /* borrowed */
    pid_t *leaders;     /* owned; by slot, 0: no test, or one that a server runs */
    pid_t *keepers;     /* owned; by slot, a child of ours that is no test; 0: none */
    int *keeper_lists;  /* owned; by slot, /proc's list of the keeper's children; -1: none */
    unsigned *n_left; /* owned; by slot, processes of the test that were there when it was killed */
    pid_t *servers;   /* owned; by slot, a child of ours that outlives tests; 0: none */
    unsigned n_slots, n_running;
    pid_t spared[3]; /* children of ours that are no tests; 0: none */
    int children_fd; /* owned; /proc's list of our children */
    bool owns_children;
    int was_subreaper;
    bool changed_action; /* SIGCHLD was ignored; old_action is put back at the end */
    struct sigaction old_action;
} pare_process_tree;

/* Writes a name that no other run has: our process number and a random one. */
void pare_process_tree_name_run(char run_id[PARE_PROCESS_TREE_RUN_ID_BYTES]);

/* How a leader ended. */
typedef struct pare_ending {
    int exit_code;       /* -1: by a signal */
    int signal;          /* 0: by exit */
    struct rusage usage; /* of the leader and the children that it waited for */
    unsigned n_left;     /* processes that it had started, and that were ended after it, or with it
                            when it was killed; PARE_PROCESS_TREE_COUNTED at most */
    bool lost;   /* nothing is known: the server that ran it has died, or it was killed before
                            it had executed its program */
    bool unread; /* lost: and it had not read what it was told */
    bool unsure; /* it ran in a process that ran others before: run it in a new one */
} pare_ending;

/* Makes this process a subreaper until pare_process_tree_done.
 * Errors: PARE_E_NOMEM; PARE_E_IO; PARE_E_STATE (SIGCHLD is ignored, so that nobody
 * learns how a child ended, and owns_children is off). */
PARE_CHECK pare_status pare_process_tree_init(pare_process_tree *tree, const char *run_id,
                                              unsigned n_slots, bool owns_children,
                                              pare_error *err);

/* Ends whatever is left of all tests; with owns_children, and no other tree in the process, all children
 * but those spared. */
void pare_process_tree_done(pare_process_tree *tree);

/* Writes "PARE_TEST=<run id>.<slot>", to be put into the environment of a test. */
void pare_process_tree_mark(const pare_process_tree *tree, unsigned slot,
                            char mark[PARE_PROCESS_TREE_MARK_BYTES]);

/* `keeper`, a child of ours that belongs to `slot` and is no test, is left alone from now
 * on; 0: there is none. */
void pare_process_tree_keep(pare_process_tree *tree, unsigned slot, pid_t keeper);

/* `leader` is the test in `slot` now. */
void pare_process_tree_enter(pare_process_tree *tree, unsigned slot, pid_t leader);

/* Kills the test in `slot`; its leader will end soon.  `pidfd` is the leader's. */
void pare_process_tree_kill(const pare_process_tree *tree, unsigned slot, int pidfd);

/* The same for a test whose leader is the child of a server, `pid`, which has the mark of the slot
 * too and stays alive.  The server reaps the leader; what else the test left is ours to end. */
void pare_process_tree_serve(pare_process_tree *tree, unsigned slot, pid_t pid);
void pare_process_tree_enter_served(pare_process_tree *tree, unsigned slot);
/* Returns how many processes it had left, as pare_ending.n_left. */
unsigned pare_process_tree_leave_served(pare_process_tree *tree, unsigned slot);

/* Kills and reaps the server of `slot`, if there is one, and all that it started; *ending
 * says how it ended.
 * Errors: PARE_E_IO (somebody else reaped it; it is gone all the same). */
PARE_CHECK pare_status pare_process_tree_end_server(pare_process_tree *tree, unsigned slot,
                                                    pare_ending *ending, pare_error *err);

/* The leader of `slot` has ended: reaps it, ends its tree, frees the slot.
 * Errors: PARE_E_IO (somebody else reaped the leader; the slot is free). */
PARE_CHECK pare_status pare_process_tree_leave(pare_process_tree *tree, unsigned slot,
                                               pare_ending *ending, pare_error *err);

#endif
