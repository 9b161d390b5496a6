/* Names beside the input, and whether a file can be written under one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/paths.h"
#include "unit/support/scratch.h"

static void test_paths__mark_stands_before_the_extension(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"x.c", "x.min.c"},           {"x", "x.min"},         {".foo", ".foo.min"},
        {".foo.c", ".foo.min.c"},     {"a.b/x", "a.b/x.min"}, {"a.b/.x", "a.b/.x.min"},
        {"x.tar.gz", "x.tar.min.gz"}, {"x.", "x..min"},       {"/x.y/z.c", "/x.y/z.min.c"},
        {"a b\n.c", "a b\n.min.c"},   {"-x.c", "-x.min.c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_buffer name = {0};
        assert_int_equal(pare_paths_mark(&name, cases[i][0], "min", NULL), PARE_OK);
        assert_string_equal(name.data, cases[i][1]);
        pare_buffer_done(&name);
    }
}

static void test_paths__base_and_extension_are_parts_of_the_path(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"x.c", "x.c", ".c"},
        {"a/b.d/x.tar.gz", "x.tar.gz", ".gz"},
        {"a.b/x", "x", ""},
        {".foo", ".foo", ""},
        {"a/.foo.c", ".foo.c", ".c"},
        {"x.", "x.", ""},
        {"a/", "", ""},
        {"", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = cases[i][0];
        assert_string_equal(pare_paths_base(path), cases[i][1]);
        assert_string_equal(pare_paths_extension(path), cases[i][2]);
    }
}

static void test_paths__what_cannot_be_written_is_refused_with_the_option_that_named_it(
    void **state)
{
    (void)state;
    static const struct {
        const char *path, *wrong; /* NULL: it can be written */
    } cases[] = {
        {"new.c", NULL},
        {"file", NULL},
        {"folder/new.c", NULL},
        {"-", "a result cannot go to standard output; name a file"},
        {"folder", "it is a folder; name a file"},
        {"/dev/null", "it is not a regular file; name one"},
        {"nowhere/new.c", "its folder does not exist; name another place"},
        {"file/new.c", "its folder does not exist; name another place"},
    };
    scratch_write("file", "text", 0644);
    assert_int_equal(mkdir("folder", 0755), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_error err = {0};
        char sentence[200];
        pare_status status = pare_paths_check_file("output", cases[i].path, &err);
        assert_int_equal(status, cases[i].wrong ? PARE_E_IO : PARE_OK);
        if (!cases[i].wrong) continue;
        (void)snprintf(sentence, sizeof sentence, "cannot write '%s': %s with --output",
                       cases[i].path, cases[i].wrong);
        assert_string_equal(err.message, sentence);
    }
    assert_int_equal(access("new.c", F_OK), -1); /* looking creates nothing */
    assert_file_holds("file", "text");
}

static void test_paths__a_folder_may_be_replaced_by_a_result(void **state)
{
    (void)state;
    pare_error err = {0};
    assert_int_equal(pare_paths_check_parent("output", "folder", NULL), PARE_OK);
    assert_int_equal(pare_paths_check_parent("output", "nowhere/x", &err), PARE_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths__mark_stands_before_the_extension),
        cmocka_unit_test(test_paths__base_and_extension_are_parts_of_the_path),
        cmocka_unit_test(
            test_paths__what_cannot_be_written_is_refused_with_the_option_that_named_it),
        cmocka_unit_test(test_paths__a_folder_may_be_replaced_by_a_result),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
