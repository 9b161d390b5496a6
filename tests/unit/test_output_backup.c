/* What stands at a result's place: second names, and what is known to be ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digest.h"
#include "session/output/output_backup.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static pare_digest digest_of(const char *text)
{
    size_t size = strlen(text);
    return pare_digest_of(pare_digest_extend((pare_hash){{0}}, text, size), size);
}

/* Replaces `path` by `text`, as a reduction does. */
static void replace(pare_output_backup *backup, const char *path, const char *text)
{
    assert_int_equal(
        pare_output_backup_keep(backup, PARE_OUTPUT_BACKUP_RESULT, path, digest_of(text), NULL),
        PARE_OK);
    scratch_write(path, text, 0644);
    pare_output_backup_wrote(backup, PARE_OUTPUT_BACKUP_RESULT);
}

static void open_at(pare_output_backup *backup, const char *journal, bool resumed)
{
    assert_int_equal(pare_output_backup_open(backup, journal, resumed, PARE_SYNC_SECOND, NULL),
                     PARE_OK);
}

static const char *kept(const pare_output_backup *backup)
{
    return backup->file[PARE_OUTPUT_BACKUP_RESULT].n_kept
               ? backup->file[PARE_OUTPUT_BACKUP_RESULT].kept[0].text
               : NULL;
}

static void test_output_backup__a_file_gets_the_next_free_number_once(void **state)
{
    (void)state;
    pare_output_backup backup;
    scratch_write("x", "mine", 0644);
    scratch_write("x.~3~", "old", 0644);
    scratch_write("x.~9", "no number", 0644);
    scratch_write("x.~07~", "no number either", 0644);
    open_at(&backup, NULL, false);
    replace(&backup, "x", "one");
    replace(&backup, "x", "two");
    assert_string_equal(kept(&backup), "x.~4~");
    assert_file_holds("x.~4~", "mine");
    assert_false(pare_file_exists("x.~5~"));
    assert_int_equal(pare_output_backup_finish(&backup, NULL), PARE_OK);
    assert_string_equal(kept(&backup), "x.~4~");
    pare_output_backup_close(&backup);
}

static void test_output_backup__a_copy_of_the_result_goes_at_the_end(void **state)
{
    (void)state;
    pare_output_backup backup;
    scratch_write("same", "two", 0644);
    open_at(&backup, NULL, false);
    replace(&backup, "same", "one");
    assert_file_holds("same.~1~", "two");
    replace(&backup, "same", "two");
    assert_int_equal(pare_output_backup_finish(&backup, NULL), PARE_OK);
    assert_null(kept(&backup));
    assert_false(pare_file_exists("same.~1~"));
    pare_output_backup_close(&backup);
}

static void test_output_backup__a_continued_reduction_knows_its_own(void **state)
{
    (void)state;
    static const char *const left[] = {"one", "two", "edited"};
    assert_int_equal(mkdir("journal", 0755), 0);
    for (size_t i = 0; i < 3; i++) {
        pare_output_backup backup;
        open_at(&backup, "journal", false);
        replace(&backup, "own", "one");
        replace(&backup, "own", "two");
        pare_output_backup_close(&backup);
        (void)unlink("own.~1~");
        scratch_write("own", left[i], 0644); /* "one": it was killed before the second write */
        open_at(&backup, "journal", true);
        replace(&backup, "own", "three");
        assert_int_equal(kept(&backup) != NULL, i == 2);
        pare_output_backup_close(&backup);
    }
    assert_file_holds("own.~1~", "edited");
    pare_output_backup backup;
    open_at(&backup, "journal", false); /* of another input: nothing is known */
    replace(&backup, "own", "four");
    assert_file_holds("own.~2~", "three");
    pare_output_backup_close(&backup);
    pare_output_backup_drop("journal");
    assert_int_equal(count_entries("journal"), 0);
}

static void test_output_backup__a_kill_between_two_names_leaves_no_third(void **state)
{
    (void)state;
    pare_output_backup backup;
    scratch_write("killed", "mine", 0644);
    assert_int_equal(link("killed", "killed.~1~"), 0);
    open_at(&backup, NULL, false);
    replace(&backup, "killed", "one");
    assert_string_equal(kept(&backup), "killed.~1~");
    assert_false(pare_file_exists("killed.~2~"));
    assert_file_holds("killed.~1~", "mine");
    pare_output_backup_close(&backup);
}

