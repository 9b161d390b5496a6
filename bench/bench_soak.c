/* Whether anything grows with the number of tests: memory, descriptors, processes, files.
 *
 * One oracle of each kind runs the same candidate again and again: in process (a function of ours), by
 * a library's function in a worker of ours, by a worker of the user's, by a fork server, and spawned.  What the process
 * has is counted after a hundredth of the tests, when caches and buffers have found their sizes, and at
 * the end; descriptors, children and files must be as many, the memory at most 1 MiB more.
 *
 * Usage: bench_soak HELPERS TESTS [WAY...]
 * HELPERS: folder of the subjects; TESTS: of each way; WAY: function library worker server spawn */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/clock.h"
#include "report.h"
#include "run/predicate.h"
#include "run/process.h"

enum { MOST_GROWTH_KIB = 1024 };

/* What this process has. */
struct state {
    long memory_kib, descriptors, children, files;
};

/* What a command is. */
enum subject { FUNCTION, TEST, WORKER, LIBRARY };

/* A way to run a test; its command is in the folder of the subjects. */
struct way {
    const char *name, *command;
    enum subject subject;
    pare_runner runner;
};

static const struct way ways[] = {
    {"function", "", FUNCTION, PARE_RUNNER_AUTO},
    {"library", "subject_harness.so", LIBRARY, PARE_RUNNER_INPROCESS},
    {"worker", "subject_dynamic", WORKER, PARE_RUNNER_AUTO},
    {"server", "subject_dynamic", TEST, PARE_RUNNER_PRELOAD},
    {"spawn", "oracle_marks 0 0", TEST, PARE_RUNNER_SPAWN},
};

static _Noreturn void die(const char *what)
{
    report_broken("bench_soak", what);
}

/* How many names in `path` begin with `start`. */
static long count_names(const char *path, const char *start)
{
    long n = 0;
    DIR *folder = opendir(path);
    if (!folder) return 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        n += entry->d_name[0] != '.' && strncmp(entry->d_name, start, strlen(start)) == 0;
    (void)closedir(folder);
    return n;
}

/* Of the main thread, which starts all of ours. */
static long count_children(void)
{
    char path[64];
    long n = 0, number;
    (void)snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%ld", &number) == 1)
        n++;
    if (file) (void)fclose(file);
    return n;
}

static long memory_kib(void)
{
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        (void)sscanf(line, "RssAnon: %ld", &kib);
    if (file) (void)fclose(file);
    return kib;
}

static struct state look(void)
{
    char start[64];
    (void)snprintf(start, sizeof start, "pare-%d-", (int)getpid());
    return (struct state){.memory_kib = memory_kib(),
                          .descriptors = count_names("/proc/self/fd", ""),
                          .children = count_children(),
                          .files = count_names("/dev/shm", start) + count_names("/tmp", start)};
}

static pare_outcome always_fails(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    return size ? PARE_FAIL : PARE_PASS;
}

/* The verdict is not looked at, only that there is one: each test is the same. */
static void run_tests(pare_oracle *oracle, const pare_candidate *candidate, long n)
{
    for (long k = 0; k < n; k++) {
        pare_error err = {0};
        pare_verdict verdict = {0};
        pare_wait what;
        if (oracle->ops->start(oracle, 0, candidate, &err)) die(err.message);
        if (oracle->ops->wait(oracle, -1, &what, &verdict, &err)) die(err.message);
        if (what != PARE_WAIT_VERDICT) die("a test has no verdict");
    }
}

static void print_state(const char *name, const char *when, const struct state *state)
{
    char what[64], figure[128];
    (void)snprintf(what, sizeof what, "%s, %s", name, when);
    (void)snprintf(figure, sizeof figure, "%ld KiB, %ld fds, %ld procs, %ld files",
                   state->memory_kib, state->descriptors, state->children, state->files);
    report_figure(what, figure);
}

/* What an oracle is made of, and keeps. */
struct lane {
    pare_command command;
    pare_judge *judge; /* of a library; NULL: of a test */
};

