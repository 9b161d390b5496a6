/* Runners with real programs: whichever makes the processes, tests end the same, and nothing
 * is left.  How one is chosen: test_runner.c.
 *
 * The program is helpers/subject.  As a child of the test itself its parent would be
 * hurt in "kill-parent" and "stop-parent", so those run in servers only. */
/* tests: src/run/server.c src/run/launch_afl.c src/run/launch_preload.c src/run/launch_worker.c
 * src/run/shim/preload.c src/run/shim/worker.c */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <pare/keep.h>

#include "os/child.h"
#include "run/runner.h"
#include "unit/alloc_sweep.h"
#include "unit/support/bench.h"

static pare_status open_bench(struct bench *bench, const char *program, const char *what,
                              pare_runner runner, uint64_t timeout_ms, pare_error *err)
{
    char command[4096];
    (void)snprintf(command, sizeof command, "%s/%s %s", getenv("PARE_HELPERS"), program, what);
    *bench = (struct bench){.oracle = NULL};
    pare_status status = pare_command_init(&bench->command, command, INPUT, err);
    if (status) return status;
    const pare_process_options options = {.command = &bench->command,
                                          .base_name = "input",
                                          .n_slots = 2,
                                          .timeout_ms = timeout_ms,
                                          .runner = runner};
    return pare_process_new(&options, &bench->oracle, err);
}

static void set_up(struct bench *bench, const char *what, pare_runner runner, uint64_t timeout_ms)
{
    pare_error err = {0};
    if (open_bench(bench, "subject", what, runner, timeout_ms, &err)) fail_msg("%s", err.message);
}

static void assert_same(const char *what, const pare_verdict *left, const pare_verdict *right)
{
    if (left->outcome != right->outcome || left->exit_code != right->exit_code ||
        left->signal != right->signal || left->timed_out != right->timed_out)
        fail_msg("%s: exit %d signal %d timed out %d instead of exit %d signal %d timed out %d",
                 what, right->exit_code, right->signal, right->timed_out, left->exit_code,
                 left->signal, left->timed_out);
}

static const char *const candidates[] = {"x", "abc", "axbxc", "", "xx", "b", "x", "bb", "cx"};
enum { N_CANDIDATES = sizeof candidates / sizeof *candidates };

/* The parent of a process; 0: it is gone. */
static pid_t parent_of(pid_t pid)
{
    char path[64];
    int parent = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    if (fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1) parent = 0;
    (void)fclose(file);
    return (pid_t)parent;
}

/* Of the tests' processes only the server of the one slot in use may live, a child of ours,
 * and the two children of it that wait for the next tests. */
static void assert_only_a_server_lives(void)
{
    unsigned n = 0, n_waiting = 0;
    DIR *folder = opendir("/proc");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (atoi(entry->d_name) > 1 && has_mark((pid_t)atoi(entry->d_name)))
            *(parent_of((pid_t)atoi(entry->d_name)) == getpid() ? &n : &n_waiting) += 1;
    (void)closedir(folder);
    if (n > 1 || n_waiting > 2 * n) fail_msg("%u and %u processes are left", n, n_waiting);
}

static void compare(const char *what, pare_runner runner, uint64_t timeout_ms)
{
    pare_verdict expected[N_CANDIDATES];
    struct bench bench;
    set_up(&bench, what, PARE_RUNNER_SPAWN, timeout_ms);
    for (int k = 0; k < N_CANDIDATES; k++)
        expected[k] = run(&bench, candidates[k]);
    tear_down(&bench);
    set_up(&bench, what, runner, timeout_ms);
    for (int k = 0; k < N_CANDIDATES; k++) {
        pare_verdict verdict = run(&bench, candidates[k]);
        assert_only_a_server_lives();
        assert_same(what, &expected[k], &verdict);
    }
    tear_down(&bench);
}

static void test_runner_servers__tests_end_the_same_whoever_runs_them(void **state)
{
    (void)state;
    static const char *const subjects[] = {"file",   "size",  "stdin", "crash", "assert",
                                           "family", "files", "count", "around"};
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++) {
        compare(subjects[k], PARE_RUNNER_PRELOAD, 0);
        compare(subjects[k], PARE_RUNNER_AUTO, 0);
    }
    compare("hang", PARE_RUNNER_PRELOAD, 200);
}

