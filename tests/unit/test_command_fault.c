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
        {{"sh", "-c", "nosuch @@"}, 127, "sh: 1: nosuch: not found\n", "exit code 127"},
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

static void test_command_advise__the_last_line_that_is_printed_is_offered(void **state)
{
    const char *const words[] = {"mujs", "@@"};
    const pare_test_options test = test_of(words, 2);
    pare_error err = {0};
    (void)state;
    assert_int_equal(pare_command_advise(&input, &test, "1\nNaN (2)\n\n", &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "pare reduce in.c --exit 0 --any-output "
                                        "'^NaN \\(2\\)$' -- mujs @@"));
    err = (pare_error){0};
    assert_int_equal(pare_command_advise(&input, &test, "", &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "--differs COMMAND"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_fault__a_file_beside_the_user_is_named_by_its_whole_path),
        cmocka_unit_test(test_command_fault__what_cannot_be_run_is_told),
        cmocka_unit_test(test_command_fault__a_failure_of_the_input_is_none_of_the_command),
        cmocka_unit_test(test_command_advise__the_last_line_that_is_printed_is_offered),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
