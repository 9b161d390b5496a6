/* The process oracle: outcomes, time-outs, cancelling, and tests that mean harm.
 *
 * The hostile program is helpers/hostile; each claim ends with a look at what the test
 * left behind.  Executed with the argument "be-killed" this program is the victim of
 * the last claim: a user of the oracle that is killed with -9. */
/* tests: src/run/process_slot.c src/run/process_verdict.c src/run/launch_spawn.c
 * src/os/process_tree.c */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "os/child.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/spawn.h"
#include "run/process.h"
#include "run/process_slot.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

/* One oracle with the candidate "candidate\n". */
struct bench {
    pare_command command;
    pare_oracle *oracle;
    pare_text *text;
    pare_candidate candidate;
    pare_stop *stop;
};

static const char *const input_names[] = {"in put.txt"};
static const pare_names INPUT = {.items = input_names, .n = 1};

static const char BYTES[] = "candidate\n";

static void set_up_as(struct bench *bench, const char *command, unsigned n_slots,
                      uint64_t timeout_ms, pare_runner runner, pare_sandbox_level level)
{
    pare_error err = {0};
    *bench = (struct bench){.oracle = NULL};
    if (pare_command_init(&bench->command, command, INPUT, &err)) fail_msg("%s", err.message);
    assert_int_equal(pare_stop_new(&bench->stop, NULL), PARE_OK);
    const pare_process_options options = {.command = &bench->command,
                                          .base_name = "in put.txt",
                                          .n_slots = n_slots,
                                          .timeout_ms = timeout_ms,
                                          .stop = bench->stop,
                                          .runner = runner,
                                          .sandbox = {.level = level},
                                          .owns_children = false};
    if (pare_process_new(&options, &bench->oracle, &err)) fail_msg("%s", err.message);
    assert_int_equal(pare_text_copy(BYTES, sizeof BYTES - 1, &bench->text, NULL), PARE_OK);
    pare_candidate_start(&bench->candidate, bench->text);
    assert_int_equal(pare_candidate_slice(&bench->candidate, 0, 4, NULL), PARE_OK);
    assert_int_equal(pare_candidate_slice(&bench->candidate, 4, sizeof BYTES - 5, NULL), PARE_OK);
}

/* Other runners: test_runner_servers.c. */
static void set_up(struct bench *bench, const char *command, unsigned n_slots, uint64_t timeout_ms)
{
    set_up_as(bench, command, n_slots, timeout_ms, PARE_RUNNER_SPAWN, PARE_LEVEL_OFF);
}

static void set_up_hostile(struct bench *bench, const char *what, unsigned n_slots,
                           uint64_t timeout_ms)
{
    char command[4096];
    (void)snprintf(command, sizeof command, "%s/hostile %s", getenv("PARE_HELPERS"), what);
    set_up(bench, command, n_slots, timeout_ms);
}

static void tear_down(struct bench *bench)
{
    pare_oracle_free(bench->oracle);
    pare_candidate_done(&bench->candidate);
    pare_text_unref(bench->text);
    pare_command_done(&bench->command);
    pare_stop_free(bench->stop);
}

static void start(struct bench *bench, unsigned slot)
{
    pare_error err = {0};
    if (bench->oracle->ops->start(bench->oracle, slot, &bench->candidate, &err))
        fail_msg("%s", err.message);
}

static pare_verdict next_verdict(struct bench *bench)
{
    pare_error err = {0};
    pare_wait what = PARE_WAIT_TIMEOUT;
    pare_verdict verdict = {0};
    if (bench->oracle->ops->wait(bench->oracle, 60000, &what, &verdict, &err))
        fail_msg("%s", err.message);
    assert_int_equal(what, PARE_WAIT_VERDICT);
    return verdict;
}

static pare_verdict run(struct bench *bench)
{
    start(bench, 0);
    return next_verdict(bench);
}

/* Nobody with a mark of this process may be alive. */
static void assert_nobody_left(void)
{
    char mark[64];
    (void)snprintf(mark, sizeof mark, "PARE_TEST=%d-", (int)getpid());
    assert_false(is_mark_alive(mark));
}

