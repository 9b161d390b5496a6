/* Adding a language: what each step that fails says, and that nothing is left on the shelf then.
 * npm, tar and cc are scripts of the test's own; that real packages are added is tested by
 * tests/cli/test_lang.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/language.h>

#include "base/buffer.h"
#include "os/file.h"
#include "unit/support/scratch.h"

/* A data folder, and a folder of programs, which is all there is in PATH but the system's. */
static int set_up(void **state)
{
    char path[128];
    if (scratch_setup(state)) return -1;
    (void)snprintf(path, sizeof path, "%s/bin", scratch_dir);
    (void)setenv("PARE_DATA", "user", 1);
    (void)setenv("PATH", path, 1);
    return pare_file_make_directories("bin", NULL);
}

/* What npm names the archive of json; its bytes are no package. */
static const char FETCHES[] = "echo x > tree-sitter-json-0.24.8.tgz";

/* Adding json fails with that status, a sentence with `part` in it, and an empty shelf. */
static void expect_failure(pare_status wanted, const char *part)
{
    pare_error err = {0};
    pare_language_state state = {0};
    pare_status status = pare_language_add("json", &err);
    if (status != wanted || !strstr(err.message, part)) fail_msg("%d: %s", status, err.message);
    assert_int_equal(pare_language_inspect("json", &state, NULL), PARE_OK);
    assert_false(state.added);
    assert_false(pare_file_exists("user/languages/json"));
}

static void test_install__a_name_that_is_none_is_told_before_anything_is_begun(void **state)
{
    (void)state;
    pare_error err = {0};
    assert_int_equal(pare_language_add("nosuch", &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "'pare lang list'"));
    assert_false(pare_file_exists("user"));
}

static void test_install__a_program_that_is_missing_is_named_with_what_to_do(void **state)
{
    (void)state;
    if (!pare_language_supported()) skip();
    expect_failure(PARE_E_STATE, "'npm' is needed to add a language and is not in PATH: install "
                                 "Node.js with npm, then 'pare lang add json'");
    scratch_script("bin/npm", "exit 1");
    expect_failure(PARE_E_STATE, "'tar' is needed");
    scratch_script("bin/tar", "exit 1");
    expect_failure(PARE_E_STATE, "'cc' is needed");
}

static void test_install__npm_is_quoted_where_it_cannot_fetch(void **state)
{
    (void)state;
    if (!pare_language_supported()) skip();
    scratch_script("bin/npm", "echo 'npm error code E404'; exit 1");
    scratch_script("bin/tar", "exit 1");
    scratch_script("bin/cc", "exit 1");
    expect_failure(PARE_E_IO, "npm cannot fetch tree-sitter-json@0.24.8, it says E404");
    scratch_script("bin/npm", "exit 0"); /* no archive either */
    expect_failure(PARE_E_IO, "npm cannot fetch tree-sitter-json@0.24.8");
}

static void test_install__another_archive_is_not_unpacked(void **state)
{
    (void)state;
    if (!pare_language_supported()) skip();
    scratch_script("bin/npm", FETCHES);
    char unpack[128];
    (void)snprintf(unpack, sizeof unpack, "echo x > %s/unpacked", scratch_dir);
    scratch_script("bin/tar", unpack);
    scratch_script("bin/cc", "exit 1");
    expect_failure(PARE_E_CORRUPT, "what npm fetched is not tree-sitter-json 0.24.8: its digest is "
                                   "sha512-");
    assert_false(pare_file_exists("unpacked"));
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(test_install__a_name_that_is_none_is_told_before_anything_is_begun),
        test(test_install__a_program_that_is_missing_is_named_with_what_to_do),
        test(test_install__npm_is_quoted_where_it_cannot_fetch),
        test(test_install__another_archive_is_not_unpacked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
