/* Commands that are not right yet: what is said of them holds the one that is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/test/command_fault.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const pare_input_options input = {.path = "in.c"};

static pare_test_options test_of(const char *const *words, size_t n)
{
    return (pare_test_options){.program = words, .n_program = n};
}

static const pare_signature exits_1 = {.ended = PARE_ENDED_EXIT, .code = 1};

static void test_command_fault__a_file_beside_the_user_is_named_by_its_whole_path(void **state)
{
    const char *const words[] = {"python3 tool.py < @@"};
    const pare_test_options test = test_of(words, 1);
    char here[4096], right[5000];
    pare_error err = {0};
    (void)state;
    scratch_write("tool.py", "", 0644);
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(right, sizeof right, "pare reduce in.c -- 'python3 %s/tool.py < @@'", here);
    assert_int_equal(pare_command_fault(&input, &test, &exits_1,
                                        "python3: can't open file '/x/0/tool.py': [Errno 2]\n",
                                        &err),
                     PARE_E_STATE);
    assert_non_null(strstr(err.message, right));
}

static void test_command_fault__what_cannot_be_run_is_told(void **state)
{
    static const struct {
        const char *words[3];
        int code;
        const char *printed, *said;
    } cases[] = {
        {{"sh", "-c", "./nosuch @@"},
         127,
         "sh: 1: ./nosuch: not found\n",
         "there is no './nosuch'"},
        {{"sh", "-c", "nosuch @@"},
         127,
         "sh: 1: nosuch: not found\n",
         "(exit code 127), 'sh: 1: nosuch: not found': run it by hand"},
        {{"sh", "-c", "@@"},
         126,
         "sh: 1: /x/in.c: Permission denied\n",
         "pare reduce in.c -- /PATH"},
        {{"env", "x", "@@"}, 126, "", "exit code 126"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const pare_test_options test = test_of(cases[k].words, 3);
        const pare_signature seen = {.ended = PARE_ENDED_EXIT, .code = cases[k].code};
        pare_error err = {0};
        assert_int_equal(pare_command_fault(&input, &test, &seen, cases[k].printed, &err),
                         PARE_E_STATE);
        assert_non_null(strstr(err.message, cases[k].said));
    }
}

static void test_command_fault__a_failure_of_the_input_is_none_of_the_command(void **state)
{
    static const struct {
        pare_signature seen;
        const char *printed;
    } cases[] = {
        {{.ended = PARE_ENDED_EXIT, .code = 1}, "in.c:1:10: fatal error: y.h: No such file\n"},
        {{.ended = PARE_ENDED_EXIT, .code = 1}, "tool.py: broken\n"},
        {{.ended = PARE_ENDED_EXIT, .code = 0}, "tool.py: not found\n"},
        {{.ended = PARE_ENDED_SIGNAL, .code = 11}, "tool.py: not found\n"},
    };
    const char *const words[] = {"python3", "tool.py", "@@"};
    const pare_test_options test = test_of(words, 3);
    (void)state;
    scratch_write("tool.py", "", 0644);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(pare_command_fault(&input, &test, &cases[k].seen, cases[k].printed, NULL),
                         PARE_OK);
}

static void test_command_fault__what_a_candidate_does_not_find_is_its_own_failure(void **state)
{
    static const struct {
        const char *words[3];
        size_t n;
        const char *printed;
    } cases[] = {
        {{"bash", "@@"}, 2, "/x/0/in.c: line 6: nosuch: command not found\n"},
        {{"bash", "-e"}, 2, "bash: line 6: nosuch: command not found\n"},
        {{"busybox", "sh", "@@"}, 3, "nosuch: not found\n"},
        {{"runner @@ | cat"}, 1, "in.c: 6: nosuch: not found\n"},
    };
    const pare_signature seen = {.ended = PARE_ENDED_EXIT, .code = 127};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const pare_test_options test = test_of(cases[k].words, cases[k].n);
        assert_int_equal(pare_command_fault(&input, &test, &seen, cases[k].printed, NULL), PARE_OK);
    }
}

static void test_command_advise__the_last_line_that_is_printed_is_offered(void **state)
{
    const char *const words[] = {"mujs", "@@"};
    const pare_test_options test = test_of(words, 2);
    pare_error err = {0};
    (void)state;
    assert_int_equal(pare_command_fault_advise(&input, &test, "1\nNaN (2)\n\n", &err),
                     PARE_E_STATE);
    assert_non_null(strstr(err.message, "pare reduce in.c --exit 0 --any-output "
                                        "'^NaN \\(2\\)$' -- mujs @@"));
    /* What is said of the candidate's file says nothing of its text, and its folder is another each time. */
    err = (pare_error){0};
    const char *const skips = "*** _/_: division by 0.\n... skipping file '/x/pare-7/0/in.c'\n";
    assert_int_equal(pare_command_fault_advise(&input, &test, skips, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "'^\\*\\*\\* _/_: division by 0\\.$'"));
    err = (pare_error){0};
    const char *const alone = "skipped '/x/pare-7/0/in.c'\n";
    assert_int_equal(pare_command_fault_advise(&input, &test, alone, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "^skipped '\\''\\S*/in\\.c'\\''$"));
    err = (pare_error){0};
    const char *const beside = "1 error logged to /dev/shm/pare-71-0c8f/0/in_err.csv\n";
    assert_int_equal(pare_command_fault_advise(&input, &test, beside, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "'^1 error logged to \\S*/in_err\\.csv$'"));
    /* Times and shares are others each time; numbers are not. */
    err = (pare_error){0};
    const char *const timed = "Ran 12 tests in 0.53 s, 98% of 3 sets\n";
    assert_int_equal(pare_command_fault_advise(&input, &test, timed, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "'^Ran 12 tests in [0-9.]+ s, [0-9.]+% of 3 sets$'"));
    err = (pare_error){0};
    assert_int_equal(pare_command_fault_advise(&input, &test, "", &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "--differs COMMAND"));
}

