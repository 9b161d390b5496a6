/* What is reduced, and INPUT.orig that --in-place keeps of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/inputs.h"
#include "unit/support/scratch.h"

static pare_status back_up(pare_backup *backup, const char *path, const char *journal_dir,
                           pare_error *err)
{
    *backup = (pare_backup){.is_resumed = false};
    return pare_inputs_back_up(backup, path, journal_dir, PARE_SYNC_SECOND, err);
}

static void test_inputs__backup_keeps_the_bytes_when_the_input_is_replaced(void **state)
{
    (void)state;
    pare_backup backup;
    scratch_write("a.c", "the input", 0644);
    assert_int_equal(back_up(&backup, "a.c", NULL, NULL), PARE_OK);
    assert_string_equal(backup.path.data, "a.c.orig");
    assert_false(backup.is_resumed);
    scratch_write("a.new", "less", 0644);
    assert_int_equal(rename("a.new", "a.c"), 0);
    pare_inputs_drop_backup(&backup, "a.c");
    assert_file_holds("a.c.orig", "the input");
    pare_inputs_backup_done(&backup);
}

static void test_inputs__backup_goes_when_nothing_was_gained(void **state)
{
    (void)state;
    pare_backup backup;
    scratch_write("b.c", "the input", 0644);
    assert_int_equal(back_up(&backup, "b.c", NULL, NULL), PARE_OK);
    assert_int_equal(access("b.c.orig", F_OK), 0);
    pare_inputs_drop_backup(&backup, "b.c");
    assert_int_equal(access("b.c.orig", F_OK), -1);
    assert_file_holds("b.c", "the input");
    pare_inputs_backup_done(&backup);
}

static void test_inputs__somebodys_file_is_not_overwritten(void **state)
{
    (void)state;
    pare_backup backup;
    pare_error err = {0};
    scratch_write("c.c", "the input", 0644);
    scratch_write("c.c.orig", "somebody's", 0644);
    assert_int_equal(back_up(&backup, "c.c", "no-journal", &err), PARE_E_IO);
    assert_string_equal(err.message,
                        "'c.c.orig' exists already and would be lost: move it away first");
    pare_inputs_backup_done(&backup);
    assert_file_holds("c.c.orig", "somebody's");
}

static void test_inputs__an_unfinished_run_goes_on_from_what_it_kept(void **state)
{
    (void)state;
    pare_backup backup;
    scratch_write("d.c", "less", 0644);
    scratch_write("d.c.orig", "the input", 0644);
    assert_int_equal(mkdir("d.c.pare", 0755), 0);
    scratch_write("d.c.pare/history", "that of a run that was completed", 0644);
    assert_int_equal(back_up(&backup, "d.c", "d.c.pare", NULL), PARE_E_IO);
    pare_inputs_backup_done(&backup);
    scratch_write("d.c.pare/journal", "", 0644);
    assert_int_equal(back_up(&backup, "d.c", "d.c.pare", NULL), PARE_OK);
    assert_true(backup.is_resumed);
    assert_int_equal(backup.resumed.size, 9);
    assert_memory_equal(backup.resumed.data, "the input", 9);
    pare_inputs_drop_backup(&backup, "d.c"); /* it is not ours alone */
    assert_file_holds("d.c.orig", "the input");
    pare_inputs_backup_done(&backup);
}

static void test_inputs__killed_after_the_link_it_is_the_same_file(void **state)
{
    (void)state;
    pare_backup backup;
    scratch_write("e.c", "the input", 0644);
    assert_int_equal(link("e.c", "e.c.orig"), 0);
    assert_int_equal(back_up(&backup, "e.c", NULL, NULL), PARE_OK);
    assert_false(backup.is_resumed);
    pare_inputs_backup_done(&backup);
}

static void test_inputs__standard_input_is_a_dash_alone(void **state)
{
    (void)state;
    const char *const dashes[] = {"-", "-"}, *const file[] = {"x"};
    assert_true(pare_inputs_is_standard(dashes, 1));
    assert_false(pare_inputs_is_standard(dashes, 2));
    assert_false(pare_inputs_is_standard(file, 1));
}

static void test_inputs__a_folder_loses_its_slashes_and_a_file_is_left_alone(void **state)
{
    (void)state;
    static const struct {
        const char *operand, *input; /* NULL: no list of inputs */
    } cases[] = {{"folder", "folder"}, {"folder///", "folder"}, {"a.c", NULL}, {"none", NULL}};
    assert_int_equal(mkdir("folder", 0755), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_settings settings = {.in_place = false};
        assert_int_equal(
            pare_inputs_read(&settings, &cases[i].operand, 1, PARE_INPUTS_OF_TEST, NULL), PARE_OK);
        assert_int_equal(settings.reduce.input.n_paths, cases[i].input ? 1 : 0);
        if (cases[i].input) assert_string_equal(settings.reduce.input.paths[0], cases[i].input);
        pare_settings_done(&settings);
    }
}

static void test_inputs__of_several_each_has_to_exist(void **state)
{
    (void)state;
    pare_settings settings = {.in_place = false};
    pare_error err = {0};
    const char *const operands[] = {"a.c", "none"};
    assert_int_equal(pare_inputs_read(&settings, operands, 2, PARE_INPUTS_OF_PROGRAM, &err),
                     PARE_E_ARG);
    assert_string_equal(err.message, "'none' does not exist: everything before '--' is an input");
    pare_settings_done(&settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs__backup_keeps_the_bytes_when_the_input_is_replaced),
        cmocka_unit_test(test_inputs__backup_goes_when_nothing_was_gained),
        cmocka_unit_test(test_inputs__somebodys_file_is_not_overwritten),
        cmocka_unit_test(test_inputs__an_unfinished_run_goes_on_from_what_it_kept),
        cmocka_unit_test(test_inputs__killed_after_the_link_it_is_the_same_file),
        cmocka_unit_test(test_inputs__standard_input_is_a_dash_alone),
        cmocka_unit_test(test_inputs__a_folder_loses_its_slashes_and_a_file_is_left_alone),
        cmocka_unit_test(test_inputs__of_several_each_has_to_exist),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
