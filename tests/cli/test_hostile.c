/* Oracles that mean harm, through the command line, at -j1 and -j4: each reduction ends
 * with what a well-behaved oracle gives, or with one clear sentence and exit code 3, with
 * the best so far on disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/support/predicates.h"
#include "cli/support/program.h"
#include "cli/support/trace.h"

#define INPUT "abcdefghijklmnopqrstuvwxyz"
#define NEEDED "bjnpx"

static const char *const all_jobs[] = {"-j1", "-j4"};

enum { N_JOBS = 2 };

/* One run of the program.  NULL: as usual. */
struct run {
    const char *oracle; /* path of the oracle; helpers/unruly */
    const char *what;   /* what it does; nothing */
    const char *jobs, *timeout, *output, *trace;
    const char *set_up;   /* shell commands before it, in a mount name space of its own */
    const char *clean_up; /* and after it */
};

static const char *text_or(const char *text, const char *usual)
{
    return text ? text : usual;
}

static pid_t start(const struct run *run)
{
    char test[MAX_COMMAND] = "", script[MAX_COMMAND] = "";
    const char *words[MAX_WORDS];
    size_t n = 0;
    add_quoted(test, run->oracle ? run->oracle : helper_path("unruly"));
    add_quoted(test, text_or(run->what, "nothing"));
    add_quoted(test, NEEDED);
    if (run->set_up) {
        (void)snprintf(script, sizeof script, "%s && { \"$@\"; code=$?; %s; exit $code; }",
                       run->set_up, text_or(run->clean_up, ":"));
        const char *const space[] = {"unshare", "-m", "sh", "-c", script, "sh"};
        for (; n < sizeof space / sizeof *space; n++)
            words[n] = space[n];
    }
    const char *const own[] = {program_path(),
                               "reduce",
                               test,
                               "input",
                               "-a",
                               "ddmin",
                               "-u",
                               "char",
                               "-q",
                               text_or(run->jobs, "-j1"),
                               "-o",
                               text_or(run->output, "small"),
                               "--timeout",
                               text_or(run->timeout, "60"),
                               "--trace",
                               text_or(run->trace, "trace"),
                               NULL};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        words[n++] = own[k];
    return start_words(words, "out", "err");
}

/* Runs to the end; nothing may be left.  (In a name space the program is not the process
 * that was started, and its directories go with the space.) */
static int reduce(const struct run *run)
{
    pid_t pid = start(run);
    int code = wait_for_end(pid);
    if (!run->set_up) assert_nothing_left(pid);
    return code;
}

static void begin(void)
{
    assert_int_equal(pare_file_remove_tree("small", NULL), PARE_OK);
    assert_int_equal(pare_file_remove_tree("small.pare", NULL), PARE_OK);
    assert_int_equal(pare_file_remove_tree("count", NULL), PARE_OK);
}

static int set_up(void **state)
{
    char count[MAX_COMMAND];
    (void)state;
    /* Not in /dev/shm, which some runs get a small one of. */
    (void)snprintf(workplace, sizeof workplace, "/tmp/test-cli-XXXXXX");
    if (!mkdtemp(workplace) || chdir(workplace)) return -1;
    write_text("input", INPUT);
    (void)snprintf(count, sizeof count, "%s/count", workplace);
    if (setenv("COUNT", count, 1)) return -1;
    const struct run quiet = {.trace = "trace.quiet"};
    return reduce(&quiet);
}

