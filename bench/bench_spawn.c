/* What one test costs besides what the operating system takes for it.
 *
 * Compares, in alternating blocks of one run, a bare loop of posix_spawn and waitpid
 * with the process oracle at one slot, over the same static program; then again while
 * this process holds 1 GiB.  Prints tests per second of the best block of each, and
 * their ratio (the aim is 0.9), and our CPU time per test besides the bare loop's.
 *
 * Usage: bench_spawn [PROGRAM]      default: helpers/true_static beside the build */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "oracle/process.h"
#include "os/clock.h"

enum { BLOCKS = 60, TESTS_PER_BLOCK = 100, INPUT_BYTES = 6700 };

extern char **environ;

struct cost {
    double wall_s, cpu_s; /* of the best block */
};

static void die(const char *what)
{
    fprintf(stderr, "bench_spawn: %s\n", what);
    exit(1);
}

static void run_bare(const char *program)
{
    char *argv[] = {(char *)(size_t)program, (char *)(size_t)program, NULL};
    pid_t pid;
    int code;
    if (posix_spawn(&pid, program, NULL, NULL, argv, environ)) die("cannot spawn");
    if (waitpid(pid, &code, 0) != pid || code) die("the bare test did not exit with 0");
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

static void keep_best(struct cost *best, double wall_s, double cpu_s)
{
    if (best->wall_s == 0 || wall_s < best->wall_s) best->wall_s = wall_s;
    if (best->cpu_s == 0 || cpu_s < best->cpu_s) best->cpu_s = cpu_s;
}

static void compare(const char *title, const char *program, pare_oracle *oracle,
                    const pare_candidate *candidate)
{
    struct cost bare = {0}, ours = {0};
    for (int block = 0; block < 2 * BLOCKS; block++) {
        double wall_s = (double)pare_clock_ns() / 1e9, cpu_s = pare_clock_cpu_s();
        for (int k = 0; k < TESTS_PER_BLOCK; k++) {
            if (block % 2)
                run_oracle(oracle, candidate);
            else
                run_bare(program);
        }
        wall_s = (double)pare_clock_ns() / 1e9 - wall_s;
        keep_best(block % 2 ? &ours : &bare, wall_s, pare_clock_cpu_s() - cpu_s);
    }
    printf("%-14s posix_spawn %7.0f tests/s   pare %7.0f tests/s   ratio %.3f   "
           "our CPU %+.1f us a test\n",
           title, TESTS_PER_BLOCK / bare.wall_s, TESTS_PER_BLOCK / ours.wall_s,
           bare.wall_s / ours.wall_s, (ours.cpu_s - bare.cpu_s) * 1e6 / TESTS_PER_BLOCK);
}

/* The helper's path: given, or found from our own. */
static void find_program(int argc, char **argv, char path[4096])
{
    const char *slash = strrchr(argv[0], '/');
    if (argc > 1)
        (void)snprintf(path, 4096, "%s", argv[1]);
    else
        (void)snprintf(path, 4096, "%.*s/../helpers/true_static",
                       slash ? (int)(slash - argv[0]) : 1, slash ? argv[0] : ".");
}

int main(int argc, char **argv)
{
    static char program[4096], input[INPUT_BYTES];
    pare_error err = {0};
    pare_command command = {0};
    pare_oracle *oracle = NULL;
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    const size_t gigabyte = (size_t)1 << 30;
    find_program(argc, argv, program);
    memset(input, 'x', sizeof input);
    if (pare_command_init(&command, program, "input", &err)) die(err.message);
    const pare_process_options options = {
        .command = &command, .base_name = "input", .n_slots = 1, .owns_children = true};
    if (pare_process_new(&options, &oracle, &err)) die(err.message);
    if (pare_text_copy(input, sizeof input, &text, &err)) die(err.message);
    pare_candidate_start(&candidate, text);
    if (pare_candidate_slice(&candidate, 0, sizeof input, &err)) die(err.message);
    compare("small process", command.words[1], oracle, &candidate);
    char *ballast = malloc(gigabyte);
    if (!ballast) die("no memory");
    memset(ballast, 1, gigabyte);
    compare("with 1 GiB", command.words[1], oracle, &candidate);
    if (ballast[gigabyte / 2] != 1) die("the ballast is gone");
    free(ballast);
    pare_oracle_free(oracle);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    pare_command_done(&command);
    return 0;
}
