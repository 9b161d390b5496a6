/* Killing and reaping by numbers: what is no child's number reaches nobody. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/child.h"

/* A child that sleeps until it is killed, in a group of its own or in ours. */
static pid_t make_sleeper(bool own_group)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid > 0) return pid;
    if (own_group && setpgid(0, 0)) _exit(1);
    for (;;)
        pause();
}

static int pidfd_of(pid_t pid)
{
    int pidfd = (int)syscall(SYS_pidfd_open, (long)pid, 0L);
    assert_true(pidfd >= 0);
    return pidfd;
}

static const pid_t no_children[] = {0, 1, -1, -2};
enum { N_NO_CHILDREN = sizeof no_children / sizeof *no_children };

/* In a group of its own: where a kill got through, it would end this helper, not ctest. */
static void send_to_nobody(void)
{
    pid_t sleeper = make_sleeper(false);
    for (size_t k = 0; k < N_NO_CHILDREN; k++) {
        assert_false(pare_child_is_number(no_children[k]));
        assert_false(pare_child_kill(no_children[k]));
        assert_false(pare_child_kill_group(no_children[k]));
        assert_false(pare_child_wait(no_children[k], WEXITED | WNOHANG, NULL, NULL));
        assert_int_equal(errno, ECHILD);
        assert_false(pare_child_reap(no_children[k]));
    }
    assert_false(pare_child_kill_by_fd(-1));
    assert_false(pare_child_end_by_fd(-1));
    assert_int_equal(waitpid(sleeper, NULL, WNOHANG), 0); /* it lives */
    assert_true(pare_child_kill(sleeper));
    assert_false(pare_child_reap(sleeper)); /* it did not exit by itself */
}

static void test_child__numbers_that_are_none_reach_nobody(void **state)
{
    (void)state;
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        if (setpgid(0, 0)) _exit(2);
        send_to_nobody();
        _exit(7);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
}

static void test_child__a_group_ends_with_its_members(void **state)
{
    (void)state;
    pid_t leader = make_sleeper(true);
    assert_true(setpgid(leader, leader) == 0 || errno == EACCES);
    assert_true(pare_child_kill_group(leader));
    siginfo_t info = {.si_pid = 0};
    struct rusage usage = {.ru_maxrss = 0};
    assert_true(pare_child_wait(leader, WEXITED, &info, &usage));
    assert_int_equal(info.si_status, SIGKILL);
    assert_false(pare_child_kill_group(leader));
}

static void test_child__one_is_ended_by_its_descriptor_alone(void **state)
{
    (void)state;
    pid_t pid = make_sleeper(false);
    int pidfd = pidfd_of(pid);
    assert_true(pare_child_end_by_fd(pidfd));
    assert_int_equal(waitpid(pid, NULL, WNOHANG), -1);
    assert_int_equal(fcntl(pidfd, F_GETFD), -1);
}

static void test_child__a_descriptor_of_a_stranger_is_left_alone(void **state)
{
    (void)state;
    int own = pidfd_of(getpid()), file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_false(pare_child_end_by_fd(own)); /* we are no child of ours */
    assert_false(pare_child_end_by_fd(file));
    assert_int_equal(close(own), 0);
    assert_int_equal(close(file), 0);
}

static void test_child__the_list_of_children_follows_them(void **state)
{
    (void)state;
    int list = pare_child_open_list(getpid());
    assert_true(list >= 0);
    assert_int_equal(pare_child_first(list), 0);
    pid_t pid = make_sleeper(false);
    assert_int_equal(pare_child_first(list), pid);
    assert_true(pare_child_kill(pid));
    assert_false(pare_child_reap(pid)); /* it did not exit by itself */
    assert_int_equal(pare_child_first(list), 0);
    assert_int_equal(pare_child_first(-1), 0);
    assert_int_equal(close(list), 0);
}

