/* Slot folders: names, leftovers, full memory, clean-up.  What tests do to them while
 * they run is in test_process.c. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/interrupt.h"
#include "os/sandbox/slotdir.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static int add_text(void *context, pare_iovec *gather)
{
    return pare_descriptor_gather_add(gather, context, strlen(context));
}

static pare_slotdirs *make_dirs(const char *base_name)
{
    pare_slotdirs *dirs = NULL;
    const pare_slotdirs_options options = {
        .run_id = "unit", .base_name = base_name, .n_slots = 3, .disk_dir = scratch_dir};
    pare_error err = {0};
    if (pare_slotdirs_new(&options, &dirs, &err)) fail_msg("%s", err.message);
    return dirs;
}

static void put(pare_slotdirs *dirs, unsigned slot, char *text)
{
    pare_error err = {0};
    if (pare_slotdirs_put(dirs, slot, add_text, text, &err)) fail_msg("%s", err.message);
    assert_file_holds(pare_slotdirs_path(dirs, slot), text);
}

static void test_slotdir__any_base_name_is_written_and_removed(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "-rf", "a b", "a\nb", "\xff\xfe", "*", "..."};
    static char text[] = "text";
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        pare_slotdirs *dirs = make_dirs(names[k]);
        put(dirs, 1, text);
        assert_int_equal(count_entries(pare_slotdirs_root(dirs)), 1);
        pare_slotdirs_clear(dirs, 1);
        assert_false(pare_file_exists(pare_slotdirs_path(dirs, 1)));
        put(dirs, 1, text);
        pare_slotdirs_free(dirs);
        assert_false(pare_file_exists("/dev/shm/pare-unit"));
    }
}

static void test_slotdir__names_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"", ".", "..", "a/b", NULL};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        pare_slotdirs *dirs = NULL;
        const pare_slotdirs_options options = {
            .run_id = "unit", .base_name = names[k], .n_slots = 1};
        assert_int_equal(pare_slotdirs_new(&options, &dirs, NULL), PARE_E_ARG);
        assert_null(dirs);
    }
}

/* --- what runs have left that were killed ------------------------------------------------ */

/* The folder of a run of that process, with something in it; static. */
static const char *make_left(pid_t pid, const char *digits)
{
    static char path[4096];
    char inside[4200];
    (void)snprintf(path, sizeof path, "%s/pare-%d-%s", scratch_dir, (int)pid, digits);
    assert_int_equal(mkdir(path, 0700), 0);
    (void)snprintf(inside, sizeof inside, "%s/0", path);
    assert_int_equal(mkdir(inside, 0700), 0);
    return path;
}

/* Whether a folder is still there after somebody has started; it is removed then. */
static bool outlasts_a_start(const char *path)
{
    pare_slotdirs_free(make_dirs("in"));
    bool there = pare_file_exists(path);
    assert_int_equal(pare_file_remove_tree(path, NULL), PARE_OK);
    return there;
}

static void test_slotdir__what_dead_runs_left_goes_and_nothing_else(void **state)
{
    (void)state;
    static const char digits[] = "0123456789abcdef";
    const pid_t dead = INT_MAX; /* no process has that number */
    assert_false(outlasts_a_start(make_left(dead, digits)));
    assert_true(outlasts_a_start(make_left(getpid(), digits)));
    assert_false(outlasts_a_start(make_left(dead, "aZ09bY"))); /* a scratch folder */
    assert_true(outlasts_a_start(make_left(dead, "aZ.9bY")));
    assert_true(outlasts_a_start(make_left(dead, "no-digits")));
    assert_true(outlasts_a_start(make_left(dead, "0123456789abcdef0")));
    assert_true(outlasts_a_start(make_left(1, digits)));
    const char *path = make_left(dead, digits); /* its number counts elsewhere, where it lives */
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    assert_true(outlasts_a_start(path));
    (void)close(fd);
    if (geteuid() != 0) return;
    path = make_left(dead, digits);
    assert_int_equal(chown(path, 65534, 65534), 0);
    assert_true(outlasts_a_start(path));
}

static void test_slotdir__a_run_that_lives_has_locked_its_folder(void **state)
{
    (void)state;
    static char text[] = "text";
    pare_slotdirs *dirs = make_dirs("in");
    put(dirs, 0, text);
    int fd = open(pare_slotdirs_root(dirs), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), -1);
    assert_int_equal(errno, EWOULDBLOCK);
    (void)close(fd);
    pare_slotdirs_free(dirs);
}

