/* --in-place of folders and several inputs: a reduction that is killed at its system calls,
 * has one of them fail, or cannot exchange names.  Whatever happens, what was given is in
 * its place or beside it as INPUT.orig, and the same command ends the work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/support/program.h"
#include "cli/support/stops.h"

enum { MAX_STOPS = 8192 };

/* How many of the calls that change no name a run is killed behind, and how many of those that
 * change files fail; of those that change a name it is all of them. */
static size_t n_samples(void)
{
    return getenv("PARE_TEST_LONG") ? 40 : 6;
}

#define NEEDED "3b7"
#define USELESS "no"
#define LEFT "37"

/* ---- subjects ------------------------------------------------------------------------ */

/* A reduction in place, in the folder "short". */
struct subject {
    const char *test;
    const char *inputs[3]; /* NULL-terminated */
    void (*make)(void);
    bool (*is_original)(const char *input); /* whether an input, or its .orig, is as it was */
    bool (*is_result)(void);
};

static bool is_text(const char *path, const char *expected)
{
    char *text = read_text(path);
    bool same = text && !strcmp(text, expected);
    free(text);
    return same;
}

static bool is_in(const char *folder, const char *name, const char *expected)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return expected ? is_text(path, expected) : !pare_file_exists(path);
}

static void make_folder(void)
{
    assert_int_equal(mkdir("short/small", 0700), 0);
    assert_int_equal(mkdir("short/small/sub", 0700), 0);
    write_text("short/small/sub/a", NEEDED);
    write_text("short/small/b", USELESS);
    assert_int_equal(mkfifo("short/small/pipe", 0600), 0);
}

static bool is_original_folder(const char *input)
{
    struct stat info;
    char pipe[256];
    (void)snprintf(pipe, sizeof pipe, "%s/pipe", input);
    return is_in(input, "sub/a", NEEDED) && is_in(input, "b", USELESS) && !stat(pipe, &info) &&
           S_ISFIFO(info.st_mode);
}

static bool is_folder_result(void)
{
    return is_in("short/small", "sub/a", LEFT) && is_in("short/small", "b", NULL);
}

static const struct subject folder = {.test = "grep -rqs '3.*7'",
                                      .inputs = {"short/small"},
                                      .make = make_folder,
                                      .is_original = is_original_folder,
                                      .is_result = is_folder_result};

static void make_several(void)
{
    assert_int_equal(mkdir("short/sub", 0700), 0);
    write_text("short/sub/a", NEEDED);
    write_text("short/b", USELESS);
}

static bool is_original_of_several(const char *input)
{
    return strstr(input, "sub") ? is_in(input, "a", NEEDED) : is_text(input, USELESS);
}

static bool is_several_result(void)
{
    return is_in("short/sub", "a", LEFT) && !pare_file_exists("short/b");
}

static const struct subject several = {.test = "grep -rqs '3.*7'",
                                       .inputs = {"short/b", "short/sub"},
                                       .make = make_several,
                                       .is_original = is_original_of_several,
                                       .is_result = is_several_result};

/* ---- runs ---------------------------------------------------------------------------- */

/* The command; static. */
static const char *const *words_for(const struct subject *subject)
{
    static const char *words[MAX_WORDS];
    size_t n = 0;
    words[n++] = program_path();
    words[n++] = "reduce";
    words[n++] = subject->test;
    for (size_t i = 0; subject->inputs[i]; i++)
        words[n++] = subject->inputs[i];
    const char *const rest[] = {"-a", "ddmin",     "-u", "char",      "-j1",
                                "-q", "--timeout", "60", "--in-place"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        words[n++] = rest[i];
    words[n] = NULL;
    return words;
}

static int run(const struct subject *subject)
{
    return wait_for_end(start_words(words_for(subject), "out", "err"));
}

static void begin(const struct subject *subject)
{
    assert_int_equal(pare_file_remove_tree("short", NULL), PARE_OK);
    assert_int_equal(mkdir("short", 0700), 0);
    subject->make();
}

/* What must hold at any instant. */
static void check_kept(const struct subject *subject, size_t at)
{
    for (size_t i = 0; subject->inputs[i]; i++) {
        char kept[256];
        (void)snprintf(kept, sizeof kept, "%s.orig", subject->inputs[i]);
        if (!subject->is_original(subject->inputs[i]) && !subject->is_original(kept))
            fail_msg("%s is lost at %zu", subject->inputs[i], at);
    }
}

/* Nothing is left but the result, what was given, and the history beside the first. */
static void check_end(const struct subject *subject, bool clean)
{
    size_t n = 0, expected = 0;
    assert_true(subject->is_result());
    for (size_t i = 0; subject->inputs[i]; i++) {
        char kept[256];
        (void)snprintf(kept, sizeof kept, "%s.orig", subject->inputs[i]);
        assert_true(subject->is_original(kept));
        expected += 1 + pare_file_exists(subject->inputs[i]);
    }
    DIR *entries = opendir("short");
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries));)
        n += entry->d_name[0] != '.';
    (void)closedir(entries);
    if (clean) assert_int_equal(n, expected + 1);
}