/* What it chooses depends on the machine's load (test_runner.c gives it the times): here only
 * that it chooses, when, for a reason that is about time, and that no test ends otherwise. */
static void test_runner_servers__auto_measures_six_tests_and_then_has_chosen(void **state)
{
    (void)state;
    struct bench bench;
    const char *reason = NULL;
    set_up(&bench, "size", PARE_RUNNER_AUTO, 0);
    for (int k = 0; k < PARE_RUNNER_SAMPLES; k++) {
        assert_int_equal(pare_process_runner(bench.oracle, NULL), PARE_RUNNER_SPAWN);
        assert_int_equal(run(&bench, "four").exit_code, 4);
    }
    pare_runner chosen = pare_process_runner(bench.oracle, &reason);
    bool by_time = strstr(reason, "not faster") || strstr(reason, "its start does not matter");
    if (chosen != PARE_RUNNER_PRELOAD && !by_time) fail_msg("%s", reason);
    assert_true(*reason != '\0');
    assert_int_equal(run(&bench, "four").exit_code, 4);
    tear_down(&bench);
}

/* Programs that no fork server can be put into, and what is said of each. */
static const struct {
    const char *program, *what, *reason_part;
} not_served[] = {
    {"true_static", "", "statically"},         {"early", "threads", "threads before main"},
    {"early", "file", "files before main"},    {"early", "print", "prints before main"},
    {"early", "memory", "memory before main"},
};

/* Asked for, a launcher is used at once, so no time that was measured plays a part. */
static void test_runner_servers__what_was_asked_for_and_cannot_be_is_an_error(void **state)
{
    (void)state;
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    assert_int_equal(pare_text_copy("x", 1, &text, NULL), PARE_OK);
    pare_candidate_start(&candidate, text);
    for (size_t k = 0; k < sizeof not_served / sizeof *not_served; k++) {
        struct bench bench;
        pare_error err = {0};
        assert_int_equal(open_bench(&bench, not_served[k].program, not_served[k].what,
                                    PARE_RUNNER_PRELOAD, 0, &err),
                         PARE_OK);
        assert_int_equal(bench.oracle->ops->start(bench.oracle, 0, &candidate, &err),
                         PARE_E_UNSUPPORTED);
        if (!strstr(err.message, not_served[k].reason_part)) fail_msg("%s", err.message);
        tear_down(&bench);
    }
    pare_candidate_done(&candidate);
    pare_text_unref(text);
}

/* Slow or quick, refused or not tried: such a program ends up with processes. */
static void test_runner_servers__auto_spawns_what_cannot_be_served(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof not_served / sizeof *not_served; k++) {
        struct bench bench;
        pare_error err = {0};
        if (open_bench(&bench, not_served[k].program, not_served[k].what, PARE_RUNNER_AUTO, 0,
                       &err))
            fail_msg("%s", err.message);
        for (int n = 0; n < PARE_RUNNER_SAMPLES; n++)
            assert_int_equal(run(&bench, "x").exit_code, 0);
        assert_int_equal(pare_process_runner(bench.oracle, NULL), PARE_RUNNER_SPAWN);
        tear_down(&bench);
    }
}

/* In a child of a server the number that was asked for before main is the server's. */
static void test_runner_servers__a_test_that_compares_its_number_is_run_as_a_process(void **state)
{
    (void)state;
    struct bench bench;
    pare_error err = {0};
    if (open_bench(&bench, "early", "number", PARE_RUNNER_PRELOAD, 0, &err))
        fail_msg("%s", err.message);
    assert_int_equal(run(&bench, "x").exit_code, 0);
    tear_down(&bench);
    if (open_bench(&bench, "early", "number", PARE_RUNNER_AUTO, 0, &err))
        fail_msg("%s", err.message);
    for (int n = 0; n < 2 * PARE_RUNNER_SAMPLES; n++)
        assert_int_equal(run(&bench, "x").exit_code, 0);
    tear_down(&bench);
}

/* The parent of a test is its server here, never this program. */
static void test_runner_servers__a_test_that_ends_its_server_is_run_as_a_process(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "file", PARE_RUNNER_PRELOAD, 0);
    assert_int_equal(run(&bench, "x").outcome, PARE_FAIL);
    tear_down(&bench);
    set_up(&bench, "stop-parent", PARE_RUNNER_PRELOAD, 300);
    assert_true(run(&bench, "x").timed_out);
    assert_int_equal(run(&bench, "b").exit_code, 3);
    tear_down(&bench);
}

