/* File descriptors: pairs of them, their numbers, waiting until one can be read, writing many
 * runs of bytes at once, and what terminal is at the other end.
 *
 * Locks are on single bytes of files, of open files and not of processes (F_OFD_SETLK).
 * Everything made here is close-on-exec.  Any thread. */
#ifndef PARE_OS_DESCRIPTOR_H
#define PARE_OS_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/fail.h"

/* Closes *fd unless it is negative, and sets it to -1. */
void pare_descriptor_close(int *fd);

/* A descriptor of at least `least` for the same file, close-on-exec; closes `fd` if that is
 * another one.  Returns -1 with errno when that fails, or when `fd` is negative; `fd` is
 * closed then too.  Why: a child is given its files under fixed numbers (0 to 2, or those
 * of a server's protocol), and what we hold must not lie there when it is copied. */
int pare_descriptor_raise(int fd, int least);

/* Makes a pipe, or a pair of connected sockets (`type` as in socket(2)): ends[0] is read
 * from, ends[1] written to; numbers of at least `least`.  `what` completes the sentence
 * "cannot make ..." of a failure.  Errors: PARE_E_IO; both ends are -1 then. */
PARE_CHECK pare_status pare_descriptor_pipe(int least, int ends[2], const char *what,
                                            pare_error *err);
PARE_CHECK pare_status pare_descriptor_sockets(int type, int least, int ends[2], const char *what,
                                               pare_error *err);

/* Waits at most `timeout_ms` until `fd` is readable, its other end is closed, or, of a
 * pidfd, the process has ended; true if so. */
bool pare_descriptor_await(int fd, int timeout_ms);

/* Locks byte `number` of the file of `fd`, which is open for writing and need not have that byte;
 * the lock ends when `fd` and all its copies are closed.  Returns 0, EAGAIN (somebody else has it)
 * or another errno. */
int pare_descriptor_lock(int fd, int64_t number);
/* Whether somebody else has it, without taking it. */
bool pare_descriptor_is_locked(int fd, int64_t number);

/* From now on an event of the epoll that carries `what` comes whenever `fd` is readable.
 * Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_descriptor_watch(int epoll_fd, int fd, uint32_t what, pare_error *err);

/* No more events of `fd`; to be called before it is closed.  Closing alone is not enough: a
 * child that has just executed its program may hold a copy for an instant (the kernel lets
 * us go on before it closes what is close-on-exec), and an old event would then be taken for
 * one of the slot's next test.  Negative: a no-op. */
void pare_descriptor_unwatch(int epoll_fd, int fd);

/* Writing many runs of bytes with few system calls and no copy.
 *
 * The caller adds runs; they go out by writev in batches.  One thread. */

enum { PARE_IOVEC_RUNS = 1024 }; /* runs in a batch: what Linux takes at once */

typedef struct pare_iovec {
    int fd;           /* borrowed */
    int n_runs;       /* waiting */
    bool may_be_left; /* a stop of this thread (base/interrupt.h) ends the writing: ECANCELED */
    struct iovec run[PARE_IOVEC_RUNS];
} pare_iovec;

/* Adds everything there is to write to *gather by pare_descriptor_gather_add; returns 0, or
 * at once the first non-zero result of it. */
typedef int (*pare_iovec_fill)(void *context, pare_iovec *gather);

/* Makes *gather ready for `fd`. */
void pare_descriptor_gather_start(pare_iovec *gather, int fd);

/* Adds a run; the bytes must stay until pare_descriptor_gather_finish.  Returns 0, or the
 * errno of a write that failed, after which nothing more may be added. */
int pare_descriptor_gather_add(pare_iovec *gather, const void *bytes, size_t size);

/* Writes what is waiting.  Returns 0 or an errno. */
int pare_descriptor_gather_finish(pare_iovec *gather);

/* Whether output goes to a terminal, and how wide that is. */

/* True when `fd` is a terminal. */
bool pare_descriptor_is_terminal(int fd);

/* Columns of the terminal `fd`, at least 1; 80 when it is none or does not say. */
unsigned pare_descriptor_columns(int fd);

#endif
