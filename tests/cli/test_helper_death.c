/* Each process that helps a run is killed at its system calls, one in each run: guard, keeper and those
 * that make it, the go-between and a test's process before it executes, fork servers and workers.  The
 * run ends as if nothing had happened, and leaves nothing behind.  At 6 calls of each kind of run,
 * spread evenly, at 400 with PARE_TEST_LONG, or at every one of them with PARE_TEST_LONG=all;
 * PARE_TEST_SEED=N chooses others.
 *
 * All that pare starts is traced, and a process that was not seen to execute a test counts as a helper.
 * So a new kind of helper is killed too, without a word about it here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "cli/support/program.h"
#include "cli/support/stops.h"

enum { MOST_TRACED = 512, USUAL_KILLS = 6, MOST_KILLS = 400, NO_KILL = 0 };

/* What a traced process is. */
enum kind {
    UNKNOWN, /* it has stopped before its parent has told of it */
    OURS,    /* pare, with all its threads */
    STARTED, /* made by pare, and has not executed a program yet */
    HELPER,  /* has executed one that is no test: guard, keeper, server */
    TEST     /* a test, and all that it starts */
};

struct traced {
    pid_t pid;
    enum kind kind;
    bool in_call;
};

/* One run under the eyes of the tracer. */
struct watch {
    const char *server; /* as the scenario's; its children are tests */
    size_t at;          /* the call that is the last one of its process, from 1; NO_KILL: none */
    size_t n;           /* calls of helpers so far */
    pid_t killed;
    char what[256]; /* which process was killed */
    size_t n_traced;
    struct traced traced[MOST_TRACED];
};

/* A kind of run. */
struct scenario {
    const char *name,
        *server; /* what a server has in its environment or words; NULL: there is none; "": any */
    bool sandboxed;
    const char
        *words[24]; /* after "pare reduce"; HELPERS/ at their beginning stands for its folder */
};

static const struct scenario scenarios[] = {
    {.name = "spawned",
     .words = {"in", "-o", "small", "--runner", "spawn", "--sandbox", "off", "--exit", "0", "--",
               "grep", "-q", "3.*7", "@@"}},
    {.name = "script", .words = {"-o", "small", "grep -q '3.*7'", "in"}},
    {.name = "sandbox",
     .sandboxed = true,
     .words = {"in", "-o", "small", "--runner", "spawn", "--sandbox", "full", "--exit", "0", "--",
               "grep", "-q", "3.*7", "@@"}},
    {.name = "server",
     .server = "LD_PRELOAD=",
     .words = {"in", "-o", "small", "--runner", "preload", "--exit", "0", "--", "grep", "-q",
               "3.*7", "@@"}},
    {.name = "afl",
     .server = "__AFL_SHM_ID=",
     .words = {"served", "-o", "small", "--", "HELPERS/afl_server"}},
    {.name = "worker",
     .server = "",
     .words = {"served", "-o", "small", "--worker", "HELPERS/line_worker"}},
    {.name = "inprocess",
     .server = "--serve",
     .words = {"library", "-o", "small", "--runner", "inprocess", "--exit", "3", "--",
               "HELPERS/harness_library.so"}},
};

static const char *const usual_words[] = {"-a", "ddmin",     "-u", "char", "-j1",
                                          "-q", "--timeout", "60", NULL};

/* The command of a scenario; static. */
static const char *const *words_of(const struct scenario *scenario)
{
    static const char *words[MAX_WORDS];
    static char path[MAX_COMMAND];
    size_t n = 0;
    words[n++] = program_path();
    words[n++] = "reduce";
    for (const char *const *word = usual_words; *word; word++)
        words[n++] = *word;
    for (const char *const *word = scenario->words; *word; word++) {
        bool helper = !strncmp(*word, "HELPERS/", 8);
        if (helper) (void)snprintf(path, sizeof path, "%s", helper_path(*word + 8));
        words[n++] = helper ? path : *word;
    }
    words[n] = NULL;
    return words;
}

/* ---- processes ------------------------------------------------------------------------- */

static struct traced *find(struct watch *watch, pid_t pid)
{
    for (size_t i = 0; i < watch->n_traced; i++)
        if (watch->traced[i].pid == pid) return &watch->traced[i];
    return NULL;
}

