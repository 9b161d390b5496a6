/* The test: what tells whether a candidate still fails, and how it is run. */
#ifndef PARE_TEST_H
#define PARE_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/outcome.h>
#include <pare/switch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In-process test: says what the program under test does with `size` bytes.
 * The bytes are valid during the call only.  With limits.jobs above 1 it is called from
 * several threads at once.  PARE_NO_OUTCOME says that the test itself has gone wrong: the run ends
 * as by pare_stop_request, and nothing is noted of the candidate. */
typedef pare_outcome (*pare_predicate)(void *context, const void *bytes, size_t size);

/* What is done about a failure that comes by chance; see pare-reduce(1), FLAKY FAILURES. */
typedef enum pare_flaky_mode {
    PARE_FLAKY_DEFAULT, /* AUTO for a test command, OFF for a predicate */
    PARE_FLAKY_OFF,     /* every test is one run */
    PARE_FLAKY_AUTO,    /* found out by a few runs, measured, and kept about as frequent */
    PARE_FLAKY_FLOOR    /* measured, and kept at least as frequent as flaky_floor */
} pare_flaky_mode;

/* What a test sees of the system; pare-reduce(1), SAFETY, tells all of it. */
typedef enum pare_sandbox_kind {
    PARE_SANDBOX_DEFAULT, /* FULL for a program; for a test DEVICES as root, OFF else.  What the
                             system refuses is done without, with a warning; by name it is
                             PARE_E_IO */
    PARE_SANDBOX_OFF,     /* the system as it is */
    PARE_SANDBOX_DEVICES, /* nothing can be removed from /dev */
    PARE_SANDBOX_FULL     /* read-only, with copies to write on; no other processes, no network */
} pare_sandbox_kind;

#define PARE_NO_LIMIT UINT64_MAX

/* What a test may see and use. */
typedef struct pare_safety {
    pare_sandbox_kind sandbox;
    pare_switch network;         /* FULL: PARE_ON leaves the host's */
    const char *const *writable; /* FULL: paths that stay as they are */
    size_t n_writable;
    uint64_t memory_bytes;        /* of each process, private and writable; 0: no limit */
    uint64_t cpu_s;               /* of each process; 0: no limit */
    uint64_t processes;           /* 0: 1024 in a FULL sandbox, else no limit */
    uint64_t file_bytes;          /* of a file that is written; 0: a quarter of the machine's
                                   memory, at least 1 GiB; PARE_NO_LIMIT */
    pare_switch random_addresses; /* PARE_OFF: memory is laid out alike in each test */
    const char *const *visible;   /* FULL: paths that are there as outside, read-only, with their
                                   sockets */
    size_t n_visible;
    uint64_t reserved[6]; /* zero; room for later members */
} pare_safety;

/* How the processes of tests are made. */
typedef enum pare_runner {
    PARE_RUNNER_AUTO,      /* what proves faster on the first tests with the same endings */
    PARE_RUNNER_SPAWN,     /* a new process for each */
    PARE_RUNNER_PRELOAD,   /* forks of one that waits at the start of its main */
    PARE_RUNNER_AFL,       /* by the fork server that AFL's compilers put into it */
    PARE_RUNNER_INPROCESS, /* a library's LLVMFuzzerTestOneInput, called again and again */
    PARE_RUNNER_WORKER     /* a worker of the user's; only told of, never asked for */
} pare_runner;

/* A NATS server with JetStream over which workers are reached; see pare-worker(1). */
typedef struct pare_cluster_options {
    const char *url;         /* nats://HOST[:PORT][/NAME] or tls://...; NULL: no workers */
    const char *credentials; /* a file that says who one is; NULL: none but those in the URL */
    bool insecure;           /* without any also where the server is on another machine */
    bool is_optional;        /* where there is no server tests run on this machine, which is told */
    const char *const *with; /* files that the test needs, which travel with it */
    size_t n_with;
} pare_cluster_options;

/* Exactly one of a command, a worker, a program and a predicate; else the zero value of each
 * member is the default. */
typedef struct pare_test_options {
    const char *command; /* an executable, or a command line with arguments */
    const char *worker;  /* the same; started once for each job, told of candidates and asked for
                            outcomes in lines, as docs/guide/worker.md says */

    /* A program that fails, in words; "@@" is the candidate's path, "@@.EXT" that of a
     * file with this suffix, and without either the candidate is standard input.  What its failure
     * is, is said by pare_reduce_options.keep. */
    const char *const *program;
    size_t n_program;

    pare_predicate predicate;
    void *context; /* the predicate's */

    uint64_t timeout_ms; /* of one test; default: learned, see pare-reduce(1) */
    pare_runner runner;  /* of a command or a program */
    pare_safety safety;  /* likewise */

    pare_flaky_mode flaky;
    double flaky_floor;     /* FLOOR: share of runs that fail, above 0 and below 1 */
    double flaky_precision; /* half-width of the 95 % intervals to which input and result are
                               measured, above 0 and below 0.5; 0: as far as few runs tell */

    pare_switch allow_empty; /* PARE_ON: an input that fails as nothing, a line end or its first
                                bytes do is reduced; default for a predicate */
    bool owns_children;      /* true: this process has no children but ours, so every process that
                                is re-parented to it may be ended */
    const char *check_with;  /* a command that says what is wrong with a candidate that does not
                               compile, "@@" is its path; run where it is of use and the test
                               hides what its compiler says.  NULL: found by watching the test */
    uint64_t
        also_exit_code; /* of a command: 1 .. 255 says that the candidate is also interesting: it
                                is not kept, but counted, and the smallest written, as another failure
                                of a program is (pare_output_options.also_dir); 0: none does */
    const pare_cluster_options
        *workers;                   /* of a command or a program: tests run on these, too; NULL:
                                            on this machine alone */
    const char *const *environment; /* NAME=VALUE: of tests, here and on workers, besides what is
                                       in this process's environment */
    size_t n_environment;
    uint64_t reserved[3]; /* zero; room for later members */
} pare_test_options;

#ifdef __cplusplus
}
#endif

#endif
