/* Short reductions of all kinds that are killed at their system calls, and ended by the same command:
 * at 5 calls of each kind, spread evenly, or at 200 with PARE_TEST_LONG, 2,000 in all.  Nothing stays
 * behind, the input is kept, and the result is the one of a run that was let alone; where the failure
 * comes by chance, it is one that fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "cli/support/program.h"
#include "cli/support/stops.h"

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
    assert_int_equal(access("short/small.pare/history", R_OK), 0);
    assert_int_not_equal(access("short/small.pare/journal", F_OK), 0);
}

enum { MOST_KILLS = 200, USUAL_KILLS = 5 };

/* A kind of run.  Its input is the file input.short, or, in place, short/small. */
struct run_kind {
    const char *name;
    bool in_place, folder;
    const char *text, *result; /* result: NULL: any with a 3 before a 7 */
    const char *words[16]; /* after those that all have; HELPERS/ in them is the helpers' folder */
};

#define ORACLE "HELPERS/golden_oracle_static subsequence 37" /* a test's command line */
#define GREP "--exit", "0", "--", "grep", "-q", "3.*7", "@@"

static const struct run_kind kinds[] = {
    {"output", false, false, "0132754", "37", {ORACLE, "input.short", "-j1"}},
    {"in place", true, false, "0132754", "37", {ORACLE, "short/small", "-j1", "--in-place"}},
    {"slots", false, false, "0132754", "37", {ORACLE, "input.short", "-j3"}},
    {"sandbox",
     false,
     false,
     "0132754",
     "37",
     {"input.short", "-j1", "--runner", "spawn", "--sandbox", "full", GREP}},
    {"server", false, false, "0132754", "37", {"input.short", "-j1", "--runner", "preload", GREP}},
    {"afl", false, false, "22\n3x\n4\n", "x", {"input.short", "-j1", "--", "HELPERS/afl_server"}},
    {"worker",
     false,
     false,
     "22\n3x\n4\n",
     "x",
     {"input.short", "-j1", "--worker", "HELPERS/line_worker"}},
    {"folder", false, true, "0132754", "37", {"grep -rqs 3.*7 input.short", "input.short", "-j1"}},
    {"by chance",
     false,
     false,
     "0132754",
     NULL,
     {"grep -q 3.*7 input.short && test $(od -An -N1 -tu1 /dev/urandom) -lt 200", "input.short",
      "-j1"}},
    {"by chance, in place",
     true,
     false,
     "0132754",
     NULL,
     {"grep -q 3.*7 small && test $(od -An -N1 -tu1 /dev/urandom) -lt 200", "short/small", "-j1",
      "--in-place"}},
};

static bool is_text(const char *path, const char *expected)
{
    char *text = read_text(path);
    bool same = text && !strcmp(text, expected);
    free(text);
    return same;
}

/* `word` with the folder of the helpers; what is returned stays as long as all words of a command. */
static const char *with_helpers(const char *word)
{
    static char texts[4][MAX_COMMAND];
    static unsigned n;
    const char *rest = word + strlen("HELPERS/");
    if (strncmp(word, "HELPERS/", strlen("HELPERS/")) != 0) return word;
    char *text = texts[n++ % 4];
    (void)snprintf(text, MAX_COMMAND, "%s", helper_path(rest));
    return text;
}

/* The command of a run; static. */
static const char *const *words_of(const struct run_kind *kind)
{
    static const char *const usual[] = {"-a", "ddmin", "-u", "char", "-q", "--timeout", "60"};
    static const char *words[MAX_WORDS];
    size_t n = 0;
    words[n++] = program_path();
    words[n++] = "reduce";
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        words[n++] = usual[k];
    if (!kind->in_place) words[n++] = "--output=short/small";
    for (const char *const *word = kind->words; *word; word++)
        words[n++] = with_helpers(*word);
    words[n] = NULL;
    return words;
}

/* The file that is reduced, and the one that comes of it. */
static const char *input_of(const struct run_kind *kind)
{
    return kind->in_place ? "short/small" : kind->folder ? "input.short/a" : "input.short";
}

