/* Exit codes follow from statuses, and scripts rely on them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/report.h"

static void test_report__each_status_has_its_exit_code(void **state)
{
    (void)state;
    static const struct {
        pare_status status;
        int code;
    } cases[] = {
        {PARE_OK, 0},        {PARE_E_STATE, 1}, {PARE_E_ARG, 2},           {PARE_E_UNSUPPORTED, 2},
        {PARE_E_NOMEM, 3},   {PARE_E_IO, 3},    {PARE_E_SYNTAX, 3},        {PARE_E_LIMIT, 3},
        {PARE_E_CORRUPT, 3}, {PARE_E_BUSY, 3},  {PARE_E_INTERRUPTED, 130},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(pare_report_exit(cases[i].status), cases[i].code);
}

static void test_report__a_failure_ends_the_command_with_the_code_of_its_status(void **state)
{
    (void)state;
    const pare_error usage = {.status = PARE_E_ARG, .message = "said"};
    const pare_error silent = {.status = PARE_E_IO};
    assert_int_equal(pare_report_failure("pare test", &usage), PARE_EXIT_USAGE);
    assert_int_equal(pare_report_failure("pare test", &silent), PARE_EXIT_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report__each_status_has_its_exit_code),
        cmocka_unit_test(test_report__a_failure_ends_the_command_with_the_code_of_its_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