/* It leads a group of its own, and dies with the thread that made it: here a helper that ends. */
static void test_child__a_copy_dies_with_who_made_it(void **state)
{
    int pipe_fds[2], pidfd = -1;
    pid_t copy = 0;
    char byte = 0;
    (void)state;
    assert_int_equal(pipe(pipe_fds), 0);
    pid_t helper = fork();
    assert_true(helper >= 0);
    if (!helper) {
        copy = pare_child_copy(&pidfd);
        /* The copy says that it is there, and waits for its end. */
        while (!copy) {
            if (getpgrp() == getpid() && !byte) byte = 'x';
            if (byte == 'x' && write(pipe_fds[1], &byte, 1) == 1) byte = 'y';
            pause();
        }
        _exit(copy > 0 && pidfd >= 0 && read(pipe_fds[0], &byte, 1) == 1 && byte == 'x' ? 0 : 1);
    }
    (void)close(pipe_fds[1]);
    assert_true(pare_child_reap(helper));
    /* The last copy of the other end is closed when it is dead. */
    assert_int_equal(read(pipe_fds[0], &byte, 1), 0);
    (void)close(pipe_fds[0]);
}

/* Holds `pid` as a tracer does: it writes a byte when it has it, and takes note of its end only
 * some time after that.  Ends with 1 where nobody may be traced. */
static _Noreturn void hold_as_tracer(pid_t pid, int told_fd)
{
    siginfo_t info = {.si_pid = 0};
    if (ptrace(PTRACE_SEIZE, pid, NULL, NULL)) _exit(1);
    if (write(told_fd, "t", 1) != 1) _exit(1);
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT)) _exit(1);
    (void)usleep(200000);
    _exit(waitpid(pid, NULL, 0) == pid ? 0 : 1);
}

/* The pidfd tells of its end first, then the tracer sees it, and only then we do. */
static void test_child__one_killed_under_a_tracer_s_eyes_was_not_executed(void **state)
{
    (void)state;
    int told[2];
    char byte;
    assert_int_equal(pipe(told), 0);
    pid_t pid = make_sleeper(false), tracer = fork();
    if (tracer == 0) {
        (void)close(told[0]);
        hold_as_tracer(pid, told[1]);
    }
    (void)close(told[1]);
    const bool is_traced = read(told[0], &byte, 1) == 1;
    assert_true(pare_child_kill(pid));
    if (is_traced) {
        struct pollfd end = {.fd = pidfd_of(pid), .events = POLLIN};
        assert_int_equal(poll(&end, 1, -1), 1);
        assert_int_equal(close(end.fd), 0);
        assert_true(pare_child_was_killed_unexecuted(pid));
    }
    assert_false(pare_child_reap(pid)); /* it did not exit by itself */
    assert_true(pare_child_reap(tracer));
    assert_int_equal(close(told[0]), 0);
    if (!is_traced) {
        print_message("the kernel lets nobody trace here\n");
        skip();
    }
}

static void test_child__one_that_executed_and_one_that_exited_are_told_apart(void **state)
{
    (void)state;
    pid_t exits = fork();
    if (exits == 0) _exit(3);
    assert_false(pare_child_was_killed_unexecuted(exits));
    assert_true(pare_child_reap(exits));
    pid_t executes = fork();
    if (executes == 0) {
        (void)execl("/bin/sh", "sh", "-c", "kill -9 $$", (char *)NULL);
        _exit(1);
    }
    assert_false(pare_child_was_killed_unexecuted(executes));
    assert_false(pare_child_reap(executes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_child__numbers_that_are_none_reach_nobody),
        cmocka_unit_test(test_child__a_group_ends_with_its_members),
        cmocka_unit_test(test_child__one_is_ended_by_its_descriptor_alone),
        cmocka_unit_test(test_child__a_copy_dies_with_who_made_it),
        cmocka_unit_test(test_child__a_descriptor_of_a_stranger_is_left_alone),
        cmocka_unit_test(test_child__the_list_of_children_follows_them),
        cmocka_unit_test(test_child__one_killed_under_a_tracer_s_eyes_was_not_executed),
        cmocka_unit_test(test_child__one_that_executed_and_one_that_exited_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
