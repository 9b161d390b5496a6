/* The process oracle says what is wrong with candidates when it is listened to: from what the
 * test prints, or from a compiler that is run beside it. */
/* tests: src/run/process_slot.c src/run/process_verdict.c src/run/process.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "run/complaints.h"
#include "run/process.h"
#include "unit/support/scratch.h"

static const char *const input_names[] = {"in.c"};
static const pare_names INPUT = {.items = input_names, .n = 1};

/* A compiler that is cat would complain so. */
static const char BYTES[] = "int x;\nx.c:1:5: error: 'y' was not declared in this scope\n";

struct bench {
    pare_command command, check;
    pare_oracle *oracle;
    pare_text *text;
    pare_candidate candidate;
};

static void set_up(struct bench *bench, const char *command, const char *check)
{
    pare_error err = {0};
    *bench = (struct bench){.oracle = NULL};
    assert_int_equal(pare_command_init(&bench->command, command, INPUT, &err), PARE_OK);
    if (check) assert_int_equal(pare_command_init(&bench->check, check, INPUT, &err), PARE_OK);
    const pare_process_options options = {.command = &bench->command,
                                          .check = check ? &bench->check : NULL,
                                          .finds_check = true,
                                          .base_name = "in.c",
                                          .n_slots = 2,
                                          .timeout_ms = 60000,
                                          .runner = PARE_RUNNER_SPAWN,
                                          .sandbox = {.level = PARE_LEVEL_OFF}};
    if (pare_process_new(&options, &bench->oracle, &err)) fail_msg("%s", err.message);
    assert_int_equal(pare_text_copy(BYTES, sizeof BYTES - 1, &bench->text, NULL), PARE_OK);
    pare_candidate_start(&bench->candidate, bench->text);
    assert_int_equal(pare_candidate_slice(&bench->candidate, 0, sizeof BYTES - 1, NULL), PARE_OK);
}

static void tear_down(struct bench *bench)
{
    pare_oracle_free(bench->oracle);
    pare_candidate_done(&bench->candidate);
    pare_text_unref(bench->text);
    pare_command_done(&bench->command);
    pare_command_done(&bench->check);
}

static void start(struct bench *bench, unsigned slot)
{
    pare_error err = {0};
    if (bench->oracle->ops->start(bench->oracle, slot, &bench->candidate, &err))
        fail_msg("%s", err.message);
}

static pare_verdict next_verdict(struct bench *bench)
{
    pare_wait what = PARE_WAIT_TIMEOUT;
    pare_verdict verdict = {0};
    assert_int_equal(bench->oracle->ops->wait(bench->oracle, 60000, &what, &verdict, NULL),
                     PARE_OK);
    assert_int_equal(what, PARE_WAIT_VERDICT);
    return verdict;
}

static pare_verdict run(struct bench *bench)
{
    start(bench, 0);
    return next_verdict(bench);
}

#define SAYS "echo \"$1:1:5: error: 'y' was not declared in this scope\""

static void test_process_listen__what_the_test_prints_is_read_when_asked_for(void **state)
{
    struct bench bench;
    (void)state;
    set_up(&bench, SAYS " >&2; exit 1", NULL);
    assert_null(run(&bench).complaints);
    assert_true(bench.oracle->ops->listen(bench.oracle, true));
    pare_verdict verdict = run(&bench);
    assert_int_equal(verdict.outcome, PARE_PASS);
    assert_non_null(verdict.complaints);
    assert_int_equal(verdict.complaints->n, 1);
    assert_string_equal(verdict.complaints->item[0].name, "y");
    assert_int_equal(verdict.complaints->item[0].column, 5);
    assert_true(verdict.check_ms <= 0);
    assert_true(bench.oracle->ops->listen(bench.oracle, false));
    assert_null(run(&bench).complaints);
    tear_down(&bench);
}

static void test_process_listen__a_test_that_says_nothing_tells_nothing(void **state)
{
    struct bench bench;
    (void)state;
    set_up(&bench, "echo checking; false", NULL);
    assert_true(bench.oracle->ops->listen(bench.oracle, true));
    assert_null(run(&bench).complaints);
    tear_down(&bench);
}

static void test_process_listen__a_check_is_run_where_the_test_is_silent(void **state)
{
    struct bench bench;
    (void)state;
    scratch_write("log", "", 0600);
    set_up(&bench, "rm \"$1\"; false", "echo c >>\"$LOG\"; grep -q 'int x' \"$1\" && " SAYS);
    assert_true(bench.oracle->ops->listen(bench.oracle, true));
    pare_verdict verdict = run(&bench);
    assert_int_equal(verdict.outcome, PARE_PASS);
    assert_int_equal(verdict.exit_code, 1);
    assert_non_null(verdict.complaints); /* of the candidate as it was */
    assert_string_equal(verdict.complaints->item[0].name, "y");
    assert_true(verdict.check_ms > 0);
    /* Not where nobody listens. */
    assert_true(bench.oracle->ops->listen(bench.oracle, false));
    assert_null(run(&bench).complaints);
    struct stat st;
    assert_int_equal(stat("log", &st), 0);
    assert_int_equal(st.st_size, 2);
    tear_down(&bench);
}

