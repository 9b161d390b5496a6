/* What one test costs besides what the operating system takes for it.
 *
 * Compares, in alternating blocks of one run, a bare loop of posix_spawn and waitpid
 * with the process oracle at one slot, over the same static test of the same file; then
 * in a full sandbox, where the machine has one; then again while this process holds 1 GiB; then
 * with whole runs of `pare reduce -j1`.  Each figure is that of the best block.
 *
 * Usage: bench_spawn ORACLE PARE FOLDER
 * ORACLE: the program oracle_marks; PARE: the program pare; FOLDER: where to write */
#include <jansson.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "os/clock.h"
#include "os/file.h"
#include "report.h"
#include "run/process.h"

enum { BLOCKS = 60, TESTS_PER_BLOCK = 100, RUNS = 8, N_LINES = 1000 };
static const double AIM = 0.9;

extern char **environ;

/* Of the best block, per test. */
struct cost {
    double wall_s, cpu_s;
};

/* Where things are. */
struct place {
    char oracle[4096], pare[4096];
    char input[4096], output[4096], stats[4096], test[8192];
};

static _Noreturn void die(const char *what)
{
    report_broken("bench_spawn", what);
}

/* Runs a program and waits for its end, as plainly as it can be done. */
static void run_bare(char *const argv[])
{
    pid_t pid;
    int code;
    if (posix_spawn(&pid, argv[0], NULL, NULL, argv, environ)) die("cannot spawn");
    if (waitpid(pid, &code, 0) != pid || code) die("a program did not exit with 0");
}

static void run_oracle(pare_oracle *oracle, const pare_candidate *candidate)
{
    pare_error err = {0};
    pare_verdict verdict = {0};
    pare_wait what;
    if (oracle->ops->start(oracle, 0, candidate, &err)) die(err.message);
    if (oracle->ops->wait(oracle, -1, &what, &verdict, &err)) die(err.message);
    if (what != PARE_WAIT_VERDICT || verdict.outcome != PARE_FAIL) die("the test does not fail");
}

static void keep_best(struct cost *best, double wall_s, double cpu_s, size_t n_tests)
{
    wall_s /= (double)n_tests;
    cpu_s /= (double)n_tests;
    if (best->wall_s == 0 || wall_s < best->wall_s) best->wall_s = wall_s;
    if (best->cpu_s == 0 || cpu_s < best->cpu_s) best->cpu_s = cpu_s;
}

static void run_bare_block(struct place *place, size_t n_tests, struct cost *best)
{
    char zero[] = "0";
    char *const argv[] = {place->oracle, zero, zero, place->input, NULL};
    double wall_s = (double)pare_clock_ns() / 1e9, cpu_s = pare_clock_cpu_s();
    for (size_t k = 0; k < n_tests; k++)
        run_bare(argv);
    keep_best(best, (double)pare_clock_ns() / 1e9 - wall_s, pare_clock_cpu_s() - cpu_s, n_tests);
}

static void run_oracle_block(pare_oracle *oracle, const pare_candidate *candidate,
                             struct cost *best)
{
    double wall_s = (double)pare_clock_ns() / 1e9, cpu_s = pare_clock_cpu_s();
    for (int k = 0; k < TESTS_PER_BLOCK; k++)
        run_oracle(oracle, candidate);
    keep_best(best, (double)pare_clock_ns() / 1e9 - wall_s, pare_clock_cpu_s() - cpu_s,
              TESTS_PER_BLOCK);
}

static void print_rates(const char *title, const struct cost *bare, const struct cost *ours)
{
    char what[128], figure[32];
    double ratio = bare->wall_s / ours->wall_s;
    (void)snprintf(what, sizeof what, "%s: posix_spawn, tests/s", title);
    (void)snprintf(figure, sizeof figure, "%.0f", 1 / bare->wall_s);
    report_figure(what, figure);
    (void)snprintf(what, sizeof what, "%s: pare, tests/s", title);
    (void)snprintf(figure, sizeof figure, "%.0f", 1 / ours->wall_s);
    report_figure(what, figure);
    (void)snprintf(what, sizeof what, "%s: ratio", title);
    (void)snprintf(figure, sizeof figure, "%.3f", ratio);
    report_aim(what, figure, ">= 0.90", ratio >= AIM);
}

static void compare(const char *title, struct place *place, pare_oracle *oracle,
                    const pare_candidate *candidate)
{
    struct cost bare = {0}, ours = {0};
    for (int block = 0; block < BLOCKS; block++) {
        run_bare_block(place, TESTS_PER_BLOCK, &bare);
        run_oracle_block(oracle, candidate, &ours);
    }
    print_rates(title, &bare, &ours);
    char figure[32];
    (void)snprintf(figure, sizeof figure, "%.1f us", (ours.cpu_s - bare.cpu_s) * 1e6);
    report_figure("    our CPU per test besides the loop's", figure);
}