static void test_slotdir__marks_of_root_do_not_keep_a_folder(void **state)
{
    (void)state;
    static char text[] = "text";
    char path[4096];
    int flags = 0;
    pare_slotdirs *dirs = make_dirs("in");
    put(dirs, 0, text);
    (void)snprintf(path, sizeof path, "%s/marked", pare_slotdirs_folder(dirs, 0));
    int fd = open(path, O_CREAT | O_RDONLY | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    bool can = !ioctl(fd, FS_IOC_GETFLAGS, &flags);
    flags |= FS_IMMUTABLE_FL;
    can = can && !ioctl(fd, FS_IOC_SETFLAGS, &flags);
    (void)close(fd);
    pare_slotdirs_clear(dirs, 0);
    assert_int_equal(count_entries(pare_slotdirs_folder(dirs, 0)), 0);
    pare_slotdirs_free(dirs);
    if (!can) skip(); /* no root, or a file system without marks */
}

/* Killed between the two, we would leave it behind for ever. */
static void test_slotdir__nothing_is_made_before_a_guard_can_be_set(void **state)
{
    (void)state;
    static char text[] = "text";
    pare_slotdirs *dirs = make_dirs("in");
    assert_false(pare_file_exists(pare_slotdirs_root(dirs)));
    put(dirs, 0, text);
    assert_true(pare_file_exists(pare_slotdirs_root(dirs)));
    pare_slotdirs_free(dirs);
}

static void test_slotdir__the_directory_is_private(void **state)
{
    (void)state;
    static char text[] = "text";
    pare_slotdirs *dirs = make_dirs("in");
    put(dirs, 0, text);
    assert_int_equal(pare_file_mode(pare_slotdirs_root(dirs)), 0700);
    assert_int_equal(pare_file_mode(pare_slotdirs_path(dirs, 0)), 0600);
    pare_slotdirs_free(dirs);
}

static void test_slotdir__a_removed_root_is_made_again(void **state)
{
    (void)state;
    static char text[] = "text";
    pare_slotdirs *dirs = make_dirs("in");
    put(dirs, 0, text);
    put(dirs, 1, text);
    assert_int_equal(pare_file_remove_tree(pare_slotdirs_root(dirs), NULL), PARE_OK);
    pare_slotdirs_clear(dirs, 0);
    pare_slotdirs_clear(dirs, 1);
    put(dirs, 0, text);
    put(dirs, 1, text);
    pare_slotdirs_free(dirs);
    assert_false(pare_file_exists("/dev/shm/pare-unit"));
}

/* Memory is full for the first two tries. */
static void test_slotdir__a_candidate_that_nobody_waits_for_is_not_written(void **state)
{
    (void)state;
    static char text[] = "text";
    atomic_bool stop = true;
    pare_slotdirs *dirs = make_dirs("in");
    put(dirs, 0, text);
    pare_slotdirs_clear(dirs, 0);
    (void)pare_interrupt_watch((pare_interrupt){{&stop}});
    assert_int_equal(pare_slotdirs_put(dirs, 0, add_text, text, NULL), PARE_E_INTERRUPTED);
    (void)pare_interrupt_watch((pare_interrupt){{NULL}});
    assert_false(pare_file_exists(pare_slotdirs_path(dirs, 0)));
    put(dirs, 0, text);
    pare_slotdirs_free(dirs);
}

static int full_at_first(void *context, pare_iovec *gather)
{
    int *tries = context;
    if ((*tries)++ < 2) return ENOSPC;
    return pare_descriptor_gather_add(gather, "text", 4);
}

static int always_full(void *context, pare_iovec *gather)
{
    (void)context;
    (void)gather;
    return ENOSPC;
}

static void test_slotdir__a_slot_moves_to_disk_when_memory_is_full(void **state)
{
    (void)state;
    int tries = 0;
    static char text[] = "text";
    pare_slotdirs *dirs = make_dirs("in");
    if (!pare_slotdirs_disk_root(dirs)) { /* no tmpfs here */
        pare_slotdirs_free(dirs);
        skip();
    }
    assert_int_equal(pare_slotdirs_put(dirs, 2, full_at_first, &tries, NULL), PARE_OK);
    assert_memory_equal(pare_slotdirs_path(dirs, 2), scratch_dir, strlen(scratch_dir));
    assert_file_holds(pare_slotdirs_path(dirs, 2), text);
    pare_slotdirs_clear(dirs, 2);
    put(dirs, 1, text); /* the others stay in memory */
    assert_memory_equal(pare_slotdirs_path(dirs, 1), "/dev/shm/", 9);
    pare_error err = {0};
    assert_int_equal(pare_slotdirs_put(dirs, 0, always_full, NULL, &err), PARE_E_IO);
    assert_int_equal(err.os_errno, ENOSPC);
    pare_slotdirs_free(dirs);
    assert_int_equal(count_entries(scratch_dir), 0);
}

static pare_status make(void *context)
{
    (void)context;
    static char text[] = "text";
    pare_slotdirs *dirs = NULL;
    const pare_slotdirs_options options = {.run_id = "unit", .base_name = "in", .n_slots = 2};
    pare_status status = pare_slotdirs_new(&options, &dirs, NULL);
    if (status) assert_null(dirs);
    if (!status) status = pare_slotdirs_put(dirs, 1, add_text, text, NULL);
    pare_slotdirs_free(dirs);
    assert_false(pare_file_exists("/dev/shm/pare-unit"));
    return status;
}

static void test_slotdir__out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    sweep_allocations(make, NULL);
}

