/* Comparing reducers: a matrix of algorithms, cases and numbers of jobs.
 *
 * The program pare-shootout, which `pare shootout` executes, in these parts: suites of cases
 * (suite.c, suite_file.c, suite_generated.c), the matrix (shootout.c), its figures (score.c) and
 * what is written of it (shootout_json.c, shootout_table.c, shootout_page.c).
 *
 *     pare_suite suite = {0};
 *     pare_shootout shootout = {0};
 *     pare_error err = {0};
 *     pare_status status = pare_suite_read(&suite, "cases.json", &err);
 *     pare_shootout_options options = {.suite = &suite};
 *     if (!status) status = pare_shootout_run(&options, &shootout, &err);
 *     ...
 *     pare_shootout_done(&shootout);
 *     pare_suite_done(&suite);
 *
 * Each run is one pare_reduce, nothing else runs meanwhile, and its result is tested again
 * afterwards, outside of what the run did and believed.  The unit of cost is the test. */
#ifndef PARE_SHOOTOUT_SHOOTOUT_H
#define PARE_SHOOTOUT_SHOOTOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/stop.h>
#include <pare/test.h>

#include "base/fail.h"
#include "cli/options.h"

/* ---- cases ----------------------------------------------------------------------- */

enum { PARE_CASE_GROUPS = 4, PARE_CASE_TARGETS = 4 };

/* A size that somebody else reached on a case: `bytes` in `tests` tests. */
typedef struct pare_mark_to_beat {
    uint64_t tests;
    size_t bytes;
} pare_mark_to_beat;

/* One failing input and its test.  Texts are owned by the suite. */
typedef struct pare_case {
    char *name;                     /* unique in the suite */
    char *groups[PARE_CASE_GROUPS]; /* what it shares with others ("expr", "pair"); NULL after
                                       the last */
    unsigned char *input;
    size_t input_bytes;
    char *input_name; /* base name of the candidate's file */
    char *generator;  /* command that made the input; NULL: nobody knows.  Contenders "choices" and
                        "portfolio" reduce it through its choices */
    char *choices;    /* a file of those, recorded (pare_record) */
    size_t choices_bytes;
    char *test_command;       /* as in pare_reduce_options; NULL: `predicate` */
    char *test_shown;         /* the test as the description names it, for people; NULL: none */
    pare_predicate predicate; /* in process; any thread */
    void *predicate_context;
    char *needs; /* what the test looks for, in words; NULL: nobody said */
    char **grammars;
    size_t n_grammars;
    char *start, *language; /* NULL: the default */

    /* What is known of the case, where there is a record: all optional. */
    size_t known_bytes; /* the smallest input known to fail; 0: not known */
    char *peer;         /* the reducer that came closest; NULL: none */
    pare_mark_to_beat peer_best;
    pare_mark_to_beat *frontier; /* the smallest size any peer had after so many tests, in the
                                    order of tests */
    size_t n_frontier;
    pare_mark_to_beat targets[PARE_CASE_TARGETS]; /* `bytes` in at most `tests` */
    size_t n_targets;
    size_t target_tokens; /* the result is to have at most so many; 0: none */
} pare_case;

/* Cases, and how they ask to be run.  All-zero is empty. */
typedef struct pare_suite {
    char *name; /* of the first thing that was added */
    pare_case *cases;
    size_t n_cases, capacity;
    char **contenders; /* see pare_shootout_options; NULL: nobody said */
    size_t n_contenders;
    uint64_t max_tests, max_time_ms, timeout_ms; /* 0: nobody said */
    char **notices;                              /* sentences: what was left out, and why */
    size_t n_notices;
    struct pare_suite_resources *resources; /* grammars, parsers, a private folder */
} pare_suite;

