/* Identities: one for each cause, on what real programs print (tests/data/diagnostics) and on
 * crashes.
 *
 * The expectation of the recorded outputs is how many of them get what the reader of the group
 * would give them; what is missed is printed, and may not become more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glob.h>
#include <cmocka.h>

#include "campaign/identity.h"
#include "run/judge.h"
#include "run/printed.h"
#include "unit/alloc_sweep.h"
#include "unit/support/diagnostic_groups.h"

/* ---- single ones --------------------------------------------------------------------- */

static void test_identity__each_level_keeps_what_it_says(void **state)
{
    static const char asan[] = "exit 1; message \"boom x\"; error \"AddressSanitizer: "
                               "heap-buffer-overflow\"; frame \"parse\"; frame \"main\"";
    static const struct {
        pare_identity_level level;
        const char *signature, *input, *identity;
    } rows[] = {
        {PARE_IDENTITY_FRAME, asan, "x",
         "error \"AddressSanitizer: heap-buffer-overflow\"; frame \"parse\""},
        {PARE_IDENTITY_TYPE, asan, "x", "error \"AddressSanitizer: heap-buffer-overflow\""},
        {PARE_IDENTITY_MESSAGE, asan, "nothing",
         "message \"boom x\"; error \"AddressSanitizer: heap-buffer-overflow\"; frame "
         "\"parse\""},
        {PARE_IDENTITY_EXACT, asan, "x", asan},
        {PARE_IDENTITY_FRAME,
         "exit 1; error \"AddressSanitizer: stack-overflow\"; frame \"a\"; frame \"b\"", "",
         "error \"AddressSanitizer: stack-overflow\""},
        {PARE_IDENTITY_MESSAGE, "hang", "", "hang"},
        {PARE_IDENTITY_FRAME, "signal SIGSEGV", "", "signal SIGSEGV"},
        {PARE_IDENTITY_FRAME, "signal SIGABRT; message \"p.c:#: f: Assertion `x > #' failed.\"",
         "x = 1", "signal SIGABRT; message \"p.c:#: f: Assertion `x > #' failed.\""},
        {PARE_IDENTITY_FRAME, "exit 1; diagnostic \"error: 'rows' undeclared\"", "int rows;",
         "exit 1; diagnostic \"error: '*' undeclared\""},
        {PARE_IDENTITY_FRAME, "exit 1; diagnostic \"rows\"", "rows", "exit 1; diagnostic \"rows\""},
        {PARE_IDENTITY_FRAME,
         "exit 1; error \"KeyError\"; frame \"get a.py\"; diagnostic \"KeyError: 'k'\"",
         "def get(): k", "exit 1; diagnostic \"KeyError: '*'\""},
        {PARE_IDENTITY_FRAME,
         "exit 1; error \"KeyError\"; frame \"get a.py\"; diagnostic \"KeyError: 'k'\"", "k",
         "exit 1; error \"KeyError\"; frame \"get a.py\""},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        pare_buffer identity = {0};
        assert_int_equal(pare_identity_of(rows[k].level, rows[k].signature, rows[k].input,
                                          strlen(rows[k].input), &identity, NULL),
                         PARE_OK);
        assert_string_equal(identity.data, rows[k].identity);
        pare_buffer_done(&identity);
    }
}

