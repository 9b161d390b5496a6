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

/* A test in this process: says what the program under test does with `size` bytes, which are
 * valid during the call only.  With limits.jobs above 1 it is called from several threads at once.
 * PARE_NO_OUTCOME says that the test itself went wrong: the run then ends as after
 * pare_stop_request, and nothing is recorded about the candidate. */
typedef pare_outcome (*pare_predicate)(void *context, const void *bytes, size_t size);

/* How failures that come by chance are treated; see pare-reduce(1), FLAKY FAILURES. */
typedef enum pare_flaky_mode {
    PARE_FLAKY_DEFAULT, /* AUTO for a test command, OFF for a predicate */
    PARE_FLAKY_OFF,     /* every test is one run */
    PARE_FLAKY_AUTO,    /* a few runs tell whether it is flaky; if so, the result fails about as
                           often as the input */
    PARE_FLAKY_FLOOR    /* the result fails in at least a share of flaky_floor of its runs */
} pare_flaky_mode;

/* What a test sees of the system; pare-reduce(1), SAFETY, tells all of it. */
typedef enum pare_sandbox_kind {
    PARE_SANDBOX_DEFAULT, /* FULL for a program; for a test command DEVICES as root, else OFF.
                             If the system refuses it, the run goes on without, with a warning;
                             a sandbox that was asked for by name is then PARE_E_IO */
    PARE_SANDBOX_OFF,     /* the system as it is */
    PARE_SANDBOX_DEVICES, /* nothing can be removed from /dev */
    PARE_SANDBOX_FULL     /* files are read-only, with copies to write to; no other processes and no
                             network are there */
} pare_sandbox_kind;

#define PARE_NO_LIMIT UINT64_MAX

/* What a test may see and use. */
typedef struct pare_safety {
    pare_sandbox_kind sandbox;
    pare_switch network;         /* FULL: PARE_ON leaves the network of the host */
    const char *const *writable; /* FULL: paths that tests really write to */
    size_t n_writable;
    uint64_t memory_bytes; /* of each process, private and writable; 0: no limit */
    uint64_t cpu_s;        /* seconds of processor time of each process; 0: no limit */
    uint64_t processes;    /* and threads at once: of a test in a FULL sandbox, where 0 is 1024;
                              elsewhere of the user, where 0 is no limit */
    uint64_t file_bytes;   /* of a file that is written; 0: a quarter of the machine's memory, at
                              least 1 GiB; PARE_NO_LIMIT */
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
    bool insecure;           /* allows a server on another machine without credentials */
    bool is_optional;        /* without a server, tests run on this machine alone, with a notice */
    const char *const *with; /* files that the test needs, which travel with it */
    size_t n_with;
} pare_cluster_options;

/* Exactly one of command, worker, program and predicate is given.  The zero value of every other
 * member is its default. */
typedef struct pare_test_options {
    const char *command; /* an executable, or a command line with arguments */
    const char *worker; /* likewise; started once for each job, it reads candidates and answers with
                            outcomes, in lines, as docs/guide/worker.md says */

    /* A program that fails, as n_program words.  "@@" stands for the candidate's path, "@@.EXT" for
     * that of a file with this suffix, "@@@" for "@" and the path, as curl's -d wants it; without any of them
     * the candidate is standard input.
     * pare_reduce_options.keep says what counts as its failure. */
    const char *const *program;
    size_t n_program;

    pare_predicate predicate;
    void *context; /* the predicate's */

    uint64_t timeout_ms; /* of one test; default: learned, see pare-reduce(1) */
    pare_runner runner;  /* of a command or a program */
    pare_safety safety;  /* likewise */

    pare_flaky_mode flaky;
    double flaky_floor;     /* FLOOR: share of runs that fail, above 0 and below 1 */
    double flaky_precision; /* half-width of the 95 % intervals to which the failure rates of input
                               and result are measured, above 0 and below 0.5; 0: as far as a
                               few runs tell */

    pare_switch allow_empty; /* PARE_ON: the input is reduced even if nothing, a line end or its
                                first bytes alone fail as well; default for a predicate */
    bool owns_children;      /* true: this process has no children but ours, so every process that
                                is re-parented to it may be ended */
    const char *check_with; /* a command that says why a candidate does not compile; "@@" stands for
                                its path.  Run only if the test hides what its compiler says.
                                NULL: the compiler is found by watching the test */

    /* Of a command: the exit code, 1 .. 255, that calls a candidate interesting, too.  Such a
     * candidate is not kept, but counted, and the smallest one is written, as other failures of a
     * program are (pare_output_options.also_dir).  0: there is none. */
    uint64_t also_exit_code;

    /* Of a command or a program: workers on which tests run, too.  NULL: on this machine alone. */
    const pare_cluster_options *workers;

    /* NAME=VALUE, n_environment of them: variables of tests, here and on workers, besides those of
     * this process. */
    const char *const *environment;
    size_t n_environment;
    uint64_t reserved[3]; /* zero; room for later members */
} pare_test_options;

#ifdef __cplusplus
}
#endif

#endif
