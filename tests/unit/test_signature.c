/* Signatures: masking, recognising, the text form, and what counts as the same. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/mask.h"
#include "run/recognize.h"
#include "run/rejection.h"
#include "unit/alloc_sweep.h"

static void test_mask__what_changes_from_run_to_run_is_gone(void **state)
{
    (void)state;
    static const struct {
        const char *line, *masked;
    } cases[] = {
        {"at 0x7ffe12 of 12 bytes", "at 0x# of # bytes"},
        {"pc 00007f12abcd4567 sp", "pc # sp"},
        {"/tmp/x.3/in.c:12:5: bad", "in.c:#: bad"},
        {"../a/b/c.py", "c.py"},
        {"took 12:30:01.5 on 2026-11-20", "took # on #-#-#"},
        {"==123==ERROR", "==#==ERROR"},
        {"utf8_encode x2y", "utf8_encode x2y"},
        {"a / b", "a / b"},
        {"  two\t\tblanks  ", "two blanks"},
        {"a\x1b[0mb", "a?[#mb"},
        {"dir/", "dir/"},
        {"", ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char masked[64];
        pare_mask(cases[k].line, strlen(cases[k].line), masked, sizeof masked);
        assert_string_equal(masked, cases[k].masked);
    }
}

static void test_mask__is_cut_at_the_room_there_is(void **state)
{
    (void)state;
    char masked[4];
    pare_mask("abcdef", 6, masked, sizeof masked);
    assert_string_equal(masked, "abc");
    pare_mask("abcdef", 6, masked, 1);
    assert_string_equal(masked, "");
}

/* The text of the signature that `err` gives, for a program that ended by `ended`. */
static void assert_recognized(const char *err, pare_ended ended, int code, const char *expected)
{
    pare_markers markers;
    pare_buffer text = {0};
    pare_markers_init(&markers);
    pare_observation seen = {.ended = ended, .code = code, .err = {err, strlen(err)}};
    pare_signature signature = pare_recognize(&markers, &seen, NULL);
    assert_int_equal(pare_signature_print(&signature, &text, NULL), PARE_OK);
    assert_string_equal(text.data, expected);
    pare_buffer_done(&text);
}

static void test_recognize__each_family_of_failures(void **state)
{
    (void)state;
    static const struct {
        const char *err, *expected;
    } cases[] = {
        {"a.out: x.c:5: f: Assertion `n > 3' failed.\nAborted\n",
         "exit 1; message \"a.out: x.c:#: f: Assertion `n > #' failed.\""},
        {"Assertion failed: (n > 3), function f, file x.c, line 5.\n",
         "exit 1; message \"Assertion failed: (n > #), function f, file x.c, line #.\""},
        {"/tmp/in.c:5:1: internal compiler error: in fold, at fold.cc:12\n",
         "exit 1; message \"internal compiler error: in fold, at fold.cc:#\""},
        {"free(): invalid pointer\n", "exit 1; message \"free(): invalid pointer\""},
        {"x.c:1: warning: unreachable code\nassert me\n", "exit 1"},
        {"x.c:1:9: fatal error: y.h: No such file\n", "exit 1"},
        {"==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc 0x1\n"
         "READ of size 1\n    #0 0x4a in __interceptor_strlen (/x+0x4)\n"
         "    #1 0x5 in strange /x.c:12:3\n    #2 0x5 in main /x.c:3\n",
         "exit 1; error \"AddressSanitizer: heap-use-after-free\"; frame \"strange\"; "
         "frame \"main\""},
        {"x.c:3:5: runtime error: shift exponent 40 is too large for 32-bit type 'int'\n",
         "exit 1; error \"UndefinedBehaviorSanitizer: shift exponent # is too large for #-bit "
         "type 'int'\"; frame \"x.c:#\""},
        {"Traceback (most recent call last):\n  File \"/a/b.py\", line 3, in <module>\n"
         "    f(3)\n  File \"/a/b.py\", line 2, in f\n    return {}[x]\n           ~~^^^\n"
         "KeyError: 3\n",
         "exit 1; error \"KeyError\"; frame \"f b.py\""},
        {"Exception in thread \"main\" java.lang.RuntimeException: foo\n\tat a.B.c(B.java:3)\n"
         "Caused by: java.lang.NullPointerException: z\n\tat q.R.s(R.java:12)\n",
         "exit 1; error \"java.lang.NullPointerException\"; frame \"q.R.s\""},
        {"thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds: the len is 3\n",
         "exit 1; error \"panic: index out of bounds\"; frame \"main.rs\""},
        {"thread 'main' panicked at 'called `Option::unwrap()` on a `None` value', src/m.rs:2:5\n",
         "exit 1; error \"panic: called `Option::unwrap()` on a `None` value\"; frame \"m.rs\""},
        {"panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\n"
         "panic(0x1)\n\t/go/panic.go:3\nmain.(*T).f(0x1)\n\t/x/y.go:3 +0x1\n",
         "exit 1; error \"panic: runtime error: index out of range\"; frame \"main.(*T).f\""},
        {"in.x:3: syntax error near 'a'\n", "exit 1; despite \"syntax error\""},
        {"", "exit 1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_recognized(cases[k].err, PARE_ENDED_EXIT, 1, cases[k].expected);
    assert_recognized("", PARE_ENDED_SIGNAL, SIGSEGV, "signal SIGSEGV");
    assert_recognized("", PARE_ENDED_FLOOD, 0, "flood");
}

/* Every marker is found at every place, by a search that compares at each byte. */
static void test_markers__equal_a_search_at_each_byte(void **state)
{
    (void)state;
    static const char *const texts[] = {"Assertion",  "INTERNAL error", "SyntaxError",
                                        "panic: x",   "xx(): invalid",  "corrupted size",
                                        "asserassert"};
    pare_markers markers;
    pare_markers_init(&markers);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (size_t before = 0; before < 20; before++) {
            char text[64];
            pare_marker marker;
            memset(text, 's', sizeof text);
            memcpy(text + before, texts[k], strlen(texts[k]));
            size_t size = before + strlen(texts[k]);
            assert_true(pare_markers_find(&markers, text, size, 0, &marker));
            assert_in_range(marker.at, before, size - PARE_MARKERS_WINDOW);
        }
    pare_marker marker;
    assert_false(pare_markers_find(&markers, "asser", 5, 0, &marker));
    assert_false(pare_markers_find(&markers, "", 0, 0, &marker));
    for (unsigned k = 0; k < pare_rejection_count(); k++)
        assert_true(strlen(pare_rejection_name(k)) >= PARE_MARKERS_WINDOW);
}

static pare_signature parsed(const char *text)
{
    pare_signature signature = {0};
    assert_int_equal(pare_signature_parse(text, &signature, NULL), PARE_OK);
    return signature;
}

static void test_signature__text_is_read_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "exit 3",
        "exit nonzero",
        "signal SIGSEGV",
        "flood",
        "hang",
        "message \"a \\\"quoted\\\" \\\\ text\"",
        "signal SIGABRT; message \"m\"; error \"e\"; frame \"f\"; frame \"g\"; despite \"syntax "
        "error\"",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        pare_buffer text = {0};
        pare_signature signature = parsed(texts[k]);
        assert_int_equal(pare_signature_print(&signature, &text, NULL), PARE_OK);
        assert_string_equal(text.data, texts[k]);
        pare_buffer_done(&text);
    }
    assert_int_equal(parsed(" signal  SEGV \n").code, SIGSEGV);
}

