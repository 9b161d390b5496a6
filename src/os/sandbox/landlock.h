/* Landlock: what a test is refused of a file system that it sees.
 *
 * A read-only mount stops nobody from writing to a FIFO or connecting to a socket that lies there.
 * Landlock refuses to open for writing what is in none of the places that a test may write to, and
 * from Linux 7.1 on to connect to sockets there; from 6.12 on abstract sockets of others too.
 * Everything is for children that share our memory (os/child.h).
 * Source: the kernel's documentation of Landlock, for its numbers too, which older headers lack. */
#ifndef PARE_OS_SANDBOX_LANDLOCK_H
#define PARE_OS_SANDBOX_LANDLOCK_H

#include <stdbool.h>

#include "os/sandbox/namespace_options.h"

/* Makes the rules for tests with `options`, in the name spaces that they will be in.  *rules_fd is
 * the caller's; -1: the kernel has no Landlock that moves files (before Linux 5.19, or switched
 * off).  False with errno: it has, and failed. */
bool pare_landlock_open(const pare_namespace_sandbox_options *options, int *rules_fd);

/* The calling process, and what it starts, is under the rules from now on.  False with errno. */
bool pare_landlock_restrict(int rules_fd);

#endif
