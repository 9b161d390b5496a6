/* Whole files and folders: reading, atomic writing, hashing, removing. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/interrupt.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static void test_file__a_regular_file_costs_its_size(void **state)
{
    (void)state;
    enum { SIZE = 300000 };
    static char bytes[SIZE];
    pare_buffer buffer = {0};
    memset(bytes, 'b', SIZE);
    assert_int_equal(pare_file_write_bytes("big", bytes, SIZE, NULL), PARE_OK);
    assert_int_equal(pare_file_read("big", &buffer, NULL), PARE_OK);
    assert_int_equal(buffer.size, SIZE);
    assert_int_equal(buffer.capacity, SIZE + 1);
    assert_memory_equal(buffer.data, bytes, SIZE);
    pare_buffer_done(&buffer);
}

/* Asks the thread that reads to stop. */
static void *ask_to_stop(void *flag)
{
    const struct timespec while_it_waits = {.tv_nsec = 50000000};
    (void)nanosleep(&while_it_waits, NULL);
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

static void test_file__waiting_for_what_nobody_writes_ends_with_a_stop(void **state)
{
    (void)state;
    atomic_bool stop = false;
    pare_buffer buffer = {0};
    pare_hash hash = {{0}};
    size_t size = 0;
    pthread_t thread;
    assert_int_equal(mkfifo("silent", 0600), 0);
    (void)pare_interrupt_watch((pare_interrupt){{&stop}});
    assert_int_equal(pthread_create(&thread, NULL, ask_to_stop, &stop), 0);
    assert_int_equal(pare_file_read("silent", &buffer, NULL), PARE_E_INTERRUPTED);
    assert_int_equal(pare_file_hash("silent", &hash, &size, NULL), PARE_E_INTERRUPTED);
    (void)pare_interrupt_watch((pare_interrupt){{NULL}});
    assert_int_equal(pthread_join(thread, NULL), 0);
    pare_buffer_done(&buffer);
}

/* Writes to the named pipe when its reader waits already, in two parts. */
static void *write_late(void *unused)
{
    const struct timespec while_it_waits = {.tv_nsec = 50000000};
    (void)unused;
    (void)nanosleep(&while_it_waits, NULL);
    const int fd = open("spoken", O_WRONLY | O_CLOEXEC);
    bool is_written = write(fd, "one ", 4) == 4;
    (void)nanosleep(&while_it_waits, NULL);
    is_written = write(fd, "two", 3) == 3 && is_written;
    (void)close(fd);
    return is_written ? NULL : "not written";
}

static void test_file__a_named_pipe_is_read_to_its_end(void **state)
{
    (void)state;
    pare_buffer buffer = {0};
    pthread_t thread;
    void *trouble = NULL;
    assert_int_equal(mkfifo("spoken", 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, write_late, NULL), 0);
    assert_int_equal(pare_file_read("spoken", &buffer, NULL), PARE_OK);
    assert_string_equal(buffer.data, "one two");
    assert_int_equal(pthread_join(thread, &trouble), 0);
    assert_null(trouble);
    pare_buffer_done(&buffer);
}

static void test_file__empty_files_and_streams_are_read_whole(void **state)
{
    (void)state;
    pare_buffer buffer = {0};
    int ends[2];
    scratch_write("empty", "", 0600);
    assert_int_equal(pare_file_read("empty", &buffer, NULL), PARE_OK);
    assert_int_equal(buffer.size, 0);
    assert_int_equal(pipe(ends), 0);
    for (int k = 0; k < 1000; k++)
        assert_int_equal(write(ends[1], "0123456789", 10), 10);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(pare_file_read_fd(ends[0], "pipe", &buffer, NULL), PARE_OK);
    assert_int_equal(buffer.size, 10000);
    assert_memory_equal(buffer.data + 9990, "0123456789", 11);
    (void)close(ends[0]);
    pare_buffer_done(&buffer);
}

/* What was told of a reading. */
struct told {
    size_t n, last_bytes, size_bytes;
};

static void take_told(void *context, size_t read_bytes, size_t size_bytes)
{
    struct told *told = context;
    assert_true(read_bytes > told->last_bytes || read_bytes == size_bytes);
    told->n++;
    told->last_bytes = read_bytes;
    told->size_bytes = size_bytes;
}

static void test_file__a_large_file_is_told_of_and_left_when_asked(void **state)
{
    (void)state;
    enum { LARGE = (1 << 24) + 4096 }; /* just more than is read at once */
    struct told told = {0};
    const pare_file_reading reading = {.tell = take_told, .context = &told};
    pare_buffer buffer = {0};
    atomic_bool stop = false;
    scratch_write("large", "", 0600);
    assert_int_equal(truncate("large", LARGE), 0);
    (void)pare_interrupt_watch((pare_interrupt){{&stop}});
    assert_int_equal(pare_file_read_told("large", &reading, &buffer, NULL), PARE_OK);
    assert_int_equal(buffer.size, LARGE);
    assert_true(told.n >= 2);
    assert_int_equal(told.last_bytes, LARGE);
    assert_int_equal(told.size_bytes, LARGE);
    stop = true;
    assert_int_equal(pare_file_read("large", &buffer, NULL), PARE_E_INTERRUPTED);
    assert_int_equal(buffer.size, 0);
    scratch_write("small", "text", 0600); /* is read all the same: who ends a run reads some */
    assert_int_equal(pare_file_read("small", &buffer, NULL), PARE_OK);
    (void)pare_interrupt_watch((pare_interrupt){{NULL}});
    pare_buffer_done(&buffer);
}

static void test_file__what_cannot_be_read_gets_its_sentence(void **state)
{
    (void)state;
    pare_buffer buffer = {0};
    pare_error err = {0};
    assert_int_equal(pare_file_read("missing", &buffer, &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "missing does not exist"));
    pare_fail_clear(&err);
    assert_int_equal(pare_file_read("/tmp", &buffer, &err), PARE_E_IO);
    assert_string_equal(err.message, "/tmp is a directory; give one file");
    pare_buffer_done(&buffer);
}

static void test_file__a_base_name_is_what_stands_behind_the_last_slash(void **state)
{
    (void)state;
    assert_string_equal(pare_file_base_name("a.c"), "a.c");
    assert_string_equal(pare_file_base_name("../x/a.c"), "a.c");
    assert_string_equal(pare_file_base_name("/x/"), "");
}

/* Process numbers end at 2^22, so this one cannot be alive. */
#define NOBODY "99999999"

static void test_file__what_killed_writers_left_is_swept(void **state)
{
    (void)state;
    char own[64];
    (void)snprintf(own, sizeof own, "swept/out.%d-0.tmp", (int)getpid());
    const char *const kept[] = {own,
                                "swept/out",
                                "swept/out." NOBODY "-0.tmp.txt",
                                "swept/out." NOBODY ".tmp",
                                "swept/out.-1-0.tmp",
                                "swept/out." NOBODY "-.tmp",
                                "swept/other." NOBODY "-0.tmp"};
    const size_t n = sizeof kept / sizeof *kept;
    assert_int_equal(mkdir("swept", 0700), 0);
    for (size_t k = 0; k < n; k++)
        scratch_write(kept[k], "kept", 0600);
    scratch_write("swept/out." NOBODY "-0.tmp", "half", 0600);
    scratch_write("swept/out." NOBODY "-17.tmp", "half", 0600);
    pare_file_sweep("swept/out");
    pare_file_sweep("swept/missing/out");
    assert_int_equal(count_entries("swept"), n);
    for (size_t k = 0; k < n; k++)
        assert_file_holds(kept[k], "kept");
    assert_int_equal(chdir("swept"), 0);
    scratch_write("out." NOBODY "-0.tmp", "half", 0600);
    pare_file_sweep("out");
    assert_int_equal(count_entries("."), n);
    assert_int_equal(chdir(".."), 0);
}

static void test_file__script_runs_for_whoever_may_read_it(void **state)
{
    (void)state;
    pare_error error;
    mode_t old = umask(0027);
    assert_int_equal(pare_file_write_script("script", PARE_SYNC_NEVER, "x", 1, &error), PARE_OK);
    assert_int_equal(pare_file_mode("script"), 0750);
    assert_int_equal(chmod("script", 0604), 0);
    assert_int_equal(pare_file_write_script("script", PARE_SYNC_NEVER, "y", 1, &error), PARE_OK);
    assert_int_equal(pare_file_mode("script"), 0705);
    (void)umask(old);
}

static void test_file__writing_keeps_mode_and_links(void **state)
{
    (void)state;
    scratch_write("target", "old", 0751);
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(pare_file_write_bytes("link", "new", 3, NULL), PARE_OK);
    assert_file_holds("target", "new");
    assert_int_equal(pare_file_mode("target"), 0751);
    struct stat info;
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static int refuse(void *context, pare_iovec *gather)
{
    (void)context;
    return pare_descriptor_gather_add(gather, "half", 4) ? 1 : 5;
}

static void test_file__a_failed_write_leaves_the_old_file_and_nothing_else(void **state)
{
    (void)state;
    assert_int_equal(mkdir("quiet", 0755), 0);
    scratch_write("quiet/file", "old", 0644);
    pare_error err = {0};
    assert_int_equal(pare_file_write("quiet/file", PARE_SYNC_SECOND, refuse, NULL, &err),
                     PARE_E_IO);
    assert_int_equal(err.os_errno, 5);
    assert_file_holds("quiet/file", "old");
    assert_int_equal(count_entries("quiet"), 1);
    assert_int_equal(pare_file_write_bytes("no/such/folder", "x", 1, NULL), PARE_E_IO);
    assert_int_equal(pare_file_write_bytes("quiet", "x", 1, NULL), PARE_E_IO);
}

static int add_many(void *context, pare_iovec *gather)
{
    const size_t *n = context;
    for (size_t k = 0; k < *n; k++) {
        int failed = pare_descriptor_gather_add(gather, "ab" + k % 2, 1);
        if (failed) return failed;
    }
    return 0;
}

static void test_file__more_runs_than_a_batch_are_written_in_order(void **state)
{
    (void)state;
    size_t n = 3 * PARE_IOVEC_RUNS + 7;
    pare_buffer buffer = {0};
    assert_int_equal(pare_file_write("runs", PARE_SYNC_SECOND, add_many, &n, NULL), PARE_OK);
    assert_int_equal(pare_file_read("runs", &buffer, NULL), PARE_OK);
    assert_int_equal(buffer.size, n);
    for (size_t k = 0; k < n; k++)
        assert_int_equal(buffer.data[k], "ab"[k % 2]);
    pare_buffer_done(&buffer);
}

static void test_file__hashes_tell_contents_apart(void **state)
{
    (void)state;
    pare_hash one = {{0, 0}}, two = one, expected = one;
    size_t size = 0;
    scratch_write("h", "some text", 0644);
    assert_int_equal(pare_file_hash("h", &one, &size, NULL), PARE_OK);
    assert_int_equal(size, 9);
    expected = pare_digest_extend(expected, "some text", 9);
    assert_int_equal(one.lane[0], expected.lane[0]);
    scratch_write("h", "some test", 0644);
    assert_int_equal(pare_file_hash("h", &two, &size, NULL), PARE_OK);
    assert_int_not_equal(one.lane[0], two.lane[0]);
}

static void test_file__directories_are_made_with_their_parents(void **state)
{
    (void)state;
    assert_int_equal(pare_file_make_directories("m/n/o", NULL), PARE_OK);
    assert_int_equal(pare_file_make_directories("m/n/o/", NULL), PARE_OK);
    assert_true(pare_file_is_directory("m/n/o"));
    scratch_write("m/file", "x", 0644);
    assert_int_equal(pare_file_make_directories("m/file/o", NULL), PARE_E_IO);
}

static void test_file__a_removed_tree_follows_no_link(void **state)
{
    (void)state;
    char path[64];
    scratch_write("outside", "x", 0644);
    assert_int_equal(pare_file_make_directories("tree/a/b/c", NULL), PARE_OK);
    assert_int_equal(symlink("../outside", "tree/link"), 0);
    assert_int_equal(symlink("/", "tree/a/root"), 0);
    for (int k = 0; k < 300; k++) {
        (void)snprintf(path, sizeof path, "tree/a/%d", k);
        scratch_write(path, "x", 0);
    }
    assert_int_equal(chmod("tree/a/b", 0), 0);
    assert_int_equal(pare_file_remove_tree("tree", NULL), PARE_OK);
    assert_false(pare_file_exists("tree"));
    assert_true(pare_file_exists("outside"));
    assert_int_equal(pare_file_remove_tree("tree", NULL), PARE_OK);
}

static pare_status read_and_write(void *context)
{
    (void)context;
    pare_buffer buffer = {0};
    pare_status status = pare_file_write_bytes("sweep", "bytes", 5, NULL);
    if (!status) status = pare_file_read("sweep", &buffer, NULL);
    pare_buffer_done(&buffer);
    return status;
}

static void test_file__out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    sweep_allocations(read_and_write, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file__a_regular_file_costs_its_size),
        cmocka_unit_test(test_file__waiting_for_what_nobody_writes_ends_with_a_stop),
        cmocka_unit_test(test_file__a_named_pipe_is_read_to_its_end),
        cmocka_unit_test(test_file__empty_files_and_streams_are_read_whole),
        cmocka_unit_test(test_file__a_large_file_is_told_of_and_left_when_asked),
        cmocka_unit_test(test_file__what_cannot_be_read_gets_its_sentence),
        cmocka_unit_test(test_file__a_base_name_is_what_stands_behind_the_last_slash),
        cmocka_unit_test(test_file__what_killed_writers_left_is_swept),
        cmocka_unit_test(test_file__script_runs_for_whoever_may_read_it),
        cmocka_unit_test(test_file__writing_keeps_mode_and_links),
        cmocka_unit_test(test_file__a_failed_write_leaves_the_old_file_and_nothing_else),
        cmocka_unit_test(test_file__more_runs_than_a_batch_are_written_in_order),
        cmocka_unit_test(test_file__hashes_tell_contents_apart),
        cmocka_unit_test(test_file__directories_are_made_with_their_parents),
        cmocka_unit_test(test_file__a_removed_tree_follows_no_link),
        cmocka_unit_test(test_file__out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
