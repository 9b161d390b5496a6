/* Where what is added to pare is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "os/data_folders.h"

static void assert_data(const char *own, const char *xdg, const char *home, const char *wanted)
{
    char *path = NULL;
    (void)setenv("PARE_DATA", own, 1);
    (void)setenv("XDG_DATA_HOME", xdg, 1);
    (void)setenv("HOME", home, 1);
    pare_status status = pare_data_folders_user_path("b", &path, NULL);
    assert_int_equal(status, wanted ? PARE_OK : PARE_E_STATE);
    if (wanted) assert_string_equal(path, wanted);
    pare_alloc_free(path);
}

static void test_data_folders__the_first_variable_that_is_set_counts(void **state)
{
    (void)state;
    assert_data("/own", "/xdg", "/home", "/own/b");
    assert_data("", "/xdg", "/home", "/xdg/pare/b");
    assert_data("", "relative", "/home", "/home/.local/share/pare/b");
    assert_data("", "", "", NULL);
}

static void test_data_folders__a_cache_is_for_what_can_be_made_again(void **state)
{
    static const char *const cases[][3] = {{"/xdg", "/home", "/xdg/pare/b"},
                                           {"relative", "/home", "/home/.cache/pare/b"},
                                           {"", "", NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = NULL;
        (void)setenv("XDG_CACHE_HOME", cases[i][0], 1);
        (void)setenv("HOME", cases[i][1], 1);
        assert_int_equal(pare_data_folders_cache_path("b", &path, NULL),
                         cases[i][2] ? PARE_OK : PARE_E_STATE);
        if (cases[i][2]) assert_string_equal(path, cases[i][2]);
        pare_alloc_free(path);
    }
}

static void assert_listed(const pare_data_folders *folders, size_t k, const char *wanted)
{
    assert_true(k < folders->n);
    assert_string_equal(folders->paths[k], wanted);
}

static void test_data_folders__a_list_in_the_environment_takes_the_place_of_all(void **state)
{
    (void)state;
    pare_data_folders folders = {.n = 0};
    (void)setenv("PARE_TEST_FOLDERS", "/a::/b", 1);
    assert_int_equal(pare_data_folders_list("b", "PARE_TEST_FOLDERS", &folders, NULL), PARE_OK);
    assert_int_equal(folders.n, 2);
    assert_listed(&folders, 0, "/a");
    assert_listed(&folders, 1, "/b");
    pare_data_folders_done(&folders);
}

static void test_data_folders__an_empty_list_is_none(void **state)
{
    (void)state;
    pare_data_folders folders = {.n = 0};
    char *path = NULL;
    (void)setenv("PARE_TEST_FOLDERS", "", 1);
    assert_int_equal(pare_data_folders_list("b", "PARE_TEST_FOLDERS", &folders, NULL), PARE_OK);
    assert_int_equal(folders.n, 0);
    pare_data_folders_done(&folders);
    assert_int_equal(pare_data_folders_system_path("b", "PARE_TEST_FOLDERS", &path, NULL), PARE_OK);
    assert_string_equal(path, "/usr/local/lib/pare/b");
    pare_alloc_free(path);
}

static void test_data_folders__libexec_comes_first_of_the_usual_ones(void **state)
{
    (void)state;
    pare_data_folders folders = {.n = 0};
    (void)unsetenv("PARE_TEST_FOLDERS");
    (void)setenv("PARE_LIBEXEC", "/libexec", 1);
    assert_int_equal(pare_data_folders_list("b", "PARE_TEST_FOLDERS", &folders, NULL), PARE_OK);
    assert_listed(&folders, 0, "/libexec/b");
    pare_data_folders_done(&folders);
    (void)unsetenv("PARE_LIBEXEC");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data_folders__the_first_variable_that_is_set_counts),
        cmocka_unit_test(test_data_folders__a_cache_is_for_what_can_be_made_again),
        cmocka_unit_test(test_data_folders__a_list_in_the_environment_takes_the_place_of_all),
        cmocka_unit_test(test_data_folders__an_empty_list_is_none),
        cmocka_unit_test(test_data_folders__libexec_comes_first_of_the_usual_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
