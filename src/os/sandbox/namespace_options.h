/* What a cell of a test is to be: shared by those who make it (namespace_sandbox.h), its mounts
 * (namespace_view.h) and what Landlock refuses in it (landlock.h). */
#ifndef PARE_OS_SANDBOX_NAMESPACE_OPTIONS_H
#define PARE_OS_SANDBOX_NAMESPACE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PARE_NAMESPACE_SANDBOX_PATHS = 31 }; /* that stay writable, or visible, at most */

typedef enum pare_namespace_sandbox_kind {
    PARE_NAMESPACE_SANDBOX_DEVICES,
    PARE_NAMESPACE_SANDBOX_FULL
} pare_namespace_sandbox_kind;

typedef struct pare_namespace_sandbox_options {
    pare_namespace_sandbox_kind kind;
    /* The rest is for FULL.  Paths are absolute, of what exists. */
    const char *directory; /* the test's own: it stays writable, as it is outside */
    const char *home;      /* NULL: none */
    const char *temporary; /* besides /tmp; NULL: none */
    const char *const *writable;
    size_t n_writable;
    const char *const *visible; /* what is there as outside, read-only; sockets can be reached */
    size_t n_visible;
    bool network;            /* the host's; false: a loopback device of the cell's own */
    uint64_t scratch_bytes;  /* bound of what is written to copies and /dev/shm */
    uint64_t most_processes; /* in the cell; holds for root too from Linux 6.14 on */
} pare_namespace_sandbox_options;

#endif