/* Mounts something in a deep folder below `start`, whose path is longer in the kernel's list than a
 * path may be, since each blank takes four bytes there; its first name begins with `shift` letters. */
static bool mount_deep(const char *start, size_t shift)
{
    enum { FOLDERS = 6, BLANKS = 240 };
    char name[BLANKS + 1];
    memset(name, 'x', shift);
    memset(name + shift, ' ', BLANKS - shift);
    name[BLANKS] = '\0';
    if (chdir(start)) return false;
    for (int k = 0; k < FOLDERS; k++)
        if (mkdir(name, 0755) || chdir(name)) return false;
    return !mount("left", ".", "tmpfs", 0, NULL) && !chdir("/");
}

/* In a name space of mounts of its own, as root.  Whatever is cut off a long path, the mount in the
 * slot's folder is found and detached. Returns 0; 77: no such mount here. */
static int leave_long_mounts(void)
{
    static char text[] = "text";
    pare_slotdirs *dirs = NULL;
    const pare_slotdirs_options options = {
        .run_id = "mounts", .base_name = "in", .n_slots = 1, .disk_dir = scratch_dir};
    if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        pare_slotdirs_new(&options, &dirs, NULL) ||
        pare_slotdirs_put(dirs, 0, add_text, text, NULL))
        return 77;
    for (size_t shift = 0; shift < 4; shift++)
        if (chdir(scratch_dir) || !mount_deep("others", shift)) return 77;
    if (!mount_deep(pare_slotdirs_folder(dirs, 0), 0)) return 77;
    const int before = pare_slotdirs_fd(dirs, 0);
    pare_slotdirs_clear(dirs, 0);
    const bool is_emptied = pare_slotdirs_fd(dirs, 0) == before;
    pare_slotdirs_free(dirs);
    return is_emptied ? 0 : 1;
}

static void test_slotdir__a_mount_is_detached_whatever_paths_others_have(void **state)
{
    (void)state;
    siginfo_t info;
    assert_int_equal(mkdir("others", 0755), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) _exit(leave_long_mounts());
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED), 0);
    assert_int_equal(pare_file_remove_tree("others", NULL), PARE_OK);
    assert_int_equal(info.si_code, CLD_EXITED);
    if (info.si_status == 77) skip();
    assert_int_equal(info.si_status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slotdir__a_mount_is_detached_whatever_paths_others_have),
        cmocka_unit_test(test_slotdir__any_base_name_is_written_and_removed),
        cmocka_unit_test(test_slotdir__names_that_are_none_are_refused),
        cmocka_unit_test(test_slotdir__what_dead_runs_left_goes_and_nothing_else),
        cmocka_unit_test(test_slotdir__a_run_that_lives_has_locked_its_folder),
        cmocka_unit_test(test_slotdir__marks_of_root_do_not_keep_a_folder),
        cmocka_unit_test(test_slotdir__nothing_is_made_before_a_guard_can_be_set),
        cmocka_unit_test(test_slotdir__the_directory_is_private),
        cmocka_unit_test(test_slotdir__a_removed_root_is_made_again),
        cmocka_unit_test(test_slotdir__a_candidate_that_nobody_waits_for_is_not_written),
        cmocka_unit_test(test_slotdir__a_slot_moves_to_disk_when_memory_is_full),
        cmocka_unit_test(test_slotdir__out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
