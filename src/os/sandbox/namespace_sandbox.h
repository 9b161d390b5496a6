/* A namespace sandbox, cell for short: what a test sees in place of the system that we run in.
 *
 * A cell is a set of name spaces, made once and joined by each test that is spawned in it
 * (os/spawn.h).  Making one costs about 2 ms, mostly of the network; joining one some
 * 20 us (docs/design/decisions.md), where name spaces of a test's own would cost 1 ms or more.
 * There are two kinds:
 *
 * DEVICES  the system as it is, except that nothing can be removed from /dev or put there.
 * FULL     the file system is read-only, but for the test's directory and what the caller
 *          names; /tmp, /var/tmp, the home directory and $TMPDIR can be written, on copies; /dev
 *          has the few harmless devices; /dev/shm and /run are empty; other processes, System V
 *          IPC, sockets with a path, the user's keys and, if asked for, the network are not there.
 *          All that is written elsewhere than in the test's directory lies in memory, bounded,
 *          and goes with the cell.  What holds against whom: docs/design/sandbox.md.
 *
 * A cell of kind FULL has a keeper, a sleeping process that is process 1 there.  When it
 * ends, every process in the cell is killed and waited for by the kernel; it ends with us.
 * A cell cannot be cleaned, but a few system calls tell whether it is clean; one that is not is
 * closed, and another is made.
 *
 * A user without rights needs user name spaces; root keeps its number and its files, and
 * loses its power over the machine.  One thread. */
#ifndef PARE_OS_SANDBOX_NAMESPACE_SANDBOX_H
#define PARE_OS_SANDBOX_NAMESPACE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/fail.h"
#include "os/sandbox/namespace_options.h"
#include "os/sandbox/namespace_traces.h"

typedef struct pare_namespace_sandbox {
    int join_fd; /* owned; what tests join: the keeper's pidfd, or a name space */
    int join_flags;
    int root_fd;     /* owned; what "/" is for us in a name space that is joined; -1: its own */
    pid_t keeper;    /* 0: none; a child of ours, not reaped */
    int keeper_fd;   /* owned; it ends when this is closed */
    int children_fd; /* owned; /proc's list of the keeper's children */
    int mounts_fd;   /* owned; DEVICES: the kernel's list of its mounts; -1: none */
    int rules_fd;    /* owned; what Landlock refuses; -1: it has none */
    bool is_bounded; /* most_processes holds for root */
    pare_namespace_traces traces;
} pare_namespace_sandbox;

/* Makes a cell.  On PARE_OK the caller owns *cell.
 * Errors: PARE_E_UNSUPPORTED (the sentence says which part the system refused), PARE_E_IO
 * (what every start needs, such as descriptors, is not there), PARE_E_STATE (a process on the way
 * was killed: another try may do); *cell needs no close then. */
PARE_CHECK pare_status pare_namespace_sandbox_open(const pare_namespace_sandbox_options *options,
                                                   pare_namespace_sandbox *cell, pare_error *err);

/* Ends everything in the cell, and waits for it; all-zero is a no-op. */
void pare_namespace_sandbox_close(pare_namespace_sandbox *cell);

/* Whether the cell is as it was made: no process in it, nothing left (os/sandbox/namespace_traces.h);
 * DEVICES: no mount changed
 * since the last question. */
bool pare_namespace_sandbox_is_clean(const pare_namespace_sandbox *cell);

/* Whether process 1 of the cell has ended, or is about to: somebody has killed it, and every test
 * in the cell with it. */
bool pare_namespace_sandbox_has_ended(const pare_namespace_sandbox *cell);

/* For the child that is to be a test (os/spawn.c): system calls only.  Enter joins the
 * cell; with processes of its own only children of the caller are in it then.  Rights are
 * dropped with which root could undo the cell.  False with errno when it is refused. */
bool pare_namespace_sandbox_enter(const pare_namespace_sandbox *cell);
bool pare_namespace_sandbox_has_processes(const pare_namespace_sandbox *cell);
bool pare_namespace_sandbox_drop_rights(const pare_namespace_sandbox *cell);

#endif