static struct traced *add(struct watch *watch, pid_t pid, enum kind kind)
{
    assert_true(watch->n_traced < MOST_TRACED);
    struct traced *traced = &watch->traced[watch->n_traced++];
    *traced = (struct traced){.pid = pid, .kind = kind};
    return traced;
}

static bool is_thread_of(pid_t pid, pid_t leader)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d", (int)leader, (int)pid);
    return access(path, F_OK) == 0;
}

/* Whether the program that `pid` has just begun is no test. */
static bool is_helper(const char *server, pid_t pid)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    if (server && (!*server || has_entry(path, server))) return true;
    (void)snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    if (server && has_entry(path, server)) return true;
    return has_entry(path, "pare-guard") || has_entry(path, "trap '' CHLD");
}

static void go_on(pid_t pid, long signal)
{
    (void)ptrace(PTRACE_SYSCALL, pid, NULL, signal); /* it may have been killed meanwhile */
}

/* `parent` tells of a child that it has made. */
static void note_child(struct watch *watch, const struct traced *parent, pid_t runner)
{
    unsigned long number = 0;
    if (ptrace(PTRACE_GETEVENTMSG, parent->pid, NULL, &number)) return;
    pid_t pid = (pid_t)number;
    enum kind kind = parent->kind;
    if (kind == OURS && !is_thread_of(pid, runner)) kind = STARTED;
    if (kind == HELPER && watch->server) kind = TEST;
    struct traced *child = find(watch, pid);
    if (!child) {
        (void)add(watch, pid, kind);
        return;
    }
    child->kind = kind; /* it has stopped, and waits for this */
    go_on(pid, 0);
}

static void note_exec(const struct watch *watch, struct traced *traced)
{
    if (traced->kind == STARTED)
        traced->kind = is_helper(watch->server, traced->pid) ? HELPER : TEST;
}

static void kill_here(struct watch *watch, const struct traced *traced)
{
    static const char *const kinds[] = {"unknown", "ours", "on its way", "helper", "test"};
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/comm", (int)traced->pid);
    char *comm = read_text(path);
    struct __ptrace_syscall_info call = {.op = 0};
    (void)ptrace(PTRACE_GET_SYSCALL_INFO, traced->pid, sizeof call, &call);
    (void)snprintf(watch->what, sizeof watch->what, "%s %.*s at call %llu", kinds[traced->kind],
                   comm ? (int)strcspn(comm, "\n") : 0, comm ? comm : "",
                   (unsigned long long)call.entry.nr);
    free(comm);
    watch->killed = traced->pid;
    (void)kill(traced->pid, SIGKILL);
}

/* A stop of `pid`: at a call, at an event, or for a signal. */
static void note_stop(struct watch *watch, pid_t pid, int status, pid_t runner)
{
    struct traced *traced = find(watch, pid);
    if (!traced) {
        (void)add(watch, pid, UNKNOWN);
        return; /* it waits for its parent's word */
    }
    int event = status >> 16, signal = WSTOPSIG(status);
    if (event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK)
        note_child(watch, traced, runner);
    else if (event == PTRACE_EVENT_EXEC)
        note_exec(watch, traced);
    traced = find(watch, pid);
    bool call = signal == (SIGTRAP | 0x80);
    if (call) traced->in_call = !traced->in_call;
    if (call && traced->in_call && (traced->kind == STARTED || traced->kind == HELPER)) {
        watch->n++;
        if (watch->n == watch->at) {
            kill_here(watch, traced);
            return;
        }
    }
    bool begins = signal == SIGSTOP && !event && !traced->in_call;
    go_on(pid, call || event || begins ? 0 : signal);
}

static void forget(struct watch *watch, pid_t pid)
{
    struct traced *traced = find(watch, pid);
    if (traced) *traced = watch->traced[--watch->n_traced];
}

/* Runs `words` to its end, under the eyes of `watch`; its exit code, or 128 and its signal.  -1:
 * that is not possible here. */
