/* Reducing one failing input.
 *
 *     pare_reduce_options options = {
 *         .input_path = "crash.c", .test_command = "./test.sh", .output_path = "small.c"};
 *     pare_result result = {0};
 *     pare_error err = {0};
 *     if (pare_reduce(&options, &result, &err)) fprintf(stderr, "%s\n", err.message);
 *     pare_result_done(&result);
 *
 * The cost of a reduction is counted in oracle tests.  With the same input, test and
 * options the result is the same bytes, whatever the number of jobs; but the default with more
 * than four jobs and without `deterministic` gives another one of about the same size, perhaps. */
#ifndef PARE_REDUCE_H
#define PARE_REDUCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/keep.h>
#include <pare/outcome.h>
#include <pare/status.h>
#include <pare/stop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In-process test: says what the program under test does with `size` bytes.
 * The bytes are valid during the call only.  With `jobs` above 1 it is called from
 * several threads at once. */
typedef pare_outcome (*pare_predicate)(void *context, const void *bytes, size_t size);

/* The knobs of the list family; the zero value of each means "as the algorithm
 * defines it".  Source: Hodován and Kiss, ICSOFT 2016, and the tool Picire. */
typedef enum pare_subsets {
    PARE_SUBSETS_DEFAULT,
    PARE_SUBSETS_FIRST,
    PARE_SUBSETS_LAST,
    PARE_SUBSETS_SKIP
} pare_subsets;
typedef enum pare_order {
    PARE_ORDER_DEFAULT,
    PARE_ORDER_FORWARD,
    PARE_ORDER_BACKWARD,
    PARE_ORDER_RANDOM
} pare_order;
typedef enum pare_split { PARE_SPLIT_DEFAULT, PARE_SPLIT_ZELLER, PARE_SPLIT_BALANCED } pare_split;
typedef enum pare_fixpoint {
    PARE_FIXPOINT_DEFAULT,
    PARE_FIXPOINT_ON,
    PARE_FIXPOINT_OFF
} pare_fixpoint;

#define PARE_GRANULARITY_INF SIZE_MAX

typedef struct pare_list_knobs {
    pare_subsets subsets;
    pare_order order;
    pare_split split;
    pare_fixpoint fixpoint;
    size_t granularity;   /* first number of parts and factor of refinement; 0: default,
                           2 .. ; PARE_GRANULARITY_INF: single units at once */
    uint64_t seed;        /* for PARE_ORDER_RANDOM */
    uint64_t reserved[8]; /* zero; room for later members */
} pare_list_knobs;

/* How much the default does.  NORMAL: until no phase finds anything over the result, which is
 * minimal then.  FAST: each phase on probation only, so without a promise: what is left to do
 * seldom removes anything.  MAX: when no phase finds anything,
 * sets of units that stand apart are tried, and what follows from what they find.  Named
 * algorithms do what they do. */
typedef enum pare_effort { PARE_EFFORT_NORMAL, PARE_EFFORT_FAST, PARE_EFFORT_MAX } pare_effort;

/* What is done about a failure that comes by chance; see pare(1), FLAKY FAILURES. */
typedef enum pare_flaky_mode {
    PARE_FLAKY_DEFAULT, /* AUTO for a test command, OFF for a predicate */
    PARE_FLAKY_OFF,     /* every test is one run */
    PARE_FLAKY_AUTO,    /* found out by a few runs, measured, and kept about as frequent */
    PARE_FLAKY_FLOOR    /* measured, and kept at least as frequent as flaky_floor */
} pare_flaky_mode;

typedef enum pare_switch { PARE_DEFAULT, PARE_ON, PARE_OFF } pare_switch;

/* What a test sees of the system; pare(1), SAFETY, tells all of it. */
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
    uint64_t reserved[8];         /* zero; room for later members */
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

/* HDDr's work list: which node is taken from it next, and in which order the children of a
 * node join it.  Source: Hodován and Kiss, A-TEST 2016. */
typedef enum pare_traversal {
    PARE_TRAVERSAL_DEFAULT,      /* the first of these */
    PARE_TRAVERSAL_LAST_FORWARD, /* the youngest; children join as they stand */
    PARE_TRAVERSAL_LAST_BACKWARD,
    PARE_TRAVERSAL_FIRST_FORWARD, /* the oldest */
    PARE_TRAVERSAL_FIRST_BACKWARD
} pare_traversal;

/* GRABR: where it looks for smaller trees, and how many it makes of an expansion of the
 * grammar.  Source: The Fuzzing Book, GrammarReducer. */
