/* Names of failed tests in what test runners print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/test_report.h"

/* Reads the first line of `text`. */
static bool read_text(const char *text, pare_test_report *report)
{
    const pare_printed printed = {.text = text, .size = strlen(text)};
    const pare_printed_line line =
        printed.size ? pare_printed_line_at(&printed, 0) : (pare_printed_line){text, text, text};
    return pare_test_report_read(&line, report);
}

static void test_test_report__a_failed_test_is_named(void **state)
{
    static const struct {
        const char *text, *name, *reason;
    } cases[] = {
        {"not ok 7 - sum of two\n---", "sum of two", ""},
        {"not ok 7 sum", "sum", ""},
        {"not ok", "", ""},
        {"not ok 7", "", ""},
        {"not ok - sum # time=3ms", "sum", ""},
        {"not ok 2 adds\n# (in test file a.bats, line 1)\n#   `[ 5 = 6 ]' failed", "adds", ""},
        {"not ok 2 adds\n# (in test file a.bats, line 1)\n#   `tea' failed with status 127\n",
         "adds", "failed with status 127"},
        {"--- FAIL: TestSum (0.00s)", "TestSum", ""},
        {"--- FAIL: TestSum (0.00s)\n    sum_test.go:7: sum is 5", "TestSum", "sum is 5"},
        {"--- FAIL: TestSum (0.00s)\nFAIL", "TestSum", ""},
        {"[  FAILED  ] Sum.IsRight (0 ms)", "Sum.IsRight", ""},
        {"[  FAILED  ] test_sum__is_right", "test_sum__is_right", ""},
        {"test tests::sum ... FAILED", "tests::sum", ""},
        {"FAIL: test_sum (__main__.SumTest.test_sum)", "test_sum", ""},
        {"FAIL: sum.sh", "sum.sh", ""},
        {"FAILED test_sum.py::test_sum - assert -1 == 3", "test_sum.py::test_sum",
         "assert -1 == 3"},
        {"FAILED test_sum.py::test_sum", "test_sum.py::test_sum", ""},
        {"Failure: test_sum(SumTest)\nsum_test.rb:17", "test_sum(SumTest)", ""},
        {"  1) Failure:\nSumTest#test_sum [sum_test.rb:17]:\n", "SumTest#test_sum", ""},
        {"12) SumTest::testSum\nFailed asserting", "SumTest::testSum", ""},
        {"  1) Sum is right\n     Failure/Error: expect(5).to eq(6)\n\n       expected: 6\n        "
         "    "
         "got: 5\n\n       (compared using ==)",
         "Sum is right", "expected: 6 got: 5"},
        {"  1) Sum is right\n     Failure/Error: expect([5]).to include(6)\n       expected [5] to "
         "include 6\n",
         "Sum is right", "expected [5] to include 6"},
        {"  1) Sum is right\n     Failure/Error:\n       expect {\n       }.to change { 2 }\n\n    "
         "   "
         "expected `2` to have changed\n",
         "Sum is right", "expected `2` to have changed"},
        {"1) sum is right\n  Message:\n    Expected 5 to be 6.\n", "sum is right",
         "Expected 5 to be 6."},
        {"  ● sum › is right\n\n    expect(received).toBe(expected)\n\n    Expected: 6\n",
         "sum › is right", "expect(received).toBe(expected)"},
        {"Failure -> sum_spec.lua @ 15\nsum is right\nsum_spec.lua:18: Expected objects to be "
         "equal.\n",
         "sum is right", "Expected objects to be equal."},
        {"  ✘ [fail]: sum\n", "sum", ""},
        {"\t  1 - sum (Failed)\n", "sum", "Failed"},
        {"\t 12 - sum (SEGFAULT)\n", "sum", "SEGFAULT"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_test_report report;
        if (!read_text(cases[k].text, &report)) fail_msg("not read: %s", cases[k].text);
        assert_string_equal(report.name, cases[k].name);
        assert_string_equal(report.reason, cases[k].reason);
    }
}

static void test_test_report__other_lines_are_none(void **state)
{
    static const char *const texts[] = {
        "",
        "ok 3 - sum",
        "not okay",
        "not ok 7 - sum # TODO later",
        "not ok 7 # skip no network",
        "[  FAILED  ] 1 test, listed below:",
        "1 FAILED TEST",
        "FAILED (failures=1)",
        "test sum ... ok",
        "test result: FAILED. 2 passed; 1 failed",
        "test ... FAILED",
        "1) sum of std::vector",
        "1) Error:",
        "1) Sum is right\nnext",
        "1) Failure:",
        "--- FAIL: ",
        "Failure: ",
        "Failure -> sum_spec.lua @ 15",
        "Failure -> none\nsum",
        "● Console\n\n    console.log\n",
        "1 - sum (Passed)",
        "1 -  (Failed)",
        "- sum (Failed)",
    };
    (void)state;
    pare_test_report report;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (read_text(texts[k], &report)) fail_msg("read: %s", texts[k]);
}

/* Names and reasons longer than their room are cut. */
static void test_test_report__long_texts_are_cut(void **state)
{
    static char text[4 * PARE_SIGNATURE_LINE_BYTES];
    static const char before[] = "Failure -> a @ 1\n";
    (void)state;
    memset(text, 'x', sizeof text - 1);
    memcpy(text, before, sizeof before - 1);
    text[sizeof text / 2] = '\n';
    pare_test_report report;
    assert_true(read_text(text, &report));
    assert_int_equal(strlen(report.name), PARE_SIGNATURE_LINE_BYTES - 1);
    assert_int_equal(strlen(report.reason), PARE_SIGNATURE_LINE_BYTES - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_test_report__a_failed_test_is_named),
        cmocka_unit_test(test_test_report__other_lines_are_none),
        cmocka_unit_test(test_test_report__long_texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
