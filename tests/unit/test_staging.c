/* Folders that appear whole or not at all, helper programs, the data folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "os/helper.h"
#include "os/staging.h"
#include "os/user_data.h"
#include "unit/support/scratch.h"

static void write_in(const pare_staging *staging, const char *text)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/file", pare_staging_path(staging));
    scratch_write(path, text, 0644);
}

static pare_staging *open_shelf(void)
{
    pare_staging *staging = NULL;
    assert_int_equal(pare_staging_open("a/shelf", &staging, NULL), PARE_OK);
    return staging;
}

static void commit(const char *text)
{
    pare_staging *staging = open_shelf();
    write_in(staging, text);
    assert_int_equal(pare_staging_commit(staging, "name", NULL), PARE_OK);
    pare_staging_close(staging);
}

static void test_staging__commit_puts_and_replaces_a_whole_folder(void **state)
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

static void test_staging__what_is_not_committed_is_gone(void **state)
{
    (void)state;
    commit("one");
    pare_staging *staging = open_shelf();
    write_in(staging, "two");
    pare_staging_close(staging);
    assert_file_holds("a/shelf/name/file", "one");
    assert_int_equal(count_entries("a/shelf"), 2);
    pare_staging_close(NULL);
}

static void test_staging__sweeps_what_a_killed_process_left(void **state)
{
    (void)state;
    assert_int_equal(pare_file_make_directories("a/shelf/.new-dead00/deep", NULL), PARE_OK);
    pare_staging_close(open_shelf());
    assert_false(pare_file_exists("a/shelf/.new-dead00"));
}

static void test_staging__move_and_discard(void **state)
{
    (void)state;
    commit("one");
    pare_staging *staging = open_shelf();
    pare_error err = {0};
    write_in(staging, "two");
    assert_int_equal(pare_staging_move(staging, "file", "other", NULL), PARE_OK);
    assert_int_equal(pare_staging_move(staging, "file", "other", &err), PARE_E_IO);
    assert_int_equal(pare_staging_discard(staging, "name", NULL), PARE_OK);
    assert_int_equal(pare_staging_discard(staging, "none", NULL), PARE_E_IO);
    assert_false(pare_file_exists("a/shelf/name"));
    pare_staging_close(staging);
    assert_int_equal(count_entries("a/shelf"), 1);
}

static pare_helper_end run(const char *script, int timeout_ms)
{
    char *sh = NULL;
    const char *const argv[] = {"sh", "-c", script, NULL};
    pare_helper_end end = {0};
    assert_int_equal(pare_helper_find("sh", &sh, NULL), PARE_OK);
    const pare_helper helper = {.path = sh,
                                .argv = argv,
                                .directory = scratch_dir,
                                .log_path = "log",
                                .timeout_ms = timeout_ms};
    assert_int_equal(pare_helper_run(&helper, &end, NULL), PARE_OK);
    pare_release(sh);
    return end;
}

static void test_helper__runs_in_its_directory_and_logs(void **state)
{
    (void)state;
    char wanted[128];
    (void)snprintf(wanted, sizeof wanted, "%s\nerr\n", scratch_dir);
    assert_int_equal(run("pwd; echo err >&2; exit 7", 0).exit_code, 7);
    assert_file_holds("log", wanted);
    assert_int_equal(run("kill -9 $$", 0).exit_code, 128 + 9);
}

static void test_helper__is_killed_when_its_time_is_over(void **state)
{
    (void)state;
    pare_helper_end end = run("sleep 60", 50);
    assert_true(end.timed_out);
    assert_int_equal(end.exit_code, 128 + 9);
}

static void test_helper__says_what_is_not_there(void **state)
{
    (void)state;
    char *out = NULL;
    pare_error err = {0};
    pare_helper_end end = {0};
    const char *const argv[] = {"x", NULL};
    const pare_helper helper = {.path = "/nonexistent", .argv = argv, .directory = "/"};
    assert_int_equal(pare_helper_find("no-such-program-here", &out, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "no-such-program-here"));
    assert_null(out);
    assert_int_equal(pare_helper_run(&helper, &end, NULL), PARE_E_IO);
}

static void assert_data(const char *own, const char *xdg, const char *home, const char *wanted)
{
    char *path = NULL;
    (void)setenv("PARE_DATA", own, 1);
    (void)setenv("XDG_DATA_HOME", xdg, 1);
    (void)setenv("HOME", home, 1);
    pare_status status = pare_user_data_path("b", &path, NULL);
    assert_int_equal(status, wanted ? PARE_OK : PARE_E_STATE);
    if (wanted) assert_string_equal(path, wanted);
    pare_release(path);
}

static void test_user_data__the_first_variable_that_is_set_counts(void **state)
{
    (void)state;
    assert_data("/own", "/xdg", "/home", "/own/b");
    assert_data("", "/xdg", "/home", "/xdg/pare/b");
    assert_data("", "relative", "/home", "/home/.local/share/pare/b");
    assert_data("", "", "", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_staging__commit_puts_and_replaces_a_whole_folder),
        cmocka_unit_test(test_staging__what_is_not_committed_is_gone),
        cmocka_unit_test(test_staging__sweeps_what_a_killed_process_left),
        cmocka_unit_test(test_staging__move_and_discard),
        cmocka_unit_test(test_helper__runs_in_its_directory_and_logs),
        cmocka_unit_test(test_helper__is_killed_when_its_time_is_over),
        cmocka_unit_test(test_helper__says_what_is_not_there),
        cmocka_unit_test(test_user_data__the_first_variable_that_is_set_counts),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