static void test_command_fault__a_line_that_compares_is_a_test(void **state)
{
    static const char *const checks[] = {
        "./prog < $1; [ $? = 139 ]",
        "./prog $1; test $? -eq 139",
        "./prog @@ 2>&1 | grep x",
        "! ./prog $1",
        "./a $1 > x; cmp x y",
        "./a $1 && [[ -s x ]]",
        "grep -q needle",
        "./a $1 | sort\ndiff sorted -",
        "./a $1 2>&1 | grep -q x 2>&1",
        "cmp -s x $1 &> y",
        "test -s $1 || exit 1",
        "grep -q 'a|b' $1",
        "! grep -q \"it's; a\" $1",
        "./a $1; [ $? = 1 ] && exit 0; exit 1",
    };
    static const char *const others[] = {
        "./prog < $1",
        "./test $1",
        "sh -c 'ulimit -s 99; ./a'",
        "./grep-like x",
        "",
        "grep -v '^#' @@ | ./prog",
        "test -e x && ./prog $1",
        "! grep -q x @@ || ./prog @@ 2>&1",
        "exit 1",
        "testing $1",
    };
    (void)state;
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++)
        assert_true(pare_command_fault_is_check(checks[k]));
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        assert_false(pare_command_fault_is_check(others[k]));
}

static void test_command_fault__a_test_behind_the_dashes_is_named_as_one(void **state)
{
    const char *const words[] = {"./tool.py < @@; [ $? = 3 ]"};
    const pare_test_options test = test_of(words, 1);
    char right[5000];
    pare_error err = {0};
    (void)state;
    scratch_write("tool.py", "", 0755);
    (void)snprintf(right, sizeof right, ": pare reduce '%s/tool.py < \"$1\"; [ $? = 3 ]' in.c",
                   scratch_dir);
    assert_int_equal(
        pare_command_fault(&input, &test, &exits_1, "sh: ./tool.py: not found\n", &err),
        PARE_E_STATE);
    assert_non_null(strstr(err.message, right));
}