/* Has the same command end the work.  A result that was finished is taken for somebody's. */
static void finish(const struct subject *subject, size_t at, bool clean)
{
    char journal[256];
    (void)snprintf(journal, sizeof journal, "%s.pare/journal", subject->inputs[0]);
    bool finished = !pare_file_exists(journal) && subject->is_result();
    int code = run(subject);
    if (code != (finished ? 3 : 0)) {
        char *said = read_text("err");
        fail_msg("exit code %d at %zu: %s", code, at, said);
    }
    check_end(subject, clean);
}

/* ---- calls that change files ---------------------------------------------------------- */

/* Of what the result is about: paths of slots are seen from their folders. */
static bool changes_names(pid_t pid, const struct __ptrace_syscall_info *call)
{
    switch (call->entry.nr) {
    case SYS_renameat2:
    case SYS_linkat:
    case SYS_unlinkat:
    case SYS_mkdirat: return says_at(pid, call->entry.args[1], "short");
#ifdef SYS_rename
    case SYS_rename:
    case SYS_unlink:
    case SYS_mkdir:
    case SYS_rmdir: return says_at(pid, call->entry.args[0], "short");
#endif
    default: return false;
    }
}

static bool changes_files(pid_t pid, const struct __ptrace_syscall_info *call)
{
    switch (call->entry.nr) {
    case SYS_openat: return (call->entry.args[2] & O_CREAT) != 0;
    case SYS_write:
    case SYS_writev:
    case SYS_mkdirat:
    case SYS_symlinkat:
    case SYS_fchmod:
    case SYS_fchmodat:
#ifdef SYS_mkdir
    case SYS_mkdir:
    case SYS_chmod:
#endif
        return true;
    default: return changes_names(pid, call);
    }
}

/* renameat2 with a flag that the file system does not know. */
static bool is_exchange(pid_t pid, const struct __ptrace_syscall_info *call)
{
    (void)pid;
    return call->entry.nr == SYS_renameat2 && call->entry.args[4] != 0;
}

/* Where an undisturbed run changes something: numbers of the stops behind those calls. */
struct changes {
    struct fault *fault;
    size_t names[MAX_STOPS], n_names, others[MAX_STOPS], n_others, n_stops;
};

static void note_change(void *context, pid_t pid)
{
    struct changes *changes = context;
    struct __ptrace_syscall_info call;
    assert_true(ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof call, &call) > 0);
    changes->n_stops++;
    bool entered = call.op == PTRACE_SYSCALL_INFO_ENTRY;
    if (entered && changes_names(pid, &call) && changes->n_names < MAX_STOPS)
        changes->names[changes->n_names++] = changes->n_stops + 1;
    else if (entered && changes_files(pid, &call) && changes->n_others < MAX_STOPS)
        changes->others[changes->n_others++] = changes->n_stops + 1;
    if (changes->fault) fail_call(changes->fault, pid);
}

/* Runs undisturbed; skips the test where a program cannot be traced. */
static void find_changes(const struct subject *subject, struct fault *fault,
                         struct changes *changes)
{
    const char *sanitize = getenv("PARE_SANITIZE");
    int status = 0;
    *changes = (struct changes){.fault = fault};
    begin(subject);
    pid_t pid = sanitize && *sanitize ? -1 : start_traced(words_for(subject));
    if (pid < 0) {
        print_message("the program cannot be traced here\n");
        skip();
    }
    (void)run_through_calls(pid, SIZE_MAX, &status, note_change, changes);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    check_end(subject, true);
}

