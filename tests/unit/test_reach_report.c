/* Reports of what a run did not reach: lines to stretches of bytes, and what means nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "session/test/reach_report.h"
#include "unit/alloc_sweep.h"

/* The stretches that are read of `report` about `text`, each in brackets. */
static void assert_reads(const char *text, const char *report, const char *expected)
{
    pare_reach reach;
    pare_buffer shown = {0};
    assert_int_equal(pare_reach_report_read(report, strlen(report), (const unsigned char *)text,
                                            strlen(text), &reach, NULL),
                     PARE_OK);
    size_t bytes = 0;
    for (size_t i = 0; i < reach.n; i++) {
        const pare_extent *range = &reach.unreached[i];
        assert_true(range->from < range->to && range->to <= strlen(text));
        if (i) assert_true(reach.unreached[i - 1].to < range->from);
        bytes += range->to - range->from;
        assert_int_equal(pare_buffer_format(&shown, NULL, "[%.*s]", (int)(range->to - range->from),
                                            text + range->from),
                         PARE_OK);
    }
    assert_int_equal(reach.bytes, bytes);
    assert_string_equal(shown.data ? shown.data : "", expected);
    pare_buffer_done(&shown);
    pare_reach_report_done(&reach);
}

static void test_reach_report__bytes_are_united_and_cut_to_the_text(void **state)
{
    (void)state;
    assert_reads("0123456789", "b 2 4\nb 3 6\nb 8 99\n", "[2345][89]");
    assert_reads("0123456789", "b 0 9\nb 2 4\nb 6 8\n- 0 9\n- 6 8\n- 5 6\n", "[23]");
    assert_reads("0123456789", "b 6 8\nb 0 2\nb 2 3\ne\n", "[012][67]");
}

static void test_reach_report__lines_go_on_to_the_next_one_that_was_reached(void **state)
{
    (void)state;
    const char text[] = "def f():\n  a\n\n  b\nf\ng";
    assert_reads(text, "= 1\n= 2\n= 4\n= 5\n= 6\n+ 1\n+ 5\n", "[  a\n\n  b\n][g]");
    assert_reads(text, "= 1\n= 2\n= 4\n= 5\n= 6\n+ 1\n+ 2\n+ 5\n+ 6\n", "[  b\n]");
}

static void test_reach_report__without_lines_of_code_all_that_are_not_blank_count(void **state)
{
    (void)state;
    assert_reads("a\n\nb\r\n\r\nc\n", "+ 1\n+ 5\n", "[b\r\n\r\n]");
}

static void test_reach_report__of_a_script_that_was_refused_nothing_is_known(void **state)
{
    (void)state;
    assert_reads("a\nb\n", "= 1\n= 2\n", "");
    assert_reads("a\nb\n", "", "");
    assert_reads("", "+ 1\nb 0 1\n", "");
}

static void test_reach_report__what_makes_no_sense_is_left_out(void **state)
{
    (void)state;
    assert_reads("0123456789",
                 "b\nb 1\nb 5 3\nb x 4\nb 9999999999999999999999999999 3\n"
                 "+ 0\n+ 77\n= 77\n\n\nhello\nb -1 4\nb 11 12\nb 4 5",
                 "[4]");
}

struct attempt {
    const char *text, *report;
};

static pare_status read_once(void *context)
{
    const struct attempt *attempt = context;
    pare_reach reach;
    pare_status status = pare_reach_report_read(attempt->report, strlen(attempt->report),
                                                (const unsigned char *)attempt->text,
                                                strlen(attempt->text), &reach, NULL);
    assert_true(!status || !reach.unreached);
    pare_reach_report_done(&reach);
    return status;
}

static void test_reach_report__reports_each_lack_of_memory(void **state)
{
    (void)state;
    struct attempt attempt = {"a\nb\nc\nd\n", "b 0 1\nb 3 4\n+ 2\n+ 4\n"};
    sweep_allocations(read_once, &attempt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reach_report__bytes_are_united_and_cut_to_the_text),
        cmocka_unit_test(test_reach_report__lines_go_on_to_the_next_one_that_was_reached),
        cmocka_unit_test(test_reach_report__without_lines_of_code_all_that_are_not_blank_count),
        cmocka_unit_test(test_reach_report__of_a_script_that_was_refused_nothing_is_known),
        cmocka_unit_test(test_reach_report__what_makes_no_sense_is_left_out),
        cmocka_unit_test(test_reach_report__reports_each_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
