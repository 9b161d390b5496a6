/* The guard: silent when dismissed, thorough when its owner is gone. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "os/descriptor.h"
#include "os/sandbox/guard.h"
#include "unit/support/scratch.h"

static pare_guard open_guard(pare_spawner *spawner, const char *directory)
{
    pare_guard guard = {0};
    const char *const directories[] = {directory, "/no/such/directory", NULL};
    assert_int_equal(pare_spawner_init(spawner, NULL), PARE_OK);
    assert_int_equal(pare_guard_open(&guard, spawner, "unit-guard", directories, NULL), PARE_OK);
    return guard;
}

static void test_guard__dismissed_it_touches_nothing(void **state)
{
    (void)state;
    pare_spawner spawner = {0};
    assert_int_equal(mkdir("kept", 0700), 0);
    pare_guard guard = open_guard(&spawner, "/proc/self/cwd/kept");
    pare_guard_close(&guard);
    assert_int_equal(guard.child.pid, 0);
    assert_true(pare_file_is_directory("kept"));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    pare_spawner_done(&spawner);
}

static void test_guard__left_alone_it_removes_the_directories(void **state)
{
    (void)state;
    char path[128];
    pare_spawner spawner = {0};
    (void)snprintf(path, sizeof path, "%s/left behind", scratch_dir);
    assert_int_equal(pare_file_make_directories("left behind/0", NULL), PARE_OK);
    pare_guard guard = open_guard(&spawner, path);
    assert_int_equal(close(guard.fd), 0); /* as the system does when we die */
    assert_true(pare_descriptor_await(guard.child.pidfd, 60000));
    assert_int_equal(waitpid(guard.child.pid, NULL, 0), guard.child.pid);
    assert_false(pare_file_exists("left behind"));
    (void)close(guard.child.pidfd);
    pare_spawner_done(&spawner);
}

static void test_guard__one_that_was_killed_is_renewed_and_does_its_work(void **state)
{
    (void)state;
    char path[128];
    pare_spawner spawner = {0};
    (void)snprintf(path, sizeof path, "%s/left again", scratch_dir);
    const char *const directories[] = {path, NULL};
    assert_int_equal(pare_file_make_directories("left again/0", NULL), PARE_OK);
    pare_guard guard = open_guard(&spawner, path);
    const pid_t first = guard.child.pid;
    assert_int_equal(pare_guard_renew(&guard, &spawner, "unit-guard", directories, NULL), PARE_OK);
    assert_int_equal(guard.child.pid, first);
    assert_int_equal(kill(first, SIGKILL), 0);
    assert_true(pare_descriptor_await(guard.child.pidfd, 60000));
    assert_int_equal(pare_guard_renew(&guard, &spawner, "unit-guard", directories, NULL), PARE_OK);
    assert_int_not_equal(guard.child.pid, first);
    assert_int_equal(close(guard.fd), 0);
    assert_true(pare_descriptor_await(guard.child.pidfd, 60000));
    assert_int_equal(waitpid(guard.child.pid, NULL, 0), guard.child.pid);
    assert_false(pare_file_exists("left again"));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    (void)close(guard.child.pidfd);
    pare_spawner_done(&spawner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guard__dismissed_it_touches_nothing),
        cmocka_unit_test(test_guard__one_that_was_killed_is_renewed_and_does_its_work),
        cmocka_unit_test(test_guard__left_alone_it_removes_the_directories),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