/* Reads the command of a way; a library's failure is a crash, which there never is. */
static void open_lane(struct lane *lane, const struct way *way, const char *helpers)
{
    static const char *const names[] = {"input"};
    static const pare_keep keep = {.signal = "SIGABRT"};
    const pare_names input = {.items = names, .n = 1};
    char words[8192];
    const char *target = words;
    pare_error err = {0};
    pare_status status = PARE_OK;
    *lane = (struct lane){.judge = NULL};
    (void)snprintf(words, sizeof words, "%s/%s", helpers, way->command);
    if (way->subject == TEST) status = pare_command_init(&lane->command, words, input, &err);
    if (way->subject == WORKER)
        status = pare_command_init_worker(&lane->command, words, input, &err);
    if (way->subject == LIBRARY) {
        status = pare_command_init_target(&lane->command, &target, 1, input, &err);
        if (!status) status = pare_judge_new(&keep, &lane->judge, &err);
    }
    if (status) die(err.message);
}

static pare_oracle *make_oracle(const struct way *way, const struct lane *lane)
{
    pare_oracle *oracle = NULL;
    pare_error err = {0};
    const pare_predicate_options function = {.predicate = always_fails, .n_slots = 1};
    const pare_process_options options = {.command = &lane->command,
                                          .judge = lane->judge,
                                          .base_name = "input",
                                          .n_slots = 1,
                                          .owns_children = true,
                                          .runner = way->runner};
    pare_status status = way->subject == FUNCTION ? pare_predicate_new(&function, &oracle, &err)
                                                  : pare_process_new(&options, &oracle, &err);
    if (status) die(err.message);
    return oracle;
}

/* True when nothing has grown. */
static bool soak(const struct way *way, const char *helpers, const pare_candidate *candidate,
                 long n)
{
    struct lane lane;
    char what[64], figure[64];
    const struct state before = look();
    open_lane(&lane, way, helpers);
    pare_oracle *oracle = make_oracle(way, &lane);
    double since_s = (double)pare_clock_ns() / 1e9;
    run_tests(oracle, candidate, n / 100 + 1);
    const struct state early = look();
    run_tests(oracle, candidate, n - n / 100 - 1);
    const struct state late = look();
    double took_s = (double)pare_clock_ns() / 1e9 - since_s;
    pare_oracle_free(oracle);
    pare_judge_free(lane.judge);
    pare_command_done(&lane.command);
    const struct state after = look();
    print_state(way->name, "after a hundredth", &early);
    print_state(way->name, "at the end", &late);
    (void)snprintf(what, sizeof what, "%s: %ld tests, per second", way->name, n);
    (void)snprintf(figure, sizeof figure, "%.0f", (double)n / took_s);
    report_figure(what, figure);
    bool good = late.descriptors == early.descriptors && late.children == early.children &&
                late.files == early.files && after.descriptors == before.descriptors &&
                after.children == before.children && after.files == before.files;
    long growth = late.memory_kib - early.memory_kib;
    (void)snprintf(what, sizeof what, "%s: memory that came", way->name);
    (void)snprintf(figure, sizeof figure, "%ld KiB", growth);
    report_aim(what, figure, "<= 1024 KiB", growth <= MOST_GROWTH_KIB);
    (void)snprintf(what, sizeof what, "%s: all else as before", way->name);
    report_aim(what, good ? "yes" : "no", "yes", good);
    return good && growth <= MOST_GROWTH_KIB;
}

static bool is_wanted(const char *name, int n, char *const *words)
{
    for (int k = 0; k < n; k++)
        if (strcmp(words[k], name) == 0) return true;
    return n == 0;
}

int main(int argc, char **argv)
{
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    pare_error err = {0};
    bool good = true;
    if (argc < 3 || atol(argv[2]) < 100)
        die("usage: bench_soak HELPERS TESTS [WAY...], TESTS from 100 on");
    if (pare_text_copy("(a b (c))\n", 10, &text, &err)) die(err.message);
    pare_candidate_start(&candidate, text);
    if (pare_candidate_slice(&candidate, 0, 10, &err)) die(err.message);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        if (is_wanted(ways[k].name, argc - 3, argv + 3))
            good = soak(&ways[k], argv[1], &candidate, atol(argv[2])) && good;
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    return good ? 0 : 1;
}
