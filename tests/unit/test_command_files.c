/* The files of a test command: which they are, and that a change of one is seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/command_files.h"
#include "unit/support/scratch.h"

static const char *const input_names[] = {"input"};
static const pare_names INPUT = {.items = input_names, .n = 1};

struct bench {
    pare_command command;
    pare_command_files files;
};

static void set_up(struct bench *bench, const char *text)
{
    pare_error err = {0};
    scratch_script("test.sh", "exit 0");
    scratch_script("other.sh", "exit 1");
    scratch_write("input", "text", 0644);
    scratch_write("plain.py", "print()", 0644);
    scratch_write("data", "data", 0644);
    *bench = (struct bench){.files = {.n = 0}};
    if (pare_command_init(&bench->command, text, INPUT, &err)) fail_msg("%s", err.message);
    pare_command_files_note(&bench->files, &bench->command);
}

/* The base name of the file that has changed; "": none. */
static const char *changed(struct bench *bench)
{
    const char *path = pare_command_files_changed(&bench->files);
    return path ? strrchr(path, '/') + 1 : "";
}

/* After these no change is the test's own. */
static void end_first_tests(struct bench *bench)
{
    for (int k = 0; k < PARE_COMMAND_FILES_SETTLING; k++)
        assert_string_equal(changed(bench), "");
}

static void tear_down(struct bench *bench)
{
    pare_command_done(&bench->command);
}

static void test_command_files__every_file_that_a_word_names_counts(void **state)
{
    static const struct {
        const char *command, *file, *expected;
    } rows[] = {{"./test.sh", "test.sh", "test.sh"},
                {"./test.sh", "other.sh", ""},
                {"/bin/sh test.sh", "test.sh", "test.sh"},
                {"/bin/cat plain.py", "plain.py", "plain.py"},
                {"./test.sh -v other.sh", "other.sh", "other.sh"},
                {"/bin/sh -e plain.py", "plain.py", "plain.py"},
                {"/bin/sh -o errexit -e plain.py data", "plain.py", "plain.py"},
                {"./test.sh -v data", "data", "data"},
                {"./test.sh input", "input", ""}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct bench bench;
        set_up(&bench, rows[k].command);
        end_first_tests(&bench);
        scratch_write(rows[k].file, "#!/bin/sh\nexit 0 # longer\n", 0755);
        assert_string_equal(changed(&bench), rows[k].expected);
        tear_down(&bench);
    }
}

static void test_command_files__one_that_was_replaced_has_changed(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "./test.sh");
    assert_string_equal(changed(&bench), "");
    scratch_script("new", "exit 0");
    assert_int_equal(rename("new", "test.sh"), 0);
    assert_string_equal(changed(&bench), "test.sh");
    tear_down(&bench);
}

static void test_command_files__links_modes_and_absence_are_no_change(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "./test.sh");
    assert_string_equal(changed(&bench), "");
    assert_int_equal(chmod("test.sh", 0700), 0);
    assert_int_equal(link("test.sh", "linked"), 0);
    assert_string_equal(changed(&bench), "");
    assert_int_equal(unlink("test.sh"), 0);
    assert_string_equal(changed(&bench), "");
    assert_int_equal(link("linked", "test.sh"), 0);
    assert_string_equal(changed(&bench), "");
    assert_int_equal(unlink("linked"), 0);
    tear_down(&bench);
}

static void test_command_files__what_the_first_tests_write_is_their_own(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, "./test.sh data");
    scratch_write("data", "after the first", 0644);
    assert_string_equal(changed(&bench), "");
    scratch_write("data", "after the second one", 0644);
    assert_string_equal(changed(&bench), "");
    scratch_script("test.sh", "exit 0 # another");
    assert_string_equal(changed(&bench), "test.sh");
    tear_down(&bench);
    /* Data that is written when a test passes for the first time. */
    set_up(&bench, "./test.sh -v data");
    assert_string_equal(changed(&bench), "");
    scratch_write("data", "passed", 0644);
    assert_string_equal(changed(&bench), "");
    scratch_write("data", "passed twice", 0644);
    assert_string_equal(changed(&bench), "");
    tear_down(&bench);
    set_up(&bench, "/bin/sh -e plain.py data");
    end_first_tests(&bench);
    scratch_write("data", "edited", 0644);
    assert_string_equal(changed(&bench), "data");
    tear_down(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_files__every_file_that_a_word_names_counts),
        cmocka_unit_test(test_command_files__one_that_was_replaced_has_changed),
        cmocka_unit_test(test_command_files__links_modes_and_absence_are_no_change),
        cmocka_unit_test(test_command_files__what_the_first_tests_write_is_their_own),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