static void test_process_listen__a_check_without_errors_says_that_it_compiles(void **state)
{
    struct bench bench;
    (void)state;
    set_up(&bench, "echo nothing; false", "echo \"$1:1:1: warning: unused variable 'x'\"");
    assert_true(bench.oracle->ops->listen(bench.oracle, true));
    pare_verdict verdict = run(&bench);
    assert_non_null(verdict.complaints);
    assert_false(pare_complaints_reject(verdict.complaints));
    tear_down(&bench);
}

static void test_process_listen__failures_and_complaints_of_the_test_need_no_check(void **state)
{
    struct bench bench;
    (void)state;
    set_up(&bench, "true", "false");
    assert_true(bench.oracle->ops->listen(bench.oracle, true));
    pare_verdict verdict = run(&bench);
    assert_int_equal(verdict.outcome, PARE_FAIL);
    assert_null(verdict.complaints);
    assert_true(verdict.check_ms <= 0);
    tear_down(&bench);
    set_up(&bench, SAYS "; false", "false");
    assert_true(bench.oracle->ops->listen(bench.oracle, true));
    verdict = run(&bench);
    assert_non_null(verdict.complaints);
    assert_true(verdict.check_ms <= 0);
    tear_down(&bench);
}

static void test_process_listen__where_a_failure_was_is_told_when_asked_for(void **state)
{
    struct bench bench;
    (void)state;
    set_up(&bench, "true", "echo \"$1:3:4: internal compiler error: in f, at g.c:5\"; false");
    assert_true(bench.oracle->ops->listen(bench.oracle, PARE_LISTEN_ALL));
    pare_verdict verdict = run(&bench);
    assert_int_equal(verdict.outcome, PARE_FAIL);
    assert_non_null(verdict.complaints);
    assert_int_equal(verdict.complaints->item[0].line, 3);
    assert_false(pare_complaints_reject(verdict.complaints));
    tear_down(&bench);
}

/* Whether a candidate that compiles was linked, too, where this is the input: a script for the shell, which is called
 * gcc here. */
