/* Append-only files: what is kept, cut and locked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "os/log_file.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static pare_log_file *open_log(const char *path)
{
    pare_log_file *log = NULL;
    assert_int_equal(pare_log_file_open(path, PARE_SYNC_SECOND, &log, NULL), PARE_OK);
    return log;
}

static void assert_log_holds(pare_log_file *log, const char *wanted)
{
    pare_buffer found = {0};
    assert_int_equal(pare_log_file_read(log, &found, NULL), PARE_OK);
    assert_int_equal(found.size, strlen(wanted));
    assert_memory_equal(found.data, wanted, found.size);
    pare_buffer_done(&found);
}

static void test_log_file__what_was_appended_is_there_when_it_is_opened_again(void **state)
{
    (void)state;
    pare_log_file *log = open_log("log");
    assert_int_equal(pare_log_file_append(log, "one ", 4, NULL), PARE_OK);
    assert_int_equal(pare_log_file_append(log, "two", 3, NULL), PARE_OK);
    assert_log_holds(log, "one two");
    pare_log_file_close(log);
    log = open_log("log");
    assert_log_holds(log, "one two");
    pare_log_file_close(log);
}

static void test_log_file__what_is_cut_is_written_over(void **state)
{
    (void)state;
    pare_log_file *log = open_log("cut");
    assert_int_equal(pare_log_file_append(log, "whole torn", 10, NULL), PARE_OK);
    assert_int_equal(pare_log_file_cut(log, 6, NULL), PARE_OK);
    assert_log_holds(log, "whole ");
    assert_int_equal(pare_log_file_append(log, "new", 3, NULL), PARE_OK);
    assert_log_holds(log, "whole new");
    pare_log_file_close(log);
}

static void test_log_file__one_at_a_time_has_it(void **state)
{
    (void)state;
    pare_error err = {0};
    pare_log_file *log = open_log("locked"), *other = NULL;
    assert_int_equal(pare_log_file_open("locked", PARE_SYNC_SECOND, &other, &err), PARE_E_BUSY);
    assert_null(other);
    assert_non_null(strstr(err.message, "locked is in use by another pare"));
    pare_log_file_close(log);
    pare_log_file_close(open_log("locked"));
}

static void test_log_file__removed_it_takes_an_empty_folder_with_it(void **state)
{
    (void)state;
    for (int other = 0; other < 2; other++) {
        assert_int_equal(mkdir("folder", 0700), 0);
        if (other) scratch_write("folder/other", "x", 0600);
        assert_int_equal(pare_log_file_remove(open_log("folder/log"), "folder", NULL), PARE_OK);
        assert_false(pare_file_exists("folder/log"));
        assert_int_equal(pare_file_exists("folder"), other);
        assert_int_equal(pare_file_remove_tree("folder", NULL), PARE_OK);
    }
}

static pare_status open_and_close(void *context)
{
    pare_log_file *log = NULL;
    (void)context;
    pare_status status = pare_log_file_open("swept", PARE_SYNC_SECOND, &log, NULL);
    if (status) assert_null(log);
    pare_log_file_close(log);
    return status;
}

static void test_log_file__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(open_and_close, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_file__what_was_appended_is_there_when_it_is_opened_again),
        cmocka_unit_test(test_log_file__what_is_cut_is_written_over),
        cmocka_unit_test(test_log_file__one_at_a_time_has_it),
        cmocka_unit_test(test_log_file__removed_it_takes_an_empty_folder_with_it),
        cmocka_unit_test(test_log_file__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