/* ---- kills --------------------------------------------------------------------------- */

static void kill_at(const struct subject *subject, struct fault *fault, size_t at)
{
    int status;
    begin(subject);
    pid_t pid = start_traced(words_for(subject));
    (void)run_through_calls(pid, at, &status, fault ? fail_call : NULL, fault);
    kill_stopped(pid, status);
    assert_true(await_nobody(pid));
    check_kept(subject, at);
    finish(subject, at, true);
}

/* Killed behind each call that changes a name, and behind some of the others. */
static void kill_everywhere(const struct subject *subject, struct fault *fault)
{
    static struct changes changes;
    find_changes(subject, fault, &changes);
    for (size_t k = 0; k < changes.n_names; k++)
        kill_at(subject, fault, changes.names[k]);
    for (size_t k = 0; k < n_samples(); k++)
        kill_at(subject, fault, changes.others[k * changes.n_others / n_samples()]);
    print_message("killed behind %zu calls that change names, and %zu of %zu others\n",
                  changes.n_names, n_samples(), changes.n_others);
}

static void test_in_place__a_folder_that_is_killed_at_any_call_is_kept(void **state)
{
    (void)state;
    kill_everywhere(&folder, NULL);
}

static void test_in_place__several_inputs_that_are_killed_at_any_call_are_kept(void **state)
{
    (void)state;
    kill_everywhere(&several, NULL);
}

static void test_in_place__without_exchange_a_folder_is_kept_at_any_call(void **state)
{
    struct fault fault = {.is_meant = is_exchange, .at = SIZE_MAX, .failure = EINVAL};
    (void)state;
    if (!can_fail_calls()) skip();
    kill_everywhere(&folder, &fault);
    assert_true(fault.n > 0);
}

/* ---- failures ------------------------------------------------------------------------ */

/* One run with the fault, which counts the calls; its exit code. */
static int run_with_fault(const struct subject *subject, struct fault *fault)
{
    int status = 0;
    begin(subject);
    pid_t pid = start_traced(words_for(subject));
    (void)run_through_calls(pid, SIZE_MAX, &status, fail_call, fault);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Has the calls of a kind fail, one in each run, `most` of them. */
static void fail_calls(const struct subject *subject, const struct fault *fault, size_t most)
{
    struct fault none = *fault;
    size_t n_errors = 0;
    none.at = SIZE_MAX - 1;
    assert_int_equal(run_with_fault(subject, &none), 0);
    size_t step = 1 + none.n / most;
    for (size_t at = 0; at < none.n; at += step) {
        struct fault once = *fault;
        once.at = at;
        int code = run_with_fault(subject, &once);
        check_kept(subject, at);
        n_errors += code != 0;
        if (code == 0)
            check_end(subject, false);
        else
            finish(subject, at, false);
    }
    print_message("%zu calls, every %zu of which failed once; %zu were errors\n", none.n, step,
                  n_errors);
}

static void fail_everywhere(const struct subject *subject, int failure)
{
    static struct changes changes;
    struct fault fault = {.is_meant = changes_names, .failure = failure};
    if (!can_fail_calls()) skip();
    find_changes(subject, NULL, &changes);
    fail_calls(subject, &fault, SIZE_MAX);
    fault.is_meant = changes_files;
    fail_calls(subject, &fault, n_samples());
}

static void test_in_place__a_folder_is_kept_whatever_call_fails(void **state)
{
    (void)state;
    fail_everywhere(&folder, EIO);
}

static void test_in_place__several_inputs_are_kept_whatever_call_fails(void **state)
{
    (void)state;
    fail_everywhere(&several, ENOSPC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_place__a_folder_that_is_killed_at_any_call_is_kept),
        cmocka_unit_test(test_in_place__several_inputs_that_are_killed_at_any_call_are_kept),
        cmocka_unit_test(test_in_place__without_exchange_a_folder_is_kept_at_any_call),
        cmocka_unit_test(test_in_place__a_folder_is_kept_whatever_call_fails),
        cmocka_unit_test(test_in_place__several_inputs_are_kept_whatever_call_fails),
    };
    return cmocka_run_group_tests(tests, workplace_setup, workplace_teardown);
}
