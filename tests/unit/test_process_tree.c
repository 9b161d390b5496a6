/* Whose children a sweep ends when there are two trees in the process.  What a sweep finds otherwise is
 * tested by test_process and test_sandbox. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/process_tree.h"

/* A child without a mark, which lives until it is killed. */
static pid_t start_child(void)
{
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid)
        for (;;)
            (void)pause();
    return pid;
}

static bool lives(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && !info.si_pid;
}

static void open_tree(pare_process_tree *tree, const char *run_id, bool owns_children)
{
    assert_int_equal(pare_process_tree_init(tree, run_id, 1, owns_children, NULL), PARE_OK);
}

/* Runs a test that leaves nothing, after which the slot is swept. */
static void run_and_end(pare_process_tree *tree)
{
    pare_ending ending;
    const pid_t leader = start_child();
    (void)setpgid(leader, leader);
    pare_process_tree_enter(tree, 0, leader);
    assert_int_equal(kill(leader, SIGKILL), 0);
    assert_int_equal(pare_process_tree_leave(tree, 0, &ending, NULL), PARE_OK);
    assert_int_equal(ending.signal, SIGKILL);
}

static void test_process_tree__one_that_owns_children_ends_strays(void **state)
{
    (void)state;
    pare_process_tree tree;
    open_tree(&tree, "alone", true);
    const pid_t after_a_test = start_child();
    run_and_end(&tree);
    assert_false(lives(after_a_test));
    const pid_t at_the_end = start_child();
    pare_process_tree_done(&tree);
    assert_false(lives(at_the_end));
}

static void test_process_tree__a_second_one_leaves_the_others_children_alone(void **state)
{
    (void)state;
    pare_process_tree first, second;
    open_tree(&first, "first", true);
    const pid_t guard = start_child(), server = start_child(), ended = start_child();
    first.spared[0] = guard;
    pare_process_tree_serve(&first, 0, server);
    pare_process_tree_keep(&first, 0, ended);
    assert_int_equal(kill(ended, SIGKILL), 0);
    open_tree(&second, "second", true);
    run_and_end(&second);
    pare_process_tree_done(&second);
    assert_true(lives(guard));
    assert_true(lives(server));
    siginfo_t info = {.si_pid = 0};
    assert_int_equal(waitid(P_PID, (id_t)ended, &info, WEXITED),
                     0); /* not reaped by anybody else */
    pare_process_tree_keep(&first, 0, 0);

    pare_ending ending;
    const pid_t stray = start_child();
    assert_int_equal(pare_process_tree_end_server(&first, 0, &ending, NULL), PARE_OK);
    assert_int_equal(ending.signal, SIGKILL);
    assert_false(lives(stray)); /* alone again */
    assert_true(lives(guard));
    assert_int_equal(kill(guard, SIGKILL), 0);
    assert_int_equal(waitpid(guard, NULL, 0), guard);
    pare_process_tree_done(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_process_tree__one_that_owns_children_ends_strays),
        cmocka_unit_test(test_process_tree__a_second_one_leaves_the_others_children_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