static void test_runner_servers__cancelled_tests_leave_nothing_and_the_slot_goes_on(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "hang", PARE_RUNNER_PRELOAD, 0);
    for (int k = 0; k < 20; k++) {
        start(&bench, 0, "x");
        start(&bench, 1, k % 2 ? "x" : "b");
        bench.oracle->ops->cancel(bench.oracle, 0);
        bench.oracle->ops->cancel(bench.oracle, 1);
        assert_true(next_verdict(&bench).cancelled);
        (void)next_verdict(&bench);
        pare_verdict verdict = run(&bench, "b");
        assert_int_equal(verdict.exit_code, 97);
    }
    tear_down(&bench);
}

#ifdef PARE_FAULT_INJECTION
/* Two servers that die at their start are replaced; after a third one the test is run as a process, and
 * so are those after it. */
static void test_runner_servers__after_three_that_die_in_a_row_processes_are_started(void **state)
{
    (void)state;
    static const struct {
        int n;
        pare_runner after;
    } deaths[] = {{2, PARE_RUNNER_PRELOAD}, {3, PARE_RUNNER_SPAWN}};
    for (size_t k = 0; k < sizeof deaths / sizeof *deaths; k++) {
        struct bench bench;
        const char *reason = NULL;
        set_up(&bench, "file", PARE_RUNNER_PRELOAD, 0);
        pare_child_die_often_at(PARE_POINT_TEST, deaths[k].n);
        pare_verdict verdict = run(&bench, "x");
        assert_int_equal(verdict.outcome, PARE_FAIL);
        assert_int_equal(verdict.signal, 0);
        verdict = run(&bench, "b");
        assert_int_equal(verdict.exit_code, 1);
        assert_int_equal(pare_process_runner(bench.oracle, &reason), deaths[k].after);
        if (deaths[k].after == PARE_RUNNER_SPAWN && !strstr(reason, "died 3 times in a row"))
            fail_msg("%s", reason);
        tear_down(&bench);
    }
}
#endif

static void test_runner_servers__servers_killed_at_any_time_change_no_outcome(void **state)
{
    (void)state;
    struct bench bench;
    unsigned random = 12345, n_killed = 0;
    set_up(&bench, "file", PARE_RUNNER_PRELOAD, 0);
    for (int k = 0; k < 400; k++) {
        const char *bytes = candidates[k % N_CANDIDATES];
        start(&bench, (unsigned)k % 2, bytes);
        random = random * 1103515245u + 12345u;
        pid_t server = random >> 16 & 1 ? find_server(random >> 20) : 0;
        for (volatile unsigned wait = random >> 14; wait; wait--) {
        }
        n_killed += server > 1 && !kill(server, SIGKILL);
        pare_outcome expected = strchr(bytes, 'x') ? PARE_FAIL : PARE_PASS;
        pare_verdict verdict = next_verdict(&bench);
        /* What was killed may have been a spawned test itself, once servers are given up. */
        bool spawned = pare_process_runner(bench.oracle, NULL) == PARE_RUNNER_SPAWN;
        if (!spawned) assert_int_equal(verdict.outcome, expected);
        if (!spawned) continue;
        tear_down(&bench);
        set_up(&bench, "file", PARE_RUNNER_PRELOAD, 0);
    }
    assert_true(n_killed > 50);
    tear_down(&bench);
}

/* --- AFL's fork server: helpers/afl_server ------------------------------------------ */

static void set_up_afl(struct bench *bench, pare_runner runner)
{
    static const pare_keep keep = {.signal = "SIGABRT"};
    char program[4096];
    const char *const words[] = {program};
    pare_error err = {0};
    (void)snprintf(program, sizeof program, "%s/afl_server", getenv("PARE_HELPERS"));
    *bench = (struct bench){.oracle = NULL};
    pare_status status = pare_command_init_target(&bench->command, words, 1, INPUT, &err);
    if (!status) status = pare_judge_new(&keep, &bench->judge, &err);
    const pare_process_options options = {.command = &bench->command,
                                          .judge = bench->judge,
                                          .base_name = "input",
                                          .n_slots = 2,
                                          .runner = runner};
    if (!status) status = pare_process_new(&options, &bench->oracle, &err);
    if (status) fail_msg("%s", err.message);
}

