/* Sandboxes: cells are kept while they are clean and made anew when they are not; what is
 * refused is told.  What the tests in them can do is cli/test_sandbox.sh. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "os/sandbox.h"
#include "os/spawn.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static void set_up(pare_family *family, const pare_sandbox_options *options, pare_sandbox **sandbox)
{
    assert_int_equal(pare_family_init(family, "sandbox", 2, false, NULL), PARE_OK);
    assert_int_equal(pare_sandbox_new(options, family, sandbox, NULL), PARE_OK);
}

static void tear_down(pare_family *family, pare_sandbox *sandbox)
{
    pare_sandbox_free(sandbox);
    pare_family_done(family);
}

/* Runs `script` in the cell; gives its exit code, or minus the signal. */
static int run(const pare_cell *cell, const char *directory, const char *script)
{
    pare_spawner spawner = {0};
    pare_child child = {0};
    siginfo_t info;
    const char *words[] = {"sh", "-c", script, NULL}, *environment[] = {"LC_ALL=C", NULL};
    const pare_spawn spawn = {.path = "/bin/sh",
                              .argv = (char *const *)(const void *)words,
                              .envp = (char *const *)(const void *)environment,
                              .directory_fd = -1,
                              .directory = directory,
                              .input_fd = -1,
                              .output_fd = -1,
                              .cell = cell};
    assert_int_equal(pare_spawner_init(&spawner, NULL), PARE_OK);
    assert_int_equal(pare_spawner_start(&spawner, &spawn, &child, NULL), PARE_OK);
    assert_true(pare_spawn_await(child.pidfd, 60000));
    assert_int_equal(waitid(P_PID, (id_t)child.pid, &info, WEXITED), 0);
    (void)close(child.pidfd);
    pare_spawner_done(&spawner);
    return info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
}

/* The keeper of the cell that a test in slot 0 gets; 0: the system gives none. */
static pid_t enter(pare_sandbox *sandbox, const char *directory, const pare_cell **cell)
{
    pare_error err = {0};
    if (pare_sandbox_enter(sandbox, 0, directory, cell, &err)) fail_msg("%s", err.message);
    return *cell ? (*cell)->keeper : 0;
}

static void test_sandbox__a_cell_is_kept_as_long_as_it_is_clean(void **state)
{
    (void)state;
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL};
    pare_family family;
    pare_sandbox *sandbox = NULL;
    const pare_cell *cell = NULL;
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    set_up(&family, &options, &sandbox);
    pid_t first = enter(sandbox, here, &cell);
    if (!first) {
        print_message("no user name spaces here: %s\n", pare_sandbox_notice(sandbox));
        tear_down(&family, sandbox);
        skip();
    }
    assert_null(pare_sandbox_notice(sandbox));
    assert_int_equal(run(cell, here, ": > /tmp/kept && rm /tmp/kept && : > own; exit 7"), 7);
    pare_sandbox_leave(sandbox, 0);
    assert_int_equal(enter(sandbox, here, &cell), first);
    assert_int_equal(run(cell, here, "rm own && : > /tmp/left"), 0);
    pare_sandbox_leave(sandbox, 0);
    pid_t second = enter(sandbox, here, &cell);
    assert_int_not_equal(second, first);
    assert_int_equal(run(cell, here, "[ ! -e /tmp/left ] && { sleep 1000 & }; kill -9 $$"),
                     -SIGKILL);
    pare_sandbox_leave(sandbox, 0);
    assert_int_not_equal(enter(sandbox, here, &cell), second);
    assert_int_equal(kill(second, 0), -1);
    tear_down(&family, sandbox);
}

static void test_sandbox__a_new_directory_gets_a_new_cell(void **state)
{
    (void)state;
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL};
    pare_family family;
    pare_sandbox *sandbox = NULL;
    const pare_cell *cell = NULL;
    char one[4200], here[4096];
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(one, sizeof one, "%s/one", here);
    assert_int_equal(mkdir(one, 0700), 0);
    set_up(&family, &options, &sandbox);
    pid_t first = enter(sandbox, one, &cell);
    if (first) {
        assert_int_equal(rename("one", "two"), 0);
        assert_int_equal(mkdir(one, 0700), 0);
        assert_int_not_equal(enter(sandbox, one, &cell), first);
        assert_int_equal(run(cell, one, ": > mine"), 0);
        assert_int_equal(unlink("one/mine"), 0);
    }
    tear_down(&family, sandbox);
}

static void test_sandbox__an_emulator_has_none_and_says_so(void **state)
{
    (void)state;
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL, .is_emulated = true};
    pare_family family;
    pare_sandbox *sandbox = NULL;
    const pare_cell *cell = NULL;
    set_up(&family, &options, &sandbox);
    assert_int_equal(enter(sandbox, "/", &cell), 0);
    assert_null(cell);
    assert_int_equal(pare_sandbox_level_in_force(sandbox), PARE_LEVEL_OFF);
    assert_non_null(strstr(pare_sandbox_notice(sandbox), "not isolated"));
    tear_down(&family, sandbox);
}

static void test_sandbox__a_writable_path_must_exist(void **state)
{
    (void)state;
    const char *const paths[] = {"/no/such/path"};
    const pare_sandbox_options options = {
        .level = PARE_LEVEL_FULL, .writable = paths, .n_writable = 1};
    pare_family family;
    pare_sandbox *sandbox = NULL;
    assert_int_equal(pare_family_init(&family, "sandbox", 1, false, NULL), PARE_OK);
    assert_int_equal(pare_sandbox_new(&options, &family, &sandbox, NULL), PARE_E_ARG);
    assert_null(sandbox);
    pare_family_done(&family);
}

static void test_sandbox__limits_are_cut_to_our_own(void **state)
{
    (void)state;
    struct rlimit own;
    assert_int_equal(getrlimit(RLIMIT_NPROC, &own), 0);
    pare_limits limits = {.processes = UINT64_MAX - 1, .cpu_s = 5};
    pare_limits_clamp(&limits);
    if (own.rlim_max != RLIM_INFINITY) assert_true(limits.processes <= own.rlim_max);
    assert_true(limits.cpu_s <= 5);
    assert_int_equal(limits.memory_bytes, 0);
    assert_true(pare_limits_file_bytes() >= (uint64_t)1 << 30);
    assert_true(pare_limits_machine_bytes() >= pare_limits_file_bytes());
}

static pare_status make_and_free(void *context)
{
    const char *const paths[] = {"/usr", "/"};
    const pare_sandbox_options options = {
        .level = PARE_LEVEL_FULL, .writable = paths, .n_writable = 2};
    pare_sandbox *sandbox = NULL;
    pare_status status = pare_sandbox_new(&options, context, &sandbox, NULL);
    pare_sandbox_free(sandbox);
    return status;
}

static void test_sandbox__out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    pare_family family;
    assert_int_equal(pare_family_init(&family, "sandbox", 3, false, NULL), PARE_OK);
    sweep_allocations(make_and_free, &family);
    pare_family_done(&family);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sandbox__a_cell_is_kept_as_long_as_it_is_clean),
        cmocka_unit_test(test_sandbox__a_new_directory_gets_a_new_cell),
        cmocka_unit_test(test_sandbox__an_emulator_has_none_and_says_so),
        cmocka_unit_test(test_sandbox__a_writable_path_must_exist),
        cmocka_unit_test(test_sandbox__limits_are_cut_to_our_own),
        cmocka_unit_test(test_sandbox__out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