static const char *result_of(const struct run_kind *kind)
{
    return kind->folder ? "short/small/a" : "short/small";
}

static void begin(const struct run_kind *kind)
{
    assert_int_equal(pare_file_remove_tree("short", NULL), PARE_OK);
    assert_int_equal(pare_file_remove_tree("input.short", NULL), PARE_OK);
    assert_int_equal(mkdir("short", 0700), 0);
    if (kind->folder) assert_int_equal(mkdir("input.short", 0700), 0);
    write_text(input_of(kind), kind->text);
}

/* Whether the result is what it should be. */
static bool is_reduced(const struct run_kind *kind)
{
    if (kind->result) return is_text(result_of(kind), kind->result);
    char *text = read_text(result_of(kind));
    const char *three = text ? strchr(text, '3') : NULL;
    bool good = three && strchr(three, '7');
    free(text);
    return good;
}

/* How many stops an undisturbed run has; 0: such a run is not possible here. */
static size_t count_stops(const struct run_kind *kind)
{
    int status = 0;
    begin(kind);
    pid_t pid = start_traced(words_of(kind));
    if (pid < 0) return 0;
    size_t n = run_through(pid, SIZE_MAX, &status);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 3) return 0;
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_true(is_reduced(kind));
    return n;
}

/* Runs the same command again.  A result that was finished when we were killed is taken for somebody's
 * file in place, and for somebody's folder. */
static void finish(const struct run_kind *kind)
{
    bool kept = !kind->in_place || pare_file_mode("short/small.orig");
    bool finished = !pare_file_exists("short/small.pare/journal") && kept && is_reduced(kind);
    int refused = kind->in_place ? 3 : kind->folder ? 2 : 0;
    int code = wait_for_end(start_words(words_of(kind), "out", "err"));
    bool maybe = !kind->result && code == 0; /* by chance a result looks finished that is not */
    if (code != (finished ? refused : 0) && !maybe) {
        char *said = read_text("err");
        fail_msg("%s: exit code %d: %s", kind->name, code, said ? said : "");
    }
    assert_true(is_reduced(kind));
    assert_true(is_text(kind->in_place ? "short/small.orig" : input_of(kind), kind->text));
    if (kind->in_place) assert_int_equal(unlink("short/small.orig"), 0);
    check_folder("short");
}

/* Kills a run at its stop number `at`, and has the same command finish the work. */
static pid_t kill_at(const struct run_kind *kind, size_t at)
{
    int status;
    begin(kind);
    pid_t pid = start_traced(words_of(kind));
    assert_true(pid > 0);
    (void)run_through(pid, at, &status);
    kill_stopped(pid, status);
    finish(kind);
    return pid;
}

/* Returns at how many calls it was killed. */
static size_t kill_everywhere(const struct run_kind *kind)
{
    static pid_t killed[MOST_KILLS];
    const char *sanitize = getenv("PARE_SANITIZE");
    const size_t n_kills = getenv("PARE_TEST_LONG") ? MOST_KILLS : USUAL_KILLS;
    size_t n = sanitize && *sanitize ? 0 : count_stops(kind);
    if (!n) return 0;
    for (size_t k = 0; k < n_kills; k++)
        killed[k] = kill_at(kind, 1 + k * n / n_kills);
    for (size_t k = 0; k < n_kills; k++) {
        assert_true(await_nobody(killed[k]));
        assert_nothing_left(killed[k]);
    }
    print_message("%s: killed at %zu of %zu stops\n", kind->name, n_kills, n);
    return n_kills;
}

static void test_kill_calls__at_any_system_call_nothing_is_lost_or_stays_behind(void **state)
{
    const char *only = getenv("PARE_TEST_ONLY");
    size_t n_kills = 0;
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (!only || strcmp(only, kinds[k].name) == 0) n_kills += kill_everywhere(&kinds[k]);
    if (n_kills) return;
    print_message("the program cannot be traced here\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kill_calls__at_any_system_call_nothing_is_lost_or_stays_behind),
    };
    return cmocka_run_group_tests(tests, workplace_setup, workplace_teardown);
}