static void test_output_backup__what_is_off_or_no_file_is_left_alone(void **state)
{
    (void)state;
    pare_output_backup backup = {.on = false};
    scratch_write("off", "mine", 0644);
    replace(&backup, "off", "one");
    assert_false(pare_file_exists("off.~1~"));
    open_at(&backup, NULL, false);
    replace(&backup, "new", "one");
    assert_null(kept(&backup));
    pare_output_backup_close(&backup);
}

static pare_status keep_folder(pare_output_backup *backup, bool is_edited)
{
    return pare_output_backup_keep_folder(backup, "folder", is_edited, digest_of("next"), NULL);
}

static void test_output_backup__a_folder_is_moved(void **state)
{
    (void)state;
    pare_output_backup backup;
    assert_int_equal(mkdir("folder", 0755), 0);
    assert_int_equal(mkdir("noted", 0755), 0);
    open_at(&backup, NULL, false);
    assert_int_equal(keep_folder(&backup, false), PARE_OK);
    assert_true(pare_file_exists("folder")); /* there was nothing in it */
    pare_output_backup_close(&backup);
    scratch_write("folder/a", "mine", 0644);
    open_at(&backup, NULL, false);
    assert_int_equal(keep_folder(&backup, false), PARE_OK);
    assert_false(pare_file_exists("folder"));
    assert_file_holds("folder.~1~/a", "mine");
    pare_output_backup_close(&backup);
}

/* The first of two copies cannot be removed: "." is no name that could go.  The second is removed all
 * the same, and does not hide that. */
static void test_output_backup__a_copy_that_cannot_be_removed_is_told(void **state)
{
    (void)state;
    pare_output_backup backup;
    pare_error err = {0};
    assert_int_equal(mkdir("copies", 0755), 0);
    scratch_write("copies/a", "same", 0644);
    open_at(&backup, NULL, false);
    assert_int_equal(
        pare_output_backup_keep_folder(&backup, "copies", false, digest_of("next"), NULL), PARE_OK);
    assert_int_equal(mkdir("copies", 0755), 0);
    scratch_write("copies/a", "same", 0644);
    assert_int_equal(
        pare_output_backup_keep_edit(&backup, PARE_OUTPUT_BACKUP_RESULT, "copies", "copies", NULL),
        PARE_OK);
    assert_int_equal(mkdir("copies", 0755), 0);
    scratch_write("copies/a", "same", 0644);
    pare_output_backup_name *names = backup.file[PARE_OUTPUT_BACKUP_RESULT].kept;
    assert_int_equal(backup.file[PARE_OUTPUT_BACKUP_RESULT].n_kept, 2);
    pare_alloc_free(names[0].text);
    names[0].text = pare_alloc_text("copies.~1~/.", strlen("copies.~1~/."));
    assert_int_equal(pare_output_backup_finish(&backup, &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "copies.~1~/."));
    assert_string_equal(kept(&backup), "copies.~1~/.");
    assert_int_equal(backup.file[PARE_OUTPUT_BACKUP_RESULT].n_kept, 1);
    assert_false(pare_file_exists("copies.~2~"));
    pare_output_backup_close(&backup);
}

static void test_output_backup__a_folder_that_is_ours_is_moved_once_it_was_edited(void **state)
{
    (void)state;
    pare_output_backup backup;
    assert_int_equal(pare_file_remove_tree("folder", NULL), PARE_OK);
    open_at(&backup, "noted", false);
    assert_int_equal(keep_folder(&backup, false), PARE_OK);
    pare_output_backup_close(&backup);
    assert_int_equal(mkdir("folder", 0755), 0);
    scratch_write("folder/a", "next", 0644);
    for (int edited = 0; edited < 2; edited++) {
        open_at(&backup, "noted", true);
        assert_true(
            pare_output_backup_knows(&backup, PARE_OUTPUT_BACKUP_RESULT, digest_of("next")));
        assert_int_equal(keep_folder(&backup, edited), PARE_OK);
        assert_int_equal(pare_file_exists("folder"), !edited);
        pare_output_backup_close(&backup);
    }
}