static void test_process__exit_code_zero_means_the_failure_is_there(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "grep -q candidate", 1, 0);
    pare_verdict verdict = run(&bench);
    assert_int_equal(verdict.outcome, PARE_FAIL);
    assert_int_equal(verdict.exit_code, 0);
    assert_int_equal(verdict.signal, 0);
    assert_false(verdict.cancelled || verdict.timed_out);
    assert_true(verdict.duration_ms > 0);
    tear_down(&bench);
}

/* As of the slot's last test, whose pidfd somebody else still holds. */
static void test_process__an_event_that_is_not_the_tests_does_not_end_it(void **state)
{
    (void)state;
    struct bench bench;
    int ends[2];
    set_up(&bench, "sleep 0.1; exit 0;", 1, 0);
    assert_int_equal(pare_descriptor_pipe(3, ends, "a pipe", NULL), PARE_OK);
    assert_int_equal(write(ends[1], "x", 1), 1);
    const int epoll_fd = pare_process_slot_oracle(bench.oracle)->epoll_fd;
    assert_int_equal(pare_descriptor_watch(epoll_fd, ends[0], 0, NULL), PARE_OK);
    pare_verdict verdict = run(&bench);
    assert_int_equal(verdict.outcome, PARE_FAIL);
    assert_int_equal(verdict.exit_code, 0);
    assert_int_equal(verdict.signal, 0);
    tear_down(&bench);
    pare_descriptor_close(&ends[0]);
    pare_descriptor_close(&ends[1]);
}

static void test_process__other_codes_and_signals_mean_it_is_gone(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "exit 77;", 1, 0);
    pare_verdict verdict = run(&bench);
    assert_int_equal(verdict.outcome, PARE_PASS);
    assert_int_equal(verdict.exit_code, 77);
    tear_down(&bench);
    set_up_hostile(&bench, "crash", 1, 0);
    verdict = run(&bench);
    assert_int_equal(verdict.outcome, PARE_PASS);
    assert_int_equal(verdict.exit_code, -1);
    assert_int_equal(verdict.signal, SIGSEGV);
    tear_down(&bench);
}

static void test_process__the_candidate_is_last_argument_and_in_the_directory(void **state)
{
    (void)state;
    struct bench bench;
    scratch_script("both.sh",
                   "cmp \"$1\" \"in put.txt\" && [ \"$(cat \"$1\")\" = candidate ] &&\n"
                   "[ $# = 1 ] && [ \"${1#/}\" != \"$1\" ] && [ \"$(ls -A)\" = 'in put.txt' ]");
    set_up(&bench, "./both.sh", 1, 0);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    tear_down(&bench);
    set_up(&bench, "[ \"$1\" = \"$PWD/in put.txt\" ] && grep -q candidate 'in put.txt'", 1, 0);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    tear_down(&bench);
}

static void test_process__input_is_empty_and_nothing_of_ours_is_open(void **state)
{
    (void)state;
    struct bench bench;
    scratch_script("fds.sh", "[ -z \"$(cat)\" ] && "
                             "! ls -l /proc/self/fd | grep -e pare- -e anon_inode -e socket:");
    set_up(&bench, "./fds.sh", 3, 0);
    pare_process_capture_next(bench.oracle);
    pare_verdict verdict = run(&bench);
    if (verdict.outcome != PARE_FAIL) fail_msg("%s", pare_process_captured(bench.oracle));
    tear_down(&bench);
}

static void test_process__a_hang_is_unresolved_and_its_family_dead(void **state)
{
    (void)state;
    static const char *const kinds[] = {"hang", "hang-with-family", "ignore-term"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct bench bench;
        set_up_hostile(&bench, kinds[k], 1, 200);
        pare_verdict verdict = run(&bench);
        assert_int_equal(verdict.outcome, PARE_UNRESOLVED);
        assert_true(verdict.timed_out);
        assert_true(verdict.duration_ms >= 200);
        assert_nobody_left();
        tear_down(&bench);
    }
}