/* The same test in a full sandbox, whose cell is made by the first one, and as it is. */
static void compare_sandbox(const pare_process_options *options, const pare_candidate *candidate)
{
    pare_process_options plain = *options;
    plain.owns_children = false; /* those of the other oracle are there too */
    pare_process_options full = plain;
    pare_oracle *inside = NULL, *outside = NULL;
    pare_error err = {0};
    struct cost without = {0}, with = {0};
    char figure[32];
    full.sandbox.level = PARE_LEVEL_FULL;
    if (pare_process_new(&full, &inside, &err) || pare_process_new(&plain, &outside, &err))
        die(err.message);
    run_oracle(inside, candidate);
    if (pare_sandbox_level_in_force(pare_process_sandbox(inside)) == PARE_LEVEL_FULL) {
        for (int block = 0; block < BLOCKS; block++) {
            run_oracle_block(outside, candidate, &without);
            run_oracle_block(inside, candidate, &with);
        }
        (void)snprintf(figure, sizeof figure, "%.1f us", (with.wall_s - without.wall_s) * 1e6);
        report_figure("a full sandbox, more for each test", figure);
    }
    pare_oracle_free(inside);
    pare_oracle_free(outside);
}

static size_t tests_run(const char *path)
{
    json_t *stats = json_load_file(path, 0, NULL);
    json_int_t n = json_integer_value(json_object_get(stats, "tests_run"));
    json_decref(stats);
    if (n <= 0) die("the statistics of pare tell no tests");
    return (size_t)n;
}

/* Blocks of the length of a whole run, its start and its end included.  Half of the
 * lines are needed: each third test is a success that is written to the output. */
static void compare_program(struct place *place)
{
    struct cost bare = {0}, ours = {0};
    char *const argv[] = {place->pare, "reduce",     "-q",         "-j1", "-asweep",
                          "-uline",    "--stats",    place->stats, "-o",  place->output,
                          place->test, place->input, NULL};
    for (int run = 0; run < RUNS; run++) {
        run_bare_block(place, N_LINES * 3 / 2, &bare);
        double wall_s = (double)pare_clock_ns() / 1e9;
        run_bare(argv);
        wall_s = (double)pare_clock_ns() / 1e9 - wall_s;
        keep_best(&ours, wall_s, 0, tests_run(place->stats));
    }
    print_rates("pare reduce -j1", &bare, &ours);
}

/* ---- preparing ------------------------------------------------------------------- */

static void make_place(char **argv, struct place *place)
{
    (void)snprintf(place->oracle, sizeof place->oracle, "%s", argv[1]);
    (void)snprintf(place->pare, sizeof place->pare, "%s", argv[2]);
    (void)snprintf(place->input, sizeof place->input, "%s/spawn.txt", argv[3]);
    (void)snprintf(place->output, sizeof place->output, "%s/spawn.min.txt", argv[3]);
    (void)snprintf(place->stats, sizeof place->stats, "%s/spawn.json", argv[3]);
    (void)snprintf(place->test, sizeof place->test, "%s 0 %d", argv[1], N_LINES / 2);
}

static void make_input(const struct place *place, pare_buffer *input)
{
    pare_error err = {0};
    pare_status status = PARE_OK;
    for (int i = 0; !status && i < N_LINES; i++)
        status = pare_buffer_format(input, &err, "%03d %c\n", i, i % 2 ? '#' : '.');
    if (!status) status = pare_file_write_bytes(place->input, input->data, input->size, &err);
    if (status) die(err.message);
}

static const char *const input_names[] = {"input"};
static const pare_names INPUT = {.items = input_names, .n = 1};

int main(int argc, char **argv)
{
    static struct place place;
    static char test[8192];
    pare_error err = {0};
    pare_command command = {0};
    pare_oracle *oracle = NULL;
    pare_buffer input = {0};
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    const size_t gigabyte = (size_t)1 << 30;
    if (argc != 4) die("usage: bench_spawn ORACLE PARE FOLDER");
    make_place(argv, &place);
    make_input(&place, &input);
    (void)snprintf(test, sizeof test, "%s 0 0", place.oracle);
    if (pare_command_init(&command, test, INPUT, &err)) die(err.message);
    const pare_process_options options = {
        .command = &command, .base_name = "input", .n_slots = 1, .owns_children = true};
    if (pare_process_new(&options, &oracle, &err)) die(err.message);
    if (pare_text_take(&input, &text, &err)) die(err.message);
    pare_candidate_start(&candidate, text);
    if (pare_candidate_slice(&candidate, 0, pare_text_size(text), &err)) die(err.message);
    printf("One static test at -j1, against a bare loop of posix_spawn and waitpid\n");
    compare("small process", &place, oracle, &candidate);
    compare_sandbox(&options, &candidate);
    char *ballast = malloc(gigabyte);
    if (!ballast) die("no memory");
    memset(ballast, 1, gigabyte);
    compare("with 1 GiB", &place, oracle, &candidate);
    if (ballast[gigabyte / 2] != 1) die("the ballast is gone");
    free(ballast);
    pare_oracle_free(oracle);
    compare_program(&place);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    pare_command_done(&command);
    return 0;
}