/* Killed twice after the note was written and before the file was. */
static void test_output_backup__a_write_that_never_came_is_not_taken_for_one(void **state)
{
    (void)state;
    pare_output_backup backup;
    assert_int_equal(mkdir("twice", 0755), 0);
    open_at(&backup, "twice", false);
    replace(&backup, "result", "one");
    for (int k = 0; k < 2; k++) {
        assert_int_equal(pare_output_backup_keep(&backup, PARE_OUTPUT_BACKUP_RESULT, "result",
                                                 digest_of("two"), NULL),
                         PARE_OK);
        pare_output_backup_close(&backup);
        open_at(&backup, "twice", true);
    }
    replace(&backup, "result", "three");
    assert_null(kept(&backup));
    assert_false(pare_file_exists("result.~1~"));
    pare_output_backup_close(&backup);
}

/* A result in the place of its input. */
static void test_output_backup__what_is_neither_input_nor_result_is_an_edit(void **state)
{
    (void)state;
    pare_output_backup backup;
    assert_int_equal(mkdir("refusing", 0755), 0);
    const pare_output_backup_file result = PARE_OUTPUT_BACKUP_RESULT;
    for (int round = 0; round < 2; round++) {
        open_at(&backup, "refusing", true);
        backup.on = false;
        backup.refuses = true;
        assert_false(pare_output_backup_is_edited(&backup, result, "none", digest_of("x")));
        scratch_write("place", "original", 0644);
        assert_false(pare_output_backup_is_edited(&backup, result, "place", digest_of("original")));
        scratch_write("place", "edited", 0644);
        assert_true(pare_output_backup_is_edited(&backup, result, "place", digest_of("original")));
        scratch_write("place", "one", 0644);
        assert_int_equal(
            pare_output_backup_is_edited(&backup, result, "place", digest_of("original")),
            round == 0); /* nothing is noted yet */
        replace(&backup, "place", "one");
        pare_output_backup_close(&backup);
    }
}

static void test_output_backup__a_journal_that_is_gone_is_an_error(void **state)
{
    (void)state;
    pare_output_backup backup;
    pare_error err = {0};
    assert_int_equal(pare_output_backup_open(&backup, "nowhere", false, PARE_SYNC_SECOND, &err),
                     PARE_E_IO);
    assert_non_null(strstr(err.message, "nowhere/written"));
    pare_output_backup_close(&backup);
}

static pare_status keep_one(void *context)
{
    (void)context;
    pare_output_backup backup;
    (void)unlink("swept.~1~");
    pare_status status = pare_output_backup_open(&backup, NULL, false, PARE_SYNC_SECOND, NULL);
    if (!status)
        status = pare_output_backup_keep(&backup, PARE_OUTPUT_BACKUP_RESULT, "swept",
                                         digest_of("x"), NULL);
    if (!status) status = pare_output_backup_finish(&backup, NULL);
    pare_output_backup_close(&backup);
    return status;
}

static void test_output_backup__survives_each_allocation_failing(void **state)
{
    (void)state;
    scratch_write("swept", "mine", 0644);
    sweep_allocations(keep_one, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_backup__a_file_gets_the_next_free_number_once),
        cmocka_unit_test(test_output_backup__a_copy_of_the_result_goes_at_the_end),
        cmocka_unit_test(test_output_backup__a_continued_reduction_knows_its_own),
        cmocka_unit_test(test_output_backup__a_kill_between_two_names_leaves_no_third),
        cmocka_unit_test(test_output_backup__what_is_off_or_no_file_is_left_alone),
        cmocka_unit_test(test_output_backup__a_folder_is_moved),
        cmocka_unit_test(test_output_backup__a_copy_that_cannot_be_removed_is_told),
        cmocka_unit_test(test_output_backup__a_folder_that_is_ours_is_moved_once_it_was_edited),
        cmocka_unit_test(test_output_backup__a_write_that_never_came_is_not_taken_for_one),
        cmocka_unit_test(test_output_backup__what_is_neither_input_nor_result_is_an_edit),
        cmocka_unit_test(test_output_backup__a_journal_that_is_gone_is_an_error),
        cmocka_unit_test(test_output_backup__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