/* Adds the cases of `path`: a description in JSON (pare-shootout(1), CASES), a folder with an input
 * called input or input.EXT and a test called test.sh, or a folder of such folders.  Generators
 * that a description names are run.
 * Errors: PARE_E_SYNTAX (no JSON, or not such a description, or a generator makes
 * nothing; the sentence names file and key), PARE_E_ARG (two cases of one name, no case at all), PARE_E_IO, PARE_E_NOMEM, and those
 * of pare_record.  The suite needs pare_suite_done in any case. */
PARE_CHECK pare_status pare_suite_read(pare_suite *suite, const char *path, pare_error *err);

/* Zero value of each member: the default. */
typedef struct pare_suite_generated {
    unsigned inputs; /* for each grammar, size and number of symbols; 0: 4 */
    uint64_t seed;
} pare_suite_generated;

/* Adds generated cases: inputs by five grammars, small and large ones; a test fails when one,
 * two or three symbols all occur in the derivation of the candidate, is UNRESOLVED when the
 * candidate has none, and else passes.  Symbols that every derivation has are not asked for.
 * The same seed makes the same cases.  Groups: grammar, "1 symbol" .., "small" or "large".
 * Tests are answered in process.
 * Source: seed 002, exercise 3 ("The Big Reduction Shoot-Out"); the grammars of seeds 000, 002
 * (expr), 002 (number), 004 (assignment), and, as deviation, two with a lexer (json, program).
 * Errors: PARE_E_IO, PARE_E_LIMIT, PARE_E_NOMEM; as above. */
PARE_CHECK pare_status pare_suite_generate(pare_suite *suite, const pare_suite_generated *options,
                                           pare_error *err);

void pare_suite_done(pare_suite *suite);

/* ---- runs ------------------------------------------------------------------------ */

/* One cell of the matrix. */
typedef struct pare_run {
    size_t case_index, contender;
    unsigned jobs, repeat;
    pare_status status;    /* of pare_reduce; not PARE_OK: no result, see `message` */
    char *message;         /* owned; NULL when there is a result */
    unsigned char *result; /* owned; size_bytes of it */
    size_t size_bytes;
    pare_stats stats;
    pare_outcome checked; /* of the result, tested again: FAIL unless something is wrong */
} pare_run;

/* Called after each run, on the calling thread; borrowed. */
typedef void (*pare_shootout_watcher)(void *context, const pare_run *run, size_t n_done,
                                      size_t n_runs);

/* Zero value of each member: the default. */
typedef struct pare_shootout_options {
    const pare_suite *suite;
    /* What is compared, each ALGORITHM[,ALGORITHM ...][/UNIT[,UNIT ...]] [OPTIONS] in the terms of
     * pare reduce (contender.c); default those of the suite, else ddmin/char, hdd, gtr, grabr, perses
     * and auto where every case has a grammar, else ddmin and auto. */
    const char *const *contenders;
    size_t n_contenders;
    const unsigned *jobs; /* ascending; each a matrix of its own; default 1 */
    size_t n_jobs;
    unsigned n_repeats; /* of each run, by seeds one after the other; 0: 1 */
    uint64_t max_tests, max_time_ms, timeout_ms; /* of each run; default those of the suite */
    uint64_t test_us; /* tests in process last at least so long, as those of programs do */
    pare_shootout_watcher watcher;
    void *watcher_context;
    pare_stop *stop;    /* may be NULL */
    bool owns_children; /* as in pare_reduce_options */
} pare_shootout_options;

enum { PARE_MACHINE_BYTES = 256 };

/* What came of it.  All-zero is empty; the suite has to live as long. */
typedef struct pare_shootout {
    const pare_suite *suite; /* borrowed */
    char **contenders;       /* owned */
    size_t n_contenders;
    unsigned *jobs; /* owned */
    size_t n_jobs;
    unsigned n_repeats; /* at least 1 */
    uint64_t max_tests, max_time_ms, test_us;
    pare_run *runs; /* owned: by case, contender, jobs and repeat, in this order */
    size_t n_runs;  /* fewer than the matrix has when it was interrupted */
    bool interrupted;
    int64_t started_s;                /* since 1970, UTC */
    double wall_s;                    /* of all of it */
    char machine[PARE_MACHINE_BYTES]; /* system, processors and their number */
} pare_shootout;

