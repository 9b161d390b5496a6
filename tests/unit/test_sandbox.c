/* Sandboxes: cells are kept while they are clean and made anew when they are not; what is
 * refused is told.  What the tests in them can do is cli/test_sandbox.sh. */
/* tests: src/os/sandbox/namespace_sandbox.c src/os/sandbox/namespace_traces.c */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/child.h"
#include "os/descriptor.h"
#include "os/machine.h"
#include "os/sandbox/sandbox.h"
#include "os/spawn.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static void set_up(pare_process_tree *tree, const pare_sandbox_options *options,
                   pare_sandbox **sandbox)
{
    assert_int_equal(pare_process_tree_init(tree, "sandbox", 2, false, NULL), PARE_OK);
    assert_int_equal(pare_sandbox_new(options, tree, sandbox, NULL), PARE_OK);
}

static void tear_down(pare_process_tree *tree, pare_sandbox *sandbox)
{
    pare_sandbox_free(sandbox);
    pare_process_tree_done(tree);
}

/* Runs `script` in the cell; gives its exit code, or minus the signal. */
static int run(const pare_namespace_sandbox *cell, const char *directory, const char *script)
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
    assert_true(pare_descriptor_await(child.pidfd, 60000));
    assert_int_equal(waitid(P_PID, (id_t)child.pid, &info, WEXITED), 0);
    (void)close(child.pidfd);
    pare_spawner_done(&spawner);
    return info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
}

/* The keeper of the cell that a test in slot 0 gets; 0: the system gives none. */
static pid_t enter(pare_sandbox *sandbox, const char *directory,
                   const pare_namespace_sandbox **cell)
{
    pare_error err = {0};
    if (pare_sandbox_enter(sandbox, 0, directory, cell, &err)) fail_msg("%s", err.message);
    return *cell ? (*cell)->keeper : 0;
}

static void test_sandbox__a_cell_is_kept_as_long_as_it_is_clean(void **state)
{
    (void)state;
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL};
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    const pare_namespace_sandbox *cell = NULL;
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    set_up(&tree, &options, &sandbox);
    pid_t first = enter(sandbox, here, &cell);
    if (!first) {
        print_message("no user name spaces here: %s\n", pare_sandbox_notice(sandbox));
        tear_down(&tree, sandbox);
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
    tear_down(&tree, sandbox);
}

/* ---- traces of one test that the next must not meet ---- */

static bool leave_shared_memory(void)
{
    return shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0;
}

static bool leave_semaphores(void)
{
    return semget(IPC_PRIVATE, 1, IPC_CREAT | 0600) >= 0;
}

static bool leave_messages(void)
{
    return msgget(IPC_PRIVATE, IPC_CREAT | 0600) >= 0;
}

static bool leave_queue(void)
{
    return syscall(SYS_mq_open, "left", (long)(O_CREAT | O_RDWR), 0600L, NULL) >= 0;
}

static bool leave_mode(void)
{
    return !chmod("/dev/shm", 0700);
}

static bool leave_mode_of_a_copy(void)
{
    return !chmod("/tmp", 0711);
}

/* What is made in /tmp from then on cannot be read by its owner. */
static bool leave_access_list(void)
{
    static const uint8_t list[] = {2,  0, 0, 0,                         /* version */
                                   1,  0, 2, 0, 0xff, 0xff, 0xff, 0xff, /* the owner may write */
                                   4,  0, 4, 0, 0xff, 0xff, 0xff, 0xff,
                                   32, 0, 4, 0, 0xff, 0xff, 0xff, 0xff};
    return !setxattr("/tmp", "system.posix_acl_default", list, sizeof list, 0);
}

/* The side that closes first keeps the port for a minute. */
static bool leave_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    const int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(server, (struct sockaddr *)&at, size) || listen(server, 1) ||
        getsockname(server, (struct sockaddr *)&at, &size) ||
        connect(client, (struct sockaddr *)&at, size))
        return false;
    const int accepted = accept(server, NULL, NULL);
    return accepted >= 0 && !close(accepted) && !close(client) && !close(server);
}

