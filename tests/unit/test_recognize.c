/* Recognisers: what is found in an output, and where. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "run/diagnostic.h"
#include "run/recognize.h"
#include "run/signature.h"

/* The text of the signature that `err` gives, for a program that ended by `ended`. */
static void assert_recognized(const char *err, pare_ended ended, int code, const char *expected)
{
    pare_recognizer markers;
    pare_buffer text = {0};
    pare_recognizer_init(&markers);
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
        {"E  app: x.c:5: f: Assertion `n > 3' failed.\n",
         "exit 1; message \"E app: x.c:#: f: Assertion `n > #' failed.\""},
        {"E  Assertion `n > 3' failed.\n", "exit 1; message \"E Assertion `n > #' failed.\""},
        {"E       assert 'failed' == 8\nE        +  where 'failed' = assert_x()\n",
         "exit 1"}, /* pytest's is a diagnostic */
        {"free(): invalid pointer\n", "exit 1; message \"free(): invalid pointer\""},
        {"x.c:1: warning: unreachable code\nassert me\n", "exit 1"},
        {"ASSERTION FAILED: n\n", "exit 1; message \"ASSERTION FAILED: n\""},
        {"assertion of n\nit failed\n", "exit 1"}, /* not on one line */
        {" Traceback: no list follows\ngoroutines end\n", "exit 1"},
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

/* TeX's sign of an error counts at the begin of a line, and so of the first. */
static void test_recognize__a_sign_of_tex_begins_any_line(void **state)
{
    (void)state;
    static const struct {
        const char *out;
        unsigned n;
    } cases[] = {
        {"! Missing $ inserted.\nl.1 _\n", 1},
        {"This is TeX\n! Missing $ inserted.\nl.1 _\n", 1},
        {"! Missing $ inserted.\nl.1 _\n! Undefined control sequence.\nl.2 \\a\n", 2},
        {"so! Missing $ inserted.\nl.1 _\n", 0},
        {"! Missing $ inserted.\n", 0}, /* without a place it is not TeX's */
        {"!", 0},
    };
    pare_recognizer recognizer;
    pare_recognizer_init(&recognizer);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        static pare_diagnostics found; /* large */
        const pare_observation seen = {
            .ended = PARE_ENDED_EXIT, .code = 1, .out = {cases[k].out, strlen(cases[k].out)}};
        found = (pare_diagnostics){.n = 0};
        (void)pare_recognize(&recognizer, &seen, &found);
        if (found.n != cases[k].n) fail_msg("case %zu: %u", k, (unsigned)found.n);
    }
}

/* A marker is found wherever it begins, although only some bytes are looked at. */
static void test_recognize__a_marker_is_found_at_every_place(void **state)
{
    (void)state;
    static const char *const texts[] = {"SyntaxError", "corrupted size", "(): invalid",
                                        "Double Free", "asserassertion failed"};
    pare_recognizer recognizer;
    pare_recognizer_init(&recognizer);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (size_t before = 0; before < 20; before++) {
            char text[64];
            memset(text, 's', sizeof text);
            memcpy(text + before, texts[k], strlen(texts[k]));
            const pare_observation seen = {.ended = PARE_ENDED_EXIT,
                                           .err = {text, before + strlen(texts[k])}};
            pare_signature signature = pare_recognize(&recognizer, &seen, NULL);
            assert_true(*signature.message || signature.despite);
        }
}

/* Seconds of processor time that `text` takes, in which nothing is to be recognized. */
static double time_of(const pare_recognizer *recognizer, const char *text, size_t size)
{
    enum { ROUNDS = 10 };
    const pare_observation seen = {.ended = PARE_ENDED_EXIT, .code = 1, .err = {text, size}};
    const clock_t start = clock();
    for (int round = 0; round < ROUNDS; round++)
        assert_string_equal(pare_recognize(recognizer, &seen, NULL).message, "");
    return (double)(clock() - start) / CLOCKS_PER_SEC / ROUNDS;
}

/* A line of 90 kB that is full of a word which is mostly used in passing, as that of a minified script:
 * it takes not many times as long as lines of a few of them do, and what stands near the word decides,
 * wherever that is. */
static void test_recognize__a_long_line_of_words_in_passing_is_read_in_short_time(void **state)
{
    (void)state;
    static const char *const in_passing[] = {"internal ", "assert ", "unreachable "};
    static char text[90000];
    pare_recognizer recognizer;
    pare_recognizer_init(&recognizer);
    for (size_t k = 0; k < sizeof in_passing / sizeof *in_passing; k++) {
        const size_t size = strlen(in_passing[k]);
        for (size_t at = 0; at + size <= sizeof text; at += size)
            memcpy(text + at, in_passing[k], size);
        const double one_line = time_of(&recognizer, text, sizeof text);
        for (size_t at = 1000; at < sizeof text; at += 1000)
            text[at] = '\n';
        const double lines = time_of(&recognizer, text, sizeof text);
        if (one_line > 20 * lines)
            fail_msg("%s: %g s, and %g s by lines", in_passing[k], one_line, lines);
        print_message("%s: %g s, and %g s by lines\n", in_passing[k], one_line, lines);
    }
    static const char meant[] = "internal error: no register";
    memset(text, 'x', sizeof text);
    memcpy(text + 50000, meant, strlen(meant));
    const pare_observation seen = {.ended = PARE_ENDED_EXIT, .code = 1, .err = {text, sizeof text}};
    assert_string_not_equal(pare_recognize(&recognizer, &seen, NULL).message, "");
}

static void test_recognize__a_marker_that_is_cut_is_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "asser", "syntax erro", "double fre"};
    pare_recognizer recognizer;
    pare_recognizer_init(&recognizer);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const pare_observation seen = {.ended = PARE_ENDED_EXIT,
                                       .err = {texts[k], strlen(texts[k])}};
        pare_signature signature = pare_recognize(&recognizer, &seen, NULL);
        assert_false(*signature.message || signature.despite);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recognize__each_family_of_failures),
        cmocka_unit_test(test_recognize__a_sign_of_tex_begins_any_line),
        cmocka_unit_test(test_recognize__a_marker_is_found_at_every_place),
        cmocka_unit_test(test_recognize__a_long_line_of_words_in_passing_is_read_in_short_time),
        cmocka_unit_test(test_recognize__a_marker_that_is_cut_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
