/* One reduction that is killed 50 times, and continued each time by the same command.
 *
 * The oracle writes down every candidate it is run on, with the mark of the run, and
 * ticks: two of three kills come after a random number of ticks, the others a random
 * time after the start, so that they meet the start and the replay of the journal too.
 * After each kill the journal and the output are looked at; at the end the oracle's own
 * notes are compared with what the journal held when each run was started.
 * PARE_TEST_SEED=N chooses other instants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/random.h"
#include "cli/support/predicates.h"
#include "cli/support/program.h"
#include "engine/journal.h"

enum {
    N_KILLS = 50,
    N_UNITS = 300,
    N_NEEDED = 24,
    MAX_KNOWN = 1 << 16,
    MAX_TICKS = 40,       /* a kill comes after 1 .. of them */
    MAX_START_US = 12000, /* or at most so long after the start */
    TICK_LIMIT_MS = 60000
};

/* Everything that is known of the reduction under way. */
struct siege {
    pare_random random;
    char input[N_UNITS + 1], needed[N_NEEDED + 1];
    char test[MAX_COMMAND];
    int clock_fd;                 /* our end of the pipe that ticks */
    pid_t runs[N_KILLS];          /* the programs that were killed */
    size_t known_before[N_KILLS]; /* how many outcomes the journal held then */
    pare_digest *known;           /* owned; outcomes in the journal, in its order */
    size_t n_known;
    size_t best_bytes; /* of the output after the last kill */
};

/* Printable, no blank, and no two neighbours alike. */
static void make_input(struct siege *siege)
{
    for (size_t i = 0; i < N_UNITS; i++)
        siege->input[i] = (char)('0' + (pare_random_below(&siege->random, 40) * 2 + i % 2));
    for (size_t k = 0; k < N_NEEDED; k++)
        siege->needed[k] = siege->input[(k * N_UNITS + N_UNITS / 2) / N_NEEDED];
}

/* The oracle's notes go to the file `log` in the workplace. */
static void set_log(const char *log)
{
    char path[MAX_COMMAND];
    (void)snprintf(path, sizeof path, "%s/%s", workplace, log);
    write_text(path, "");
    assert_int_equal(setenv("LOG", path, 1), 0);
}

static void set_clock(struct siege *siege)
{
    char path[MAX_COMMAND];
    (void)snprintf(path, sizeof path, "%s/clock", workplace);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(setenv("CLOCK", path, 1), 0);
    siege->clock_fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    assert_true(siege->clock_fd >= 0);
}

static pid_t start(const struct siege *siege, const char *output)
{
    const char *const words[] = {program_path(), "reduce", siege->test, "input", "-a",
                                 "ddmin",        "-u",     "char",      "-j4",   "-o",
                                 output,         "-q",     "--timeout", "60",    NULL};
    return start_words(words, "out", "err");
}

static int set_up(void **state)
{
    static struct siege siege;
    siege = (struct siege){.best_bytes = SIZE_MAX};
    if (workplace_setup(state)) return -1;
    const char *seed = getenv("PARE_TEST_SEED");
    pare_random_init(&siege.random, seed ? strtoull(seed, NULL, 10) : 20);
    siege.known = calloc(MAX_KNOWN, sizeof *siege.known);
    if (!siege.known || mkdir("output", 0700)) return -1;
    make_input(&siege);
    write_text("input", siege.input);
    set_clock(&siege);
    add_quoted(siege.test, helper_path("logging_oracle_static"));
    add_quoted(siege.test, siege.needed);
    *state = &siege;
    return 0;
}

static int tear_down(void **state)
{
    struct siege *siege = *state;
    (void)close(siege->clock_fd);
    free(siege->known);
    return workplace_teardown(state);
}

/* --- killing ----------------------------------------------------------------- */

static void forget_ticks(const struct siege *siege)
{
    char ticks[4096];
    while (read(siege->clock_fd, ticks, sizeof ticks) > 0)
        continue;
}

/* Waits for `n` ticks, each of them in time; false when the program ends before. */
static bool await_ticks(const struct siege *siege, size_t n)
{
    struct pollfd clock = {.fd = siege->clock_fd, .events = POLLIN};
    for (char tick; n > 0; n--) {
        if (poll(&clock, 1, TICK_LIMIT_MS) != 1) return false;
        if (read(siege->clock_fd, &tick, 1) != 1) return false;
    }
    return true;
}

static void await_instant(struct siege *siege, size_t k)
{
    if (k % 3 != 2) {
        assert_true(await_ticks(siege, 1 + (size_t)pare_random_below(&siege->random, MAX_TICKS)));
        return;
    }
    uint64_t us = pare_random_below(&siege->random, MAX_START_US);
    const struct timespec time = {.tv_nsec = (long)us * 1000};
    (void)nanosleep(&time, NULL);
}

