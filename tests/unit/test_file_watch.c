/* A watch sees what happens to its file and to the log beside it, and nothing else. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/file_watch.h"
#include "unit/alloc_sweep.h"

static char folder[] = "/tmp/pare-watch-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[100];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void touch(const char *name)
{
    int fd = open(path_of(name), O_WRONLY | O_CREAT | O_APPEND, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
}

/* Waits for an event: it comes, or the test does not end. */
static bool changed(pare_file_watch *watch)
{
    struct pollfd one = {.fd = pare_file_watch_fd(watch), .events = POLLIN};
    assert_int_equal(poll(&one, 1, -1), 1);
    return pare_file_watch_changed(watch);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    static const char *const names[] = {"a.db", "a.db-wal", "a.db-shm", "a.dbx", "b", "new"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(path_of(names[i]));
    return rmdir(folder);
}

static void test_file_watch__sees_its_file_and_its_log(void **state)
{
    (void)state;
    pare_file_watch *watch = NULL;
    assert_int_equal(pare_file_watch_new(path_of("a.db"), &watch, NULL), PARE_OK);
    assert_false(pare_file_watch_changed(watch));
    static const struct {
        const char *name;
        bool counts;
    } cases[] = {{"a.db", true},      {"a.db", true},   {"a.db-wal", true},
                 {"a.db-shm", false}, {"a.dbx", false}, {"b", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        touch(cases[i].name);
        assert_int_equal(changed(watch), cases[i].counts);
        assert_false(pare_file_watch_changed(watch));
    }
    pare_file_watch_free(watch);
}

static void test_file_watch__sees_a_file_that_is_replaced_or_removed(void **state)
{
    (void)state;
    pare_file_watch *watch = NULL;
    char from[100];
    touch("new");
    assert_int_equal(pare_file_watch_new(path_of("a.db"), &watch, NULL), PARE_OK);
    (void)snprintf(from, sizeof from, "%s", path_of("new"));
    assert_int_equal(rename(from, path_of("a.db")), 0);
    assert_true(changed(watch));
    assert_int_equal(unlink(path_of("a.db")), 0);
    assert_true(changed(watch));
    pare_file_watch_free(watch);
}

static void test_file_watch__a_missing_folder_is_an_error(void **state)
{
    (void)state;
    pare_file_watch *watch = NULL;
    pare_error err = {0};
    assert_int_equal(pare_file_watch_new("/nowhere/at/all", &watch, &err), PARE_E_IO);
    assert_null(watch);
    assert_string_equal(err.message, "cannot watch /nowhere/at: No such file or directory");
    pare_file_watch_free(NULL);
}

static pare_status attempt(void *path)
{
    pare_file_watch *watch = NULL;
    pare_status status = pare_file_watch_new(path, &watch, NULL);
    assert_true(!status == (watch != NULL));
    pare_file_watch_free(watch);
    return status;
}

static void test_file_watch__memory_may_run_out(void **state)
{
    (void)state;
    static char path[] = "name-alone";
    sweep_allocations(attempt, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_watch__sees_its_file_and_its_log),
        cmocka_unit_test(test_file_watch__sees_a_file_that_is_replaced_or_removed),
        cmocka_unit_test(test_file_watch__a_missing_folder_is_an_error),
        cmocka_unit_test(test_file_watch__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