static bool is_linked(const char *input)
{
    struct bench bench;
    char log[1000] = "";
    scratch_write("log", "", 0600);
    set_up(&bench, "cp /bin/sh \"${LOG%log}gcc\"; \"${LOG%log}gcc\" \"$1\"; grep -q bug \"$1\"",
           NULL);
    pare_candidate_done(&bench.candidate);
    pare_text_unref(bench.text);
    assert_int_equal(pare_text_copy(input, strlen(input), &bench.text, NULL), PARE_OK);
    pare_candidate_start(&bench.candidate, bench.text);
    assert_int_equal(pare_candidate_slice(&bench.candidate, 0, strlen(input), NULL), PARE_OK);
    assert_true(bench.oracle->ops->watch(bench.oracle));
    assert_int_equal(run(&bench).outcome, PARE_UNRESOLVED);
    assert_true(bench.oracle->ops->listen(bench.oracle, PARE_LISTEN_ALL));
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    pare_candidate_done(&bench.candidate);
    pare_candidate_start(&bench.candidate, bench.text);
    assert_int_equal(
        pare_candidate_slice(&bench.candidate, 0, (size_t)(strchr(input, '\n') + 1 - input), NULL),
        PARE_OK);
    assert_int_equal(run(&bench).outcome, PARE_PASS);
    tear_down(&bench);
    FILE *file = fopen("log", "r");
    assert_non_null(file);
    log[fread(log, 1, sizeof log - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    assert_non_null(strstr(log, "-fsyntax-only"));
    return strstr(log, "-O0") != NULL;
}

static void test_process_listen__the_linker_is_heard_of_what_is_linked_itself(void **state)
{
    (void)state;
    assert_true(is_linked("echo \"$@\" >>\"$LOG\"\nexit 0 # bug\n"));
    assert_false(is_linked("echo \"$@\" >>\"$LOG\"\nexit 1 # bug\n"));
}

static void test_process_listen__a_check_can_be_cancelled(void **state)
{
    struct bench bench;
    (void)state;
    set_up(&bench, "false", "echo >\"$LOG\"; exec sleep 1000");
    assert_int_equal(unlink("log"), 0);
    assert_true(bench.oracle->ops->listen(bench.oracle, true));
    start(&bench, 1);
    struct stat st;
    while (stat("log", &st) != 0) { /* the check has begun */
        pare_wait what = PARE_WAIT_TIMEOUT;
        pare_verdict verdict;
        assert_int_equal(bench.oracle->ops->wait(bench.oracle, 5, &what, &verdict, NULL), PARE_OK);
        assert_int_equal(what, PARE_WAIT_TIMEOUT);
    }
    bench.oracle->ops->cancel(bench.oracle, 1);
    pare_verdict verdict = next_verdict(&bench);
    assert_true(verdict.cancelled);
    assert_int_equal(verdict.slot, 1);
    tear_down(&bench);
}

static void test_process_listen__a_check_that_cannot_run_changes_no_outcome(void **state)
{
    struct bench bench;
    (void)state;
    scratch_script("gone", "true");
    set_up(&bench, "false", "./gone");
    assert_int_equal(unlink("gone"), 0);
    assert_true(bench.oracle->ops->listen(bench.oracle, true));
    pare_verdict verdict = run(&bench);
    assert_int_equal(verdict.outcome, PARE_PASS);
    assert_null(verdict.complaints);
    tear_down(&bench);
}

/* A "lua" that prints its input, found by its name. */
static void make_interpreter(void)
{
    assert_int_equal(system("cp \"$(command -v cat)\" lua && mkdir -p work"), 0);
}

/* What the test is seen to do tells what to run. */
static pare_verdict watch_and_run(struct bench *bench)
{
    assert_true(bench->oracle->ops->watch(bench->oracle));
    (void)run(bench);
    assert_false(bench->oracle->ops->watch(bench->oracle)); /* once is enough */
    assert_true(bench->oracle->ops->listen(bench->oracle, true));
    return run(bench);
}

static void test_process_listen__a_compiler_is_found_by_watching_the_test(void **state)
{
    static const char *const tests[] = {
        "\"$DIR/lua\" \"$1\" >/dev/null; false",
        "t=$(mktemp -d); cp \"$1\" $t/other.c; cd $t; PATH=$DIR:$PATH; (lua other.c >out); "
        "rm -r $t; false",
        "\"$DIR/lua\" <\"$1\" >/dev/null; false",
        "f=$1; cd \"$DIR/work\"; ulimit -v 4000000; ../lua -u \"$f\" >/dev/null; false"};
    (void)state;
    make_interpreter();
    for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) {
        struct bench bench;
        set_up(&bench, tests[k], NULL);
        pare_verdict verdict = watch_and_run(&bench);
        assert_int_equal(verdict.outcome, PARE_PASS);
        if (!verdict.complaints) fail_msg("nothing was found in: %s", tests[k]);
        assert_string_equal(verdict.complaints->item[0].name, "y");
        assert_true(verdict.check_ms > 0);
        tear_down(&bench);
    }
}

static void test_process_listen__a_test_that_compiles_nothing_has_no_check(void **state)
{
    struct bench bench;
    (void)state;
    set_up(&bench, "grep -q nothing \"$1\" && cat \"$1\"", NULL);
    pare_verdict verdict = watch_and_run(&bench);
    assert_null(verdict.complaints);
    assert_true(verdict.check_ms <= 0);
    tear_down(&bench);
    set_up(&bench, "false", "true"); /* named by the user */
    assert_false(bench.oracle->ops->watch(bench.oracle));
    tear_down(&bench);
}

static void test_process_listen__a_hostile_record_is_left_alone(void **state)
{
    static const char *const tests[] = {"mkfifo \"$1.pare-watch\"; false",
                                        "ln -s /etc/passwd \"$1.pare-watch\"; false",
                                        "head -c 9000000 /dev/zero >\"$1.pare-watch\"; false",
                                        "printf 'pare-watch-1\\0001\\0' >\"$1.pare-watch\"; false"};
    (void)state;
    for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) {
        struct bench bench;
        set_up(&bench, tests[k], NULL);
        assert_null(watch_and_run(&bench).complaints);
        tear_down(&bench);
    }
}

static int set_log(void **state)
{
    char path[128];
    if (scratch_setup(state)) return -1;
    (void)snprintf(path, sizeof path, "%s/log", scratch_dir);
    return setenv("LOG", path, 1) || setenv("DIR", scratch_dir, 1) ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_process_listen__what_the_test_prints_is_read_when_asked_for),
        cmocka_unit_test(test_process_listen__a_test_that_says_nothing_tells_nothing),
        cmocka_unit_test(test_process_listen__a_check_is_run_where_the_test_is_silent),
        cmocka_unit_test(test_process_listen__a_check_without_errors_says_that_it_compiles),
        cmocka_unit_test(test_process_listen__failures_and_complaints_of_the_test_need_no_check),
        cmocka_unit_test(test_process_listen__where_a_failure_was_is_told_when_asked_for),
        cmocka_unit_test(test_process_listen__the_linker_is_heard_of_what_is_linked_itself),
        cmocka_unit_test(test_process_listen__a_check_can_be_cancelled),
        cmocka_unit_test(test_process_listen__a_check_that_cannot_run_changes_no_outcome),
        cmocka_unit_test(test_process_listen__a_compiler_is_found_by_watching_the_test),
        cmocka_unit_test(test_process_listen__a_test_that_compiles_nothing_has_no_check),
        cmocka_unit_test(test_process_listen__a_hostile_record_is_left_alone),
    };
    return cmocka_run_group_tests(tests, set_log, scratch_teardown);
}