/* Whether a process in the cell could leave it. */
static bool leaves(const pare_namespace_sandbox *cell, bool (*leave)(void))
{
    siginfo_t info;
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        (void)usleep(20000); /* a later tick of a kernel's clock than that of the cell's making */
        _exit(pare_namespace_sandbox_enter(cell) && leave() ? 0 : 1);
    }
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED), 0);
    return info.si_code == CLD_EXITED && info.si_status == 0;
}

static void test_sandbox__nothing_of_a_test_is_left_for_the_next(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        bool (*leave)(void);
    } traces[] = {{"shared memory", leave_shared_memory},  {"semaphores", leave_semaphores},
                  {"a queue of System V", leave_messages}, {"a POSIX queue", leave_queue},
                  {"a folder's mode", leave_mode},         {"a copy's mode", leave_mode_of_a_copy},
                  {"an access list", leave_access_list},   {"a port", leave_port}};
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL};
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    const pare_namespace_sandbox *cell = NULL;
    char here[4096];
    bool all_are_noticed = true;
    assert_non_null(getcwd(here, sizeof here));
    set_up(&tree, &options, &sandbox);
    for (size_t k = 0; k < sizeof traces / sizeof *traces; k++) {
        const pid_t keeper = enter(sandbox, here, &cell);
        if (!keeper) break;
        const bool was_left = leaves(cell, traces[k].leave);
        pare_sandbox_leave(sandbox, 0);
        const bool is_new = enter(sandbox, here, &cell) != keeper;
        if (!was_left) print_message("%s: refused to a test here\n", traces[k].what);
        if (was_left != is_new) {
            print_message("%s: the cell is %s\n", traces[k].what, is_new ? "new" : "kept");
            all_are_noticed = false;
        }
    }
    const bool is_full = pare_sandbox_level_in_force(sandbox) == PARE_LEVEL_FULL;
    tear_down(&tree, sandbox);
    if (!is_full) skip();
    assert_true(all_are_noticed);
}

/* Of root's tests only, which the cell lets mount what they like. */
static void test_sandbox__a_mount_does_not_reach_the_next_test(void **state)
{
    (void)state;
    const pare_sandbox_options options = {.level = PARE_LEVEL_DEVICES};
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    const pare_namespace_sandbox *cell = NULL;
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    set_up(&tree, &options, &sandbox);
    assert_int_equal(pare_sandbox_enter(sandbox, 0, here, &cell, NULL), PARE_OK);
    if (!cell || run(cell, here, "mount -t tmpfs left /mnt") != 0) {
        tear_down(&tree, sandbox);
        skip();
    }
    pare_sandbox_leave(sandbox, 0);
    assert_int_equal(pare_sandbox_enter(sandbox, 0, here, &cell, NULL), PARE_OK);
    assert_int_equal(run(cell, here, "! grep -q '^left ' /proc/self/mounts"), 0);
    tear_down(&tree, sandbox);
}

static void test_sandbox__a_new_directory_gets_a_new_cell(void **state)
{
    (void)state;
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL};
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    const pare_namespace_sandbox *cell = NULL;
    char one[4200], here[4096];
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(one, sizeof one, "%s/one", here);
    assert_int_equal(mkdir(one, 0700), 0);
    set_up(&tree, &options, &sandbox);
    pid_t first = enter(sandbox, one, &cell);
    if (first) {
        assert_int_equal(rename("one", "two"), 0);
        assert_int_equal(mkdir(one, 0700), 0);
        assert_int_not_equal(enter(sandbox, one, &cell), first);
        assert_int_equal(run(cell, one, ": > mine"), 0);
        assert_int_equal(unlink("one/mine"), 0);
    }
    tear_down(&tree, sandbox);
}

static void test_sandbox__an_emulator_has_none_and_says_so(void **state)
{
    (void)state;
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL, .is_emulated = true};
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    const pare_namespace_sandbox *cell = NULL;
    set_up(&tree, &options, &sandbox);
    assert_int_equal(enter(sandbox, "/", &cell), 0);
    assert_null(cell);
    assert_int_equal(pare_sandbox_level_in_force(sandbox), PARE_LEVEL_OFF);
    assert_non_null(strstr(pare_sandbox_notice(sandbox), "not isolated"));
    tear_down(&tree, sandbox);
}