static void test_process__sessions_of_their_own_do_not_outlive_the_verdict(void **state)
{
    (void)state;
    struct bench bench;
    set_up_hostile(&bench, "escape", 1, 0);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(run(&bench).outcome, PARE_FAIL);
        assert_nobody_left();
    }
    tear_down(&bench);
}

static void test_process__children_of_the_host_are_left_alone(void **state)
{
    (void)state;
    struct bench bench;
    pid_t child = fork();
    if (!child)
        for (;;)
            pause();
    assert_true(child > 0); /* -1 is everybody */
    set_up_hostile(&bench, "escape", 1, 0);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    tear_down(&bench);
    assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

#ifdef PARE_FAULT_INJECTION

/* The process that is to start a test in its cell dies, whichever launcher asks for it: once, it
 * is made again; three times in a row are an error. */
static void test_process__a_start_without_a_process_is_made_again_or_an_error(void **state)
{
    (void)state;
    static const pare_runner runners[] = {PARE_RUNNER_SPAWN, PARE_RUNNER_PRELOAD};
    for (size_t k = 0; k < sizeof runners / sizeof *runners; k++) {
        struct bench bench;
        pare_error err = {0};
        set_up_as(&bench, "grep -q candidate", 1, 0, runners[k], PARE_LEVEL_FULL);
        pare_child_die_often_at(PARE_POINT_GO_BETWEEN, 3);
        pare_status status = bench.oracle->ops->start(bench.oracle, 0, &bench.candidate, &err);
        const pare_sandbox *sandbox = pare_process_sandbox(bench.oracle);
        if (pare_sandbox_level_in_force(sandbox) != PARE_LEVEL_FULL) { /* no name spaces here */
            pare_child_die_at(PARE_POINT_NONE);
            if (!status) (void)next_verdict(&bench);
            tear_down(&bench);
            skip();
        }
        assert_int_equal(status, PARE_E_IO);
        assert_non_null(strstr(err.message, "the process that was to start it was killed"));
        pare_child_die_at(PARE_POINT_GO_BETWEEN);
        assert_int_equal(run(&bench).outcome, PARE_FAIL); /* the slot is free, the next one runs */
        tear_down(&bench);
        assert_nobody_left();
    }
}

/* Killed on its way, in a cell or without one: that is no outcome of a test that was never run. */
static void test_process__a_test_that_is_killed_before_it_begins_is_run_again(void **state)
{
    (void)state;
    static const pare_sandbox_level levels[] = {PARE_LEVEL_OFF, PARE_LEVEL_FULL};
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        struct bench bench;
        pare_error err = {0};
        pare_verdict verdict = {0};
        pare_wait what = PARE_WAIT_TIMEOUT;
        set_up_as(&bench, "grep -q candidate", 1, 0, PARE_RUNNER_SPAWN, levels[k]);
        pare_child_die_at(PARE_POINT_TEST);
        assert_int_equal(run(&bench).outcome, PARE_FAIL);
        pare_child_die_often_at(PARE_POINT_TEST, 3);
        assert_int_equal(bench.oracle->ops->start(bench.oracle, 0, &bench.candidate, &err),
                         PARE_OK);
        assert_int_equal(bench.oracle->ops->wait(bench.oracle, 60000, &what, &verdict, &err),
                         PARE_E_IO);
        assert_non_null(strstr(err.message, "killed 3 times in a row before it began"));
        assert_int_equal(run(&bench).outcome, PARE_FAIL);
        tear_down(&bench);
        assert_nobody_left();
    }
}

#endif

static void test_process__closed_and_flooded_output_do_no_harm(void **state)
{
    (void)state;
    struct bench bench;
    set_up_hostile(&bench, "close", 1, 0);
    pare_process_capture_next(bench.oracle);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    assert_string_equal(pare_process_captured(bench.oracle), "");
    tear_down(&bench);
    set_up_hostile(&bench, "flood", 1, 0);
    pare_process_capture_next(bench.oracle);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    assert_string_equal(pare_process_captured(bench.oracle), "last line\n");
    assert_int_equal(run(&bench).outcome, PARE_FAIL); /* to /dev/null */
    tear_down(&bench);
}

