/* A short reduction that is killed at its system calls, and ended by the same command: at
 * 30 of them, spread evenly, or at 250 with PARE_TEST_LONG.  Nothing stays behind, and with
 * --in-place the input is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "cli/support/program.h"
#include "cli/support/stops.h"

/* Only the result, "small": no journal, no file that was half written. */
static void check_folder(const char *folder)
{
    size_t n = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] == '.') continue;
        assert_string_equal(entry->d_name, "small");
        n++;
    }
    (void)closedir(entries);
    assert_int_equal(n, 1);
}

enum { MOST_KILLS = 250, USUAL_KILLS = 30 };

static bool is_text(const char *path, const char *expected)
{
    char *text = read_text(path);
    bool same = text && !strcmp(text, expected);
    free(text);
    return same;
}

/* Where the result of a short reduction goes. */
enum place { TO_OUTPUT, IN_PLACE };

#define SHORT_INPUT "0132754"

/* The command of a short reduction; static. */
static const char *const *short_words(enum place place)
{
    static const char *words[16];
    static char test[MAX_COMMAND];
    test[0] = '\0';
    add_quoted(test, helper_path("golden_oracle_static"));
    add_quoted(test, "subsequence");
    add_quoted(test, "37");
    const char *const all[] = {program_path(),
                               "reduce",
                               test,
                               place == IN_PLACE ? "short/small" : "input.short",
                               "-a",
                               "ddmin",
                               "-u",
                               "char",
                               "-j1",
                               "-q",
                               "--timeout",
                               "60",
                               place == IN_PLACE ? "--in-place" : "--output=short/small",
                               NULL};
    memcpy(words, all, sizeof all);
    return words;
}

static void begin_short(enum place place)
{
    assert_int_equal(pare_file_remove_tree("short", NULL), PARE_OK);
    assert_int_equal(mkdir("short", 0700), 0);
    write_text(place == IN_PLACE ? "short/small" : "input.short", SHORT_INPUT);
}

/* How many stops an undisturbed run has; 0: stopping is not possible here. */
static size_t count_stops(enum place place)
{
    int status = 0;
    begin_short(place);
    pid_t pid = start_traced(short_words(place));
    if (pid < 0) return 0;
    size_t n = run_through(pid, SIZE_MAX, &status);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    return n;
}

/* Runs the same command again.  A result in place that was finished when we were killed
 * is taken for somebody's file. */
static void finish_short(enum place place)
{
    bool finished = place == IN_PLACE && !pare_file_exists("short/small.pare") &&
                    pare_file_mode("short/small.orig") && is_text("short/small", "37");
    assert_int_equal(wait_for_end(start_words(short_words(place), "out", "err")), finished ? 3 : 0);
    assert_true(is_text("short/small", "37"));
    if (place == IN_PLACE) {
        assert_true(is_text("short/small.orig", SHORT_INPUT));
        assert_int_equal(unlink("short/small.orig"), 0);
    }
    check_folder("short");
}

/* Kills a run at its stop number `at`, and has the same command finish the work. */
static pid_t kill_at(enum place place, size_t at)
{
    int status;
    begin_short(place);
    pid_t pid = start_traced(short_words(place));
    assert_true(pid > 0);
    (void)run_through(pid, at, &status);
    kill_stopped(pid, status);
    finish_short(place);
    return pid;
}

static void kill_everywhere(enum place place)
{
    static pid_t killed[MOST_KILLS];
    const char *sanitize = getenv("PARE_SANITIZE");
    const size_t n_kills = getenv("PARE_TEST_LONG") ? MOST_KILLS : USUAL_KILLS;
    size_t n = sanitize && *sanitize ? 0 : count_stops(place);
    if (!n) {
        print_message("the program cannot be traced here\n");
        skip();
    }
    for (size_t k = 0; k < n_kills; k++)
        killed[k] = kill_at(place, 1 + k * n / n_kills);
    for (size_t k = 0; k < n_kills; k++) {
        assert_true(await_nobody(killed[k]));
        assert_nothing_left(killed[k]);
    }
    print_message("killed at %zu of %zu stops\n", n_kills, n);
}

static void test_kill_calls__at_any_system_call_nothing_stays_behind(void **state)
{
    (void)state;
    kill_everywhere(TO_OUTPUT);
}

static void test_kill_calls__in_place_at_any_system_call_the_input_is_kept(void **state)
{
    (void)state;
    kill_everywhere(IN_PLACE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kill_calls__at_any_system_call_nothing_stays_behind),
        cmocka_unit_test(test_kill_calls__in_place_at_any_system_call_the_input_is_kept),
    };
    return cmocka_run_group_tests(tests, workplace_setup, workplace_teardown);
}