typedef enum pare_search {
    PARE_SEARCH_DEFAULT,
    PARE_SEARCH_DEPTH, /* one level below at a time, the nearest first */
    PARE_SEARCH_ALL    /* at all levels at once */
} pare_search;
typedef enum pare_combinations {
    PARE_COMBINATIONS_DEFAULT,
    PARE_COMBINATIONS_FIRST, /* the first that is smaller */
    PARE_COMBINATIONS_ALL    /* up to 1000 */
} pare_combinations;

/* The knobs of the tree algorithms; the zero value of each means "as the algorithm
 * defines it". */
typedef struct pare_tree_knobs {
    /* What is done to a tree before it is reduced, in this order: comma-separated
     * remove-empty, flatten, squeeze, hide, skip-space; or "none". */
    const char *transforms;
    const char *list; /* name of the list algorithm that minimises lists of nodes, or
                         "halves", the one of perses */
    /* hdd, hddr: each phase is comma-separated steps (prune, coarse, hoist, delete, child),
     * done in a row to each list of nodes, and repeated until it changes nothing. */
    const char *const *phases;
    size_t n_phases;
    pare_traversal traversal;       /* hddr */
    pare_search search;             /* grabr */
    pare_combinations combinations; /* grabr */
    /* gtr: paths of example files, or folders of them: what is never left out, or never
     * stands in a place, in any example that parses, is not tried. */
    const char *const *corpus;
    size_t n_corpus;
    uint64_t reserved[8]; /* zero; room for later members */
} pare_tree_knobs;

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

typedef enum pare_event_kind {
    PARE_EVENT_START,    /* before the input is tested; `notice` may say what was found on disk */
    PARE_EVENT_TEST,     /* a test retired, in the order the algorithm sees it; n = 0 is the
                            check of the input itself */
    PARE_EVENT_PHASE,    /* an algorithm starts over a list of units */
    PARE_EVENT_PROGRESS, /* nothing retired, but slots or time have moved; at most 10 a second */
    PARE_EVENT_NOTICE,   /* one sentence the user should see, in `notice` */
    PARE_EVENT_END
} pare_event_kind;

/* What a watcher sees.  Everything is valid during the call only. */
typedef struct pare_event {
    pare_event_kind kind;
    uint64_t n;            /* number of the test, in order of retirement */
    const char *digest;    /* TEST: 32 hexadecimal digits, the candidate's name */
    size_t size_bytes;     /* TEST: of the candidate */
    pare_outcome outcome;  /* TEST */
    bool from_cache;       /* TEST: answered without running anything */
    bool accepted;         /* TEST: it is the new best, and on disk already */
    double test_ms;        /* TEST: what the run took; 0 from the cache */
    const char *signature; /* TEST: of another failure than the one kept; NULL: none */
    const char *phase;     /* "ddmin/line"; the phase in progress */
    const char *keeping;   /* the failure that is kept, when one was learnt; NULL: what the test
                              says */
    const char *notice;    /* START, NOTICE */
    size_t input_bytes, best_bytes;
    size_t n_units;     /* PHASE: how many there are */
    uint64_t tests_run; /* so far */
    unsigned slots_busy, jobs;
    double elapsed_s; /* since the start */
    bool is_warning;  /* NOTICE: this system is less safe than it was to be; for all to see */
} pare_event;

typedef void (*pare_watcher)(void *context, const pare_event *event);