static void test_process__an_orphan_that_holds_the_pipe_does_not_delay(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "echo out; echo err >&2; setsid sleep 1000 & exit 5", 1, 0);
    pare_process_capture_next(bench.oracle);
    uint64_t start_ms = pare_clock_ms();
    assert_int_equal(run(&bench).exit_code, 5);
    assert_true(pare_clock_ms() - start_ms < 30000);
    assert_string_equal(pare_process_captured(bench.oracle), "out\nerr\n");
    tear_down(&bench);
}

static void test_process__the_next_test_finds_its_candidate_whatever_was_done(void **state)
{
    (void)state;
    static const char *const kinds[] = {"remove", "change", "directory", "junk"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct bench bench;
        char script[4096];
        /* Harms once, then looks. */
        (void)unlink("harmed");
        (void)snprintf(
            script, sizeof script,
            "if [ ! -e %s/harmed ]; then touch %s/harmed; exec %s/hostile %s \"$1\"; fi\n"
            "[ \"$(cat \"$1\")\" = candidate ] && [ \"$(ls -A)\" = 'in put.txt' ] && "
            "[ \"$PWD/in put.txt\" = \"$1\" ]",
            scratch_dir, scratch_dir, getenv("PARE_HELPERS"), kinds[k]);
        scratch_script("harm.sh", script);
        set_up(&bench, "./harm.sh", 1, 0);
        pare_verdict verdict = run(&bench);
        if (verdict.exit_code) fail_msg("%s could not harm: %d", kinds[k], verdict.exit_code);
        verdict = run(&bench);
        if (verdict.outcome != PARE_FAIL) fail_msg("after %s: %d", kinds[k], verdict.exit_code);
        tear_down(&bench);
    }
}

static void test_process__a_replaced_directory_is_not_followed(void **state)
{
    (void)state;
    struct bench bench;
    assert_int_equal(mkdir("precious", 0700), 0);
    scratch_write("precious/thing", "x", 0600);
    char command[512];
    (void)snprintf(command, sizeof command,
                   "d=$PWD; cd /; mv \"$d\" \"$d.away\"; ln -s %s/precious \"$d\"; exit 0",
                   scratch_dir);
    set_up(&bench, command, 1, 0);
    for (int k = 0; k < 3; k++)
        assert_int_equal(run(&bench).outcome, PARE_FAIL);
    tear_down(&bench);
    assert_file_holds("precious/thing", "x");
    assert_int_equal(count_entries("precious"), 1);
}

static void test_process__a_huge_file_is_gone_after_the_test(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "[ $(ls -A | wc -l) = 1 ] && head -c 50000000 /dev/zero > huge", 1, 0);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    tear_down(&bench);
}

static void test_process__a_script_without_interpreter_line_runs(void **state)
{
    (void)state;
    struct bench bench;
    scratch_write("bare.sh", "test -s \"$1\" && exit 0\n", 0755);
    set_up(&bench, "./bare.sh", 1, 0);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    tear_down(&bench);
}

/* Under valgrind, which knows no pidfd_open and gives up when an execve that looked
 * possible fails. */
static bool is_emulated(void)
{
    int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (fd < 0) return errno == ENOSYS;
    (void)close(fd);
    return false;
}

static void assert_start_fails(struct bench *bench, const char *part)
{
    pare_error err = {0};
    assert_int_equal(bench->oracle->ops->start(bench->oracle, 0, &bench->candidate, &err),
                     PARE_E_IO);
    if (!strstr(err.message, part)) fail_msg("'%s' is not in: %s", part, err.message);
}

