/* Signatures: the text form, and what counts as the same. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/signature.h"
#include "unit/alloc_sweep.h"

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
        "message \"\xd0\xba\xd0\xbb\xd1\x8e\xd1\x87 \xe6\xbc\xa2\"",
        "exit 1; diagnostic \"bad line *\"; line \"[core\"; alone",
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
    /* As in what is masked. */
    assert_string_equal(parsed("message \"\xc2\x9b\x7f\xff\"").message, "????");
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
        cmocka_unit_test(test_signature__text_is_read_back),
        cmocka_unit_test(test_signature__nonsense_is_refused),
        cmocka_unit_test(test_signature__what_is_not_named_may_be_anything),
        cmocka_unit_test(test_signature__runs_that_differ_leave_what_they_share),
        cmocka_unit_test(test_signature__printing_survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
