/* Workers of the user's: what they say is the outcome, and what they do instead is told
 * apart.  The worker is helpers/line_worker, whose head says what its candidates mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "os/sandbox/sandbox.h"
#include "run/launcher.h"
#include "unit/alloc_sweep.h"
#include "unit/support/bench.h"

static pare_status open_worker(struct bench *bench, const char *word, const char *base_name,
                               uint64_t timeout_ms, pare_sandbox_level level)
{
    char command[4096];
    pare_error err = {0};
    (void)snprintf(command, sizeof command, "%s/line_worker %s", getenv("PARE_HELPERS"), word);
    *bench = (struct bench){.oracle = NULL};
    pare_status status = pare_command_init_worker(&bench->command, command, INPUT, &err);
    if (status) fail_msg("%s", err.message);
    const pare_process_options options = {.command = &bench->command,
                                          .base_name = base_name,
                                          .n_slots = 2,
                                          .timeout_ms = timeout_ms,
                                          .sandbox = {.level = level}};
    return pare_process_new(&options, &bench->oracle, &err);
}

static void set_up(struct bench *bench, uint64_t timeout_ms)
{
    assert_int_equal(open_worker(bench, "", "input", timeout_ms, PARE_LEVEL_OFF), PARE_OK);
}

/* Starts a test whose end is an error; gives the status and the sentence. */
static pare_status run_badly(struct bench *bench, const char *bytes, pare_error *err)
{
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    pare_wait what;
    pare_verdict verdict;
    assert_int_equal(pare_text_copy(bytes, strlen(bytes), &text, NULL), PARE_OK);
    pare_candidate_start(&candidate, text);
    assert_int_equal(pare_candidate_slice(&candidate, 0, strlen(bytes), NULL), PARE_OK);
    pare_status status = bench->oracle->ops->start(bench->oracle, 0, &candidate, err);
    if (!status) status = bench->oracle->ops->wait(bench->oracle, 60000, &what, &verdict, err);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    return status;
}

static void test_launch_dialog__what_they_say_is_the_outcome(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        pare_outcome outcome;
    } cases[] = {{"x", PARE_FAIL}, {"b", PARE_PASS},  {"u", PARE_UNRESOLVED}, {"", PARE_PASS},
                 {"s", PARE_FAIL}, {"ex", PARE_FAIL}, {"b", PARE_PASS},       {"xx\nx", PARE_FAIL}};
    struct bench bench;
    set_up(&bench, 0);
    for (unsigned round = 0; round < 5; round++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            start(&bench, (unsigned)k % 2, cases[k].bytes);
            pare_verdict verdict = next_verdict(&bench);
            assert_int_equal(verdict.outcome, cases[k].outcome);
            assert_int_equal(verdict.exit_code, -1);
        }
    const char *reason;
    assert_int_equal(pare_process_runner(bench.oracle, &reason), PARE_RUNNER_WORKER);
    assert_string_equal(reason, "asked for");
    assert_null(pare_process_worker_notice(bench.oracle));
    tear_down(&bench);
}

static void test_launch_dialog__one_process_tests_them_all(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, 0);
    assert_int_equal(run(&bench, "b").outcome, PARE_PASS);
    pid_t worker = find_server(0);
    assert_true(worker > 1);
    for (int k = 0; k < 50; k++)
        assert_int_equal(run(&bench, "x").outcome, PARE_FAIL);
    assert_int_equal(find_server(0), worker);
    tear_down(&bench);
}

static void test_launch_dialog__what_ends_three_is_unresolved_and_said_once(void **state)
{
    (void)state;
    static const char *const fatal[] = {"a", "q", "z", "ax"};
    struct bench bench;
    set_up(&bench, 0);
    for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++) {
        pare_verdict verdict = run(&bench, fatal[k]);
        assert_int_equal(verdict.outcome, PARE_UNRESOLVED);
        assert_non_null(verdict.why);
        assert_false(verdict.timed_out);
        assert_int_equal(run(&bench, "x").outcome, PARE_FAIL);
    }
    const char *notice = pare_process_worker_notice(bench.oracle);
    assert_non_null(notice);
    assert_non_null(strstr(notice, "(signal 6)"));
    tear_down(&bench);
}

/* '1' ends every worker that has answered nothing yet: so the second is asked too. */
static void test_launch_dialog__an_end_is_not_believed_at_once(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, 0);
    assert_int_equal(run(&bench, "b").outcome, PARE_PASS);
    pid_t worker = find_server(0);
    assert_true(worker > 1); /* 0 is our own group */
    assert_int_equal(kill(worker, SIGKILL), 0);
    assert_int_equal(run(&bench, "x").outcome, PARE_FAIL);
    assert_int_not_equal(find_server(0), worker);
    assert_int_equal(run(&bench, "1x").outcome, PARE_FAIL);
    assert_null(pare_process_worker_notice(bench.oracle));
    tear_down(&bench);
}

