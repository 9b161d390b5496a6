/* File descriptors: pairs of them, their numbers, and waiting until one can be read.
 *
 * Everything made here is close-on-exec.  Any thread. */
#ifndef PARE_OS_DESCRIPTOR_H
#define PARE_OS_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

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

/* From now on an event of the epoll that carries `what` comes whenever `fd` is readable.
 * Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_descriptor_watch(int epoll_fd, int fd, uint32_t what, pare_error *err);

/* No more events of `fd`; to be called before it is closed.  Closing alone is not enough: a
 * child that has just executed its program may hold a copy for an instant (the kernel lets
 * us go on before it closes what is close-on-exec), and an old event would then be taken for
 * one of the slot's next test.  Negative: a no-op. */
void pare_descriptor_unwatch(int epoll_fd, int fd);

#endif