static void test_signature__nonsense_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "exit",
                                        "exit 256",
                                        "exit -1",
                                        "signal SIGNOT",
                                        "signal 0",
                                        "message",
                                        "message \"\"",
                                        "message \"x",
                                        "message x",
                                        "exit 1;",
                                        "exit 1; ;",
                                        "exit 1 exit",
                                        "flood; flood",
                                        "frame \"a\"; error \"b\"",
                                        "exit 1 x",
                                        "walk 3",
                                        "despite \"x\"",
                                        "frame \"a\"; frame \"b\"; frame \"c\""};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        pare_signature signature = {.code = 77};
        pare_error err = {0};
        if (pare_signature_parse(texts[k], &signature, &err) != PARE_E_SYNTAX)
            fail_msg("taken: %s", texts[k]);
        assert_int_equal(signature.code, 77);
    }
}

static void test_signature__what_is_not_named_may_be_anything(void **state)
{
    (void)state;
    static const struct {
        const char *wanted, *seen;
        bool matches;
    } cases[] = {
        {"exit 1", "exit 1; message \"m\"", true},
        {"message \"m\"", "exit 1; message \"m\"", true},
        {"exit 2", "exit 1", false},
        {"exit nonzero", "exit 7", true},
        {"exit nonzero", "exit 0", false},
        {"exit nonzero", "signal SIGSEGV", false},
        {"message \"m\"", "exit 1", false},
        {"message \"a*c\"", "exit 1; message \"abbc\"", true},
        {"message \"a*c\"", "exit 1; message \"abbd\"", false},
        {"error \"e\"; frame \"f\"", "exit 1; error \"e\"; frame \"g\"", false},
        {"hang", "hang", true},
        {"flood", "exit 0", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_signature wanted = parsed(cases[k].wanted), seen = parsed(cases[k].seen);
        if (pare_signature_matches(&wanted, &seen) != cases[k].matches)
            fail_msg("%s against %s", cases[k].wanted, cases[k].seen);
    }
}

static void test_signature__runs_that_differ_leave_what_they_share(void **state)
{
    (void)state;
    pare_buffer text = {0};
    pare_signature common = parsed("exit 1; message \"m\"; error \"e\"; frame \"f\"; frame \"g\"");
    pare_signature other = parsed("exit 2; message \"m\"; error \"e\"; frame \"x\"; frame \"g\"");
    pare_signature_intersect(&common, &other);
    assert_int_equal(pare_signature_print(&common, &text, NULL), PARE_OK);
    assert_string_equal(text.data, "message \"m\"; error \"e\"");
    pare_buffer_done(&text);
}

static pare_status print_once(void *context)
{
    pare_buffer text = {0};
    pare_status status = pare_signature_print(context, &text, NULL);
    pare_buffer_done(&text);
    return status;
}

static void test_signature__printing_survives_each_allocation_failing(void **state)
{
    (void)state;
    pare_signature signature = parsed("exit 1; message \"a longer text than fits at first\"");
    sweep_allocations(print_once, &signature);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mask__what_changes_from_run_to_run_is_gone),
        cmocka_unit_test(test_mask__is_cut_at_the_room_there_is),
        cmocka_unit_test(test_recognize__each_family_of_failures),
        cmocka_unit_test(test_markers__equal_a_search_at_each_byte),
        cmocka_unit_test(test_signature__text_is_read_back),
        cmocka_unit_test(test_signature__nonsense_is_refused),
        cmocka_unit_test(test_signature__what_is_not_named_may_be_anything),
        cmocka_unit_test(test_signature__runs_that_differ_leave_what_they_share),
        cmocka_unit_test(test_signature__printing_survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
