/* Other failures: one folder, two files each, the smallest candidate of each signature. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/checksum.h"
#include "session/output/output.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char bytes[] = "0123456789";

static pare_status add(pare_other_failures *others, size_t size, const char *signature,
                       pare_error *err)
{
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    pare_status status = pare_text_copy(bytes, sizeof bytes - 1, &text, err);
    if (!status) pare_candidate_start(&candidate, text);
    if (!status) status = pare_candidate_slice(&candidate, 0, size, err);
    if (!status) status = pare_output_add_other(others, &candidate, signature, err);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    return status;
}

/* The name of one of the files of `signature`; static. */
static const char *file_of(const char *dir, const char *signature, const char *suffix)
{
    static char path[256];
    (void)snprintf(path, sizeof path, "%s/%08x%s", dir,
                   (uint32_t)pare_checksum(signature, strlen(signature)), suffix);
    return path;
}

static void test_output__keeps_the_smallest_of_each_signature(void **state)
{
    const pare_output output = {.strip = 0};
    pare_other_failures others = {.dir = "new/also", .base_name = "crash.c", .output = &output};
    static const struct {
        const char *signature;
        size_t size, best;
    } steps[] = {{"exit 1", 5, 5}, {"exit 2", 7, 7}, {"exit 1", 6, 5},
                 {"exit 1", 5, 5}, {"exit 1", 2, 2}, {"exit 2", 8, 7}};
    (void)state;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        char best[16] = "", line[64];
        memcpy(best, bytes, steps[k].best);
        (void)snprintf(line, sizeof line, "%s\n", steps[k].signature);
        assert_int_equal(add(&others, steps[k].size, steps[k].signature, NULL), PARE_OK);
        assert_file_holds(file_of("new/also", steps[k].signature, ".c"), best);
        assert_file_holds(file_of("new/also", steps[k].signature, ".signature"), line);
    }
    assert_int_equal(count_entries("new/also"), 4);
    assert_int_equal(others.n, 2);
    assert_string_equal(others.list[0].signature, "exit 1"); /* in the order they were met */
    assert_int_equal(others.list[0].size_bytes, 2);
    assert_int_equal(others.list[0].n_tests, 4);
    assert_string_equal(others.list[1].path, file_of("new/also", "exit 2", ".c"));
    assert_int_equal(others.list[1].n_tests, 2);
    pare_output_others_done(&others);
    assert_int_equal(others.n, 0);
}

static void test_output__a_candidate_has_the_suffix_of_the_input(void **state)
{
    const pare_output output = {.strip = 0};
    static const char *const names[][2] = {
        {"a.tar.gz", ".gz"}, {"plain", ""}, {".hidden", ""}, {".hidden.js", ".js"}};
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char dir[16];
        (void)snprintf(dir, sizeof dir, "suffix%zu", k);
        pare_other_failures others = {.dir = dir, .base_name = names[k][0], .output = &output};
        assert_int_equal(add(&others, 3, "hang", NULL), PARE_OK);
        assert_file_holds(file_of(dir, "hang", names[k][1]), "012");
        pare_output_others_done(&others);
    }
}

static void test_output__without_a_folder_they_are_only_counted(void **state)
{
    const pare_output output = {.strip = 0};
    pare_other_failures others = {.base_name = "x", .output = &output};
    size_t before = count_entries(".");
    (void)state;
    assert_int_equal(add(&others, 4, "exit 1", NULL), PARE_OK);
    assert_int_equal(add(&others, 3, "exit 1", NULL), PARE_OK);
    assert_int_equal(others.n, 1);
    assert_null(others.list[0].path);
    assert_int_equal(others.list[0].size_bytes, 3);
    assert_int_equal(count_entries("."), before);
    pare_output_others_done(&others);
}

static void test_output__are_bounded_and_known_ones_still_improve(void **state)
{
    const pare_output output = {.strip = 0};
    pare_other_failures others = {.base_name = "x", .output = &output};
    (void)state;
    for (unsigned k = 0; k < PARE_OTHER_FAILURES_MAX + 20; k++) {
        char signature[32];
        (void)snprintf(signature, sizeof signature, "exit %u", k);
        assert_int_equal(add(&others, 5, signature, NULL), PARE_OK);
    }
    assert_int_equal(others.n, PARE_OTHER_FAILURES_MAX);
    assert_int_equal(add(&others, 1, "exit 0", NULL), PARE_OK);
    assert_int_equal(others.list[0].size_bytes, 1);
    pare_output_others_done(&others);
}

static void test_output__what_cannot_be_written_is_no_smallest_one(void **state)
{
    const pare_output output = {.strip = 0};
    pare_other_failures others = {.dir = "taken", .base_name = "x", .output = &output};
    pare_error err = {0};
    (void)state;
    scratch_write("taken", "a file", 0644);
    assert_int_equal(add(&others, 4, "exit 1", &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "taken"));
    assert_int_equal(others.n, 0);
    assert_int_equal(unlink("taken"), 0);
    assert_int_equal(add(&others, 6, "exit 1", NULL), PARE_OK);
    assert_file_holds(file_of("taken", "exit 1", ""), "012345");
    pare_output_others_done(&others);
}

static pare_status add_some(void *context)
{
    const pare_output output = {.strip = 0};
    pare_other_failures others = {.dir = "swept", .base_name = "in.c", .output = &output};
    (void)context;
    pare_status status = add(&others, 5, "exit 1", NULL);
    if (!status) status = add(&others, 4, "exit 1", NULL);
    if (!status) status = add(&others, 4, "exit 2", NULL);
    for (size_t k = 0; k < others.n; k++)
        assert_non_null(others.list[k].path);
    pare_output_others_done(&others);
    return status;
}

static void test_output__survive_each_allocation_failing(void **state)
{
    (void)state;
    sweep_allocations(add_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output__keeps_the_smallest_of_each_signature),
        cmocka_unit_test(test_output__a_candidate_has_the_suffix_of_the_input),
        cmocka_unit_test(test_output__without_a_folder_they_are_only_counted),
        cmocka_unit_test(test_output__are_bounded_and_known_ones_still_improve),
        cmocka_unit_test(test_output__what_cannot_be_written_is_no_smallest_one),
        cmocka_unit_test(test_output__survive_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
