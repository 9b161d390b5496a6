/* The matrix: one pare_reduce for each cell, and then a test of its result.
 *
 * The check is a reduction of the result that is content with any size: it tests its input,
 * in a process and a folder of its own, and stops.  So nothing that the run learnt or kept,
 * its cache least of all, has a part in it. */
#include "shootout/shootout.h"

#include <string.h>

#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/switch.h>
#include <pare/test.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "os/clock.h"
#include "os/machine.h"
#include "shootout/suite.h"
#include "shootout/symbol_test.h"

enum { MAX_JOBS = 1024, NS_OF_US = 1000 };

/* A test in process that takes its time. */
struct slow_test {
    pare_predicate predicate;
    void *context;
    uint64_t least_ns;
};

/* The matrix at work. */
struct matrix {
    const pare_shootout_options *options;
    pare_shootout *shootout;
    size_t n_runs; /* of all of it */
    uint64_t timeout_ms;
    pare_error *err;
};

/* ---- cells ----------------------------------------------------------------------- */

/* The predicate, which then sleeps for what is left of its time: so that tests in a process cost
 * what those of a program would, and jobs are worth something. */
static pare_outcome run_slowly(void *context, const void *bytes, size_t size)
{
    const struct slow_test *test = context;
    uint64_t end = pare_clock_ns() + test->least_ns;
    pare_outcome outcome = test->predicate(test->context, bytes, size);
    pare_clock_sleep_until(end);
    return outcome;
}

/* What the runs of a case have in common with the tests of their results. */
static pare_reduce_options options_of(const struct matrix *matrix, const pare_case *subject,
                                      const struct slow_test *slow)
{
    pare_reduce_options options = {
        .input.name = subject->input_name,
        .test.command = subject->test_command,
        .test.timeout_ms = subject->test_command ? matrix->timeout_ms : 0,
        /* Contenders are compared by their tests, so none go to looking whether the failure is
         * certain. */
        .test.flaky = PARE_FLAKY_OFF,
        .test.allow_empty = PARE_ON, /* each result is tested again, and controls are no tests */
        .events.stop = matrix->options->stop,
        .test.owns_children = matrix->options->owns_children,
        .trees.language = subject->language,
    };
    if (!subject->test_command) {
        options.test.predicate = slow->least_ns ? run_slowly : subject->predicate;
        options.test.context = slow->least_ns ? (void *)slow : subject->predicate_context;
    }
    return options;
}

/* Says whether the test could not do its work; forgets it. */
static bool starved(const pare_case *subject)
{
    return subject->predicate == pare_symbol_test_run &&
           pare_symbol_test_starved(subject->predicate_context);
}

/* Tests the result of `run` once more. */
static pare_status check(const struct matrix *matrix, const pare_case *subject, pare_run *run,
                         pare_error *err)
{
    const struct slow_test fast = {.least_ns = 0};
    pare_reduce_options options = options_of(matrix, subject, &fast);
    pare_result result = {0};
    pare_error why = {0};
    if (subject->predicate) {
        run->checked = subject->predicate(subject->predicate_context, run->result, run->size_bytes);
        return starved(subject) ? pare_fail_nomem(err) : PARE_OK;
    }
    options.input.bytes = run->result;
    options.input.size_bytes = run->size_bytes;
    /* Which algorithm does not matter, since the target is reached before any runs. */
    options.algorithms = "sweep";
    options.units = "byte";
    options.limits.jobs = 1;
    options.limits.use_target = true;
    options.limits.target_size_bytes = SIZE_MAX;
    pare_status status = pare_reduce(&options, &result, &why);
    /* A result that was accepted as an input is one that fails. */
    if (status == PARE_OK && result.stats.stopped != PARE_STOPPED_INTERRUPTED)
        run->checked = PARE_FAIL;
    else if (status == PARE_E_STATE)
        run->checked = result.check_timed_out ? PARE_UNRESOLVED : PARE_PASS;
    pare_result_done(&result);
    if (status && status != PARE_E_STATE) return pare_fail(err, status, "%s", why.message);
    return PARE_OK;
}

/* Takes over what came of the reduction. */
static void take_result(pare_run *run, pare_result *result)
{
    run->result = result->bytes;
    run->size_bytes = result->size_bytes;
    run->stats = result->stats;
    result->bytes = NULL;
    result->stats.passes = NULL;
    result->stats.n_passes = 0;
    result->stats.curve = NULL;
    result->stats.n_curve = 0;
}

/* Whether one of the algorithms goes through a generator's choices where it can. */
static bool takes_choices(const char *algorithms)
{
    static const char *const names[] = {"choices", "portfolio"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size = strlen(names[i]);
        for (const char *at = algorithms; at; at = strchr(at, ',')) {
            at += *at == ',';
            if (strncmp(at, names[i], size) == 0 && (!at[size] || at[size] == ',')) return true;
        }
    }
    return false;
}

