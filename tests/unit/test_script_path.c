/* Relative paths in scripts: which words mean a file beside the user. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/test/script_path.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char *const input_name = "in.c";
static const pare_names inputs = {.items = &input_name, .n = 1};

static int set_up(void **state)
{
    if (scratch_setup(state)) return -1;
    if (mkdir("tool", 0755) || mkdir("in.c", 0755)) return -1;
    scratch_write("tool/chk", "x", 0755);
    scratch_write("in.c/part", "x", 0644);
    scratch_write("words.txt", "x", 0644);
    scratch_write("grep", "x", 0644);
    return 0;
}

/* What is found in `test`; the caller releases it. */
static pare_buffer find(const char *test)
{
    pare_command command = {0};
    pare_buffer word = {0}, path = {0};
    assert_int_equal(pare_command_init(&command, test, inputs, NULL), PARE_OK);
    assert_int_equal(pare_script_path_find(&command, inputs, &word, &path, NULL), PARE_OK);
    assert_int_equal(word.size > 0, path.size > 0);
    if (path.size) assert_int_equal(path.data[0], '/');
    pare_buffer_done(&path);
    pare_command_done(&command);
    return word;
}

static void assert_found(const char *test, const char *expected)
{
    pare_buffer word = find(test);
    assert_string_equal(word.size ? word.data : "", expected);
    pare_buffer_done(&word);
}

static void test_script_path__finds_the_first_path_that_is_there(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"./tool/chk \"$1\"", "./tool/chk"},
        {"x=\"tool/chk\"; $x \"$1\"", "tool/chk"},
        {"tool/none \"$1\" || tool/chk", "tool/chk"},
        {"sed -f words.txt \"$1\"", "words.txt"},
        {"diff --to-file=words.txt \"$1\"", "words.txt"},
        {"exec 3< './tool/chk'", "./tool/chk"},
        {"cat ../no-such-file-of-pare ./words.txt", "./words.txt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scratch_script("test.sh", cases[i][0]);
        assert_found("./test.sh", cases[i][1]);
        assert_found("sh test.sh", cases[i][1]);
    }
    assert_found("./tool/chk \"$1\" | grep x", "./tool/chk");
}

static void test_script_path__what_is_found_by_other_means_is_not_meant(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "# ./tool/chk",          "grep x \"$1\"",           "cat in.c ./in.c in.c/part",
        "\"$TOOLS/tool/chk\"",   "${TOOLS}tool/chk",        "~/tool/chk /tool/chk",
        "echo .. . / ./ -words", "cd /somewhere; tool/chk", "tool/none words.none",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scratch_script("test.sh", cases[i]);
        assert_found("./test.sh", "");
    }
}

static void test_script_path__programs_are_not_looked_through(void **state)
{
    (void)state;
    static const char bytes[] = "\x7f"
                                "ELF\0 ./tool/chk ";
    assert_int_equal(pare_file_write_bytes("binary", bytes, sizeof bytes - 1, NULL), PARE_OK);
    assert_int_equal(chmod("binary", 0755), 0);
    assert_found("./binary", "");
}

static pare_status find_one(void *context)
{
    pare_buffer word = {0}, path = {0};
    pare_status status = pare_script_path_find(context, inputs, &word, &path, NULL);
    pare_buffer_done(&word);
    pare_buffer_done(&path);
    return status;
}

static void test_script_path__survives_each_allocation_failing(void **state)
{
    (void)state;
    pare_command command = {0};
    scratch_script("test.sh", "./tool/chk");
    assert_int_equal(pare_command_init(&command, "./test.sh", inputs, NULL), PARE_OK);
    sweep_allocations(find_one, &command);
    pare_command_done(&command);
    /* Of a file of /proc the size is not known before, so memory runs out while it is read. */
    assert_int_equal(pare_command_init(&command, "cat /proc/self/maps", inputs, NULL), PARE_OK);
    sweep_allocations(find_one, &command);
    pare_command_done(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_script_path__finds_the_first_path_that_is_there),
        cmocka_unit_test(test_script_path__what_is_found_by_other_means_is_not_meant),
        cmocka_unit_test(test_script_path__programs_are_not_looked_through),
        cmocka_unit_test(test_script_path__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_teardown);
}