static void test_sandbox__an_emulator_that_must_have_one_is_an_error(void **state)
{
    (void)state;
    const pare_sandbox_options options = {
        .level = PARE_LEVEL_FULL, .is_required = true, .is_emulated = true};
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    pare_error err = {0};
    assert_int_equal(pare_process_tree_init(&tree, "sandbox", 1, false, NULL), PARE_OK);
    assert_int_equal(pare_sandbox_new(&options, &tree, &sandbox, &err), PARE_E_IO);
    assert_null(sandbox);
    assert_non_null(strstr(err.message, "this machine has no full sandbox for tests"));
    pare_process_tree_done(&tree);
}

/* --- helpers that somebody kills ---------------------------------------------------- */

#ifdef PARE_FAULT_INJECTION

static bool is_childless(void)
{
    return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

/* A sandbox that gives cells; skips the test where the system has none. */
static void open_cells(pare_process_tree *tree, pare_sandbox **sandbox, const char *here)
{
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL};
    const pare_namespace_sandbox *cell = NULL;
    set_up(tree, &options, sandbox);
    if (enter(*sandbox, here, &cell)) return;
    tear_down(tree, *sandbox);
    skip();
}

static pare_status start_in(const pare_namespace_sandbox *cell, const char *here, pare_child *child,
                            pare_error *err)
{
    pare_spawner spawner = {0};
    char *const words[] = {(char *)(size_t) "true", NULL}, *const nothing[] = {NULL};
    const pare_spawn spawn = {.path = "/bin/true",
                              .argv = words,
                              .envp = nothing,
                              .directory_fd = -1,
                              .directory = here,
                              .input_fd = -1,
                              .output_fd = -1,
                              .cell = cell};
    assert_int_equal(pare_spawner_init(&spawner, NULL), PARE_OK);
    pare_status status = pare_spawner_start(&spawner, &spawn, child, err);
    pare_spawner_done(&spawner);
    return status;
}

static void test_sandbox__a_start_that_made_no_process_is_an_error(void **state)
{
    (void)state;
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    const pare_namespace_sandbox *cell = NULL;
    pare_child child = {.pid = 0, .pidfd = -1};
    pare_error err = {0};
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    open_cells(&tree, &sandbox, here);
    (void)enter(sandbox, here, &cell);
    pare_child_die_at(PARE_POINT_GO_BETWEEN);
    assert_int_equal(start_in(cell, here, &child, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "the process that was to start it was killed"));
    assert_int_equal(child.pid, 0);
    tear_down(&tree, sandbox);
    assert_true(is_childless());
}

static void *kill_the_one_before(void *nothing)
{
    assert_true(pare_child_kill(pare_child_await_stop()));
    return nothing;
}

/* The go-between dies when the test is made and has not executed its program yet: nobody
 * is told the test's number, and it runs on a stack of ours. */
static void test_sandbox__a_test_without_a_number_is_ended_too(void **state)
{
    (void)state;
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    const pare_namespace_sandbox *cell = NULL;
    pare_child child = {.pid = 0, .pidfd = -1};
    pthread_t killer;
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    open_cells(&tree, &sandbox, here);
    (void)enter(sandbox, here, &cell);
    pare_child_stop_at(PARE_POINT_TEST);
    assert_int_equal(pthread_create(&killer, NULL, kill_the_one_before, NULL), 0);
    assert_int_equal(start_in(cell, here, &child, NULL), PARE_E_STATE);
    assert_int_equal(pthread_join(killer, NULL), 0);
    assert_int_equal(child.pid, 0);
    tear_down(&tree, sandbox);
    assert_true(is_childless());
}

/* A cell is asked for by the default, which does without one only when the system refuses. */
static void assert_cell(const char *here, bool comes)
{
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL};
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    const pare_namespace_sandbox *cell = NULL;
    pare_error err = {0};
    set_up(&tree, &options, &sandbox);
    assert_int_equal(pare_sandbox_enter(sandbox, 0, here, &cell, &err),
                     comes ? PARE_OK : PARE_E_IO);
    assert_true(comes == (cell != NULL));
    if (!comes) assert_non_null(strstr(err.message, "was killed"));
    assert_int_equal(pare_sandbox_level_in_force(sandbox), PARE_LEVEL_FULL);
    tear_down(&tree, sandbox);
    assert_true(is_childless());
}

