/* Folders that are replaced as a whole, once keeping what they were; folders that appear whole
 * or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>

#include <cmocka.h>

#include "os/folder.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

/* What is put into a folder: one file, with this text as its content. */
static int put(void *context, int folder, int previous)
{
    const char *text = context;
    (void)previous;
    int fd = openat(folder, "file", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return errno;
    bool written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    return close(fd) || !written ? EIO : 0;
}

static int refuse(void *context, int folder, int previous)
{
    (void)context;
    (void)folder;
    (void)previous;
    return ENOSPC;
}

static void make(const char *folder, const char *text)
{
    assert_int_equal(pare_file_remove_tree(folder, NULL), PARE_OK);
    assert_int_equal(pare_folder_replace(folder, &(pare_folder_replacing){.sync = PARE_SYNC_SECOND},
                                         put, (void *)(uintptr_t)text, NULL),
                     PARE_OK);
}

static void assert_holds(const char *folder, const char *expected)
{
    char path[64];
    pare_buffer bytes = {0};
    (void)snprintf(path, sizeof path, "%s/file", folder);
    assert_int_equal(pare_file_read(path, &bytes, NULL), PARE_OK);
    assert_string_equal(bytes.data, expected);
    pare_buffer_done(&bytes);
}

/* Entries of the current directory. */
static size_t count_here(void)
{
    size_t n = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (const struct dirent *entry; (entry = readdir(here));)
        n += entry->d_name[0] != '.';
    (void)closedir(here);
    return n;
}

struct announced {
    uint64_t inode, original;
    bool kept_was_free;
    int failure;
};

static int note(void *context, uint64_t inode)
{
    struct announced *announced = context;
    announced->inode = inode;
    announced->kept_was_free =
        !pare_file_exists("a.orig") && pare_folder_inode("a") == announced->original;
    return announced->failure;
}

/* The new one is in its place before the old one, which is large, is gone; another one waits for that. */
static void test_folder__what_is_replaced_goes_meanwhile(void **state)
{
    enum { FILES = 3000 };
    (void)state;
    pare_folder_removal removal = {.path = NULL};
    make("large", "old");
    for (int i = 0; i < FILES; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "large/%d", i);
        assert_int_equal(pare_file_write_bytes(path, "x", 1, NULL), PARE_OK);
    }
    const size_t n = count_here();
    assert_false(pare_folder_removal_is_busy(&removal));
    for (int i = 0; i < 3; i++) {
        static const char *const texts[] = {"one", "two", "three"};
        assert_int_equal(pare_folder_replace(
                             "large",
                             &(pare_folder_replacing){.sync = PARE_SYNC_NEVER, .removal = &removal},
                             put, (void *)(uintptr_t)texts[i], NULL),
                         PARE_OK);
        assert_holds("large", texts[i]);
    }
    pare_folder_removal_finish(&removal);
    assert_false(pare_folder_removal_is_busy(&removal));
    assert_int_equal(count_here(), n);
    pare_folder_removal_finish(&removal);
    assert_int_equal(pare_file_remove_tree("large", NULL), PARE_OK);
}

static void test_folder__what_is_kept_is_the_same_folder(void **state)
{
    (void)state;
    make("a", "before");
    struct announced announced = {.original = pare_folder_inode("a")};
    const pare_folder_keep keep = {.kept = "a.orig", .announce = note, .context = &announced};
    assert_int_equal(pare_folder_replace_keeping("a", &keep, put, "after", NULL), PARE_OK);
    assert_holds("a", "after");
    assert_holds("a.orig", "before");
    assert_true(announced.kept_was_free);
    assert_int_equal(pare_folder_inode("a.orig"), announced.original);
    assert_int_equal(pare_folder_inode("a"), announced.inode);
    assert_int_equal(count_here(), 2);
    assert_int_equal(pare_file_remove_tree("a.orig", NULL), PARE_OK);
}

static void test_folder__a_name_that_is_taken_is_left_alone(void **state)
{
    (void)state;
    pare_error err = {0};
    make("a", "before");
    make("a.orig", "precious");
    const pare_folder_keep keep = {.kept = "a.orig"};
    assert_int_equal(pare_folder_replace_keeping("a", &keep, put, "after", &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "cannot write a"));
    assert_holds("a", "before");
    assert_holds("a.orig", "precious");
    assert_int_equal(count_here(), 2);
    assert_int_equal(pare_file_rename_free("a", "a.orig"), EEXIST);
    assert_int_equal(pare_file_rename_free("a", "b"), 0);
    assert_int_equal(pare_file_rename_free("none", "c"), ENOENT);
    assert_int_equal(pare_file_remove_tree("a.orig", NULL), PARE_OK);
    assert_int_equal(pare_file_remove_tree("b", NULL), PARE_OK);
}

static void test_folder__a_failure_changes_nothing(void **state)
{
    (void)state;
    make("a", "before");
    struct announced announced = {.original = pare_folder_inode("a"), .failure = EIO};
    const pare_folder_keep keep = {.kept = "a.orig", .announce = note, .context = &announced};
    assert_int_equal(pare_folder_replace_keeping("a", &keep, refuse, NULL, NULL), PARE_E_IO);
    assert_int_equal(announced.inode, 0);
    assert_int_equal(pare_folder_replace_keeping("a", &keep, put, "after", NULL), PARE_E_IO);
    assert_int_equal(pare_folder_replace("a", &(pare_folder_replacing){.sync = PARE_SYNC_SECOND},
                                         refuse, NULL, NULL),
                     PARE_E_IO);
    assert_int_equal(pare_folder_inode("a"), announced.original);
    assert_int_equal(count_here(), 1);
}