void pare_shootout_done(pare_shootout *shootout);

/* Runs the matrix.  A run that ends with an error is part of the result; memory that is out
 * and a stop end all of it, and *shootout holds the runs so far.
 * Errors: PARE_E_ARG (no case, an unknown algorithm or unit, jobs out of range),
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_shootout_run(const pare_shootout_options *options,
                                         pare_shootout *shootout, pare_error *err);

/* The run of that cell, or NULL: of several repeats that with the median size, and of those of one size
 * that with the median number of tests; one without a result before all others. */
const pare_run *pare_shootout_find(const pare_shootout *shootout, size_t case_index,
                                   size_t contender, unsigned jobs);

/* A contender on a case; for what is about all cases `case_index` is not looked at. */
typedef struct pare_cell {
    size_t case_index, contender;
    unsigned jobs;
} pare_cell;

/* One repeat of it, from 0, or NULL. */
const pare_run *pare_shootout_find_repeat(const pare_shootout *shootout, const pare_cell *cell,
                                          unsigned repeat);

/* ---- contenders ------------------------------------------------------------------ */

/* What a contender's words say.  All-zero is empty. */
typedef struct pare_contender {
    char *text;                     /* owned; its words, cut apart */
    const char *algorithms, *units; /* in `text`; units NULL: none are named */
    pare_arguments arguments;       /* owned */
    const char **phases;            /* owned; texts in `text` */
} pare_contender;

/* Reads "ddmin/line --subsets skip".  *contender is all-zero after a failure.
 * Errors: PARE_E_ARG (algorithms, units or options that are not known), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_contender_read(const char *text, pare_contender *contender,
                                           pare_error *err);
void pare_contender_done(pare_contender *contender);

/* Sets what it says in *reduce; borrowed.  `repeat` is added to its seed. */
void pare_contender_apply(const pare_contender *contender, unsigned repeat,
                          pare_reduce_options *reduce);

/* ---- statistics ------------------------------------------------------------------ */

/* Tests that the algorithm asked for and that were run for it: not those that were run ahead in
 * vain, nor what the cache answered. */
uint64_t pare_run_needed(const pare_run *run);

typedef enum pare_figure { PARE_FIGURE_BYTES, PARE_FIGURE_TESTS, PARE_FIGURE_SECONDS } pare_figure;

/* Of TESTS those that were needed. */
double pare_run_figure(const pare_run *run, pare_figure figure);

/* A mean, and where it is with 95 % confidence by the bootstrap. */
typedef struct pare_interval {
    double mean, low, high;
} pare_interval;

double pare_statistics_median(double *values, size_t n); /* sorts them; 0 of nothing */
/* How probable it is that one of `a` is below one of `b`, ties by half; 0.5 of nothing. */
double pare_statistics_a12(const double *a, size_t n_a, const double *b, size_t n_b);
pare_interval pare_statistics_bootstrap(const double *values, size_t n);
/* Sets *p to that of the two-sided signed-rank test of n pairs; 1 where no pair differs.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_statistics_wilcoxon(const double *a, const double *b, size_t n,
                                                double *p, pare_error *err);

/* Of one contender over the cases in which all its repeats have results: each case counts with the
 * median of its repeats. */
typedef struct pare_summary {
    size_t n_cases;
    double median;
    pare_interval mean; /* geometric */
} pare_summary;
PARE_CHECK pare_status pare_shootout_summarize(const pare_shootout *shootout, const pare_cell *cell,
                                               pare_figure figure, pare_summary *out,
                                               pare_error *err);

/* Of two over the cases in which both have results. */
typedef struct pare_comparison {
    size_t n_cases;
    pare_interval ratio; /* geometric mean of the first by the second, case by case */
    double p;            /* Wilcoxon's signed-rank test over the cases */
    double a12; /* how often a repeat of the first is below one of the second: mean over cases */
} pare_comparison;
PARE_CHECK pare_status pare_shootout_compare(const pare_shootout *shootout, const pare_cell *a,
                                             const pare_cell *b, pare_figure figure,
                                             pare_comparison *out, pare_error *err);