static const char *const afl_candidates[] = {"abc", "x", "", "c", "b", "cb", "f", "ax", "b", "k"};
enum { N_AFL_CANDIDATES = sizeof afl_candidates / sizeof *afl_candidates };

static void test_runner_servers__afl_servers_give_the_outcomes_of_processes(void **state)
{
    (void)state;
    pare_verdict expected[N_AFL_CANDIDATES];
    struct bench bench;
    set_up_afl(&bench, PARE_RUNNER_SPAWN);
    for (int k = 0; k < N_AFL_CANDIDATES; k++)
        expected[k] = run(&bench, afl_candidates[k]);
    assert_int_equal(expected[1].outcome, PARE_FAIL);
    assert_int_equal(expected[3].exit_code, 1);
    tear_down(&bench);
    set_up_afl(&bench, PARE_RUNNER_AFL);
    for (int k = 0; k < 5 * N_AFL_CANDIDATES; k++) {
        pare_verdict verdict = run(&bench, afl_candidates[k % N_AFL_CANDIDATES]);
        assert_same(afl_candidates[k % N_AFL_CANDIDATES], &expected[k % N_AFL_CANDIDATES],
                    &verdict);
    }
    assert_int_equal(pare_process_runner(bench.oracle, NULL), PARE_RUNNER_AFL);
    tear_down(&bench);
}

static void test_runner_servers__auto_takes_a_loop_where_there_is_one(void **state)
{
    (void)state;
    struct bench bench;
    const char *reason = NULL;
    set_up_afl(&bench, PARE_RUNNER_AUTO);
    for (int k = 0; k < PARE_RUNNER_SAMPLES; k++)
        (void)run(&bench, "abc");
    pare_runner chosen = pare_process_runner(bench.oracle, &reason);
    if (chosen != PARE_RUNNER_AFL && !strstr(reason, "not faster")) fail_msg("%s", reason);
    tear_down(&bench);
}

static void test_runner_servers__afl_servers_killed_at_any_time_change_no_outcome(void **state)
{
    (void)state;
    struct bench bench;
    unsigned random = 777;
    set_up_afl(&bench, PARE_RUNNER_AFL);
    for (int k = 0; k < 200; k++) {
        start(&bench, (unsigned)k % 2, k % 5 ? "abc" : "x");
        random = random * 1103515245u + 12345u;
        pid_t server = random >> 16 & 1 ? find_server(random >> 20) : 0;
        if (server > 1) (void)kill(server, SIGKILL);
        pare_verdict verdict = next_verdict(&bench);
        bool spawned = pare_process_runner(bench.oracle, NULL) == PARE_RUNNER_SPAWN;
        if (!spawned) assert_int_equal(verdict.outcome, k % 5 ? PARE_PASS : PARE_FAIL);
        if (!spawned) continue;
        tear_down(&bench);
        set_up_afl(&bench, PARE_RUNNER_AFL);
    }
    tear_down(&bench);
}

static void test_runner_servers__afl_tells_what_each_test_reached(void **state)
{
    (void)state;
    struct bench bench;
    size_t size = 0;
    set_up_afl(&bench, PARE_RUNNER_AFL);
    assert_null(pare_process_coverage(bench.oracle, 0, &size));
    static const char *const candidates_here[] = {"aab", "b", "", "xb", "aaa"};
    for (size_t k = 0; k < sizeof candidates_here / sizeof *candidates_here; k++) {
        unsigned n_a = 0, n_b = 0;
        for (const char *at = candidates_here[k]; *at; at++)
            n_a += *at == 'a', n_b += *at == 'b';
        (void)run(&bench, candidates_here[k]);
        const unsigned char *map = pare_process_coverage(bench.oracle, 0, &size);
        assert_non_null(map);
        assert_int_equal(size, 65536);
        assert_int_equal(map['a'], n_a);
        assert_int_equal(map['b'], n_b);
        /* What the server does on its start is no test's. */
        assert_int_equal(map[1], 0);
    }
    tear_down(&bench);
    set_up_afl(&bench, PARE_RUNNER_SPAWN);
    (void)run(&bench, "a");
    assert_null(pare_process_coverage(bench.oracle, 0, &size));
    tear_down(&bench);
}