static void test_launch_dialog__a_hang_is_a_time_out_and_another_goes_on(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, 300);
    for (int k = 0; k < 2; k++) {
        pare_verdict verdict = run(&bench, "ch");
        assert_int_equal(verdict.outcome, PARE_UNRESOLVED);
        assert_true(verdict.timed_out);
        assert_int_equal(run(&bench, "x").outcome, PARE_FAIL);
    }
    tear_down(&bench);
}

static void test_launch_dialog__a_test_not_needed_leaves_the_worker_alone(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, 0);
    assert_int_equal(run(&bench, "b").outcome, PARE_PASS);
    pid_t worker = find_server(0);
    for (int k = 0; k < 20; k++) {
        start(&bench, 0, "x");
        bench.oracle->ops->cancel(bench.oracle, 0);
        assert_true(next_verdict(&bench).cancelled);
        assert_int_equal(run(&bench, "b").outcome, PARE_PASS);
    }
    assert_int_equal(find_server(0), worker);
    start(&bench, 0, "h"); /* this one has to be ended */
    bench.oracle->ops->cancel(bench.oracle, 0);
    assert_true(next_verdict(&bench).cancelled);
    assert_int_equal(run(&bench, "x").outcome, PARE_FAIL);
    tear_down(&bench);
}

static void test_launch_dialog__anything_else_that_is_said_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *quoted;
    } cases[] = {{"g", "'maybe\\r\\nPASS'"}, {"t", "'PASS\\nPASS'"}, {"l", "'PPPPPPPP"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct bench bench;
        pare_error err = {0};
        set_up(&bench, 0);
        assert_int_equal(run(&bench, "b").outcome, PARE_PASS);
        assert_int_equal(run_badly(&bench, cases[k].bytes, &err), PARE_E_SYNTAX);
        if (!strstr(err.message, cases[k].quoted)) fail_msg("%s", err.message);
        tear_down(&bench);
    }
}

static void test_launch_dialog__one_that_ends_before_it_reads_is_an_error(void **state)
{
    (void)state;
    struct bench bench;
    pare_error err = {0};
    assert_int_equal(open_worker(&bench, "deaf", "input", 0, PARE_LEVEL_OFF), PARE_OK);
    assert_int_equal(run_badly(&bench, "x", &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "(exit code 7): started"));
    tear_down(&bench);
}

static void test_launch_dialog__a_name_that_no_line_holds_is_refused(void **state)
{
    (void)state;
    struct bench bench;
    pare_error err = {0};
    assert_int_equal(open_worker(&bench, "", "in\nput", 0, PARE_LEVEL_OFF), PARE_OK);
    assert_int_equal(run_badly(&bench, "x", &err), PARE_E_ARG);
    tear_down(&bench);
}

static void test_launch_dialog__orphans_are_ended_and_children_are_not(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, 0);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(run(&bench, "ox").outcome, PARE_FAIL);
        assert_int_equal(run(&bench, "c").outcome, PARE_PASS);
        assert_int_equal(find_server(0), find_server(1)); /* nobody else is our child */
    }
    tear_down(&bench);
}

static void test_launch_dialog__killed_at_any_time_they_change_no_outcome(void **state)
{
    (void)state;
    struct bench bench;
    unsigned random = 99, n_killed = 0;
    set_up(&bench, 0);
    for (int k = 0; k < 300; k++) {
        bool fails = k % 3 == 0;
        start(&bench, (unsigned)k % 2, fails ? "x" : "b");
        random = random * 1103515245u + 12345u;
        pid_t worker = random >> 16 & 1 ? find_server(random >> 20) : 0;
        for (volatile unsigned wait = random >> 14; wait; wait--) {
        }
        n_killed += worker > 1 && !kill(worker, SIGKILL);
        assert_int_equal(next_verdict(&bench).outcome, fails ? PARE_FAIL : PARE_PASS);
    }
    assert_true(n_killed > 50);
    tear_down(&bench);
}

static void test_launch_dialog__they_work_in_a_full_sandbox(void **state)
{
    (void)state;
    struct bench bench;
    assert_int_equal(open_worker(&bench, "", "input", 0, PARE_LEVEL_FULL), PARE_OK);
    for (int k = 0; k < 20; k++) {
        assert_int_equal(run(&bench, "x").outcome, PARE_FAIL);
        assert_int_equal(run(&bench, k % 5 ? "b" : "a").outcome,
                         k % 5 ? PARE_PASS : PARE_UNRESOLVED);
    }
    tear_down(&bench);
}

