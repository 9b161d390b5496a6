/* Where the originals of a reduction in place are, and what reductions leave of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "base/alloc.h"
#include "os/folder.h"
#include "session/output/in_place.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static void clear(void)
{
    static const char *const names[] = {"dir", "dir.orig", "file", "file.orig", "journal", "link"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_int_equal(pare_file_remove_tree(names[i], NULL), PARE_OK);
    assert_int_equal(mkdir("dir", 0700), 0);
    scratch_write("dir/a", "bug", 0600);
    scratch_write("file", "bug", 0600);
}

static const char *const both[] = {"dir//", "file"};

static pare_status find(pare_originals *originals, pare_error *err)
{
    const pare_input_options input = {.paths = both, .n_paths = 2};
    *originals = (pare_originals){.n = 0};
    return pare_in_place_find_originals(&input, "journal", originals, err);
}

static void assert_sources(const char *first, const char *second)
{
    pare_originals originals;
    assert_int_equal(find(&originals, NULL), PARE_OK);
    assert_string_equal(originals.places[0], "dir");
    assert_string_equal(originals.sources[0], first);
    assert_string_equal(originals.sources[1], second);
    pare_in_place_originals_done(&originals);
}

static void test_in_place__originals_are_the_inputs_at_first(void **state)
{
    (void)state;
    clear();
    assert_sources("dir", "file");
}

static void test_in_place__orig_is_somebodys_without_a_journal(void **state)
{
    (void)state;
    pare_originals originals;
    pare_error err = {0};
    clear();
    scratch_write("file.orig", "precious", 0600);
    assert_int_equal(find(&originals, &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "'file.orig' exists already and would be lost"));
    pare_in_place_originals_done(&originals);
}

static void test_in_place__orig_is_the_original_beside_a_journal(void **state)
{
    (void)state;
    clear();
    assert_int_equal(mkdir("journal", 0700), 0);
    scratch_write("journal/journal", "", 0600);
    assert_int_equal(mkdir("dir.orig", 0700), 0);
    scratch_write("file.orig", "as it was", 0600);
    assert_sources("dir.orig", "file.orig");
    assert_int_equal(unlink("file"), 0); /* all of it went */
    assert_sources("dir.orig", "file.orig");
}

static void test_in_place__a_result_between_two_renames_is_known(void **state)
{
    (void)state;
    char line[64];
    clear();
    assert_int_equal(mkdir("journal", 0700), 0);
    scratch_write("journal/journal", "", 0600);
    assert_int_equal(mkdir("dir.orig", 0700), 0);
    (void)snprintf(line, sizeof line, "1\n%llu\n",
                   (unsigned long long)pare_folder_inode("dir.orig"));
    scratch_write("journal/in-place", line, 0600);
    assert_int_equal(link("file", "file.orig"), 0); /* killed before it was replaced */
    assert_sources("dir", "file");
    assert_false(pare_file_exists("dir.orig"));
    assert_true(pare_file_exists("dir/a"));
    pare_in_place_drop("journal");
    assert_false(pare_file_exists("journal/in-place"));
}

static void test_in_place__what_cannot_be_replaced_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *inputs[2];
        size_t n;
        const char *sentence;
    } cases[] = {
        {{"."}, 1, "give it as FOLDER/NAME"},
        {{"link"}, 1, "give the folder that it points to"},
        {{"dir", "dir/a"}, 2, "one is in the other"},
        {{"file", "file"}, 2, "they are the same file"},
    };
    clear();
    assert_int_equal(symlink("dir", "link"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pare_input_options input = {.paths = cases[i].inputs, .n_paths = cases[i].n};
        pare_originals originals = {.n = 0};
        pare_error err = {0};
        assert_int_equal(pare_in_place_find_originals(&input, NULL, &originals, &err), PARE_E_ARG);
        assert_non_null(strstr(err.message, cases[i].sentence));
        pare_in_place_originals_done(&originals);
    }
}

static pare_status find_and_forget(void *context)
{
    pare_originals originals;
    (void)context;
    pare_status status = find(&originals, NULL);
    pare_in_place_originals_done(&originals);
    return status;
}

static void test_in_place__finding_survives_every_failed_allocation(void **state)
{
    (void)state;
    clear();
    sweep_allocations(find_and_forget, NULL);
}

/* ---- whole reductions ---------------------------------------------------------------- */

/* Fails while "bug" stands in it; the context is not used. */
static pare_outcome has_bug(void *context, const void *bytes, size_t size)
{
    (void)context;
    return memmem(bytes, size, "bug", 3) ? PARE_FAIL : PARE_PASS;
}

static void test_in_place__a_reduction_without_success_touches_nothing(void **state)
{
    (void)state;
    pare_result result = {0};
    pare_error err = {0};
    const char *const inputs[] = {"dir"};
    const pare_reduce_options options = {.input.paths = inputs,
                                         .input.n_paths = 1,
                                         .output.in_place = PARE_ON,
                                         .test.command = "grep -rq bug",
                                         .algorithms = "ddmin",
                                         .units = "char",
                                         .limits.jobs = 1};
    clear();
    uint64_t inode = pare_folder_inode("dir");
    if (pare_reduce(&options, &result, &err)) fail_msg("%s", err.message);
    assert_int_equal(pare_folder_inode("dir"), inode);
    assert_false(pare_file_exists("dir.orig"));
    pare_result_done(&result);
}

static void test_in_place__bytes_in_memory_have_no_place(void **state)
{
    (void)state;
    pare_result result = {0};
    const pare_reduce_options options = {.input.bytes = "bug",
                                         .input.size_bytes = 3,
                                         .test.predicate = has_bug,
                                         .output.in_place = PARE_ON};
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_E_ARG);
    pare_result_done(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_place__originals_are_the_inputs_at_first),
        cmocka_unit_test(test_in_place__orig_is_somebodys_without_a_journal),
        cmocka_unit_test(test_in_place__orig_is_the_original_beside_a_journal),
        cmocka_unit_test(test_in_place__a_result_between_two_renames_is_known),
        cmocka_unit_test(test_in_place__what_cannot_be_replaced_is_refused),
        cmocka_unit_test(test_in_place__finding_survives_every_failed_allocation),
        cmocka_unit_test(test_in_place__a_reduction_without_success_touches_nothing),
        cmocka_unit_test(test_in_place__bytes_in_memory_have_no_place),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
