/* What tests may leave in a cell (os/sandbox/namespace_sandbox.h) besides processes, and how it is
 * seen from outside: a cell in which something was left is made anew, and so the next test does not
 * meet it.
 *
 * Four places keep something when every process of a cell has ended:
 *
 *   scratch space   a file takes an inode; the folders that copies begin with have a mode, an owner
 *                   and access lists, which take none
 *   System V IPC    shared memory, queues of messages, semaphores
 *   POSIX queues
 *   the network     connections over the loopback that wait for their end: their port cannot be
 *                   bound for a minute
 *
 * Not seen: the times of the folders that copies begin with, which every temporary file changes; and
 * keys in the user's keyring, which whoever knows their number reaches from any cell.  Cost: a dozen
 * system calls for each test, 13 to 35 us together (docs/lab/benchmarks.md).  One thread. */
#ifndef PARE_OS_SANDBOX_NAMESPACE_TRACES_H
#define PARE_OS_SANDBOX_NAMESPACE_TRACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"

enum { PARE_NAMESPACE_TRACES_IPC = 3 };

/* All descriptors are owned; -1: the system has no such thing. */
typedef struct pare_namespace_traces {
    int scratch_fd;                         /* the root of what is written */
    int ipc_fds[PARE_NAMESPACE_TRACES_IPC]; /* the kernel's lists of System V's objects */
    int mail_fd;                            /* the folder of POSIX queues */
    int net_fd;                    /* the kernel's numbers of sockets; -1 also: not private */
    size_t n_parts;                /* folders /dev/aN that copies begin with */
    uint64_t n_files;              /* free in the scratch space when nothing is written */
    pare_hash modes;               /* modes and owners of these folders */
    int64_t changed_s, changed_ns; /* the latest change of these folders when all was made */
    int64_t mail_size;             /* bytes of that folder */
    unsigned long n_sockets;       /* of TCP, those that wait for their end included */
} pare_namespace_traces;

/* Without a descriptor. */
void pare_namespace_traces_init(pare_namespace_traces *traces);

/* For the child that makes the cell, when it has made its view: opens what shows traces.
 * scratch_fd moves here.  What the system does not have stays -1. */
void pare_namespace_traces_open(pare_namespace_traces *traces, int scratch_fd, size_t n_parts,
                                bool is_net_private);

/* Notes the state of a cell in which no test has run yet; false with errno. */
bool pare_namespace_traces_note(pare_namespace_traces *traces);

/* Whether all is as it was noted. */
bool pare_namespace_traces_none(const pare_namespace_traces *traces);

/* Closes all; what pare_namespace_traces_init has made is a no-op. */
void pare_namespace_traces_close(pare_namespace_traces *traces);

#endif
