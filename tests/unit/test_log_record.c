/* Log records: the layouts of logging libraries, and sentences that only look like them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run/log_record.h"

static void assert_record(const char *line, bool warns, const char *level, const char *message)
{
    pare_log_record record;
    char text[200];
    if (!pare_log_record_read(line, &record)) fail_msg("no record: %s", line);
    assert_int_equal(record.warns, warns);
    snprintf(text, sizeof text, "%.*s", (int)record.level_size, record.level);
    assert_string_equal(text, level);
    snprintf(text, sizeof text, "%.*s", (int)record.message_size, record.message);
    assert_string_equal(text, message);
}

static void test_log_record__layouts_of_logging_libraries(void **state)
{
    static const struct {
        const char *line;
        bool warns;
        const char *level, *message;
    } cases[] = {
        {"WARN no price for 'tea'", true, "WARN", "no price for 'tea'"},
        {"WARN: no price", true, "WARN", "no price"},
        {"[WARN] no price", true, "WARN", "no price"},
        {"[warn] no price", true, "warn", "no price"},
        {"[ERR] no price", false, "ERR", "no price"},
        {"ERR: no price", false, "ERR", "no price"},
        {"npm WARN deprecated tea@1.0.0", true, "WARN", "deprecated tea@1.0.0"},
        {"npm ERR! code E404", false, "ERR", "code E404"},
        {"SEVERE: no price", false, "SEVERE", "no price"},
        {"CRITICAL:root:no price", false, "CRITICAL", "root:no price"},
        {"2026-11-28 10:00:01,123 ERROR [main] shop.Cart - no price", false, "ERROR",
         "[main] shop.Cart - no price"},
        {"10:00:01.123 [main] WARN shop.Cart - no price", true, "WARN", "shop.Cart - no price"},
        {"2026-11-28 10:00:01,123 - shop.cart - WARNING - no price", true, "WARNING", "no price"},
        {"[2026-11-28 10:00:01,123] ERROR in app: no price", false, "ERROR", "in app: no price"},
        {"[2026-11-28T10:00:01Z ERROR shop::cart] no price", false, "ERROR", "no price"},
        {"2026-11-28T10:00:01.123456Z WARN shop::cart: no price", true, "WARN",
         "shop::cart: no price"},
        {"2026/11/28 10:00:01 [emerg] 12#12: no price", false, "emerg", "12#12: no price"},
        {"nginx: [warn] no price", true, "warn", "no price"},
        {"Nov 28 10:00:01 host shop[12]: FATAL no price", false, "FATAL", "no price"},
        {"2026-11-28 10:00:01 | WARN | shop | no price", true, "WARN", "shop | no price"},
        {"time=\"10:00:01\" level=error msg=\"no price \\\"x\\\"\" tea=1", false, "error",
         "no price \\\"x\\\""},
        {"level=warn ts=1 msg=failed", true, "warn", "failed"},
        {"{\"level\":\"error\",\"ts\":1.5,\"msg\":\"no price\"}", false, "error", "no price"},
        {"{\"message\": \"no price\", \"severity\": \"WARNING\"}", true, "WARNING", "no price"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_record(cases[k].line, cases[k].warns, cases[k].level, cases[k].message);
}

static void test_log_record__the_words_in_sentences_and_tables_are_no_levels(void **state)
{
    static const char *const lines[] = {
        "",
        "WARN",
        "ERROR 0",
        "WARN: 3",
        "no errors",
        "the error handler ran",
        "Critical path: 3 ms",
        "critical: see below",
        "Please WARN the others",
        "there is no ERROR here",
        "2026-11-28 10:00:01 INFO we were told of an error",
        "10:00 one two three four WARN five",
        "[error handler] ran",
        "severe weather",
        "{\"level\":\"info\",\"msg\":\"error\"}",
        "{\"level\":\"error\"}",
        "level=error",
        "sublevel=error msg=x",
        "[unclosed WARN x",
        "(((((((((",
        "level=\"error",
        "msg=\"x\\",
    };
    pare_log_record record;
    (void)state;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (pare_log_record_read(lines[k], &record))
            fail_msg("%s: '%.*s'", lines[k], (int)record.message_size, record.message);
}

/* Every line of up to five pieces ends, with slices within it; sanitizers watch. */
static void test_log_record__any_line_of_pieces_is_read_within_its_bounds(void **state)
{
    static const char *const pieces[] = {"WARN",   " ",     "[",    "]",  ":",     "!", "\"",
                                         "level=", "error", "msg=", "\\", "10:00", "x"};
    enum { N = sizeof pieces / sizeof *pieces };
    (void)state;
    for (unsigned code = 0; code < N * N * N * N * N; code++) {
        char line[64] = "";
        for (unsigned k = 0, rest = code; k < 5; k++, rest /= N)
            strcat(line, pieces[rest % N]);
        pare_log_record record;
        if (!pare_log_record_read(line, &record)) continue;
        const char *end = line + strlen(line);
        assert_true(record.level >= line && record.level + record.level_size <= end);
        assert_true(record.message >= line && record.message + record.message_size <= end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_record__layouts_of_logging_libraries),
        cmocka_unit_test(test_log_record__the_words_in_sentences_and_tables_are_no_levels),
        cmocka_unit_test(test_log_record__any_line_of_pieces_is_read_within_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
