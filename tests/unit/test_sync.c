/* Bringing files to disk: at once and later, and what fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "os/sync.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

enum { NO_FD = 1000000 };

static void test_sync__files_folders_and_names_are_synced(void **state)
{
    (void)state;
    scratch_write("file", "bytes", 0600);
    int fd = open("file", O_RDONLY | O_CLOEXEC);
    assert_int_equal(pare_sync_descriptor(fd, PARE_SYNC_SECOND), 0);
    assert_int_equal(pare_sync_tree(fd, PARE_SYNC_ALWAYS), 0);
    assert_int_equal(close(fd), 0);
    static const char *const names[] = {"file", "./file", ".//file/", "/", "/tmp", "new"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(pare_sync_name(names[i], PARE_SYNC_SECOND), 0);
        assert_int_equal(pare_sync_way(names[i], PARE_SYNC_SECOND), 0);
    }
    assert_int_equal(pare_sync_path(".", PARE_SYNC_SECOND), 0);
}

static void test_sync__what_is_not_there_cannot_be_synced(void **state)
{
    (void)state;
    assert_int_equal(pare_sync_path("none", PARE_SYNC_SECOND), ENOENT);
    assert_int_equal(pare_sync_name("none/name", PARE_SYNC_SECOND), ENOENT);
    assert_int_equal(pare_sync_way("none/name", PARE_SYNC_ALWAYS), ENOENT);
    assert_int_equal(pare_sync_descriptor(NO_FD, PARE_SYNC_SECOND), EBADF);
    assert_int_equal(pare_sync_tree(NO_FD, PARE_SYNC_ALWAYS), EBADF);
}

static void test_sync__never_touches_nothing(void **state)
{
    (void)state;
    assert_int_equal(pare_sync_path("none", PARE_SYNC_NEVER), 0);
    assert_int_equal(pare_sync_name("none/name", PARE_SYNC_NEVER), 0);
    assert_int_equal(pare_sync_descriptor(NO_FD, PARE_SYNC_NEVER), 0);
    assert_int_equal(pare_sync_tree(NO_FD, PARE_SYNC_NEVER), 0);
}

static pare_sync_later *later_of(int fd, pare_sync sync)
{
    pare_sync_later *later = NULL;
    assert_int_equal(pare_sync_later_new(fd, sync, &later, NULL), PARE_OK);
    return later;
}

/* A descriptor that there is not shows who has tried to sync it. */
static void test_sync__later_syncs_by_itself_and_tells_a_failure_once(void **state)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    pare_sync_later *later = later_of(NO_FD, PARE_SYNC_SECOND);
    (void)state;
    int failed = pare_sync_later_note(later);
    while (!failed) {
        (void)nanosleep(&moment, NULL);
        failed = pare_sync_later_note(later);
    }
    assert_int_equal(failed, EBADF);
    pare_sync_later_close(later);
}

static void test_sync__always_syncs_at_once_and_never_not_at_all(void **state)
{
    (void)state;
    pare_sync_later *later = later_of(NO_FD, PARE_SYNC_ALWAYS);
    assert_int_equal(pare_sync_later_note(later), EBADF);
    pare_sync_later_drop(later);
    later = later_of(NO_FD, PARE_SYNC_NEVER);
    assert_int_equal(pare_sync_later_note(later), 0);
    pare_sync_later_close(later);
    pare_sync_later_close(NULL);
    pare_sync_later_drop(NULL);
}

static void test_sync__later_ends_in_every_state(void **state)
{
    (void)state;
    scratch_write("log", "", 0600);
    for (int notes = 0; notes < 3; notes++) {
        int fd = open("log", O_WRONLY | O_CLOEXEC);
        pare_sync_later *later = later_of(fd, PARE_SYNC_SECOND);
        for (int k = 0; k < notes; k++)
            assert_int_equal(pare_sync_later_note(later), 0);
        if (notes & 1)
            pare_sync_later_close(later);
        else
            pare_sync_later_drop(later);
        assert_int_equal(close(fd), 0);
    }
}

static pare_status make_and_free(void *context)
{
    pare_sync_later *later = NULL;
    (void)context;
    pare_status status = pare_sync_later_new(NO_FD, PARE_SYNC_SECOND, &later, NULL);
    pare_sync_later_drop(later);
    return status;
}

static void test_sync__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(make_and_free, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sync__files_folders_and_names_are_synced),
        cmocka_unit_test(test_sync__what_is_not_there_cannot_be_synced),
        cmocka_unit_test(test_sync__never_touches_nothing),
        cmocka_unit_test(test_sync__later_syncs_by_itself_and_tells_a_failure_once),
        cmocka_unit_test(test_sync__always_syncs_at_once_and_never_not_at_all),
        cmocka_unit_test(test_sync__later_ends_in_every_state),
        cmocka_unit_test(test_sync__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
