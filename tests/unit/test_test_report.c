/* Names of failed tests in what test runners print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/test_report.h"

static void test_test_report__a_failed_test_is_named(void **state)
{
    static const struct {
        const char *line, *next, *name;
    } cases[] = {
        {"not ok 7 - sum of two", "---", "sum of two"},
        {"not ok 7 sum", "", "sum"},
        {"not ok", "", ""},
        {"not ok 7", "", ""},
        {"not ok - sum # time=3ms", "", "sum"},
        {"--- FAIL: TestSum/of_two (0.00s)", "", "TestSum/of_two"},
        {"[ FAILED ] Sum.IsRight (0 ms)", "", "Sum.IsRight"},
        {"[ FAILED ] test_sum__is_right", "", "test_sum__is_right"},
        {"test tests::sum ... FAILED", "", "tests::sum"},
        {"FAIL: test_sum (__main__.SumTest.test_sum)", "", "test_sum"},
        {"FAIL: sum.sh", "", "sum.sh"},
        {"FAILED test_sum.py::test_sum - assert -1 == 3", "", "test_sum.py::test_sum"},
        {"Failure: test_sum(SumTest)", "sum_test.rb:17", "test_sum(SumTest)"},
        {"1) Failure:", "SumTest#test_sum [sum_test.rb:17]:", "SumTest#test_sum"},
        {"12) SumTest::testSum", "Failed asserting", "SumTest::testSum"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_test_report report = {0};
        if (!pare_test_report_read(cases[k].line, cases[k].next, &report))
            fail_msg("not read: %s", cases[k].line);
        if (report.size != strlen(cases[k].name) ||
            memcmp(report.name, cases[k].name, report.size) != 0)
            fail_msg("'%.*s' of: %s", (int)report.size, report.name, cases[k].line);
    }
}

static void test_test_report__other_lines_are_none(void **state)
{
    static const char *const lines[] = {
        "",
        "ok 3 - sum",
        "not okay",
        "not ok 7 - sum # TODO later",
        "not ok 7 # skip no network",
        "[ FAILED ] 1 test, listed below:",
        "1 FAILED TEST",
        "FAILED (failures=1)",
        "test sum ... ok",
        "test result: FAILED. 2 passed; 1 failed",
        "test ... FAILED",
        "1) sum of std::vector",
        "1) Error:",
        "--- FAIL: ",
        "Failure: ",
    };
    (void)state;
    pare_test_report report;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (pare_test_report_read(lines[k], "next", &report)) fail_msg("read: %s", lines[k]);
    assert_false(pare_test_report_read("1) Failure:", "", &report));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_test_report__a_failed_test_is_named),
        cmocka_unit_test(test_test_report__other_lines_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