static void test_process__a_test_that_cannot_run_is_an_error_not_an_outcome(void **state)
{
    (void)state;
    struct bench bench;
    scratch_script("vanish.sh", "rm -f -- \"$0\"");
    set_up(&bench, "./vanish.sh", 1, 0);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    assert_start_fails(&bench, "vanish.sh: No such file");
    scratch_script("vanish.sh", "exit 0");
    assert_int_equal(run(&bench).outcome, PARE_FAIL); /* the slot is free and clean */
    assert_int_equal(chmod("vanish.sh", 0644), 0);
    assert_start_fails(&bench, "executable");
    if (!is_emulated()) {
        scratch_write("vanish.sh", "#!/no/such/interpreter\n", 0755);
        assert_start_fails(&bench, "interpreter");
        scratch_write("vanish.sh", "#!/bin/sh\r\nexit 0\r\n", 0755);
        assert_start_fails(&bench, "carriage returns");
    }
    tear_down(&bench);
}

/* The script says the opposite from the second test on: an outcome of it must not stand beside the first
 * one's. */
static void test_process__a_script_that_changes_during_the_run_ends_it(void **state)
{
    (void)state;
    struct bench bench;
    pare_wait what = PARE_WAIT_TIMEOUT;
    pare_verdict verdict = {0};
    pare_error err = {0};
    scratch_script("edited.sh", "exit 0");
    set_up(&bench, "./edited.sh", 1, 0);
    pare_oracle_free(bench.oracle);
    const pare_process_options options = {.command = &bench.command,
                                          .base_name = "in put.txt",
                                          .n_slots = 1,
                                          .stop = bench.stop,
                                          .holds_files = true,
                                          .runner = PARE_RUNNER_SPAWN};
    assert_int_equal(pare_process_new(&options, &bench.oracle, NULL), PARE_OK);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    assert_int_equal(run(&bench).outcome, PARE_FAIL);
    scratch_script("edited.sh", "exit 1 # by another hand");
    start(&bench, 0);
    assert_int_equal(bench.oracle->ops->wait(bench.oracle, 60000, &what, &verdict, &err),
                     PARE_E_IO);
    assert_non_null(strstr(err.message, "edited.sh was changed during the run"));
    tear_down(&bench);
    assert_nobody_left();
}

static void test_process__cancelling_kills_and_still_gives_a_verdict(void **state)
{
    (void)state;
    struct bench bench;
    set_up_hostile(&bench, "hang-with-family", 2, 0);
    start(&bench, 0);
    start(&bench, 1);
    bench.oracle->ops->cancel(bench.oracle, 1);
    pare_verdict verdict = next_verdict(&bench);
    assert_int_equal(verdict.slot, 1);
    assert_true(verdict.cancelled);
    assert_int_equal(verdict.outcome, PARE_NO_OUTCOME);
    bench.oracle->ops->cancel(bench.oracle, 0);
    assert_true(next_verdict(&bench).cancelled);
    assert_nobody_left();
    tear_down(&bench);
}

static void test_process__freeing_ends_what_still_runs(void **state)
{
    (void)state;
    struct bench bench;
    set_up_hostile(&bench, "hang-with-family", 4, 0);
    for (unsigned slot = 0; slot < 4; slot++)
        start(&bench, slot);
    tear_down(&bench);
    assert_nobody_left();
}

static void test_process__eight_slots_keep_their_candidates_apart(void **state)
{
    (void)state;
    enum { SLOTS = 8, ROUNDS = 40 };
    struct bench bench;
    unsigned seen[SLOTS] = {0};
    set_up(&bench, "echo x >> junk; [ \"$(cat junk)\" = x ] && grep -q candidate \"$1\"", SLOTS, 0);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        start(&bench, slot);
    for (unsigned k = 0; k < SLOTS * ROUNDS; k++) {
        pare_verdict verdict = next_verdict(&bench);
        if (verdict.outcome != PARE_FAIL)
            fail_msg("slot %u, test %u: code %d signal %d time-out %d", verdict.slot, k,
                     verdict.exit_code, verdict.signal, verdict.timed_out);
        if (++seen[verdict.slot] < ROUNDS) start(&bench, verdict.slot);
    }
    for (unsigned slot = 0; slot < SLOTS; slot++)
        assert_int_equal(seen[slot], ROUNDS);
    tear_down(&bench);
}