static void test_sandbox__helpers_of_a_cell_that_die_are_made_again(void **state)
{
    (void)state;
    static const pare_start_point deaths[] = {PARE_POINT_CLERK, PARE_POINT_BUILDER};
    static const pare_start_point stops[] = {PARE_POINT_BUILDER, PARE_POINT_KEEPER};
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    open_cells(&tree, &sandbox, here);
    tear_down(&tree, sandbox);
    for (size_t k = 0; k < sizeof deaths / sizeof *deaths; k++) {
        pare_child_die_at(deaths[k]);
        assert_cell(here, true);
        pare_child_die_often_at(deaths[k], 3);
        assert_cell(here, false);
    }
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        pthread_t killer;
        pare_child_stop_at(stops[k]);
        assert_int_equal(pthread_create(&killer, NULL, kill_the_one_before, NULL), 0);
        assert_cell(here, true);
        assert_int_equal(pthread_join(killer, NULL), 0);
    }
}

/* As a user without rights: the maps of a process that was killed cannot be written, which is
 * not the system's refusal. Returns 0; 77: no cells here; the number of a failed try otherwise. */
static int lose_builders_as_a_user(const char *here)
{
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL};
    enum { TRIES = 30 };
    if (setgroups(0, NULL) || setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534) ||
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))
        return 77;
    for (int k = 0; k <= TRIES; k++) {
        pare_process_tree tree;
        pare_sandbox *sandbox = NULL;
        const pare_namespace_sandbox *cell = NULL;
        if (pare_process_tree_init(&tree, "sandbox", 2, false, NULL) ||
            pare_sandbox_new(&options, &tree, &sandbox, NULL))
            return 77;
        if (k) pare_child_die_at(PARE_POINT_BUILDER);
        const pare_status status = pare_sandbox_enter(sandbox, 0, here, &cell, NULL);
        const bool is_good = !status && cell;
        tear_down(&tree, sandbox);
        if (!is_good) return k ? k : 77;
    }
    return 0;
}

static void test_sandbox__a_killed_helper_of_a_users_cell_is_no_refusal(void **state)
{
    (void)state;
    if (geteuid() != 0) skip();
    siginfo_t info;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) _exit(lose_builders_as_a_user("/tmp"));
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED), 0);
    assert_int_equal(info.si_code, CLD_EXITED);
    if (info.si_status == 77) skip();
    assert_int_equal(info.si_status, 0);
}

#endif

/* Somebody kills process 1 of a cell between two tests, then during one. */
static void test_sandbox__a_keeper_that_is_killed_is_made_again(void **state)
{
    (void)state;
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    pare_spawner spawner = {0};
    pare_child child = {.pid = 0, .pidfd = -1};
    pare_ending ending = {0};
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL};
    const pare_namespace_sandbox *cell = NULL;
    const char *words[] = {"sh", "-c", "exec sleep 1000", NULL}, *environment[] = {NULL};
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    set_up(&tree, &options, &sandbox);
    pid_t keeper = enter(sandbox, here, &cell);
    if (!keeper) {
        tear_down(&tree, sandbox);
        skip();
    }
    const pare_spawn order = {.path = "/bin/sh",
                              .argv = (char *const *)(const void *)words,
                              .envp = (char *const *)(const void *)environment,
                              .directory_fd = -1,
                              .directory = here,
                              .input_fd = -1,
                              .output_fd = -1};
    assert_int_equal(pare_spawner_init(&spawner, NULL), PARE_OK);
    assert_true(pare_child_kill(keeper));
    assert_true(pare_descriptor_await(cell->join_fd, 60000)); /* its pidfd */
    assert_int_equal(pare_sandbox_start(sandbox, 0, &spawner, &order, &child, NULL), PARE_OK);
    assert_false(pare_sandbox_has_ended(sandbox, 0));
    pare_process_tree_enter(&tree, 0, child.pid);
    (void)enter(sandbox, here, &cell);
    assert_int_not_equal(cell->keeper, keeper);
    assert_true(pare_child_kill(cell->keeper));
    assert_true(pare_descriptor_await(child.pidfd, 60000));
    assert_int_equal(pare_process_tree_leave(&tree, 0, &ending, NULL), PARE_OK);
    assert_int_equal(ending.signal, SIGKILL);
    assert_true(pare_sandbox_has_ended(sandbox, 0));
    pare_sandbox_leave(sandbox, 0);
    (void)close(child.pidfd);
    pare_spawner_done(&spawner);
    tear_down(&tree, sandbox);
}