static void test_runner_servers__afl_is_refused_to_what_it_did_not_compile(void **state)
{
    (void)state;
    struct bench bench;
    pare_error err = {0};
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    set_up(&bench, "size", PARE_RUNNER_AFL, 0);
    assert_int_equal(pare_text_copy("x", 1, &text, NULL), PARE_OK);
    pare_candidate_start(&candidate, text);
    assert_int_equal(bench.oracle->ops->start(bench.oracle, 0, &candidate, &err),
                     PARE_E_UNSUPPORTED);
    assert_non_null(strstr(err.message, "not compiled by AFL"));
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    tear_down(&bench);
}

/* --- a library in a worker: helpers/harness_library ---------------------------------- */

static void set_up_harness(struct bench *bench, const pare_keep *keep, pare_runner runner,
                           uint64_t timeout_ms)
{
    char program[4096];
    const char *const words[] = {program};
    pare_error err = {0};
    (void)snprintf(program, sizeof program, "%s/harness_library.so", getenv("PARE_HELPERS"));
    *bench = (struct bench){.oracle = NULL};
    pare_status status = pare_command_init_target(&bench->command, words, 1, INPUT, &err);
    if (!status) status = pare_judge_new(keep, &bench->judge, &err);
    const pare_process_options options = {.command = &bench->command,
                                          .judge = bench->judge,
                                          .base_name = "input",
                                          .n_slots = 2,
                                          .timeout_ms = timeout_ms,
                                          .runner = runner};
    if (!status) status = pare_process_new(&options, &bench->oracle, &err);
    if (status) fail_msg("%s", err.message);
}

static const pare_keep keep_abort = {.signal = "SIGABRT"};

/* Among them: what only a used process does, exits, a child left, an end by SIGKILL. */
static const char *const harness_candidates[] = {"abc", "x", "",   "s", "b",  "e", "sx",
                                                 "f",   "p", "ax", "k", "es", "b", "s"};
enum { N_HARNESS = sizeof harness_candidates / sizeof *harness_candidates };

static void compare_harness(const pare_keep *keep, pare_runner runner)
{
    pare_verdict expected[N_HARNESS];
    struct bench bench;
    set_up_harness(&bench, keep, PARE_RUNNER_SPAWN, 0);
    for (int k = 0; k < N_HARNESS; k++)
        expected[k] = run(&bench, harness_candidates[k]);
    tear_down(&bench);
    set_up_harness(&bench, keep, runner, 0);
    for (int k = 0; k < 4 * N_HARNESS; k++) {
        pare_verdict verdict = run(&bench, harness_candidates[k % N_HARNESS]);
        assert_same(harness_candidates[k % N_HARNESS], &expected[k % N_HARNESS], &verdict);
    }
    tear_down(&bench);
}

static void test_runner_servers__a_library_in_a_worker_ends_as_in_processes(void **state)
{
    (void)state;
    static const pare_keep_pattern printed = {.stream = PARE_STREAM_STDOUT, .regex = "printed"};
    static const pare_keep keep_printed = {.patterns = &printed, .n_patterns = 1};
    compare_harness(&keep_abort, PARE_RUNNER_INPROCESS);
    compare_harness(&keep_abort, PARE_RUNNER_AUTO);
    compare_harness(&keep_printed, PARE_RUNNER_INPROCESS);
}

static void test_runner_servers__a_hang_in_a_worker_is_a_time_out(void **state)
{
    (void)state;
    struct bench bench;
    set_up_harness(&bench, &keep_abort, PARE_RUNNER_INPROCESS, 300);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(run(&bench, "b").outcome, PARE_PASS);
        assert_true(run(&bench, "h").timed_out);
        assert_int_equal(run(&bench, "x").outcome, PARE_FAIL);
    }
    tear_down(&bench);
}

static void test_runner_servers__workers_killed_at_any_time_change_no_outcome(void **state)
{
    (void)state;
    struct bench bench;
    unsigned random = 4711;
    set_up_harness(&bench, &keep_abort, PARE_RUNNER_INPROCESS, 0);
    for (int k = 0; k < 200; k++) {
        start(&bench, (unsigned)k % 2, k % 7 ? "abc" : "s");
        random = random * 1103515245u + 12345u;
        pid_t worker = random >> 16 & 1 ? find_server(random >> 20) : 0;
        if (worker > 1) (void)kill(worker, SIGKILL);
        (void)next_verdict(&bench);
        assert_int_equal(run(&bench, "s").outcome, PARE_PASS);
    }
    assert_int_equal(run(&bench, "x").outcome, PARE_FAIL);
    tear_down(&bench);
}