static void test_identity__a_title_says_what_and_where(void **state)
{
    static const char *const rows[][2] = {
        {"exit 1; error \"AddressSanitizer: heap-buffer-overflow\"; frame \"jsB_dateparse\"",
         "heap-buffer-overflow in jsB_dateparse"},
        {"signal SIGSEGV", "SIGSEGV"},
        {"signal SIGSEGV; frame \"f\"", "SIGSEGV in f"},
        {"hang", "does not end"},
        {"flood", "prints without end"},
        {"exit 3", "exit code 3"},
        {"signal SIGABRT; message \"a.c:#: f: Assertion failed\"", "a.c:#: f: Assertion failed"},
        {"exit 1; diagnostic \"error: '*' undeclared\"", "error: '*' undeclared"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        pare_buffer title = {0};
        assert_int_equal(pare_identity_title(rows[k][0], &title, NULL), PARE_OK);
        assert_string_equal(title.data, rows[k][1]);
        pare_buffer_done(&title);
    }
}

static void test_identity__matches_runs_on_other_inputs(void **state)
{
    static const char undeclared[] = "exit 1; diagnostic \"error: '*' undeclared\"";
    (void)state;
    assert_true(pare_identity_matches(undeclared, "exit 1; diagnostic \"error: 'x' undeclared\""));
    assert_false(pare_identity_matches(undeclared, "exit 1; diagnostic \"error: other\""));
    assert_false(pare_identity_matches(undeclared, "exit 1"));
    assert_true(pare_identity_matches("exit 1; error \"E\"", "exit 1; error \"E\"; frame \"f\""));
    assert_false(pare_identity_matches("exit 1; error \"E\"", "nonsense"));
}

static void test_identity__what_is_no_signature_is_refused(void **state)
{
    pare_buffer text = {0};
    pare_error err = {0};
    (void)state;
    assert_int_equal(pare_identity_of(PARE_IDENTITY_FRAME, "nonsense", "", 0, &text, &err),
                     PARE_E_SYNTAX);
    assert_int_equal(pare_identity_title("", &text, &err), PARE_E_SYNTAX);
    assert_int_equal(text.size, 0);
}

static pare_status attempt(void *context)
{
    pare_buffer text = {0}, title = {0};
    (void)context;
    pare_status status = pare_identity_of(PARE_IDENTITY_FRAME, "exit 1; error \"E\"; frame \"f\"",
                                          "x", 1, &text, NULL);
    if (!status) status = pare_identity_title(text.data, &title, NULL);
    pare_buffer_done(&text);
    pare_buffer_done(&title);
    return status;
}

static void test_identity__every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

/* ---- messages that quote the input ------------------------------------------------------ */

/* How programs speak of a name, %N. */
static const struct {
    const char *signature, *identity;
} quoting[] = {
    {"message \"Assertion failed: unexpected token '%N' at line #\"",
     "message \"Assertion failed: unexpected token '*' at line #\""},
    {"message \"Assertion failed: unexpected token %N at line #\"",
     "message \"Assertion failed: unexpected token * at line #\""},
    {"message \"ASSERTION FAILED: no symbol <%N>\"", "message \"ASSERTION FAILED: no symbol <*>\""},
    {"message \"Assertion `left == right' failed: bad name `%N'\"",
     "message \"Assertion `left == right' failed: bad name `*'\""},
    {"message \"assertion failed: %N of 0x# in input:#\"",
     "message \"assertion failed: * of 0x# in input:#\""},
    {"message \"internal error: token '%N' unexpected near '%N'\"",
     "message \"internal error: token '*' unexpected near '*'\""},
    {"message \"Check failed: x == y (# vs. #) for %N\"",
     "message \"Check failed: x == y (# vs. #) for *\""},
    {"error \"panic: lookup of '%N' failed at 0x#\"",
     "error \"panic: lookup of '*' failed at 0x#\""},
};

/* The text with each %N replaced. */
static const char *with_name(const char *text, const char *name)
{
    static char result[512];
    char *to = result;
    while (*text) {
        const bool is_name = strncmp(text, "%N", 2) == 0;
        to += sprintf(to, "%.*s", is_name ? (int)strlen(name) : 1, is_name ? name : text);
        text += is_name ? 2 : 1;
    }
    return result;
}

static void test_identity__what_a_crash_quotes_of_the_input_is_no_other_finding(void **state)
{
    static const char *const names[] = {"abc", "row_count", "rowCount", "q", "f2", "a.b"};
    (void)state;
    for (size_t k = 0; k < sizeof quoting / sizeof *quoting; k++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            char input[64];
            pare_buffer identity = {0};
            (void)snprintf(input, sizeof input, "\n\nlet %s = 7;", names[i]);
            const char *signature = with_name(quoting[k].signature, names[i]);
            assert_int_equal(pare_identity_of(PARE_IDENTITY_FRAME, signature, input, strlen(input),
                                              &identity, NULL),
                             PARE_OK);
            assert_string_equal(identity.data, quoting[k].identity);
            assert_true(pare_identity_matches(identity.data, signature));
            pare_buffer_done(&identity);
        }
}

/* One bug that shows the input was one finding for each input. */
static void test_identity__a_message_with_all_of_the_input_is_one_finding(void **state)
{
    static const struct {
        const char *signature, *input;
    } rows[] = {
        {"signal SIGABRT; message \"Assertion failed: bad value <[true,#]>\"", "[true,1]\n"},
        {"signal SIGABRT; message \"Assertion failed: bad value <[null, [#]]>\"", "[null, [-3.5]]"},
        {"signal SIGABRT; message \"Assertion failed: bad value <[]>\"", "[]\n"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        pare_buffer identity = {0};
        assert_int_equal(pare_identity_of(PARE_IDENTITY_FRAME, rows[k].signature, rows[k].input,
                                          strlen(rows[k].input), &identity, NULL),
                         PARE_OK);
        assert_string_equal(identity.data,
                            "signal SIGABRT; message \"Assertion failed: bad value <*>\"");
        assert_true(pare_identity_matches(identity.data, rows[k].signature));
        pare_buffer_done(&identity);
    }
}

static void test_identity__a_condition_is_the_programs_whatever_the_input_has(void **state)
{
    static const char *const messages[] = {
        "p.c:#: f: Assertion `tok != abc && \\\"x y\\\"' failed.",
        "assertion \\\"abc\\\" failed: file \\\"p.c\\\", line #, function: f",
        "Assertion failed: (abc), function f, file p.c, line #.",
        "Assertion failed: abc, file p.c, line #",
        "Assertion failed: abc->x",
        "Check failed: abc",
        "Check failed: abc == x (# vs. #)",
    };
    (void)state;
    for (size_t k = 0; k < sizeof messages / sizeof *messages; k++) {
        char signature[256];
        pare_buffer identity = {0};
        (void)snprintf(signature, sizeof signature, "signal SIGABRT; message \"%s\"", messages[k]);
        assert_int_equal(
            pare_identity_of(PARE_IDENTITY_FRAME, signature, "abc x y f", 9, &identity, NULL),
            PARE_OK);
        assert_string_equal(identity.data, signature);
        pare_buffer_done(&identity);
    }
}

static void test_identity__a_number_in_quotes_is_the_inputs(void **state)
{
    pare_buffer identity = {0};
    (void)state;
    assert_int_equal(pare_identity_of(PARE_IDENTITY_FRAME,
                                      "message \"Assertion failed: bad token '#' at #\"", "42", 2,
                                      &identity, NULL),
                     PARE_OK);
    assert_string_equal(identity.data, "message \"Assertion failed: bad token '*' at #\"");
    pare_buffer_done(&identity);
}

/* However a value is written, what is said of it is one finding. */
static void test_identity__an_unquoted_number_is_one_however_it_is_written(void **state)
{
    static const char *const numbers[] = {"7",  "-7",   "1234567", "0.5",
                                          ".5", "-.25", "1e308",   "4.2E-10"};
    char first[256] = "";
    (void)state;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        char text[128], masked[128], signature[256];
        pare_buffer identity = {0};
        (void)snprintf(text, sizeof text, "internal error: value %s out of range (%s)", numbers[k],
                       numbers[k]);
        pare_printed_mask(text, strlen(text), masked, sizeof masked);
        (void)snprintf(signature, sizeof signature, "signal SIGABRT; message \"%s\"", masked);
        assert_int_equal(pare_identity_of(PARE_IDENTITY_FRAME, signature, numbers[k],
                                          strlen(numbers[k]), &identity, NULL),
                         PARE_OK);
        if (!*first) (void)snprintf(first, sizeof first, "%s", identity.data);
        assert_string_equal(identity.data, first);
        pare_buffer_done(&identity);
    }
}

/* ---- recorded outputs ------------------------------------------------------------------ */

struct tally {
    unsigned n_groups, n_silent, n_same, n_same_one, n_different, n_different_apart;
};

/* The identity of what was recorded, with any exit code as a failure; empty: none was found. */
static void identify(const struct group_case *item, pare_buffer *identity)
{
    const pare_keep keep = {.use_exit_code = false};
    pare_judge *judge = NULL;
    pare_trial trial = {0};
    pare_judgement judgement = {0};
    const pare_observation seen = {.ended = item->signalled ? PARE_ENDED_SIGNAL : PARE_ENDED_EXIT,
                                   .code = item->code,
                                   .out = {item->out.start, item->out.size},
                                   .err = {item->err.start, item->err.size}};
    assert_int_equal(pare_judge_new(&keep, &judge, NULL), PARE_OK);
    assert_int_equal(pare_judge_any(judge, PARE_ANY_EXIT, NULL), PARE_OK);
    assert_int_equal(pare_judge_decide(judge, &trial, &seen, &judgement, NULL), PARE_OK);
    assert_int_equal(judgement.outcome == PARE_FAIL, judgement.signature != NULL);
    if (judgement.signature)
        assert_int_equal(pare_identity_of(PARE_IDENTITY_FRAME, judgement.signature,
                                          item->input.data, item->input.size, identity, NULL),
                         PARE_OK);
    pare_judge_free(judge);
}

/* A reduction keeps an identity: the run that it was made of shows it. */
static void check_matches(const struct group_case *item, const char *identity)
{
    const pare_keep keep = {.signature = identity};
    pare_judge *judge = NULL;
    pare_trial trial = {0};
    pare_judgement judgement = {0};
    const pare_observation seen = {.ended = item->signalled ? PARE_ENDED_SIGNAL : PARE_ENDED_EXIT,
                                   .code = item->code,
                                   .out = {item->out.start, item->out.size},
                                   .err = {item->err.start, item->err.size}};
    assert_int_equal(pare_judge_new(&keep, &judge, NULL), PARE_OK);
    assert_int_equal(pare_judge_decide(judge, &trial, &seen, &judgement, NULL), PARE_OK);
    if (judgement.outcome != PARE_FAIL) printf("%s: %s\n", identity, judgement.why);
    assert_int_equal(judgement.outcome, PARE_FAIL);
    pare_judge_free(judge);
}

static void identify_group(const char *path, struct tally *tally)
{
    struct group group;
    pare_buffer original = {0};
    assert_true(group_read(path, &group));
    identify(&group.cases[0], &original);
    tally->n_groups++;
    if (!original.size) tally->n_silent++;
    if (original.size) check_matches(&group.cases[0], original.data);
    for (size_t k = 1; k < group.n && original.size; k++) {
        const struct group_case *item = &group.cases[k];
        pare_buffer other = {0};
        identify(item, &other);
        const bool is_one = other.size && strcmp(other.data, original.data) == 0;
        const bool is_same = case_is(item, "same"), is_different = case_is(item, "different");
        tally->n_same += is_same;
        tally->n_same_one += is_same && is_one;
        tally->n_different += is_different;
        tally->n_different_apart += is_different && !is_one;
        if ((is_same && !is_one) || (is_different && is_one))
            printf("%s: %s\n    %s\n    %s\n", strrchr(path, '/') + 1, item->title, original.data,
                   other.size ? other.data : "-");
        pare_buffer_done(&other);
    }
    pare_buffer_done(&original);
    group_done(&group);
}

static void test_identity__one_cause_has_one_identity_in_recorded_outputs(void **state)
{
    const char *source = getenv("PARE_SOURCE_DIR");
    char pattern[4096];
    glob_t groups = {0};
    struct tally tally = {0};
    (void)state;
    (void)snprintf(pattern, sizeof pattern, "%s/tests/data/diagnostics/*.txt",
                   source ? source : ".");
    assert_int_equal(glob(pattern, 0, NULL, &groups), 0);
    for (size_t k = 0; k < groups.gl_pathc; k++)
        identify_group(groups.gl_pathv[k], &tally);
    printf("%u groups, %u of them warnings of a run that ends well: %u of %u of one cause have one "
           "identity, %u of %u others have another\n",
           tally.n_groups, tally.n_silent, tally.n_same_one, tally.n_same, tally.n_different_apart,
           tally.n_different);
    assert_int_equal(tally.n_groups, 203);
    assert_true(tally.n_same_one >= 128 && tally.n_different_apart >= 388);
    globfree(&groups);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identity__each_level_keeps_what_it_says),
        cmocka_unit_test(test_identity__a_title_says_what_and_where),
        cmocka_unit_test(test_identity__matches_runs_on_other_inputs),
        cmocka_unit_test(test_identity__what_is_no_signature_is_refused),
        cmocka_unit_test(test_identity__every_allocation_may_fail),
        cmocka_unit_test(test_identity__what_a_crash_quotes_of_the_input_is_no_other_finding),
        cmocka_unit_test(test_identity__a_message_with_all_of_the_input_is_one_finding),
        cmocka_unit_test(test_identity__a_condition_is_the_programs_whatever_the_input_has),
        cmocka_unit_test(test_identity__a_number_in_quotes_is_the_inputs),
        cmocka_unit_test(test_identity__an_unquoted_number_is_one_however_it_is_written),
        cmocka_unit_test(test_identity__one_cause_has_one_identity_in_recorded_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
