/* What came of a reduction: the smallest failing input, and what it took to find it. */
#ifndef PARE_RESULT_H
#define PARE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/export.h>
#include <pare/test.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why a reduction ended. */
typedef enum pare_stopped {
    PARE_STOPPED_MINIMAL,     /* the algorithms ran to their end */
    PARE_STOPPED_BUDGET,      /* max_tests or max_time_ms */
    PARE_STOPPED_TARGET,      /* target_size_bytes reached */
    PARE_STOPPED_INTERRUPTED, /* pare_stop_request */
    PARE_STOPPED_EFFORT       /* PARE_EFFORT_FAST, and only what seldom finds anything is left */
} pare_stopped;

/* What the result is proved to be. */
typedef enum pare_minimal {
    PARE_MINIMAL_NONE,
    PARE_MINIMAL_ONE,     /* 1-minimal: no single unit of the last phase can go */
    PARE_MINIMAL_ONE_TREE /* 1-tree-minimal: no single node can give way to its minimal
                             text, if that is shorter; see minimal_nodes */
} pare_minimal;

typedef struct pare_pass_stats {
    char name[64];
    uint64_t tests, successes;
    size_t bytes_removed;
    double oracle_s;
} pare_pass_stats;

/* Another failure that was met on the way. */
typedef struct pare_other_failure {
    char *signature;   /* owned, as all texts; see pare-reduce(1), "Signatures" */
    char *path;        /* of its smallest candidate; NULL: not saved */
    size_t size_bytes; /* of that */
    uint64_t n_tests;  /* how many retired tests showed it */
} pare_other_failure;

typedef struct pare_curve_point {
    uint64_t tests;
    double seconds;
    size_t bytes;
} pare_curve_point;

/* How often a text fails: `fails` of `runs` runs showed the failure, and with 95 %
 * confidence the share of all runs lies between `low` and `high` (Wilson's interval). */
typedef struct pare_frequency {
    uint64_t fails, runs;
    double low, high;
} pare_frequency;

/* Runs of an interpreter that told what a script does not execute; they are no tests.  All-zero: there
 * was none. */
typedef struct pare_coverage_stats {
    unsigned runs;
    double seconds;         /* of all of them */
    size_t unreached_bytes; /* of the input, as the first run told */
} pare_coverage_stats;

/* Questions to libclang about the text; they are no tests.  All-zero: there was none. */
typedef struct pare_semantic_stats {
    unsigned runs;
    double seconds; /* of all of them */
    uint64_t edits; /* that it has offered */
    bool absent;    /* it is not installed */
} pare_semantic_stats;

/* What is known of a failure that comes by chance; all-zero: it seems to be certain. */
typedef struct pare_flaky_stats {
    bool flaky;
    pare_frequency input, result; /* result: no runs when the end left no time for them */
    uint64_t runs;                /* of the test command, in all: `tests_run` counts decisions */
    unsigned taken_back;          /* how often the best was given up for an earlier one */
    bool fixed_addresses;         /* by chance only with random addresses, so tests ran without */
    bool one_at_a_time;           /* by chance only beside others, so one test ran at a time */
} pare_flaky_stats;

/* What was heard of whether candidates compile, while that was of use; all-zero: nothing. */
typedef struct pare_compiled_stats {
    uint64_t candidates; /* of which it was told, those that fail included */
    uint64_t compiled;   /* those that do */
    uint64_t checks;     /* runs of a compiler only to hear that; no tests */
    double check_s;      /* taken by them */
} pare_compiled_stats;

/* What workers on other machines did (pare_test_options.workers); all-zero: none were asked for. */
typedef struct pare_workers_stats {
    unsigned most_machines, most_slots; /* that took part at once, without this machine */
    uint64_t tests_away;                /* whose outcome came from there */
    uint64_t tests_back;                /* taken back, and run here */
    uint64_t tests_known;               /* that another run of the same test had answered */
    uint64_t traffic_bytes;             /* to and from the server */
} pare_workers_stats;

