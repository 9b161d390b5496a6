/* Spawning: what a child gets, and why it could not start. */
/* tests: src/os/child.c */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/common_interface_defs.h>
#endif

#include <cmocka.h>

#include "os/child.h"
#include "os/descriptor.h"
#include "os/spawn.h"
#include "unit/support/scratch.h"

/* Runs `script` with /bin/sh, which inherits `inherited` if that is not NULL, and gives its exit
 * code, or minus the signal. */
static int run_with(const char *script, const pare_spawn_fd *inherited)
{
    pare_spawner spawner = {0};
    pare_child child = {0};
    siginfo_t info;
    const char *words[] = {"sh", "-c", script, NULL}, *environment[] = {"LC_ALL=C", NULL};
    const pare_spawn spawn = {.path = "/bin/sh",
                              .argv = (char *const *)(const void *)words,
                              .envp = (char *const *)(const void *)environment,
                              .directory_fd = -1,
                              .input_fd = -1,
                              .output_fd = -1,
                              .inherited = inherited,
                              .n_inherited = inherited != NULL};
    assert_int_equal(pare_spawner_init(&spawner, NULL), PARE_OK);
    assert_int_equal(pare_spawner_start(&spawner, &spawn, &child, NULL), PARE_OK);
    assert_true(pare_descriptor_await(child.pidfd, 60000));
    assert_int_equal(waitid(P_PID, (id_t)child.pid, &info, WEXITED), 0);
    (void)close(child.pidfd);
    pare_spawner_done(&spawner);
    return info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
}

static int run(const char *script)
{
    return run_with(script, NULL);
}

static void test_spawn__exit_codes_and_signals_arrive(void **state)
{
    (void)state;
    assert_int_equal(run("exit 42"), 42);
    assert_int_equal(run("kill -9 $$"), -SIGKILL);
}

static void test_spawn__a_child_leads_its_group_and_dumps_no_core(void **state)
{
    (void)state;
    assert_int_equal(run("read -r pid comm stat ppid group rest < /proc/$$/stat;"
                         "[ $group = $$ ] && [ $(ulimit -c) = 0 ] && [ \"$PWD\" = / ]"),
                     0);
}

static void test_spawn__ignored_and_blocked_signals_are_not_inherited(void **state)
{
    (void)state;
    sigset_t set, before;
    assert_int_equal(sigemptyset(&set), 0);
    assert_int_equal(sigaddset(&set, SIGTERM), 0);
    assert_int_equal(sigprocmask(SIG_BLOCK, &set, &before), 0);
    void (*old)(int) = signal(SIGPIPE, SIG_IGN);
    int blocked = run("kill -TERM $$; exit 1"), ignored = run("kill -PIPE $$; exit 1");
    (void)signal(SIGPIPE, old);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
    assert_int_equal(blocked, -SIGTERM);
    assert_int_equal(ignored, -SIGPIPE);
}

static void test_spawn__the_reason_of_a_failed_exec_is_given(void **state)
{
    (void)state;
    pare_spawner spawner = {0};
    pare_child child = {0};
    pare_error err = {0};
    char *const words[] = {scratch_dir, NULL}, *const nothing[] = {NULL};
    pare_spawn spawn = {.path = "/no/such/file",
                        .argv = words,
                        .envp = nothing,
                        .directory_fd = -1,
                        .input_fd = -1,
                        .output_fd = -1};
    assert_int_equal(pare_spawner_init(&spawner, NULL), PARE_OK);
    assert_int_equal(pare_spawner_start(&spawner, &spawn, &child, &err), PARE_E_IO);
    assert_int_equal(err.os_errno, ENOENT);
    spawn.path = "/etc";
    pare_fail_clear(&err);
    assert_int_equal(pare_spawner_start(&spawner, &spawn, &child, &err), PARE_E_IO);
    assert_int_equal(err.os_errno, EACCES);
    assert_int_equal(child.pid, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    pare_spawner_done(&spawner);
}

enum { N_LEAKS = 150 };

/* What is open here without close-on-exec is not open in the shell, but for the one. */
static void test_spawn__nothing_is_inherited_but_what_is_meant(void **state)
{
    (void)state;
    static const char script[] =
        "fd=3; while [ $fd -lt 200 ]; do [ ! -e /proc/$$/fd/$fd ] || exit 9;"
        "fd=$((fd + 1)); done; [ -e /proc/$$/fd/200 ]";
    int leaks[N_LEAKS];
    for (size_t k = 0; k < N_LEAKS; k++) {
        leaks[k] = open("/", O_RDONLY | O_DIRECTORY);
        assert_true(leaks[k] >= 0);
    }
    const pare_spawn_fd meant = {.fd = leaks[N_LEAKS - 1], .as = 200};
    assert_int_equal(run_with(script, &meant), 0);
#ifdef PARE_FAULT_INJECTION
    pare_child_lack_close_range(true);
    assert_int_equal(run_with(script, &meant), 0);
    pare_child_lack_close_range(false);
#endif
    for (size_t k = 0; k < N_LEAKS; k++)
        assert_int_equal(close(leaks[k]), 0);
}

#ifdef __SANITIZE_THREAD__

static volatile int raced; /* written by two threads that do not wait for each other */
static atomic_int done;    /* relaxed, which orders nothing */

static void *wait_for_end(void *fd)
{
    char byte;
    return read(*(const int *)fd, &byte, 1) < 0 ? fd : NULL;
}

static void *write_first(void *unused)
{
    (void)unused;
    raced = 1;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return NULL;
}

/* Starts a program beside a thread, and then lets a thread race with us: ends as ThreadSanitizer has it
 * that sees a race. */
static _Noreturn void race_after_a_start(void)
{
    int ends[2];
    pthread_t waits, writes;
    __sanitizer_set_report_path("stderr"); /* it is no report of the test's */
    if (pipe(ends) || pthread_create(&waits, NULL, wait_for_end, ends)) _exit(1);
    if (run("exit 0") || pthread_create(&writes, NULL, write_first, NULL)) _exit(2);
    while (!atomic_load_explicit(&done, memory_order_relaxed))
        (void)sched_yield();
    raced = 2;
    (void)close(ends[1]);
    (void)pthread_join(writes, NULL);
    (void)pthread_join(waits, NULL);
    exit(0);
}

static void test_spawn__races_are_seen_after_a_start(void **state)
{
    (void)state;
    int status = -1;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) race_after_a_start();
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 66);
}

#else

static void test_spawn__races_are_seen_after_a_start(void **state)
{
    (void)state;
    print_message("built without ThreadSanitizer\n");
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spawn__exit_codes_and_signals_arrive),
        cmocka_unit_test(test_spawn__a_child_leads_its_group_and_dumps_no_core),
        cmocka_unit_test(test_spawn__ignored_and_blocked_signals_are_not_inherited),
        cmocka_unit_test(test_spawn__nothing_is_inherited_but_what_is_meant),
        cmocka_unit_test(test_spawn__the_reason_of_a_failed_exec_is_given),
        cmocka_unit_test(test_spawn__races_are_seen_after_a_start),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
