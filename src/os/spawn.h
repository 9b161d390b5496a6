/* Starting a process at a cost that does not grow with our memory.
 *
 * A child is made with clone(CLONE_VM | CLONE_VFORK): it runs on a small stack of its
 * own in our memory until it has executed the program, while we wait.  Nothing is
 * copied, so a parent of many gigabytes starts a test as fast as a small one
 * (docs/design/sources.md: 0.35 ms against 57 ms for fork with 1 GiB).  Why not
 * posix_spawn: it can neither set the signal sent when the parent dies nor limits.
 *
 * A spawner belongs to one thread at a time. */
#ifndef PARE_OS_SPAWN_H
#define PARE_OS_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/fail.h"
#include "os/sandbox/namespace_sandbox.h"

enum { PARE_SPAWN_LEAST_FD = 3 }; /* of descriptors that are given to a child */

/* What a test may use.
 *
 * The limits are the kernel's (setrlimit(2)), set in the child before it executes; a test
 * that hits one is told so by the kernel in the usual way: allocation fails, fork fails,
 * SIGXCPU, SIGXFSZ.  The zero value of each member: no limit. */
typedef struct pare_spawn_limits {
    uint64_t memory_bytes; /* private writable memory of each process (RLIMIT_DATA): address
                              space that is reserved, not used, does not count, unless it
                              is writable, as the shadow of a sanitizer is */
    uint64_t cpu_s;        /* CPU time of each process: SIGXCPU, and a second later SIGKILL */
    uint64_t processes;    /* processes and threads: of the user, or in a cell of the test */
    uint64_t file_bytes;   /* size of a file that is written */
    bool fixed_addresses;  /* address space is not laid out at random */
} pare_spawn_limits;

/* What is needed to start processes; made once, used for many. */
typedef struct pare_spawner {
    void *stack;     /* owned mapping: two stacks for children, until they execute */
    int *exec_errno; /* owned mapping shared with the child: why exec failed */
    bool emulated;   /* an emulator (valgrind) copies the child and does not wait */
    int null_fd;     /* owned; /dev/null, at least 3 */
    /* Signals, a bit for each, whose action was not the default one when this was made:
     * children get that back.  One that is ignored only later stays ignored in them. */
    uint64_t changed_signals;
} pare_spawner;

/* What becomes of a child when we die. */
typedef enum pare_spawn_kind {
    PARE_SPAWN_TEST, /* own session, so no terminal; dies when the calling thread dies */
    PARE_SPAWN_GUARD /* own session; outlives us */
} pare_spawn_kind;

/* A descriptor of ours and its number in the child, where it is not close-on-exec. */
typedef struct pare_spawn_fd {
    int fd, as; /* `fd` must not be the `as` of another one */
} pare_spawn_fd;

/* A program to start.  All members are borrowed during the call. */
typedef struct pare_spawn {
    const char *path;               /* executed as it is, no search in PATH */
    char *const *argv;              /* NULL-terminated */
    char *const *shell_argv;        /* used with /bin/sh when the kernel knows no format for
                                 the file, as shells do; NULL: that is an error */
    char *const *envp;              /* NULL-terminated */
    int directory_fd;               /* where it runs; -1: in "/" */
    const char *directory;          /* the same, as the cell sees it; needed in a cell only */
    int input_fd, output_fd;        /* standard input and output: at least 3, or -1 for
                                 /dev/null */
    int error_fd;                   /* likewise; 0: where the output goes */
    const pare_spawn_fd *inherited; /* n_inherited more, to numbers of at least 3 */
    size_t n_inherited;
    pare_spawn_kind kind;
    const pare_namespace_sandbox *cell; /* where it runs; NULL: in the system as it is */
    const pare_spawn_limits *limits;    /* NULL: none but ours; no core dumps in any case */
} pare_spawn;

typedef struct pare_child {
    pid_t pid; /* not reaped; leader of its group */
    int pidfd; /* owned; readable once it has ended */
} pare_child;

/* Errors: PARE_E_IO; *spawner needs no done then. */
PARE_CHECK pare_status pare_spawner_init(pare_spawner *spawner, pare_error *err);
void pare_spawner_done(pare_spawner *spawner); /* all-zero is a no-op */

/* Starts `spawn`.  The child has default signal actions, an empty signal mask and no
 * core dumps.  On PARE_OK *child is running and the caller owns it.
 * Errors: PARE_E_IO (err->os_errno says why; nothing is left running), PARE_E_STATE (somebody has
 * killed a process that was to make it, or process 1 of the cell: in a new cell it may start). */
PARE_CHECK pare_status pare_spawner_start(pare_spawner *spawner, const pare_spawn *spawn,
                                          pare_child *child, pare_error *err);

/* The environment `envp` with `variables` ("NAME=VALUE"; NULL: none) in place of their namesakes,
 * both NULL-terminated.  The caller owns the list, not the entries, which are borrowed; NULL when
 * memory is out. */
PARE_CHECK const char **pare_spawn_environment(char *const *envp, const char *const *variables);

/* Cuts the limits to those that we ourselves are under, which cannot be raised. */
void pare_spawn_limits_clamp(pare_spawn_limits *limits);

/* Whether the system lets us fix addresses: some containers refuse it (personality(2)). */
bool pare_spawn_can_fix_addresses(void);

/* Default of file_bytes: a quarter of the memory of the machine, at least 1 GiB. */
uint64_t pare_spawn_limits_file_bytes(void);

#endif
