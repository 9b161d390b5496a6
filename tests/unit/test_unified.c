/* Differences are printed as diff -u prints them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "text/unified.h"

static pare_span span_of(const char *text)
{
    return (pare_span){(const unsigned char *)text, strlen(text)};
}

struct sides {
    const char *old, *fresh, *printed;
};

static void test_unified__prints_as_diff_does(void **state)
{
    (void)state;
    static const struct sides cases[] = {
        {"a\nb\n", "a\nb\n", ""},
        {"", "", ""},
        {"a\n", "b\n", "--- o\n+++ f\n@@ -1 +1 @@\n-a\n+b\n"},
        {"a\n", "", "--- o\n+++ f\n@@ -1 +0,0 @@\n-a\n"},
        {"", "a\n", "--- o\n+++ f\n@@ -0,0 +1 @@\n+a\n"},
        {"a\nb", "a\n", "--- o\n+++ f\n@@ -1,2 +1 @@\n a\n-b\n\\ No newline at end of file\n"},
        {"1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\n6\n7\n8\n",
         "--- o\n+++ f\n@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n"},
        /* A carriage return within a line is a byte of it. */
        {"a\rb\nc\r", "a\rd\nc\r",
         "--- o\n+++ f\n@@ -1,2 +1,2 @@\n-a\rb\n+a\rd\n c\r\n\\ No newline at end of file\n"},
        {"\r\r\n\r", "\r\n",
         "--- o\n+++ f\n@@ -1,2 +1 @@\n-\r\r\n-\r\n\\ No newline at end of file\n+\r\n"},
        /* Six equal lines between two changes are printed once; seven part them. */
        {"x\n1\n2\n3\n4\n5\n6\ny\n", "1\n2\n3\n4\n5\n6\n",
         "--- o\n+++ f\n@@ -1,8 +1,6 @@\n-x\n 1\n 2\n 3\n 4\n 5\n 6\n-y\n"},
        {"x\n1\n2\n3\n4\n5\n6\n7\ny\n", "1\n2\n3\n4\n5\n6\n7\n",
         "--- o\n+++ f\n@@ -1,4 +1,3 @@\n-x\n 1\n 2\n 3\n@@ -6,4 +5,3 @@\n 5\n 6\n 7\n-y\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_buffer out = {0};
        const pare_unified_side old = {"o", span_of(cases[k].old)};
        const pare_unified_side fresh = {"f", span_of(cases[k].fresh)};
        assert_int_equal(pare_buffer_text(&out, "", NULL), PARE_OK);
        assert_int_equal(pare_unified_print(&old, &fresh, &out, NULL), PARE_OK);
        assert_string_equal(out.data, cases[k].printed);
        pare_buffer_done(&out);
    }
}

static pare_status attempt(void *context)
{
    (void)context;
    pare_buffer out = {0};
    const pare_unified_side old = {"o", span_of("a\nb\nc\n")}, fresh = {"f", span_of("a\nc\nd\n")};
    pare_status status = pare_unified_print(&old, &fresh, &out, NULL);
    pare_buffer_done(&out);
    return status;
}

static void test_unified__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unified__prints_as_diff_does),
        cmocka_unit_test(test_unified__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
