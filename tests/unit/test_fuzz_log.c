/* The log of a campaign: what is shown of which event, made safe for a terminal, and the line on how it
 * stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/fuzz_log.h"

/* What `log` prints of an event of this kind and text; the caller frees it. */
static char *print_event(pare_fuzz_log log, const char *kind, const char *text)
{
    char *printed = NULL;
    size_t size = 0;
    const pare_store_event event = {.id = 1, .kind = kind, .text = text};
    log.out = open_memstream(&printed, &size);
    assert_non_null(log.out);
    pare_fuzz_log_event(&log, &event);
    (void)fclose(log.out);
    return printed;
}

static void test_fuzz_log__shows_events_with_the_time(void **state)
{
    (void)state;
    setenv("TZ", "UTC", 1);
    char *printed = print_event((pare_fuzz_log){0}, "new", "finding 1 is new");
    assert_string_equal(printed, "00:00:00  finding 1 is new\n");
    free(printed);
    printed = print_event((pare_fuzz_log){.paint = PARE_COLORED}, "new", "finding 1 is new");
    assert_string_equal(printed, "00:00:00  \033[31mfinding 1 is new\033[0m\n");
    free(printed);
}

static void test_fuzz_log__is_quiet_about_jobs_unless_asked(void **state)
{
    (void)state;
    char *printed = print_event((pare_fuzz_log){0}, "job", "job 1 is started");
    assert_string_equal(printed, "");
    free(printed);
    printed = print_event((pare_fuzz_log){.jobs = true}, "job", "job 1 is started");
    assert_string_equal(printed, "00:00:00  job 1 is started\n");
    free(printed);
    printed = print_event((pare_fuzz_log){.mode = PARE_FUZZ_LOG_QUIET}, "new", "x");
    assert_string_equal(printed, "");
    free(printed);
    printed = print_event((pare_fuzz_log){.mode = PARE_FUZZ_LOG_QUIET}, "trouble", "x");
    assert_string_equal(printed, "00:00:00  x\n");
    free(printed);
}

static void test_fuzz_log__what_a_target_printed_steers_no_terminal(void **state)
{
    (void)state;
    char *printed = print_event((pare_fuzz_log){0}, "new", "a\033[2J\nb");
    assert_string_equal(printed, "00:00:00  a\\x1b[2J\\nb\n");
    free(printed);
}

static void test_fuzz_log__says_how_it_stands(void **state)
{
    (void)state;
    char text[256];
    const pare_campaign_summary summary = {
        .tests = 1234, .failures = 1, .new_findings = 2, .findings = 3, .elapsed_s = 12};
    assert_string_equal(pare_fuzz_log_describe(text, sizeof text, &summary),
                        "12.0 s, 1,234 tests (103/s), 1 failure, 2 new findings, 3 in all");
}

static void test_fuzz_log__redraws_one_line_that_fits(void **state)
{
    (void)state;
    char *printed = NULL;
    size_t size = 0;
    pare_fuzz_log log = {.mode = PARE_FUZZ_LOG_LINE, .columns = 20};
    const pare_campaign_summary summary = {.tests = 1234, .elapsed_s = 12, .slots = 2};
    log.out = open_memstream(&printed, &size);
    assert_non_null(log.out);
    pare_fuzz_log_summary(&log, &summary);
    pare_fuzz_log_erase(&log);
    pare_fuzz_log_erase(&log);
    (void)fclose(log.out);
    assert_string_equal(printed, "\r12.0 s, 1,234 tests\033[K\r\033[K");
    free(printed);
}

static void test_fuzz_log__says_which_slots_are_of_workers(void **state)
{
    (void)state;
    char *printed = NULL;
    size_t size = 0;
    pare_fuzz_log log = {.mode = PARE_FUZZ_LOG_LINE, .columns = 100};
    const pare_campaign_summary summary = {.tests = 1234,
                                           .elapsed_s = 12,
                                           .slots_busy = 2,
                                           .slots = 2,
                                           .workers = 3,
                                           .worker_slots = 24};
    log.out = open_memstream(&printed, &size);
    assert_non_null(log.out);
    pare_fuzz_log_summary(&log, &summary);
    (void)fclose(log.out);
    assert_string_equal(printed, "\r12.0 s, 1,234 tests (103/s), 2 of 2 slots and 24 on 3 workers"
                                 "\033[K");
    free(printed);
}

static void test_fuzz_log__tells_a_file_once_a_minute(void **state)
{
    (void)state;
    char *printed = NULL;
    size_t size = 0;
    pare_fuzz_log log = {0};
    pare_campaign_summary summary = {.tests = 1};
    log.out = open_memstream(&printed, &size);
    assert_non_null(log.out);
    for (int s = 1; s <= 130; s++) {
        summary.elapsed_s = s;
        pare_fuzz_log_summary(&log, &summary);
    }
    (void)fclose(log.out);
    assert_string_equal(printed, "1 min 00 s, 1 test (0.02/s)\n2 min 00 s, 1 test (0.01/s)\n");
    free(printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fuzz_log__shows_events_with_the_time),
        cmocka_unit_test(test_fuzz_log__is_quiet_about_jobs_unless_asked),
        cmocka_unit_test(test_fuzz_log__what_a_target_printed_steers_no_terminal),
        cmocka_unit_test(test_fuzz_log__says_how_it_stands),
        cmocka_unit_test(test_fuzz_log__redraws_one_line_that_fits),
        cmocka_unit_test(test_fuzz_log__says_which_slots_are_of_workers),
        cmocka_unit_test(test_fuzz_log__tells_a_file_once_a_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