/* One reduction, with the limits of the matrix, and the test of its result. On PARE_OK the run
 * has all its figures. */
static pare_status reduce(const struct matrix *matrix, const pare_contender *contender,
                          const pare_case *subject, pare_run *run, pare_error *err)
{
    const pare_shootout *shootout = matrix->shootout;
    struct slow_test slow = {subject->predicate, subject->predicate_context,
                             shootout->test_us * NS_OF_US};
    pare_reduce_options options = options_of(matrix, subject, &slow);
    pare_result result = {0};
    options.input.bytes = subject->input;
    options.input.size_bytes = subject->input_bytes;
    if (subject->generator && takes_choices(contender->algorithms)) {
        options.input.generator = subject->generator;
        options.input.bytes = (const unsigned char *)subject->choices;
        options.input.size_bytes = subject->choices_bytes;
    }
    options.limits.jobs = run->jobs;
    pare_contender_apply(contender, run->repeat, &options);
    options.trees.grammars = (const char *const *)subject->grammars;
    options.trees.n_grammars = subject->n_grammars;
    options.trees.start_rule = subject->start;
    options.limits.max_tests = shootout->max_tests;
    options.limits.max_time_ms = shootout->max_time_ms;
    pare_status status = pare_reduce(&options, &result, err);
    /* Some outcomes of this run were made up for want of memory, so its figures mean nothing. */
    if (!status && starved(subject)) status = pare_fail_nomem(err);
    if (!status) take_result(run, &result);
    if (!status) status = check(matrix, subject, run, err);
    pare_result_done(&result);
    return status;
}

/* Fills one cell.  Fails only where the matrix has to end. */
static pare_status run_cell(struct matrix *matrix, pare_run *run)
{
    pare_shootout *shootout = matrix->shootout;
    pare_contender contender = {.text = NULL};
    pare_error why = {0};
    pare_status status =
        pare_contender_read(shootout->contenders[run->contender], &contender, &why);
    if (!status)
        status = reduce(matrix, &contender, &shootout->suite->cases[run->case_index], run, &why);
    pare_contender_done(&contender);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(matrix->err);
    run->status = status;
    if (status == PARE_OK) return PARE_OK;
    return pare_suite_copy(why.message, &run->message, matrix->err);
}

/* Releases what the run owns; all-zero is ended, too. */
static void run_done(pare_run *run)
{
    pare_alloc_free(run->message);
    pare_alloc_free(run->result);
    pare_alloc_free(run->stats.passes);
    pare_alloc_free(run->stats.curve);
    *run = (pare_run){0};
}

/* ---- the matrix ------------------------------------------------------------------ */

/* In the order case, contender, jobs, repeat, which is also that of the array: so a run is found by its
 * four numbers (score.c). A stop ends the matrix without the run that it met; what was run
 * before stays. */
static pare_status run_all(struct matrix *matrix)
{
    const pare_shootout_options *options = matrix->options;
    pare_shootout *shootout = matrix->shootout;
    const size_t cell = shootout->n_repeats, row = shootout->n_contenders * shootout->n_jobs * cell;
    for (size_t i = 0; i < matrix->n_runs; i++) {
        pare_run *run = &shootout->runs[i];
        *run = (pare_run){.case_index = i / row,
                          .contender = i % row / cell / shootout->n_jobs,
                          .jobs = shootout->jobs[i / cell % shootout->n_jobs],
                          .repeat = (unsigned)(i % cell)};
        pare_status status = run_cell(matrix, run);
        bool stopped = run->stats.stopped == PARE_STOPPED_INTERRUPTED && !run->status;
        if (status || stopped || run->status == PARE_E_INTERRUPTED) {
            run_done(run);
            shootout->interrupted = !status;
            return status;
        }
        shootout->n_runs = i + 1;
        if (options->watcher)
            options->watcher(options->watcher_context, run, shootout->n_runs, matrix->n_runs);
    }
    return PARE_OK;
}

/* Each is checked before the first run, and may stand in the matrix once. */
static pare_status take_contenders(pare_shootout *shootout, const char *const *texts, size_t n,
                                   pare_error *err)
{
    shootout->contenders = pare_alloc_zero(n, sizeof *shootout->contenders);
    if (!shootout->contenders) return pare_fail_nomem(err);
    shootout->n_contenders = n;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++) {
        pare_contender read;
        status = pare_contender_read(texts[i], &read, err);
        pare_contender_done(&read);
        for (size_t k = 0; k < i && !status; k++)
            if (strcmp(texts[k], texts[i]) == 0)
                status = pare_fail(err, PARE_E_ARG, "'%s' is named twice", texts[i]);
        if (!status) status = pare_suite_copy(texts[i], &shootout->contenders[i], err);
    }
    return status;
}