typedef struct pare_stats {
    size_t bytes_in, bytes_out; /* of the files that may be reduced */
    size_t units_in, units_out; /* of the first phase; 0 of a large text after a stop */
    size_t files_in, files_out; /* with links and empty folders; 1 for a single file */
    size_t arguments_in, arguments_out, variables_in, variables_out; /* 0: not reduced */
    uint64_t tests_run; /* tests that ran to an outcome, used or not */
    uint64_t outcome_fail, outcome_pass,
        outcome_unresolved;  /* retired tests by outcome, the check included */
    uint64_t other_failures; /* of the passes, those with a signature of their own */
    uint64_t cache_hits;     /* candidates answered without a run */
    uint64_t speculated;     /* tests started before it was known that they are needed */
    uint64_t cancelled;      /* tests ended because they were not needed any more */
    double wall_s, oracle_s; /* oracle_s: sum over tests */
    double busy_s;           /* that slots had a run, of whatever kind, summed over them: what is
                                missing to wall_s * jobs they have waited */
    double cpu_s;            /* of this process, children not counted */
    size_t peak_rss_bytes;
    unsigned jobs;
    uint64_t timeout_ms;     /* limit per test at the end; 0: none */
    pare_runner runner;      /* in use at the end; AUTO: there are no processes */
    char runner_reason[256]; /* why that one; may be empty */
    pare_safety safety;      /* what held for the tests: 0 is no limit; no paths */
    char unprotected[512];   /* what of that is less than it was to be, and why; empty: nothing */
    pare_stopped stopped;
    bool output_edited; /* somebody else has changed what is at the output, so the best is beside
                           it; the error of the run says where */
    pare_minimal minimal;
    const char *language;     /* by which the input was read; static; NULL: none, or of files of
                                 several each by its own */
    const char *minimal_unit; /* of which no single one can go; static; NULL: none */
    char minimal_nodes[160];  /* ONE_TREE: what was shown, without a full stop: which nodes
                                 are meant, and what was tried with each; else empty */
    pare_flaky_stats flaky;
    pare_compiled_stats compiled;
    pare_workers_stats workers;
    pare_coverage_stats coverage;
    pare_semantic_stats semantic;
    pare_pass_stats *passes; /* owned */
    size_t n_passes;
    pare_curve_point *curve; /* owned */
    size_t n_curve;
} pare_stats;

/* An all-zero result is empty. */
typedef struct pare_result {
    unsigned char *bytes; /* owned; the smallest failing input found; NULL: several files */
    size_t size_bytes;    /* of it, or of the contents of all files */
    pare_stats stats;
    char *signature; /* owned; of the failure kept, when one was given or learnt */
    char *command;   /* owned; what is left of the command line, quoted for a shell; NULL: it
                        was not reduced */
    char *variables; /* owned; the names of those that are left, likewise */
    char *printed;   /* owned; the last lines, up to 4 KiB, that the test, or the program without
                        one, printed when it failed on this result, NUL-terminated: with
                        pare_output_options.keep_printed.  NULL: nothing, or it is not known */
    pare_other_failure *others; /* owned, in the order in which they were met */
    size_t n_others;
    /* When the input does not fail (PARE_E_STATE): what the test did with it. */
    int check_exit_code; /* -1: ended by a signal, or not a command */
    int check_signal;    /* 0: none */
    bool check_timed_out;
    bool check_judged;   /* a program without a script was run */
    bool check_worker;   /* a worker was asked */
    bool check_private;  /* the test names a file that its private directory does not hold */
    char *check_output;  /* owned; last lines the test printed, NUL-terminated; may be NULL */
    char *check_command; /* owned; the command as run; may be NULL */
    /* When the program reports several problems, and none is named by keep.message
     * (PARE_E_STATE): each of them, to name one; owned, as are its texts; else none. */
    char **reported;
    size_t n_reported;
} pare_result;

PARE_API void pare_result_done(pare_result *result);

#ifdef __cplusplus
}
#endif

#endif
