/* Reducing one failing input.
 *
 *     #include <stdio.h>
 *
 *     #include <pare/reduce.h>
 *
 *     int main(void)
 *     {
 *         pare_reduce_options options = {
 *             .input.path = "crash.c", .test.command = "./test.sh", .output.path = "small.c"};
 *         pare_result result = {0};
 *         pare_error err = {0};
 *         pare_status status = pare_reduce(&options, &result, &err);
 *         if (status) fprintf(stderr, "%s\n", err.message);
 *         pare_result_done(&result);
 *         return status != PARE_OK;
 *     }
 *
 * The cost of a reduction is counted in tests.  The same input, test and options give the same
 * bytes, whatever the number of jobs.  There is one exception: with more than four jobs and
 * without limits.deterministic, the default may end at another result of about the same size. */
#ifndef PARE_REDUCE_H
#define PARE_REDUCE_H

#include <stddef.h>
#include <stdint.h>

#include <pare/algorithm.h>
#include <pare/events.h>
#include <pare/input.h>
#include <pare/keep.h>
#include <pare/limits.h>
#include <pare/output.h>
#include <pare/result.h>
#include <pare/status.h>
#include <pare/strategy.h>
#include <pare/test.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Groups of options, each explained in the header of its name.  Only an input and a test are
 * needed: the zero value of every other member is its default.  All pointers are borrowed until
 * pare_reduce returns. */
typedef struct pare_reduce_options {
    size_t struct_bytes;        /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    pare_input_options input;   /* what is reduced, and what of it stays */
    pare_test_options test;     /* what tells whether a candidate still fails */
    pare_keep keep;             /* what counts as the failure of test.program; zero: it is learned
                                   from the first runs */
    const char *algorithms;     /* comma-separated names, see algorithm.h; default "auto" */
    const char *units;          /* comma-separated: byte, char, line, token, bracket */
    pare_effort effort;         /* of the default */
    pare_list_knobs lists;      /* for the algorithms of lists */
    pare_tree_options trees;    /* grammars and languages; for the algorithms of trees */
    pare_limit_options limits;  /* how many tests, and when to end */
    pare_output_options output; /* where the result goes, and the journal */
    pare_event_options events;  /* who watches, and who may stop it */
    /* An algorithm of the caller's in the place of `algorithms`, run once over each of `units`
     * (default line, token, char): functions, or a command line.  The command is a process that
     * proposes candidates in lines (docs/guide/own-algorithm.md), or "lua:FILE", a script in Lua.
     * At most one of algorithms, strategy and strategy_command may be given. */
    const pare_own_strategy *strategy;
    const char *strategy_command;
} pare_reduce_options;

/* pare_reduce (below) for callers that cannot use its inline function, such as other languages.
 * `options_bytes` is the size of the caller's struct, used where options->struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_reduce_sized(const pare_reduce_options *options,
                                                  size_t options_bytes, pare_result *result,
                                                  pare_error *err);

/* Reduces.  On PARE_OK *result holds the best; after an error it holds the best so far, if there
 * is one.  The caller releases it with pare_result_done in either case.  A run that was stopped
 * has a result, too, and is PARE_OK: see stats.stopped.
 * Errors: PARE_E_ARG (options), PARE_E_STATE (nothing was reduced: the input does not fail, its
 * failure cannot be told from others, or inputs that have nothing of it fail as well, see
 * test.allow_empty), PARE_E_IO (input, output, or the test cannot be run), PARE_E_LIMIT,
 * PARE_E_NOMEM.
 * Cost: one test of the input, two to four more if its failure is learned, three of inputs that
 * have nothing of it, and then what the algorithms take. */
static inline PARE_CHECK pare_status pare_reduce(const pare_reduce_options *options,
                                                 pare_result *result, pare_error *err)
{
    return pare_reduce_sized(options, sizeof *options, result, err);
}

/* The language by whose parser pare_reduce would read the input, if it were installed: adding it
 * (pare_language_add) can make the result many times smaller.  The text is static.  NULL: none is
 * missing, or there are several inputs.  Runs nothing. */
PARE_API const char *pare_reduce_missing_language(const pare_reduce_options *options);

#ifdef __cplusplus
}
#endif

#endif