/* ---- figures --------------------------------------------------------------------- */

/* Geometric means of one contender over the cases of a group in which every contender has a
 * result; an empty result counts as one byte, no test as one test.  Means are 0 without
 * cases. */
typedef struct pare_score {
    size_t n_cases; /* that the means are over */
    double bytes;   /* of the results */
    double share;   /* bytes of a result by bytes of its input */
    double tests;   /* that were run */
    double wall_s;
    double to_twice;   /* tests until the size was twice the smallest any contender ended with, or
                        less; for one that never came there ten times the tests of the one
                        that came there last (PAR10, as in competitions of solvers) */
    size_t n_smallest; /* cases in which no contender had a smaller result */
    size_t n_twice;    /* cases in which it came to twice the smallest */
    size_t n_finished; /* runs that came to their own end */
    size_t n_failed;   /* all cases of the group: no result */
    size_t n_refuted;  /* likewise: the result does not fail when tested again */
} pare_score;

/* `group` NULL: all cases; `jobs`: one of shootout->jobs. */
pare_score pare_shootout_score(const pare_shootout *shootout, const char *group, size_t contender,
                               unsigned jobs);

/* Geometric mean of wall_s with the first number of jobs by wall_s with `jobs`; 0 without
 * cases that have both. */
double pare_shootout_speed_up(const pare_shootout *shootout, size_t contender, unsigned jobs);

/* Size of the smallest candidate that failed within the first `tests` tests. */
size_t pare_run_size_after(const pare_run *run, uint64_t tests);

/* Geometric mean over the same cases as in a score of the share of the input that is left
 * after `tests` tests. */
double pare_shootout_share_after(const pare_shootout *shootout, const char *group, size_t contender,
                                 unsigned jobs, uint64_t tests);

/* What a part of `contender`'s runs (a phase or pass, by its name) earned over all cases: sums.
 * Parts are numbered in the order in which the runs name them first; false after the last. */
bool pare_shootout_earned(const pare_shootout *shootout, size_t contender, unsigned jobs,
                          size_t index, pare_pass_stats *earned);

/* Share of the wall time of `contender`'s runs of programs that passed inside tests; below 0:
 * there are none.  With more than one job it may be above 1. */
double pare_shootout_test_share(const pare_shootout *shootout, size_t contender, unsigned jobs);

typedef enum pare_target_kind {
    PARE_TARGET_SIZE,     /* the result is not larger than the peer's best */
    PARE_TARGET_TESTS,    /* a size is reached in so many tests: a third of those that the peer
                             took to its best, or the case's own target */
    PARE_TARGET_FRONTIER, /* after so many tests no peer is smaller */
    PARE_TARGET_KNOWN,    /* the result is within twice the smallest input known */
    PARE_TARGET_TOKENS    /* the result has at most so many tokens, by the lexer that knows no
                             language: each sign is one */
} pare_target_kind;

/* What a run should reach, and whether it did. */
typedef struct pare_target {
    pare_target_kind kind;
    pare_mark_to_beat mark; /* `bytes` within `tests`; tests 0: at the end */
    uint64_t tests;         /* TESTS: in which the size was reached; 0: never */
    size_t bytes;           /* what the run had: at its end, or after mark.tests; of TOKENS
                               mark.bytes and this are tokens */
    bool met;
} pare_target;

/* Target number `index` of `run`, a run of `subject` with a result; false after the last.
 * FRONTIER entries after the tests that were run count with the result. */
bool pare_shootout_target(const pare_case *subject, const pare_run *run, size_t index,
                          pare_target *target);

/* Group number `index` in the order in which the cases name them; NULL after the last. */
const char *pare_suite_group(const pare_suite *suite, size_t index);

#endif