/* Tests of the same user may look into process 1 of their cell. */
static void test_sandbox__a_keeper_inherits_nothing(void **state)
{
    (void)state;
    const pare_sandbox_options options = {.level = PARE_LEVEL_FULL};
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    const pare_namespace_sandbox *cell = NULL;
    char here[4096], path[64];
    struct stat info;
    assert_non_null(getcwd(here, sizeof here));
    int leak = open("/", O_RDONLY | O_DIRECTORY);
    assert_true(leak >= 0);
    set_up(&tree, &options, &sandbox);
    pid_t keeper = enter(sandbox, here, &cell);
    if (keeper) {
        (void)snprintf(path, sizeof path, "/proc/%d/fd/0", (int)keeper);
        assert_int_equal(stat(path, &info), 0);
        (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)keeper, leak);
        assert_int_equal(stat(path, &info), -1);
    }
    assert_int_equal(close(leak), 0);
    tear_down(&tree, sandbox);
}

static void test_sandbox__a_writable_path_must_exist(void **state)
{
    (void)state;
    const char *const paths[] = {"/no/such/path"};
    const pare_sandbox_options options = {
        .level = PARE_LEVEL_FULL, .writable = paths, .n_writable = 1};
    pare_process_tree tree;
    pare_sandbox *sandbox = NULL;
    assert_int_equal(pare_process_tree_init(&tree, "sandbox", 1, false, NULL), PARE_OK);
    assert_int_equal(pare_sandbox_new(&options, &tree, &sandbox, NULL), PARE_E_ARG);
    assert_null(sandbox);
    pare_process_tree_done(&tree);
}

static void test_sandbox__limits_are_cut_to_our_own(void **state)
{
    (void)state;
    struct rlimit own;
    assert_int_equal(getrlimit(RLIMIT_NPROC, &own), 0);
    pare_spawn_limits limits = {.processes = UINT64_MAX - 1, .cpu_s = 5};
    pare_spawn_limits_clamp(&limits);
    if (own.rlim_max != RLIM_INFINITY) assert_true(limits.processes <= own.rlim_max);
    assert_true(limits.cpu_s <= 5);
    assert_int_equal(limits.memory_bytes, 0);
    assert_true(pare_spawn_limits_file_bytes() >= (uint64_t)1 << 30);
    assert_true(pare_machine_memory_bytes() >= pare_spawn_limits_file_bytes());
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
    pare_process_tree tree;
    assert_int_equal(pare_process_tree_init(&tree, "sandbox", 3, false, NULL), PARE_OK);
    sweep_allocations(make_and_free, &tree);
    pare_process_tree_done(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sandbox__a_cell_is_kept_as_long_as_it_is_clean),
        cmocka_unit_test(test_sandbox__nothing_of_a_test_is_left_for_the_next),
        cmocka_unit_test(test_sandbox__a_mount_does_not_reach_the_next_test),
        cmocka_unit_test(test_sandbox__a_new_directory_gets_a_new_cell),
        cmocka_unit_test(test_sandbox__an_emulator_has_none_and_says_so),
        cmocka_unit_test(test_sandbox__an_emulator_that_must_have_one_is_an_error),
#ifdef PARE_FAULT_INJECTION
        cmocka_unit_test(test_sandbox__a_start_that_made_no_process_is_an_error),
        cmocka_unit_test(test_sandbox__a_test_without_a_number_is_ended_too),
        cmocka_unit_test(test_sandbox__helpers_of_a_cell_that_die_are_made_again),
        cmocka_unit_test(test_sandbox__a_killed_helper_of_a_users_cell_is_no_refusal),
#endif
        cmocka_unit_test(test_sandbox__a_keeper_inherits_nothing),
        cmocka_unit_test(test_sandbox__a_keeper_that_is_killed_is_made_again),
        cmocka_unit_test(test_sandbox__a_writable_path_must_exist),
        cmocka_unit_test(test_sandbox__limits_are_cut_to_our_own),
        cmocka_unit_test(test_sandbox__out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