static int run_watched(struct watch *watch, const char *const *words, pid_t *runner)
{
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                         PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    int code = -1;
    *runner = start_traced(words);
    if (*runner < 0) return -1;
    assert_int_equal(ptrace(PTRACE_SETOPTIONS, *runner, NULL, options), 0);
    (void)add(watch, *runner, OURS);
    go_on(*runner, 0);
    (void)alarm(RUN_LIMIT_MS / 1000);
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, __WALL);
        if (pid < 0 && errno == EINTR) continue;
        if (pid < 0) break; /* ECHILD: all have ended */
        if (WIFSTOPPED(status)) {
            note_stop(watch, pid, status, *runner);
            continue;
        }
        forget(watch, pid);
        if (pid == *runner) code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    (void)alarm(0);
    return code;
}

/* ---- claims ---------------------------------------------------------------------------- */

static struct watch watch;

static int run_once(const struct scenario *scenario, size_t at, pid_t *runner)
{
    (void)unlink("small");
    write_text("in", "a1b2\n3c4d7e\nf5g6\n");
    write_text("served", "22\n3x\n4\n");
    write_text("library", "77\n7e7\n77\n");
    watch = (struct watch){.server = scenario->server, .at = at};
    return run_watched(&watch, words_of(scenario), runner);
}

static void fail_run(const struct scenario *scenario, size_t at, size_t n, int code)
{
    char *said = read_text("err"), *result = read_text("small");
    print_message("%s: %s (%zu of %zu): exit code %d, result \"%s\": %s\n", scenario->name,
                  watch.what, at, n, code, result ? result : "none", said ? said : "");
    free(said);
    free(result);
}

/* Kills at `n_kills` calls; how often the run did not end as it should. */
static size_t kill_helpers(const struct scenario *scenario, size_t n, size_t n_kills,
                           const char *expected)
{
    const char *seed = getenv("PARE_TEST_SEED");
    const size_t moved = seed ? strtoul(seed, NULL, 10) * 7919 : 0;
    size_t n_wrong = 0, n_killed = 0;
    for (size_t k = 0; k < n_kills; k++) {
        size_t at = 1 + (k * n / n_kills + moved) % n;
        pid_t runner;
        int code = run_once(scenario, at, &runner);
        char *result = read_text("small");
        bool good = code == 0 && result && !strcmp(result, expected);
        free(result);
        n_killed += watch.killed != 0;
        n_wrong += !good;
        if (!good) fail_run(scenario, at, n, code);
        assert_true(await_nobody(runner));
        assert_nothing_left(runner);
    }
    print_message("%s: killed at %zu of %zu calls of its helpers, %zu runs ended otherwise\n",
                  scenario->name, n_killed, n, n_wrong);
    return n_wrong;
}

/* How many calls of each kind of run to kill at. */
static size_t most_kills(void)
{
    const char *is_long = getenv("PARE_TEST_LONG");
    if (!is_long) return USUAL_KILLS;
    return strcmp(is_long, "all") == 0 ? SIZE_MAX : MOST_KILLS;
}

static void test_helper_death__at_any_system_call_the_run_ends_as_if_nothing_had_happened(
    void **state)
{
    const char *sanitize = getenv("PARE_SANITIZE"), *only = getenv("PARE_TEST_ONLY");
    const size_t most = most_kills();
    size_t n_wrong = 0, n_run = 0;
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        const struct scenario *scenario = &scenarios[i];
        pid_t runner;
        if (only && strcmp(only, scenario->name) != 0) continue;
        int code = sanitize && *sanitize ? -1 : run_once(scenario, NO_KILL, &runner);
        if (code < 0 || (scenario->sandboxed && code == 3)) continue;
        char *expected = read_text("small");
        if (code || !expected) fail_run(scenario, 0, 0, code);
        assert_int_equal(code, 0);
        assert_non_null(expected);
        size_t n = watch.n;
        assert_true(n > 0);
        n_wrong += kill_helpers(scenario, n, n < most ? n : most, expected);
        free(expected);
        n_run++;
    }
    if (!n_run) {
        print_message("the program cannot be traced here\n");
        skip();
    }
    assert_int_equal(n_wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_helper_death__at_any_system_call_the_run_ends_as_if_nothing_had_happened),
    };
    return cmocka_run_group_tests(tests, workplace_setup, workplace_teardown);
}
