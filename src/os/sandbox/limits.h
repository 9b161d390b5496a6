/* What a test may use.
 *
 * The limits are the kernel's (setrlimit(2)), set in the child before it executes; a test
 * that hits one is told so by the kernel in the usual way: allocation fails, fork fails,
 * SIGXCPU, SIGXFSZ. */
#ifndef PARE_OS_SANDBOX_LIMITS_H
#define PARE_OS_SANDBOX_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* Zero value of each member: no limit. */
typedef struct pare_limits {
    uint64_t memory_bytes; /* private writable memory of each process (RLIMIT_DATA): address
                              space that is reserved, not used, does not count, unless it
                              is writable, as the shadow of a sanitizer is */
    uint64_t cpu_s;        /* CPU time of each process: SIGXCPU, and a second later SIGKILL */
    uint64_t processes;    /* processes and threads: of the user, or in a cell of the test */
    uint64_t file_bytes;   /* size of a file that is written */
    bool fixed_addresses;  /* address space is not laid out at random */
} pare_limits;

/* Cuts the limits to those that we ourselves are under, which cannot be raised. */
void pare_limits_clamp(pare_limits *limits);

/* Whether the system lets us fix addresses: some containers refuse it (personality(2)). */
bool pare_limits_can_fix_addresses(void);

/* Default of file_bytes: a quarter of the memory of the machine, at least 1 GiB. */
uint64_t pare_limits_file_bytes(void);

/* Memory of the machine, bytes; at least 1 GiB is assumed. */
uint64_t pare_limits_machine_bytes(void);

#endif