/* Runs the command and kills it. */
static void strike(struct siege *siege, size_t k)
{
    forget_ticks(siege);
    siege->known_before[k] = siege->n_known;
    siege->runs[k] = start(siege, "output/small");
    await_instant(siege, k);
    assert_int_equal(kill(siege->runs[k], SIGKILL), 0);
    int code = wait_for_end(siege->runs[k]);
    char *complaint = read_text("err");
    assert_string_equal(complaint, "");
    free(complaint);
    assert_int_equal(code, 128 + SIGKILL); /* the reduction is long enough for all kills */
}

/* --- after a kill ------------------------------------------------------------ */

/* The outcomes in the journal: those known before, and more. */
static void read_journal(struct siege *siege)
{
    pare_buffer bytes = {0};
    pare_journal_record record;
    size_t n = 0;
    if (!pare_file_exists("output/small.pare/journal")) {
        assert_int_equal(siege->n_known, 0);
        return;
    }
    assert_int_equal(pare_file_read("output/small.pare/journal", &bytes, NULL), PARE_OK);
    for (size_t at = PARE_JOURNAL_HEADER_BYTES;
         pare_journal_parse_record(bytes.data, bytes.size, at, &record);
         at += PARE_JOURNAL_RECORD_BYTES) {
        if (record.kind != PARE_JOURNAL_OUTCOME) continue;
        assert_true(n < MAX_KNOWN);
        if (n < siege->n_known) assert_true(pare_digest_equal(siege->known[n], record.digest));
        siege->known[n++] = record.digest;
    }
    assert_true(n >= siege->n_known);
    siege->n_known = n;
    pare_buffer_done(&bytes);
}

/* The output, once there is one, fails and never grows. */
static void check_output(struct siege *siege)
{
    char *output = read_text("output/small");
    if (!output) {
        assert_int_equal(siege->best_bytes, SIZE_MAX);
        return;
    }
    assert_true(has_subsequence(siege->needed, output));
    assert_true(has_subsequence(output, siege->input));
    assert_true(strlen(output) <= siege->best_bytes);
    siege->best_bytes = strlen(output);
    free(output);
}

/* --- at the end -------------------------------------------------------------- */

static size_t known_index(const struct siege *siege, pare_digest digest)
{
    size_t i = 0;
    while (i < siege->n_known && !pare_digest_equal(siege->known[i], digest))
        i++;
    return i;
}

/* How many outcomes the journal held when the run of process `pid` was started. */
static size_t known_to(const struct siege *siege, pid_t pid)
{
    for (size_t k = 0; k < N_KILLS; k++)
        if (siege->runs[k] == pid) return siege->known_before[k];
    return siege->n_known; /* the last run, which was not killed */
}

/* No test was run by a run that found its outcome in the journal. */
static void check_log(const struct siege *siege)
{
    size_t n_lines = 0;
    char *log = read_text("log");
    assert_non_null(log);
    for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n"), n_lines++) {
        char *text = strchr(line, ' ');
        assert_non_null(text);
        pid_t pid = (pid_t)strtol(line, NULL, 10);
        assert_true(pid > 0);
        if (known_index(siege, digest_of(text + 1)) < known_to(siege, pid))
            fail_msg("%s was in the journal of %ld", text + 1, (long)pid);
    }
    assert_true(n_lines >= siege->n_known);
    free(log);
}

static void check_left_overs(const pid_t *killed, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        assert_true(await_nobody(killed[k]));
        assert_nothing_left(killed[k]);
    }
}

/* Only the result, "small", and its history: no journal, no file that was half written. */
static void check_folder(const char *folder)
{
    size_t n = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] == '.') continue;
        if (strcmp(entry->d_name, "small.pare") != 0) assert_string_equal(entry->d_name, "small");
        n++;
    }
    (void)closedir(entries);
    assert_int_equal(n, 2);
    assert_int_equal(access("output/small.pare/history", R_OK), 0);
    assert_int_not_equal(access("output/small.pare/journal", F_OK), 0);
}

static void check_result(struct siege *siege)
{
    char *result = read_text("output/small");
    set_log("log.undisturbed");
    assert_int_equal(wait_for_end(start(siege, "undisturbed")), 0);
    char *expected = read_text("undisturbed");
    assert_non_null(result);
    assert_non_null(expected);
    assert_string_equal(result, expected);
    free(result);
    free(expected);
}

static void test_kill__fifty_kills_lose_nothing_and_leave_nothing(void **state)
{
    struct siege *siege = *state;
    set_log("log");
    for (size_t k = 0; k < N_KILLS; k++) {
        strike(siege, k);
        read_journal(siege);
        check_output(siege);
    }
    print_message("%zu tests in the journal after %d kills, %zu bytes\n", siege->n_known, N_KILLS,
                  siege->best_bytes);
    pid_t last = start(siege, "output/small");
    assert_int_equal(wait_for_end(last), 0);
    assert_nothing_left(last);
    check_log(siege);
    check_left_overs(siege->runs, N_KILLS);
    check_folder("output");
    check_result(siege);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kill__fifty_kills_lose_nothing_and_leave_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