static void test_folder__one_that_is_not_there_cannot_be_kept(void **state)
{
    (void)state;
    const pare_folder_keep keep = {.kept = "none.orig"};
    assert_int_equal(pare_folder_replace_keeping("none", &keep, put, "after", NULL), PARE_E_IO);
    assert_false(pare_file_exists("none"));
    assert_false(pare_file_exists("none.orig"));
}

static void test_folder__holds_knows_links_and_paths_to_be(void **state)
{
    (void)state;
    make("a", "x");
    assert_int_equal(symlink("a", "link"), 0);
    assert_true(pare_folder_holds("a", "a/new"));
    assert_true(pare_folder_holds("a", "link/new"));
    assert_false(pare_folder_holds("a", "b"));
    assert_false(pare_folder_holds("a", "a"));
    assert_true(pare_folder_is_plain("a"));
    assert_false(pare_folder_is_plain("link"));
    assert_false(pare_folder_is_plain("a/file"));
    assert_int_equal(pare_folder_inode("none"), 0);
    assert_int_equal(unlink("link"), 0);
}

static pare_status replace_kept(void *context)
{
    (void)context;
    assert_int_equal(pare_file_remove_tree("s", NULL), PARE_OK);
    assert_int_equal(pare_file_remove_tree("s.orig", NULL), PARE_OK);
    assert_int_equal(mkdir("s", 0700), 0);
    uint64_t original = pare_folder_inode("s");
    const pare_folder_keep keep = {.kept = "s.orig"};
    pare_status status = pare_folder_replace_keeping("s", &keep, put, "after", NULL);
    assert_int_equal(pare_folder_inode(status ? "s" : "s.orig"), original);
    return status;
}

static void test_folder__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(replace_kept, NULL);
}

static void write_in(const pare_folder_stage *staging, const char *text)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/file", pare_folder_stage_path(staging));
    scratch_write(path, text, 0644);
}

static pare_folder_stage *open_shelf(void)
{
    pare_folder_stage *staging = NULL;
    assert_int_equal(pare_folder_stage_open("a/shelf", &staging, NULL), PARE_OK);
    return staging;
}

static void commit(const char *text)
{
    pare_folder_stage *staging = open_shelf();
    write_in(staging, text);
    assert_int_equal(pare_folder_stage_commit(staging, "name", NULL), PARE_OK);
    pare_folder_stage_close(staging);
}

static void test_folder__staging_puts_and_replaces_a_whole_folder(void **state)
{
    (void)state;
    commit("one");
    assert_file_holds("a/shelf/name/file", "one");
    scratch_write("a/shelf/name/more", "x", 0644);
    commit("two");
    assert_file_holds("a/shelf/name/file", "two");
    assert_int_equal(count_entries("a/shelf/name"), 1);
    assert_int_equal(count_entries("a/shelf"), 2); /* the folder and the lock */
}

static void test_folder__staging_what_is_not_committed_is_gone(void **state)
{
    (void)state;
    commit("one");
    pare_folder_stage *staging = open_shelf();
    write_in(staging, "two");
    pare_folder_stage_close(staging);
    assert_file_holds("a/shelf/name/file", "one");
    assert_int_equal(count_entries("a/shelf"), 2);
    pare_folder_stage_close(NULL);
}

static void test_folder__staged_sweeps_what_a_killed_process_left(void **state)
{
    (void)state;
    assert_int_equal(pare_file_make_directories("a/shelf/.new-dead00/deep", NULL), PARE_OK);
    pare_folder_stage_close(open_shelf());
    assert_false(pare_file_exists("a/shelf/.new-dead00"));
}

static void test_folder__staged_move_and_discard(void **state)
{
    (void)state;
    commit("one");
    pare_folder_stage *staging = open_shelf();
    pare_error err = {0};
    write_in(staging, "two");
    assert_int_equal(pare_folder_stage_move(staging, "file", "other", NULL), PARE_OK);
    assert_int_equal(pare_folder_stage_move(staging, "file", "other", &err), PARE_E_IO);
    assert_int_equal(pare_folder_stage_discard(staging, "name", NULL), PARE_OK);
    assert_int_equal(pare_folder_stage_discard(staging, "none", NULL), PARE_E_IO);
    assert_false(pare_file_exists("a/shelf/name"));
    pare_folder_stage_close(staging);
    assert_int_equal(count_entries("a/shelf"), 1);
}

/* So a later run, which sweeps what the dead have left, leaves it alone. */
static void test_folder__scratch_is_locked_until_it_is_removed(void **state)
{
    (void)state;
    char *path = NULL;
    assert_int_equal(pare_folder_make_scratch(&path, NULL), PARE_OK);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), -1);
    assert_int_equal(put((void *)(uintptr_t) "text", fd, -1), 0);
    char *kept = strdup(path);
    pare_folder_remove_scratch(path);
    assert_false(pare_file_exists(kept));
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    (void)close(fd);
    free(kept);
    pare_folder_remove_scratch(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folder__what_is_replaced_goes_meanwhile),
        cmocka_unit_test(test_folder__scratch_is_locked_until_it_is_removed),
        cmocka_unit_test(test_folder__what_is_kept_is_the_same_folder),
        cmocka_unit_test(test_folder__a_name_that_is_taken_is_left_alone),
        cmocka_unit_test(test_folder__a_failure_changes_nothing),
        cmocka_unit_test(test_folder__one_that_is_not_there_cannot_be_kept),
        cmocka_unit_test(test_folder__holds_knows_links_and_paths_to_be),
        cmocka_unit_test(test_folder__staging_puts_and_replaces_a_whole_folder),
        cmocka_unit_test(test_folder__staging_what_is_not_committed_is_gone),
        cmocka_unit_test(test_folder__staged_sweeps_what_a_killed_process_left),
        cmocka_unit_test(test_folder__staged_move_and_discard),
        cmocka_unit_test(test_folder__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