static void test_process__waiting_ends_in_time_and_when_stopped(void **state)
{
    (void)state;
    struct bench bench;
    pare_wait what = PARE_WAIT_VERDICT;
    pare_verdict verdict;
    set_up_hostile(&bench, "hang", 1, 0);
    start(&bench, 0);
    assert_int_equal(bench.oracle->ops->wait(bench.oracle, 20, &what, &verdict, NULL), PARE_OK);
    assert_int_equal(what, PARE_WAIT_TIMEOUT);
    assert_int_equal(bench.oracle->ops->wait(bench.oracle, 0, &what, &verdict, NULL), PARE_OK);
    assert_int_equal(what, PARE_WAIT_TIMEOUT);
    pare_stop_request(bench.stop);
    assert_int_equal(bench.oracle->ops->wait(bench.oracle, -1, &what, &verdict, NULL), PARE_OK);
    assert_int_equal(what, PARE_WAIT_INTERRUPTED);
    tear_down(&bench);
    assert_nobody_left();
}

static void test_process__the_time_limit_is_learned_and_can_be_put_back(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "true", 1, 0);
    assert_int_equal(pare_process_time_limit(bench.oracle).n_tests, 0);
    (void)run(&bench);
    pare_time_limit limit = pare_process_time_limit(bench.oracle);
    assert_int_equal(limit.n_tests, 1);
    assert_true(pare_time_limit_ms(&limit) >= PARE_TIME_LIMIT_LEAST_MS);
    tear_down(&bench);
    set_up_hostile(&bench, "hang", 1, 0);
    pare_process_set_time_limit(bench.oracle, (pare_time_limit){.learned_ms = 100, .n_tests = 5});
    assert_true(run(&bench).timed_out);
    tear_down(&bench);
}

/* An oracle on a machine that is said to be busy, or not, whose tests so far took `most_cpu_us`. */
static void set_up_on_machine(struct bench *bench, const char *command, bool is_busy,
                              uint64_t most_cpu_us)
{
    set_up(bench, command, 1, 0);
    pare_process_set_time_limit(bench->oracle, (pare_time_limit){.learned_ms = 1000, .n_tests = 5});
    pare_process_oracle *oracle = pare_process_slot_oracle(bench->oracle);
    oracle->is_busy = is_busy;
    oracle->load_due_ns = UINT64_MAX;
    oracle->most_cpu_us = most_cpu_us;
}

/* The first run is late, as one that gets no processor is; it also spoils the candidate. */
static void test_process__a_time_out_on_a_busy_machine_is_made_sure_of(void **state)
{
    static const struct {
        const char *command;
        bool is_busy;
        uint64_t most_cpu_us;
        int outcome;
        const char *runs;
    } rows[] = {{"starve.sh", true, 1000000, PARE_FAIL, "11"},
                {"starve.sh", false, 1000000, PARE_UNRESOLVED, "1"},
                {"spin.sh", true, 0, PARE_UNRESOLVED, "1"},
                {"sleep.sh", true, 1000000, PARE_UNRESOLVED, "11"}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[512], command[128];
        (void)snprintf(text, sizeof text,
                       "printf 1 >> %s/runs; grep -q candidate \"$1\" || exit 1\n"
                       "test $(wc -c < %s/runs) = 2 && exit 0; echo spoilt > \"$1\"; sleep 100",
                       scratch_dir, scratch_dir);
        scratch_script("starve.sh", text);
        (void)snprintf(text, sizeof text, "printf 1 >> %s/runs; while :; do :; done", scratch_dir);
        scratch_script("spin.sh", text);
        (void)snprintf(text, sizeof text, "printf 1 >> %s/runs; sleep 100", scratch_dir);
        scratch_script("sleep.sh", text);
        scratch_write("runs", "", 0666);
        (void)snprintf(command, sizeof command, "./%s", rows[k].command);
        struct bench bench;
        set_up_on_machine(&bench, command, rows[k].is_busy, rows[k].most_cpu_us);
        const pare_verdict verdict = run(&bench);
        assert_int_equal(verdict.outcome, rows[k].outcome);
        assert_int_equal(verdict.timed_out, rows[k].outcome == PARE_UNRESOLVED);
        tear_down(&bench);
        struct stat runs;
        assert_int_equal(stat("runs", &runs), 0);
        assert_int_equal(runs.st_size, strlen(rows[k].runs));
    }
    assert_nobody_left();
}

