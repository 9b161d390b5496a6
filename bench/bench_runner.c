/* Tests per second by each runner, against plain spawning of the same program.
 *
 * In alternating blocks of one run, over the process oracle with one slot; each figure is
 * that of the best part of a block.
 *
 * Usage: bench_runner SUBJECT AFL_SERVER HARNESS
 * SUBJECT: subject_dynamic, of 1 MB; AFL_SERVER: subject_afl, or the tests' helper of this
 * name; HARNESS: subject_harness.so */
#include <stdlib.h>
#include <string.h>

#include "os/clock.h"
#include "report.h"
#include "run/process.h"

enum {
    BLOCKS = 40,
    TESTS_BEFORE = 5,
    PARTS = 5, /* of a block: short, so that some meet nobody else's work */
    TESTS_PER_PART = 20,
    CANDIDATE_BYTES = 1024
};
static const double PRELOAD_AIM = 2.5, AFL_AIM = 20, INPROCESS_AIM = 100;

/* One runner over one program. */
struct lane {
    pare_command command;
    pare_judge *judge; /* of a program without a script; NULL: of a test */
    pare_runner runner;
    double best_s; /* of a test */
};

static _Noreturn void die(const char *what)
{
    report_broken("bench_runner", what);
}

static const char *const input_names[] = {"input"};
static const pare_names INPUT = {.items = input_names, .n = 1};

/* What crashes is the failure of a program that reads standard input. */
static void open_program(struct lane *lane, const char *program)
{
    static const pare_keep keep = {.signal = "SIGABRT"};
    pare_error err = {0};
    if (pare_command_init_target(&lane->command, &program, 1, INPUT, &err)) die(err.message);
    if (pare_judge_new(&keep, &lane->judge, &err)) die(err.message);
}

static void open_lane(struct lane *lane, const char *test, bool reads_input, pare_runner runner)
{
    pare_error err = {0};
    *lane = (struct lane){.runner = runner};
    if (reads_input)
        open_program(lane, test);
    else if (runner == PARE_RUNNER_WORKER &&
             pare_command_init_worker(&lane->command, test, INPUT, &err))
        die(err.message);
    else if (runner == PARE_RUNNER_WORKER)
        lane->runner = PARE_RUNNER_AUTO; /* nothing to choose from */
    else if (pare_command_init(&lane->command, test, INPUT, &err))
        die(err.message);
}

static void close_lane(struct lane *lane)
{
    pare_judge_free(lane->judge);
    pare_command_done(&lane->command);
}

static pare_oracle *open_oracle(const struct lane *lane)
{
    pare_error err = {0};
    pare_oracle *oracle = NULL;
    const pare_process_options options = {.command = &lane->command,
                                          .judge = lane->judge,
                                          .base_name = "input",
                                          .n_slots = 1,
                                          .runner = lane->runner,
                                          .owns_children = true};
    if (pare_process_new(&options, &oracle, &err)) die(err.message);
    return oracle;
}

static void run_test(pare_oracle *oracle, const pare_candidate *candidate)
{
    pare_error err = {0};
    pare_verdict verdict = {0};
    pare_wait what;
    if (oracle->ops->start(oracle, 0, candidate, &err)) die(err.message);
    if (oracle->ops->wait(oracle, -1, &what, &verdict, &err)) die(err.message);
    if (what != PARE_WAIT_VERDICT || verdict.outcome != PARE_PASS) die("the test does not pass");
}

/* The oracles of two lanes would end each other's servers, so there is one at a time.  The
 * first tests start servers, and are not counted. */
static void run_block(struct lane *lane, const pare_candidate *candidate)
{
    pare_oracle *oracle = open_oracle(lane);
    for (int k = 0; k < TESTS_BEFORE; k++)
        run_test(oracle, candidate);
    for (int part = 0; part < PARTS; part++) {
        uint64_t start_ns = pare_clock_ns();
        for (int k = 0; k < TESTS_PER_PART; k++)
            run_test(oracle, candidate);
        double test_s = (double)(pare_clock_ns() - start_ns) / 1e9 / TESTS_PER_PART;
        if (lane->best_s == 0 || test_s < lane->best_s) lane->best_s = test_s;
    }
    pare_oracle_free(oracle);
}

static void report_rate(const char *what, const struct lane *lane)
{
    char figure[32];
    (void)snprintf(figure, sizeof figure, "%.0f", 1 / lane->best_s);
    report_figure(what, figure);
}

/* `aim` 0: none was set. */
static void compare(const char *test, pare_runner runner, const char *name, double aim,
                    const pare_candidate *candidate)
{
    struct lane plain, fast;
    char what[96], figure[32], aim_text[32];
    const bool reads_input = runner != PARE_RUNNER_PRELOAD && runner != PARE_RUNNER_WORKER;
    open_lane(&plain, test, reads_input, PARE_RUNNER_SPAWN);
    open_lane(&fast, test, reads_input, runner);
    for (int block = 0; block < BLOCKS; block++) {
        run_block(&plain, candidate);
        run_block(&fast, candidate);
    }
    report_rate("spawn, tests/s", &plain);
    (void)snprintf(what, sizeof what, "%s, tests/s", name);
    report_rate(what, &fast);
    double ratio = plain.best_s / fast.best_s;
    (void)snprintf(what, sizeof what, "%s: ratio", name);
    (void)snprintf(figure, sizeof figure, "%.2f", ratio);
    (void)snprintf(aim_text, sizeof aim_text, ">= %.1f", aim);
    if (aim > 0)
        report_aim(what, figure, aim_text, ratio >= aim);
    else
        report_figure(what, figure);
    close_lane(&fast);
    close_lane(&plain);
}

int main(int argc, char **argv)
{
    static char bytes[CANDIDATE_BYTES];
    pare_error err = {0};
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    if (argc != 4) die("usage: bench_runner SUBJECT AFL_SERVER HARNESS");
    memset(bytes, 'a', sizeof bytes);
    if (pare_text_copy(bytes, sizeof bytes, &text, &err)) die(err.message);
    pare_candidate_start(&candidate, text);
    if (pare_candidate_slice(&candidate, 0, sizeof bytes, &err)) die(err.message);
    printf("A dynamically linked program of 1 MB, candidates of 1 KB, one slot\n");
    compare(argv[1], PARE_RUNNER_PRELOAD, "preload", PRELOAD_AIM, &candidate);
    printf("The same, as a worker that is told of candidates in lines\n");
    compare(argv[1], PARE_RUNNER_WORKER, "worker", 0, &candidate);
    printf("A program with AFL's loop in one process, candidates in shared memory\n");
    compare(argv[2], PARE_RUNNER_AFL, "afl, persistent", AFL_AIM, &candidate);
    printf("A parser's fuzz harness, a shared library\n");
    compare(argv[3], PARE_RUNNER_INPROCESS, "inprocess", INPROCESS_AIM, &candidate);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    return 0;
}
