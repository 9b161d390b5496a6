/* The number of jobs changes neither bytes nor trace, with real processes whose tests
 * take random short times.  The many cases are those of test_engine, over a simulated
 * clock; these are few. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pare/algorithm.h>

#include "base/random.h"
#include "cli/support/predicates.h"
#include "cli/support/program.h"
#include "cli/support/trace.h"

enum { USUAL_CASES = 2, LONG_CASES = 8, MAX_UNITS = 24, N_RUNS = 3 };

#define MAX_TEST_US "1500"

static const char *const jobs[N_RUNS] = {"-j1", "-j2", "-j8"};
static const char *const traces[N_RUNS] = {"trace.1", "trace.2", "trace.8"};
static const char *const results[N_RUNS] = {"result.1", "result.2", "result.8"};

/* An input that fails, and what it needs for that. */
struct random_case {
    const char *kind;
    char input[MAX_UNITS + 1], needed[MAX_UNITS + 1];
};

/* Letters, some of them twice; about every fifth is needed. */
static struct random_case make_case(pare_random *random)
{
    struct random_case made = {.kind = pare_random_below(random, 2) ? "holes" : "subsequence"};
    do {
        size_t n = MAX_UNITS / 2 + (size_t)pare_random_below(random, MAX_UNITS / 2 + 1);
        size_t n_needed = 0;
        for (size_t i = 0; i < n; i++) {
            made.input[i] = (char)('a' + pare_random_below(random, 20));
            if (!pare_random_below(random, 5)) made.needed[n_needed++] = made.input[i];
        }
        made.input[n] = made.needed[n_needed] = '\0';
    } while (!predicate_holds(made.kind, made.needed, made.input));
    return made;
}

/* What the default is to be told so that its passes go by no order of ends (tests/cli/
 * test_many_slots.sh); NULL: nothing. */
static const char *in_one_order(const char *algorithm)
{
    return strcmp(algorithm, "auto") == 0 ? "--deterministic" : NULL;
}

static pid_t start(const char *algorithm, const char *test, size_t run)
{
    const char *const words[] = {program_path(),
                                 "reduce",
                                 test,
                                 "input",
                                 "-a",
                                 algorithm,
                                 "-u",
                                 "char",
                                 "-q",
                                 "--allow-empty",
                                 jobs[run],
                                 "--trace",
                                 traces[run],
                                 "--timeout",
                                 "60",
                                 "-o",
                                 results[run],
                                 in_one_order(algorithm),
                                 NULL};
    return start_words(words, "out", "err");
}

/* Reduces with all numbers of jobs, at the same time: they mostly sleep. */
static void reduce(const char *algorithm, const struct random_case *with)
{
    char test[MAX_COMMAND] = "";
    pid_t runs[N_RUNS];
    add_quoted(test, helper_path("golden_oracle_static"));
    add_quoted(test, with->kind);
    add_quoted(test, with->needed);
    add_quoted(test, MAX_TEST_US);
    write_text("input", with->input);
    for (size_t k = 0; k < N_RUNS; k++)
        runs[k] = start(algorithm, test, k);
    for (size_t k = 0; k < N_RUNS; k++) {
        assert_int_equal(wait_for_end(runs[k]), 0);
        assert_nothing_left(runs[k]);
    }
}

/* No single unit can go. */
static bool is_one_minimal(const struct random_case *with, const char *result)
{
    char less[MAX_UNITS + 1];
    size_t n = strlen(result);
    for (size_t gone = 0; gone < n; gone++) {
        (void)snprintf(less, sizeof less, "%.*s%s", (int)gone, result, result + gone + 1);
        if (predicate_holds(with->kind, with->needed, less)) return false;
    }
    return true;
}

/* Whether the algorithm only leaves out: the default's passes and the reduction of choices
 * put other bytes in the place of some, too. */
static bool only_leaves_out(const pare_algorithm_info *algorithm)
{
    return strcmp(algorithm->name, "auto") != 0 && strcmp(algorithm->name, "choices") != 0;
}

static void compare(const pare_algorithm_info *algorithm, const struct random_case *with)
{
    char *result = read_text(results[0]);
    struct trace trace = trace_read(traces[0]);
    assert_non_null(result);
    assert_true(predicate_holds(with->kind, with->needed, result));
    if (only_leaves_out(algorithm)) assert_true(has_subsequence(result, with->input));
    assert_true(strlen(result) <= strlen(with->input));
    if (algorithm->one_minimal && !algorithm->on_trees) assert_true(is_one_minimal(with, result));
    for (size_t k = 1; k < N_RUNS; k++) {
        char *other = read_text(results[k]);
        struct trace other_trace = trace_read(traces[k]);
        assert_non_null(other);
        assert_string_equal(result, other);
        assert_traces_equal(&trace, &other_trace);
        trace_done(&other_trace);
        free(other);
    }
    trace_done(&trace);
    free(result);
}

static void test_random_jobs__change_neither_bytes_nor_trace(void **state)
{
    (void)state;
    const pare_algorithm_info *algorithm;
    const size_t n_cases = getenv("PARE_TEST_LONG") ? LONG_CASES : USUAL_CASES;
    for (size_t a = 0; (algorithm = pare_algorithm_at(a)) != NULL; a++) {
        pare_random random;
        pare_random_init(&random, 1000 + a);
        if (strncmp(algorithm->name, "grabr", 5) == 0) continue; /* works by a grammar only */
        for (size_t k = 0; k < n_cases; k++) {
            struct random_case with = make_case(&random);
            print_message("%s: %s '%s' in '%s'\n", algorithm->name, with.kind, with.needed,
                          with.input);
            reduce(algorithm->name, &with);
            compare(algorithm, &with);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_jobs__change_neither_bytes_nor_trace),
    };
    return cmocka_run_group_tests(tests, workplace_setup, workplace_teardown);
}