static void test_process__nothing_is_left_on_disk(void **state)
{
    (void)state;
    struct bench bench;
    char command[256];
    set_up(&bench, "touch junk; mkdir -p a/b", 1, 0);
    (void)run(&bench);
    (void)snprintf(command, sizeof command,
                   "ls -d /dev/shm/pare-%d-* /tmp/pare-%d-* >/dev/null 2>&1", (int)getpid(),
                   (int)getpid());
    tear_down(&bench);
    assert_int_not_equal(system(command), 0);
}

static pare_status make(void *context)
{
    const struct bench *bench = context;
    const pare_process_options options = {
        .command = &bench->command, .base_name = "in put.txt", .n_slots = 2};
    pare_oracle *oracle = NULL;
    pare_status status = pare_process_new(&options, &oracle, NULL);
    if (status) assert_null(oracle);
    pare_oracle_free(oracle);
    return status;
}

static void test_process__out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "true", 1, 0);
    sweep_allocations(make, &bench);
    tear_down(&bench);
    assert_nobody_left();
}

/* --- being killed --------------------------------------------------------------- */

/* The victim: four tests that hang with families, then a word to the parent.  Somebody kills the
 * guard before the last of them is started, if `loses_guard`. */
static _Noreturn void be_killed(bool loses_guard)
{
    struct bench bench;
    set_up_hostile(&bench, "hang-with-family", 4, 0);
    const pare_child *guard = &pare_process_slot_oracle(bench.oracle)->guard.child;
    for (unsigned slot = 0; slot < 4; slot++) {
        if (loses_guard && slot == 3) {
            assert_int_equal(kill(guard->pid, SIGKILL), 0);
            assert_true(pare_descriptor_await(guard->pidfd, 60000));
        }
        start(&bench, slot);
    }
    (void)printf("ready\n");
    (void)fflush(stdout);
    for (;;)
        pause();
}