static void assert_holds(const char *path, const char *expected)
{
    char *text = read_text(path);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* The output fails and is smaller than the input. */
static void assert_is_some_best(const char *path)
{
    char *text = read_text(path);
    assert_non_null(text);
    assert_true(has_subsequence(NEEDED, text));
    assert_true(has_subsequence(text, INPUT));
    assert_true(strlen(text) < strlen(INPUT));
    free(text);
}

/* Standard error is one sentence with `part`, and perhaps where the best so far is. */
static void assert_complains(const char *part)
{
    static const char own[] = "pare reduce: ", place[] = "pare reduce: the best so far is in ";
    char *text = read_text("err");
    assert_non_null(text);
    print_message("%s", text_or(text, ""));
    char *second = strchr(text, '\n');
    assert_non_null(second);
    *second++ = '\0';
    assert_int_equal(strncmp(text, own, sizeof own - 1), 0);
    if (!strstr(text, part)) fail_msg("no '%s' in '%s'", part, text);
    if (*second) {
        assert_int_equal(strncmp(second, place, sizeof place - 1), 0);
        assert_string_equal(strchr(second, '\n'), "\n");
    }
    free(text);
}

/* --- harm that changes nothing ---------------------------------------------------- */

/* The run did what it does without harm, to the letter. */
static void expect_the_usual(const struct run *run)
{
    begin();
    assert_int_equal(reduce(run), 0);
    assert_holds("err", "");
    assert_holds("small", NEEDED);
    struct trace quiet = trace_read("trace.quiet"), trace = trace_read("trace");
    assert_traces_equal(&quiet, &trace);
    trace_done(&quiet);
    trace_done(&trace);
}

static void do_harm(const char *what)
{
    for (size_t k = 0; k < N_JOBS; k++) {
        const struct run run = {.what = what, .jobs = all_jobs[k]};
        expect_the_usual(&run);
    }
}

static void test_hostile__grandchildren_in_sessions_of_their_own_end(void **state)
{
    (void)state;
    do_harm("escape");
}

static void test_hostile__closed_descriptors_change_nothing(void **state)
{
    (void)state;
    do_harm("close");
}

static void test_hostile__floods_of_output_change_nothing(void **state)
{
    (void)state;
    do_harm("flood");
}

static void test_hostile__a_removed_directory_is_made_again(void **state)
{
    (void)state;
    do_harm("remove");
}

static void test_hostile__a_candidate_changed_in_place_changes_nothing(void **state)
{
    (void)state;
    do_harm("change");
    do_harm("directory");
}

static void test_hostile__what_fills_the_directory_is_emptied(void **state)
{
    (void)state;
    do_harm("fill");
}

/* Only tests that would have passed hang. */
static void compare_hanging(const struct trace *quiet, const struct trace *trace)
{
    size_t n_hanging = 0;
    assert_int_equal(quiet->n, trace->n);
    for (size_t i = 0; i < trace->n; i++) {
        const struct entry *expected = &quiet->entries[i], *entry = &trace->entries[i];
        assert_string_equal(entry->digest, expected->digest);
        bool hangs = !strcmp(entry->outcome, "UNRESOLVED");
        n_hanging += hangs;
        assert_string_equal(expected->outcome, hangs ? "PASS" : entry->outcome);
    }
    assert_true(n_hanging > 0);
}

static void test_hostile__hanging_is_unresolved(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_JOBS; k++) {
        const struct run run = {.what = "hang", .jobs = all_jobs[k], .timeout = "0.3"};
        begin();
        assert_int_equal(reduce(&run), 0);
        assert_holds("small", NEEDED);
        struct trace quiet = trace_read("trace.quiet"), trace = trace_read("trace");
        compare_hanging(&quiet, &trace);
        trace_done(&quiet);
        trace_done(&trace);
    }
}

/* --- harm that ends the run -------------------------------------------------------- */

static void test_hostile__what_is_not_executable_is_refused(void **state)
{
    (void)state;
    char script[MAX_COMMAND];
    (void)snprintf(script, sizeof script, "%s/plain.sh", workplace);
    write_text(script, "#!/bin/sh\nexit 0\n");
    assert_int_equal(chmod(script, 0644), 0);
    const struct run run = {.oracle = script};
    begin();
    assert_int_equal(reduce(&run), 3);
    assert_complains("is not executable; make it so: chmod +x ");
    assert_false(pare_file_exists("small"));
}

/* Copies the oracle to a file of ours, which it may harm. */
static const char *make_mortal(void)
{
    static char path[MAX_COMMAND];
    pare_buffer bytes = {0};
    (void)snprintf(path, sizeof path, "%s/mortal", workplace);
    (void)unlink(path);
    assert_int_equal(pare_file_read(helper_path("unruly"), &bytes, NULL), PARE_OK);
    assert_int_equal(pare_file_write_bytes(path, bytes.data, bytes.size, NULL), PARE_OK);
    assert_int_equal(chmod(path, 0755), 0);
    pare_buffer_done(&bytes);
    return path;
}

/* Harm comes with run `lives`, or with the first one after the result `output` got smaller
 * than the input: how many runs that takes depends on their order where several are made at
 * once. */
static void set_lives(const char *lives, const char *output)
{
    char result[MAX_COMMAND], large[32];
    (void)snprintf(result, sizeof result, "%s/%s", workplace, output);
    (void)snprintf(large, sizeof large, "%zu", strlen(INPUT));
    assert_int_equal(setenv("LIVES", lives, 1), 0);
    assert_int_equal(setenv("RESULT", result, 1), 0);
    assert_int_equal(setenv("LARGE", large, 1), 0);
    assert_int_equal(pare_file_remove_tree("count", NULL), PARE_OK);
}

/* The oracle goes after some tests; when it is back, the same command goes on. */
static void lose_oracle(const char *what, const char *jobs)
{
    const struct run run = {.oracle = make_mortal(), .what = what, .jobs = jobs};
    begin();
    set_lives("40", "small");
    assert_int_equal(reduce(&run), 3);
    assert_complains("cannot run the test ");
    assert_is_some_best("small");
    assert_true(pare_file_exists("small.pare/journal"));
    set_lives("1000000", "small");
    (void)make_mortal();
    assert_int_equal(reduce(&run), 0);
    assert_holds("small", NEEDED);
    assert_false(pare_file_exists("small.pare/journal"));
}

static void test_hostile__an_oracle_that_goes_half_way_is_named(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_JOBS; k++) {
        lose_oracle("vanish", all_jobs[k]);
        lose_oracle("disarm", all_jobs[k]);
    }
}

/* --- the output -------------------------------------------------------------------- */

static void test_hostile__an_output_folder_that_is_missing_is_named(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_JOBS; k++) {
        const struct run run = {.jobs = all_jobs[k], .output = "nowhere/small"};
        begin();
        assert_int_equal(reduce(&run), 3);
        assert_complains("nowhere");
        assert_false(pare_file_exists("nowhere"));
    }
}