/* Zero value of each member: the default. */
typedef struct pare_reduce_options {
    size_t struct_bytes; /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    /* The input: a file, or bytes in memory with a name for the candidate's file. */
    const char *input_path; /* a folder, too: see inputs */
    const void *input;
    size_t input_bytes;
    const char *input_name; /* default "input" */

    /* Several files, or folders with all that is in them, of different base names, instead of
     * the above.  Candidates have them under these names; their paths, in this order, are
     * the last arguments of the test.  The output is a folder: what is left of the one
     * folder that was given, or else one that holds what is left of each.  Links stay links;
     * what is neither file, link nor folder is left out. */
    const char *const *inputs;
    size_t n_inputs;

    /* PARE_ON: what is left of each of `inputs` takes its place with the first success that
     * changes it, and what it was is called INPUT.orig; the output path only names the result.
     * Each place is replaced at once (renameat2, RENAME_EXCHANGE, for a folder), several one
     * after the other.  An INPUT.orig that is there is the input when journal_dir is that of
     * an unfinished run, else the reduction does not start. */
    pare_switch in_place;
    const char *const *places; /* n_inputs paths that are replaced instead of the inputs
                                  themselves, and whose base names candidates have;
                                  default: the inputs */

    /* Of several files: globs (fnmatch(3)) of files that stay as they are, and of those
     * that are reduced while all others stay.  A glob is compared with the path below what
     * was given, with the last part of it, and so with the folders above. */
    const char *const *keep_files;
    size_t n_keep_files;
    const char *const *only_files;
    size_t n_only_files;

    /* What stays: text that one of these regular expressions (Perl's, by PCRE2; ^ and $ at
     * lines) matches in the input, besides what stands between lines with pare:keep-begin
     * and pare:keep-end. */
    const char *const *protect;
    size_t n_protect;

    /* The test: exactly one of a command, a worker, a program and a predicate. */
    const char *test_command; /* an executable, or a command line with arguments */
    const char *generator; /* with a test command: the input is the choices of this command, which
                              gets them as standard input (or as a file, where "@@" stands) and
                              prints the text that is tested; "@@" or "@@.EXT" in the test is
                              the text's path, else its last argument is.  Algorithm "choices"
                              is made for it.  Where the input is a file that pare_record has
                              made, the command gets its choices as its randomness; then the text
                              is what is reduced, and the result */
    const char *choices_path;   /* with recorded choices: where those of the result are written;
                                 NULL: nowhere */
    const char *worker_command; /* the same; started once for each job, told of candidates and
                                   asked for outcomes in lines, as docs/guide/worker.md says */
    pare_predicate predicate;
    void *predicate_context;

    /* A program that fails, in words; "@@" is the candidate's path, "@@.EXT" that of a
     * file with this suffix, and without either the candidate is standard input. */
    const char *const *program;
    size_t n_program;
    pare_keep keep; /* what its failure is; nothing named: learned */

    /* PARE_ON: the program's arguments, the variables of its environment are reduced too.
     * Words with "@@" stay as they are, words that name paths stay or go; PATH, HOME, PWD,
     * TMPDIR, TMP, TEMP and PARE_... stay.  Other commands of `keep` see all variables. */
    pare_switch reduce_arguments, reduce_environment;
    const char *script_path; /* a shell script that runs what is left of the command on what
                                is left of the input, beside the output, or without an output_path
                                on nothing; NULL: none */

    const char *algorithms; /* comma-separated names, see algorithm.h; default "auto" */
    const char *units;      /* comma-separated: byte, char, line, token, bracket */

    /* How tree algorithms and the default read the input: by a grammar, or by a language
     * (language.h); without either, or where the language was not added, by brackets. */
    const char *const *grammars; /* paths of ANTLR v4 grammars, with their lexer */
    size_t n_grammars;
    const char *start_rule; /* of the grammar; default: its first parser rule */
    const char *language;   /* "none": by brackets; NULL or "auto": by the input's name */
    /* Stretches of it in other languages, each TOKEN[:REGEX]=FILE[,FILE ...][#RULE] or
     * TOKEN[:REGEX]=lang:NAME; see pare(1), "Islands". */
    const char *const *islands;
    size_t n_islands;

    pare_effort effort; /* of the default */
    pare_list_knobs knobs;
    pare_safety safety; /* of a test command */
    pare_tree_knobs tree;

    unsigned jobs;            /* tests at once, 1 .. 1024; default: the cores, or 1 for
                                   a predicate */
    uint64_t timeout_ms;      /* per test; default: learned, see pare(1) */
    pare_runner runner;       /* of a test command */
    uint64_t max_tests;       /* 0: no limit; counts tests run, in order of retirement */
    uint64_t max_time_ms;     /* 0: no limit */
    size_t target_size_bytes; /* stop once the best is at most this; needs use_target */
    bool use_target;
    pare_switch cache;         /* PARE_OFF runs repeated candidates again */
    pare_switch deterministic; /* PARE_ON: the same bytes and steps for any number of jobs */
    pare_switch allow_empty;   /* PARE_ON: an input that fails as nothing, a line end or its
                                  first bytes do is reduced; default for a predicate */
    pare_flaky_mode flaky;
    double flaky_floor;     /* FLOOR: share of runs that fail, above 0 and below 1 */
    double flaky_precision; /* half-width of the 95 % intervals to which input and result are
                               measured, above 0 and below 0.5; 0: as far as few runs tell */

    const char *output_path;  /* written by rename after each success; NULL: memory only */
    pare_switch keep_earlier; /* PARE_ON: what is at output_path, and was not written by this
                                 reduction or has changed since, is called PATH.~1~, or by the
                                 next number that is free; a notice says so.  Default: it is
                                 replaced */
    const char *journal_dir;  /* NULL: no journal */
    const char *also_dir;     /* where other failures met on the way are saved, each with its
                                 smallest candidate; made when needed; NULL: nowhere */
    pare_switch keep_journal; /* PARE_ON: stays after a complete run */

    pare_watcher watcher; /* called on the calling thread */
    void *watcher_context;
    pare_stop *stop;    /* may be NULL */
    bool owns_children; /* true: this process has no children but ours, so every process
                           that is re-parented to it may be ended */
} pare_reduce_options;