static void test_command_fault__several_inputs_are_no_standard_input(void **state)
{
    static const char *const paths[] = {"good.json", "d/bad.json"};
    const pare_input_options several = {.paths = paths, .n_paths = 2};
    static const char *const given[][2] = {
        {"jq", "@@"}, {"sh", "cc *.c"}, {"cat", "bad.json"}, {"sh", "\"$@\""}};
    const char *const words[] = {"jq", "."};
    const pare_test_options test = test_of(words, 2);
    pare_error err = {0};
    (void)state;
    assert_int_equal(pare_command_fault_advise(&several, &test, "", &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, ": pare reduce good.json d/bad.json -- jq . @@"));
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        const pare_test_options other = test_of(given[k], 2);
        assert_int_equal(pare_command_fault_ungiven(&several, &other, &err), PARE_OK);
    }
    const pare_input_options file = {.path = "good.json"}, folder = {.path = "."};
    assert_int_equal(pare_command_fault_ungiven(&file, &test, &err), PARE_OK);
    pare_error told = {0};
    assert_int_equal(pare_command_fault_ungiven(&folder, &test, &told), PARE_E_STATE);
    assert_non_null(strstr(told.message, "one of its files: pare reduce ./FILE -- jq ."));
}

/* What is advised for a program that is run without a mark, or with one, and printed `printed`. */
static bool asks_for_mark(const char *const *words, const char *printed, pare_error *err)
{
    const pare_test_options test = test_of(words, 2);
    *err = (pare_error){0};
    assert_int_equal(pare_command_fault_advise(&input, &test, printed, err), PARE_E_STATE);
    return strstr(err->message, "if it reads a file, write pare reduce in.c") != NULL;
}

static void test_command_advise__a_program_that_shows_its_usage_waits_for_a_name(void **state)
{
    static const char *const printed[] = {"Usage: gpasm [options] file\n -a FMT\n",
                                          "ACME, the cross-assembler\nusage:\n  acme FILE\n"};
    static const char *const others[] = {"usage of memory: 3 MB\n", "memory usage: 3 MB\n",
                                         "usages 3\n"};
    const char *const words[] = {"gpasm", "-q"}, *const marked[] = {"gpasm", "@@"};
    pare_error err;
    (void)state;
    for (size_t k = 0; k < sizeof printed / sizeof *printed; k++) {
        assert_true(asks_for_mark(words, printed[k], &err));
        assert_non_null(strstr(err.message, " -- gpasm -q @@"));
        assert_false(asks_for_mark(marked, printed[k], &err));
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        assert_false(asks_for_mark(words, others[k], &err));
    const char *const line[] = {"sh", "-c", "gpasm \"$@\""};
    const pare_test_options shell = test_of(line, 3);
    err = (pare_error){0};
    assert_int_equal(pare_command_fault_advise(&input, &shell, *printed, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, " sh @@"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_fault__a_file_beside_the_user_is_named_by_its_whole_path),
        cmocka_unit_test(test_command_fault__what_cannot_be_run_is_told),
        cmocka_unit_test(test_command_fault__what_a_candidate_does_not_find_is_its_own_failure),
        cmocka_unit_test(test_command_fault__a_failure_of_the_input_is_none_of_the_command),
        cmocka_unit_test(test_command_fault__a_line_that_compares_is_a_test),
        cmocka_unit_test(test_command_fault__a_test_behind_the_dashes_is_named_as_one),
        cmocka_unit_test(test_command_fault__several_inputs_are_no_standard_input),
        cmocka_unit_test(test_command_advise__a_program_that_shows_its_usage_waits_for_a_name),
        cmocka_unit_test(test_command_advise__the_last_line_that_is_printed_is_offered),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