static void test_hostile__an_output_folder_that_goes_half_way_is_named(void **state)
{
    (void)state;
    char place[MAX_COMMAND];
    (void)snprintf(place, sizeof place, "%s/place", workplace);
    assert_int_equal(setenv("PLACE", place, 1), 0);
    for (size_t k = 0; k < N_JOBS; k++) {
        const struct run run = {.what = "evict", .jobs = all_jobs[k], .output = "place/small"};
        begin();
        set_lives("60", run.output);
        assert_int_equal(mkdir("place", 0700), 0);
        assert_int_equal(reduce(&run), 3);
        assert_complains("place/small");
        assert_is_some_best("place.away/small");
        assert_int_equal(pare_file_remove_tree("place.away", NULL), PARE_OK);
    }
}

/* --- full devices ------------------------------------------------------------------ */

#define SMALL_MEMORY "mount -t tmpfs -o size=2m none /dev/shm"

/* Skips where devices of our own cannot be made. */
static void need_devices(void)
{
    const char *const words[] = {"unshare", "-m", "sh", "-c", SMALL_MEMORY, NULL};
    if (!wait_for_end(start_words(words, "out", "err"))) return;
    print_message("no mount name space here: full devices are not tested\n");
    skip();
}

static void test_hostile__full_memory_changes_nothing_at_one_job(void **state)
{
    (void)state;
    need_devices();
    assert_int_equal(mkdir("disk", 0700), 0);
    const struct run run = {.what = "fill-all",
                            .set_up = SMALL_MEMORY " && mount -t tmpfs -o size=2m none disk && "
                                                   "export TMPDIR=$PWD/disk"};
    expect_the_usual(&run);
}

/* Two tests can fill memory and disk while a third is to be started. */
static void test_hostile__full_memory_and_disk_end_well_or_are_named(void **state)
{
    (void)state;
    need_devices();
    (void)mkdir("disk", 0700);
    const struct run run = {.what = "fill-all",
                            .jobs = "-j4",
                            .set_up = SMALL_MEMORY " && mount -t tmpfs -o size=2m none disk && "
                                                   "export TMPDIR=$PWD/disk"};
    begin();
    int code = reduce(&run);
    if (code == 0) {
        assert_holds("small", NEEDED);
        return;
    }
    assert_int_equal(code, 3);
    assert_complains("No space left on device");
}

static void test_hostile__full_output_keeps_the_best_and_is_named(void **state)
{
    (void)state;
    need_devices();
    char place[MAX_COMMAND];
    (void)snprintf(place, sizeof place, "%s/full/filling", workplace);
    assert_int_equal(setenv("PLACE", place, 1), 0);
    assert_int_equal(mkdir("full", 0700), 0);
    for (size_t k = 0; k < N_JOBS; k++) {
        const struct run run = {.what = "fill-place",
                                .jobs = all_jobs[k],
                                .output = "full/small",
                                .set_up = "mount -t tmpfs -o size=64k none full",
                                .clean_up = "cp full/small small"};
        begin();
        set_lives("40", run.output);
        assert_int_equal(reduce(&run), 3);
        assert_complains("No space left on device");
        assert_is_some_best("small");
    }
}

static void test_hostile__a_read_only_output_folder_is_named(void **state)
{
    (void)state;
    need_devices();
    assert_int_equal(mkdir("fixed", 0700), 0);
    const struct run run = {.output = "fixed/small",
                            .set_up = "mount -t tmpfs none fixed && "
                                      "mount -o remount,ro none fixed"};
    begin();
    assert_int_equal(reduce(&run), 3);
    assert_complains("Read-only file system");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile__grandchildren_in_sessions_of_their_own_end),
        cmocka_unit_test(test_hostile__closed_descriptors_change_nothing),
        cmocka_unit_test(test_hostile__floods_of_output_change_nothing),
        cmocka_unit_test(test_hostile__a_removed_directory_is_made_again),
        cmocka_unit_test(test_hostile__a_candidate_changed_in_place_changes_nothing),
        cmocka_unit_test(test_hostile__what_fills_the_directory_is_emptied),
        cmocka_unit_test(test_hostile__hanging_is_unresolved),
        cmocka_unit_test(test_hostile__what_is_not_executable_is_refused),
        cmocka_unit_test(test_hostile__an_oracle_that_goes_half_way_is_named),
        cmocka_unit_test(test_hostile__an_output_folder_that_is_missing_is_named),
        cmocka_unit_test(test_hostile__an_output_folder_that_goes_half_way_is_named),
        cmocka_unit_test(test_hostile__full_memory_changes_nothing_at_one_job),
        cmocka_unit_test(test_hostile__full_memory_and_disk_end_well_or_are_named),
        cmocka_unit_test(test_hostile__full_output_keeps_the_best_and_is_named),
        cmocka_unit_test(test_hostile__a_read_only_output_folder_is_named),
    };
    return cmocka_run_group_tests(tests, set_up, workplace_teardown);
}