typedef struct pare_pass_stats {
    char name[64];
    uint64_t tests, successes;
    size_t bytes_removed;
    double oracle_s;
} pare_pass_stats;

/* Another failure that was met on the way. */
typedef struct pare_other_failure {
    char *signature;   /* owned, as all texts; see pare(1), "Signatures" */
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

/* What is known of a failure that comes by chance; all-zero: it seems to be certain. */
typedef struct pare_flaky_stats {
    bool flaky;
    pare_frequency input, result; /* result: no runs when the end left no time for them */
    uint64_t runs;                /* of the test command, in all: `tests_run` counts decisions */
    unsigned taken_back;          /* how often the best was given up for an earlier one */
    bool fixed_addresses;         /* by chance only with random addresses, so tests ran without */
} pare_flaky_stats;

typedef struct pare_stats {
    size_t bytes_in, bytes_out, units_in, units_out; /* units of the first phase */
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
    double cpu_s;            /* of this process, children not counted */
    size_t peak_rss_bytes;
    unsigned jobs;
    uint64_t timeout_ms;     /* limit per test at the end; 0: none */
    pare_runner runner;      /* in use at the end; AUTO: there are no processes */
    char runner_reason[256]; /* why that one; may be empty */
    pare_safety safety;      /* what held for the tests: 0 is no limit; no paths */
    char unprotected[512];   /* what of that is less than it was to be, and why; empty: nothing */
    pare_stopped stopped;
    pare_minimal minimal;
    const char *language;     /* by which the input was read; static; NULL: none, or of files of
                                 several each by its own */
    const char *minimal_unit; /* of which no single one can go; static; NULL: none */
    char minimal_nodes[160];  /* ONE_TREE: what was shown, without a full stop: which nodes
                                 are meant, and what was tried with each; else empty */
    pare_flaky_stats flaky;
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

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_reduce_sized(const pare_reduce_options *options,
                                                  size_t options_bytes, pare_result *result,
                                                  pare_error *err);

/* Reduces.  On PARE_OK *result holds the best; with an error it holds the best so
 * far if there is one (PARE_E_INTERRUPTED is not an error here: see stats.stopped).
 * Errors: PARE_E_ARG (options), PARE_E_STATE (the input does not fail, its failure cannot be
 * told, or inputs that have nothing of it fail too, see allow_empty; nothing was
 * reduced), PARE_E_IO (input, output, or the test cannot be run), PARE_E_LIMIT,
 * PARE_E_NOMEM.
 * Cost: one test for the input, two to four more where a failure is learnt, three for inputs
 * that have nothing of it, then what the algorithms take. */
static inline PARE_CHECK pare_status pare_reduce(const pare_reduce_options *options,
                                                 pare_result *result, pare_error *err)
{
    return pare_reduce_sized(options, sizeof *options, result, err);
}

/* The language that pare_reduce would read the one input by, and that is not there: adding it
 * (pare_language_add) can make the result many times smaller.  Static; NULL: none is missing, or
 * there are several inputs.  Nothing is run. */
PARE_API const char *pare_reduce_missing_language(const pare_reduce_options *options);

/* Which elements of a list of one's own are needed.  `indices` holds the kept ones in
 * ascending order and is valid during the call only. */
typedef pare_outcome (*pare_list_predicate)(void *context, const uint32_t *indices, size_t n);

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_reduce_list_sized(size_t n, pare_list_predicate predicate,
                                                       void *context,
                                                       const pare_reduce_options *options,
                                                       size_t options_bytes, uint32_t **kept,
                                                       size_t *n_kept, pare_error *err);

/* Reduces a list of `n` elements (1 .. 2^30 - 1) by an algorithm of the list family.
 * Uses of `options`: algorithms, knobs, jobs, limits, cache, watcher, stop; the sizes in
 * events and statistics count 4 bytes an element.
 * The input, the units and another test must not be given.
 * On PARE_OK the caller owns *kept (ascending; pare_list_free) with *n_kept entries.
 * Errors: as pare_reduce; *kept is untouched then. */
static inline PARE_CHECK pare_status pare_reduce_list(size_t n, pare_list_predicate predicate,
                                                      void *context,
                                                      const pare_reduce_options *options,
                                                      uint32_t **kept, size_t *n_kept,
                                                      pare_error *err)
{
    return pare_reduce_list_sized(n, predicate, context, options, sizeof *options, kept, n_kept,
                                  err);
}
PARE_API void pare_list_free(uint32_t *kept);

#ifdef __cplusplus
}
#endif

#endif