static void test_launch_dialog__a_hundred_in_a_row_are_too_many(void **state)
{
    (void)state;
    pare_dialog_losses workers = {.n_fatal = 0};
    const pare_ending ending = {.exit_code = -1, .signal = 11, .lost = true};
    pare_error err = {0};
    bool again = false;
    for (unsigned k = 1; k < PARE_DIALOG_MOST_LOSSES; k++) {
        for (unsigned n = 1; n <= PARE_DIALOG_TRIES; n++) {
            assert_int_equal(pare_launch_dialog_note_end(&workers, &ending, n, "", &again, &err),
                             PARE_OK);
            assert_int_equal(again, n < PARE_DIALOG_TRIES);
        }
        if (k == PARE_DIALOG_MOST_LOSSES / 2) pare_launch_dialog_note_answer(&workers);
    }
    assert_int_equal(workers.n_in_a_row, PARE_DIALOG_MOST_LOSSES - 1 - PARE_DIALOG_MOST_LOSSES / 2);
    pare_launch_dialog_note_answer(&workers);
    for (unsigned k = 1; k < PARE_DIALOG_MOST_LOSSES; k++)
        assert_int_equal(
            pare_launch_dialog_note_end(&workers, &ending, PARE_DIALOG_TRIES, "", &again, &err),
            PARE_OK);
    assert_int_equal(pare_launch_dialog_note_end(&workers, &ending, PARE_DIALOG_TRIES,
                                                 "a\nlast\n\n", &again, &err),
                     PARE_E_LIMIT);
    assert_non_null(strstr(err.message, "(signal 11)"));
    assert_non_null(strstr(err.message, ": last"));
}

/* ---- out of memory ------------------------------------------------------------------- */

struct sweep {
    struct bench bench;
    pare_candidate candidate;
};

static pare_status ask_once(void *context)
{
    struct sweep *sweep = context;
    pare_oracle *oracle = NULL;
    pare_wait what;
    pare_verdict verdict;
    const pare_process_options options = {
        .command = &sweep->bench.command, .base_name = "input", .n_slots = 1};
    pare_status status = pare_process_new(&options, &oracle, NULL);
    if (!status) status = oracle->ops->start(oracle, 0, &sweep->candidate, NULL);
    if (!status) status = oracle->ops->wait(oracle, 60000, &what, &verdict, NULL);
    pare_oracle_free(oracle);
    return status;
}

static void test_launch_dialog__out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    struct sweep sweep = {.bench = {.oracle = NULL}};
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy("u", 1, &text, NULL), PARE_OK);
    pare_candidate_start(&sweep.candidate, text);
    assert_int_equal(pare_candidate_slice(&sweep.candidate, 0, 1, NULL), PARE_OK);
    set_up(&sweep.bench, 0);
    pare_oracle_free(sweep.bench.oracle);
    sweep.bench.oracle = NULL;
    sweep_allocations(ask_once, &sweep);
    tear_down(&sweep.bench);
    pare_candidate_done(&sweep.candidate);
    pare_text_unref(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launch_dialog__what_they_say_is_the_outcome),
        cmocka_unit_test(test_launch_dialog__one_process_tests_them_all),
        cmocka_unit_test(test_launch_dialog__what_ends_three_is_unresolved_and_said_once),
        cmocka_unit_test(test_launch_dialog__an_end_is_not_believed_at_once),
        cmocka_unit_test(test_launch_dialog__a_hang_is_a_time_out_and_another_goes_on),
        cmocka_unit_test(test_launch_dialog__a_test_not_needed_leaves_the_worker_alone),
        cmocka_unit_test(test_launch_dialog__anything_else_that_is_said_is_an_error),
        cmocka_unit_test(test_launch_dialog__one_that_ends_before_it_reads_is_an_error),
        cmocka_unit_test(test_launch_dialog__a_name_that_no_line_holds_is_refused),
        cmocka_unit_test(test_launch_dialog__orphans_are_ended_and_children_are_not),
        cmocka_unit_test(test_launch_dialog__killed_at_any_time_they_change_no_outcome),
        cmocka_unit_test(test_launch_dialog__they_work_in_a_full_sandbox),
        cmocka_unit_test(test_launch_dialog__a_hundred_in_a_row_are_too_many),
        cmocka_unit_test(test_launch_dialog__out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