/* The user's, else those that the suite names, else a choice of our own: algorithms on trees
 * only where every case has a grammar. */
static pare_status choose_contenders(const pare_shootout_options *options, pare_shootout *shootout,
                                     pare_error *err)
{
    static const char *const by_grammar[] = {"ddmin/char", "hdd", "gtr", "grabr", "perses", "auto"};
    static const char *const by_text[] = {"ddmin", "auto"};
    const pare_suite *suite = options->suite;
    bool grammars = true;
    for (size_t i = 0; i < suite->n_cases; i++)
        grammars = grammars && suite->cases[i].n_grammars;
    if (options->n_contenders)
        return take_contenders(shootout, options->contenders, options->n_contenders, err);
    if (suite->n_contenders)
        return take_contenders(shootout, (const char *const *)suite->contenders,
                               suite->n_contenders, err);
    return grammars
               ? take_contenders(shootout, by_grammar, sizeof by_grammar / sizeof *by_grammar, err)
               : take_contenders(shootout, by_text, sizeof by_text / sizeof *by_text, err);
}

/* Ascending, so that the first is what speed-ups are measured against. */
static pare_status choose_jobs(const pare_shootout_options *options, pare_shootout *shootout,
                               pare_error *err)
{
    static const unsigned one = 1;
    const unsigned *jobs = options->n_jobs ? options->jobs : &one;
    size_t n = options->n_jobs ? options->n_jobs : 1;
    shootout->jobs = pare_alloc(n, sizeof *shootout->jobs);
    if (!shootout->jobs) return pare_fail_nomem(err);
    shootout->n_jobs = n;
    memcpy(shootout->jobs, jobs, n * sizeof *jobs);
    for (size_t i = 0; i < n; i++)
        if (jobs[i] < 1 || jobs[i] > MAX_JOBS || (i && jobs[i] <= jobs[i - 1]))
            return pare_fail(err, PARE_E_ARG,
                             "numbers of jobs are between 1 and %d, each above the one before",
                             MAX_JOBS);
    return PARE_OK;
}

/* 0 means that nothing was asked for. */
static uint64_t first_of(uint64_t wanted, uint64_t otherwise)
{
    return wanted ? wanted : otherwise;
}

/* All that can be refused is refused here: a matrix may take days. */
static pare_status prepare(struct matrix *matrix)
{
    const pare_shootout_options *options = matrix->options;
    const pare_suite *suite = options->suite;
    pare_shootout *shootout = matrix->shootout;
    shootout->suite = suite;
    shootout->max_tests = first_of(options->max_tests, suite->max_tests);
    shootout->max_time_ms = first_of(options->max_time_ms, suite->max_time_ms);
    shootout->test_us = options->test_us;
    shootout->n_repeats = options->n_repeats ? options->n_repeats : 1;
    matrix->timeout_ms = first_of(options->timeout_ms, suite->timeout_ms);
    if (!suite->n_cases) return pare_fail(matrix->err, PARE_E_ARG, "there is no case to run");
    pare_status status = choose_jobs(options, shootout, matrix->err);
    if (!status) status = choose_contenders(options, shootout, matrix->err);
    if (status) return status;
    matrix->n_runs =
        suite->n_cases * shootout->n_contenders * shootout->n_jobs * shootout->n_repeats;
    shootout->runs = pare_alloc_zero(matrix->n_runs, sizeof *shootout->runs);
    return shootout->runs ? PARE_OK : pare_fail_nomem(matrix->err);
}

/* What was run before an error or a stop is in *shootout, which the caller ends in any case. */
pare_status pare_shootout_run(const pare_shootout_options *options, pare_shootout *shootout,
                              pare_error *err)
{
    struct matrix matrix = {.options = options, .shootout = shootout, .err = err};
    uint64_t start = pare_clock_ns();
    *shootout = (pare_shootout){.started_s = pare_clock_unix_s()};
    pare_machine_describe(shootout->machine, sizeof shootout->machine);
    pare_status status = prepare(&matrix);
    if (!status) status = run_all(&matrix);
    shootout->wall_s = (double)(pare_clock_ns() - start) / 1e9;
    return status;
}

/* The suite stays the caller's. */
void pare_shootout_done(pare_shootout *shootout)
{
    for (size_t i = 0; i < shootout->n_runs; i++)
        run_done(&shootout->runs[i]);
    for (size_t i = 0; i < shootout->n_contenders; i++)
        pare_alloc_free(shootout->contenders[i]);
    pare_alloc_free(shootout->runs);
    pare_alloc_free(shootout->contenders);
    pare_alloc_free(shootout->jobs);
    *shootout = (pare_shootout){0};
}