/* Executes this program as the victim; gives its pid when its tests run. */
static pid_t start_victim(const char *how)
{
    char word[6] = "";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    char program[4096] = ""; /* valgrind answers readlink rightly, and execve not */
    assert_true(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    pid_t pid = fork();
    if (!pid) {
        (void)dup2(ends[1], 1);
        (void)execl(program, program, how, (char *)NULL);
        _exit(127);
    }
    assert_true(pid > 0); /* -1 is everybody */
    (void)close(ends[1]);
    assert_int_equal(read(ends[0], word, sizeof word), 6);
    assert_memory_equal(word, "ready\n", 6);
    (void)close(ends[0]);
    return pid;
}

/* A guard is a shell whose name for itself says so. */
static bool is_guard(int pid)
{
    char path[64];
    pare_buffer words = {0};
    (void)snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
    const bool is = !pare_file_read(path, &words, NULL) && words.size &&
                    memmem(words.data, words.size, "pare-guard", strlen("pare-guard"));
    pare_buffer_done(&words);
    return is;
}

/* The guard among the children of `pid`, as a pidfd; -1 with errno. */
static int guard_of(pid_t pid)
{
    char path[64], text[256];
    int child = 0, used = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    (void)fclose(file);
    for (const char *at = text; sscanf(at, "%d%n", &child, &used) == 1; at += used)
        if (is_guard(child)) return (int)syscall(SYS_pidfd_open, child, 0);
    return -1;
}

static void assert_nothing_is_left_of(const char *how)
{
    char mark[64], command[128];
    pid_t pid = start_victim(how);
    int guard = guard_of(pid);
    if (guard < 0) {
        const bool is_unknown = errno == ENOSYS; /* valgrind knows no pidfd */
        assert_int_equal(kill(pid, SIGKILL), 0);
        if (is_unknown) skip();
        fail_msg("there is no guard");
    }
    (void)snprintf(mark, sizeof mark, "PARE_TEST=%d-", (int)pid);
    (void)snprintf(command, sizeof command, "ls -d /dev/shm/pare-%d-* >/dev/null 2>&1", (int)pid);
    assert_true(is_mark_alive(mark));
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_true(pare_descriptor_await(guard, 60000));
    (void)close(guard);
    assert_false(is_mark_alive(mark));
    assert_int_not_equal(system(command), 0);
}

static void test_process__killed_with_9_it_leaves_no_process_and_no_directory(void **state)
{
    (void)state;
    assert_nothing_is_left_of("be-killed");
}

static void test_process__a_guard_that_is_killed_is_started_again(void **state)
{
    (void)state;
    assert_nothing_is_left_of("lose-guard");
}

/* A limit that a caller means as none is not a time in the past. */
static void test_process__the_largest_time_limit_is_never_reached(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "sleep 0.1; exit 0;", 1, UINT64_MAX);
    const pare_verdict verdict = run(&bench);
    assert_int_equal(verdict.outcome, PARE_FAIL);
    assert_false(verdict.timed_out);
    tear_down(&bench);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "be-killed")) be_killed(false);
    if (argc > 1 && !strcmp(argv[1], "lose-guard")) be_killed(true);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_process__exit_code_zero_means_the_failure_is_there),
        cmocka_unit_test(test_process__an_event_that_is_not_the_tests_does_not_end_it),
        cmocka_unit_test(test_process__other_codes_and_signals_mean_it_is_gone),
        cmocka_unit_test(test_process__the_candidate_is_last_argument_and_in_the_directory),
        cmocka_unit_test(test_process__input_is_empty_and_nothing_of_ours_is_open),
        cmocka_unit_test(test_process__a_hang_is_unresolved_and_its_family_dead),
        cmocka_unit_test(test_process__sessions_of_their_own_do_not_outlive_the_verdict),
        cmocka_unit_test(test_process__children_of_the_host_are_left_alone),
#ifdef PARE_FAULT_INJECTION
        cmocka_unit_test(test_process__a_start_without_a_process_is_made_again_or_an_error),
        cmocka_unit_test(test_process__a_test_that_is_killed_before_it_begins_is_run_again),
#endif
        cmocka_unit_test(test_process__closed_and_flooded_output_do_no_harm),
        cmocka_unit_test(test_process__an_orphan_that_holds_the_pipe_does_not_delay),
        cmocka_unit_test(test_process__the_next_test_finds_its_candidate_whatever_was_done),
        cmocka_unit_test(test_process__a_replaced_directory_is_not_followed),
        cmocka_unit_test(test_process__a_huge_file_is_gone_after_the_test),
        cmocka_unit_test(test_process__a_script_without_interpreter_line_runs),
        cmocka_unit_test(test_process__a_test_that_cannot_run_is_an_error_not_an_outcome),
        cmocka_unit_test(test_process__a_script_that_changes_during_the_run_ends_it),
        cmocka_unit_test(test_process__cancelling_kills_and_still_gives_a_verdict),
        cmocka_unit_test(test_process__freeing_ends_what_still_runs),
        cmocka_unit_test(test_process__eight_slots_keep_their_candidates_apart),
        cmocka_unit_test(test_process__waiting_ends_in_time_and_when_stopped),
        cmocka_unit_test(test_process__the_time_limit_is_learned_and_can_be_put_back),
        cmocka_unit_test(test_process__a_time_out_on_a_busy_machine_is_made_sure_of),
        cmocka_unit_test(test_process__nothing_is_left_on_disk),
        cmocka_unit_test(test_process__out_of_memory_leaves_nothing_behind),
        cmocka_unit_test(test_process__killed_with_9_it_leaves_no_process_and_no_directory),
        cmocka_unit_test(test_process__a_guard_that_is_killed_is_started_again),
        cmocka_unit_test(test_process__the_largest_time_limit_is_never_reached),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