/* --- out of memory ------------------------------------------------------------------- */

struct sweep {
    struct bench bench;
    pare_runner runner;
    pare_candidate candidate;
};

/* An oracle and one test of a server. */
static pare_status serve_once(void *context)
{
    struct sweep *sweep = context;
    pare_oracle *oracle = NULL;
    pare_wait what;
    pare_verdict verdict;
    const pare_process_options options = {.command = &sweep->bench.command,
                                          .judge = sweep->bench.judge,
                                          .base_name = "input",
                                          .n_slots = 1,
                                          .runner = sweep->runner};
    pare_status status = pare_process_new(&options, &oracle, NULL);
    if (!status) status = oracle->ops->start(oracle, 0, &sweep->candidate, NULL);
    if (!status) status = oracle->ops->wait(oracle, 60000, &what, &verdict, NULL);
    pare_oracle_free(oracle);
    return status;
}

static void test_runner_servers__out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    struct sweep sweep = {.runner = PARE_RUNNER_PRELOAD};
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy("abc", 3, &text, NULL), PARE_OK);
    pare_candidate_start(&sweep.candidate, text);
    assert_int_equal(pare_candidate_slice(&sweep.candidate, 0, 3, NULL), PARE_OK);
    set_up(&sweep.bench, "file", sweep.runner, 0);
    pare_oracle_free(sweep.bench.oracle);
    sweep.bench.oracle = NULL;
    sweep_allocations(serve_once, &sweep);
    tear_down(&sweep.bench);
    sweep.runner = PARE_RUNNER_AFL;
    set_up_afl(&sweep.bench, sweep.runner);
    pare_oracle_free(sweep.bench.oracle);
    sweep.bench.oracle = NULL;
    sweep_allocations(serve_once, &sweep);
    tear_down(&sweep.bench);
    sweep.runner = PARE_RUNNER_INPROCESS;
    set_up_harness(&sweep.bench, &keep_abort, sweep.runner, 0);
    pare_oracle_free(sweep.bench.oracle);
    sweep.bench.oracle = NULL;
    sweep_allocations(serve_once, &sweep);
    tear_down(&sweep.bench);
    pare_candidate_done(&sweep.candidate);
    pare_text_unref(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runner_servers__tests_end_the_same_whoever_runs_them),
        cmocka_unit_test(test_runner_servers__auto_measures_six_tests_and_then_has_chosen),
        cmocka_unit_test(test_runner_servers__auto_spawns_what_cannot_be_served),
        cmocka_unit_test(test_runner_servers__what_was_asked_for_and_cannot_be_is_an_error),
        cmocka_unit_test(test_runner_servers__a_test_that_compares_its_number_is_run_as_a_process),
        cmocka_unit_test(test_runner_servers__a_test_that_ends_its_server_is_run_as_a_process),
        cmocka_unit_test(test_runner_servers__cancelled_tests_leave_nothing_and_the_slot_goes_on),
#ifdef PARE_FAULT_INJECTION
        cmocka_unit_test(test_runner_servers__after_three_that_die_in_a_row_processes_are_started),
#endif
        cmocka_unit_test(test_runner_servers__servers_killed_at_any_time_change_no_outcome),
        cmocka_unit_test(test_runner_servers__afl_servers_give_the_outcomes_of_processes),
        cmocka_unit_test(test_runner_servers__auto_takes_a_loop_where_there_is_one),
        cmocka_unit_test(test_runner_servers__afl_servers_killed_at_any_time_change_no_outcome),
        cmocka_unit_test(test_runner_servers__a_library_in_a_worker_ends_as_in_processes),
        cmocka_unit_test(test_runner_servers__a_hang_in_a_worker_is_a_time_out),
        cmocka_unit_test(test_runner_servers__workers_killed_at_any_time_change_no_outcome),
        cmocka_unit_test(test_runner_servers__out_of_memory_leaves_nothing_behind),
        cmocka_unit_test(test_runner_servers__afl_tells_what_each_test_reached),
        cmocka_unit_test(test_runner_servers__afl_is_refused_to_what_it_did_not_compile),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
