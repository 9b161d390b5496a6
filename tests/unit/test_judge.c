/* The judge's outcomes. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "run/command.h"
#include "run/diagnostic.h"
#include "run/judge.h"
#include "unit/alloc_sweep.h"

static const pare_keep_pattern PATTERNS[] = {{PARE_STREAM_OUTPUT, "needle \\d+"},
                                             {PARE_STREAM_NO_OUTPUT, "^bad"}};

static pare_observation seen(pare_ended ended, int code, const char *err)
{
    return (pare_observation){.ended = ended, .code = code, .err = {err, strlen(err)}};
}

static pare_judgement decide(pare_judge *judge, pare_trial *trial, pare_observation what)
{
    pare_judgement judgement;
    assert_int_equal(pare_judge_decide(judge, trial, &what, &judgement, NULL), PARE_OK);
    return judgement;
}

static void test_judge__each_condition_is_required(void **state)
{
    (void)state;
    const pare_keep keep = {
        .signal = "SEGV", .patterns = PATTERNS, .n_patterns = 2, .max_rss_bytes = 100};
    const struct {
        pare_ended ended;
        int code;
        const char *err;
        uint64_t rss_bytes;
        pare_outcome outcome;
    } cases[] = {
        {PARE_ENDED_SIGNAL, SIGSEGV, "needle 1", 100, PARE_FAIL},
        {PARE_ENDED_SIGNAL, SIGABRT, "needle 1", 100, PARE_PASS},
        {PARE_ENDED_EXIT, 0, "needle 1", 100, PARE_PASS},
        {PARE_ENDED_SIGNAL, SIGSEGV, "needle", 100, PARE_PASS},
        {PARE_ENDED_SIGNAL, SIGSEGV, "needle 1", 99, PARE_PASS},
        {PARE_ENDED_SIGNAL, SIGSEGV, "needle 1\nbad", 100, PARE_UNRESOLVED},
        {PARE_ENDED_HANG, 0, "needle 1", 100, PARE_UNRESOLVED},
        {PARE_ENDED_EXIT, 1, "parse error", 100, PARE_UNRESOLVED},
    };
    pare_judge *judge = NULL;
    assert_int_equal(pare_judge_new(&keep, &judge, NULL), PARE_OK);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_trial trial = {0};
        pare_observation what = seen(cases[k].ended, cases[k].code, cases[k].err);
        what.peak_rss_bytes = cases[k].rss_bytes;
        pare_judgement judgement = decide(judge, &trial, what);
        if (judgement.outcome != cases[k].outcome) fail_msg("case %zu", k);
        bool crash = cases[k].ended == PARE_ENDED_SIGNAL && cases[k].outcome == PARE_PASS;
        assert_int_equal(judgement.signature != NULL, crash);
    }
    pare_judge_free(judge);
}

static void test_judge__asks_for_the_other_commands_only_when_all_else_holds(void **state)
{
    (void)state;
    const pare_keep keep = {.use_exit_code = true, .differs = "other", .valid = "valid"};
    pare_judge *judge = NULL;
    pare_trial trial = {0};
    assert_int_equal(pare_judge_new(&keep, &judge, NULL), PARE_OK);
    assert_false(decide(judge, &trial, seen(PARE_ENDED_EXIT, 1, "")).more);
    assert_true(decide(judge, &trial, seen(PARE_ENDED_EXIT, 0, "")).more);
    assert_int_equal(trial.run, PARE_RUN_OTHER);
    assert_int_equal(decide(judge, &trial, seen(PARE_ENDED_EXIT, 0, "")).outcome, PARE_PASS);
    assert_true(decide(judge, &trial, seen(PARE_ENDED_EXIT, 3, "")).more);
    assert_int_equal(trial.run, PARE_RUN_VALID);
    assert_int_equal(decide(judge, &trial, seen(PARE_ENDED_EXIT, 0, "")).outcome, PARE_FAIL);
    assert_int_equal(decide(judge, &trial, seen(PARE_ENDED_EXIT, 1, "")).outcome, PARE_UNRESOLVED);
    pare_judge_free(judge);
}

static pare_status judge_once(void *context)
{
    (void)context;
    const pare_keep keep = {.signature = "exit 1", .patterns = PATTERNS, .n_patterns = 2};
    pare_judge *judge = NULL;
    pare_trial trial = {0};
    pare_judgement judgement;
    pare_observation what = seen(PARE_ENDED_SIGNAL, SIGSEGV, "");
    pare_status status = pare_judge_new(&keep, &judge, NULL);
    if (!status) status = pare_judge_decide(judge, &trial, &what, &judgement, NULL);
    pare_judge_free(judge);
    return status;
}

static void test_judge__survives_each_allocation_failing(void **state)
{
    (void)state;
    sweep_allocations(judge_once, NULL);
}

/* ---- any failure ------------------------------------------------------------------- */

static void test_judge__any_failure_is_one_of_the_kind_that_is_looked_for(void **state)
{
    static const char python[] = "Traceback (most recent call last):\n"
                                 "  File \"tool.py\", line 3, in load\n    x[1]\n"
                                 "KeyError: 'k'\n";
    static const struct {
        pare_ended ended;
        int code;
        const char *err;
        bool crash, exception, exit; /* whether it is a failure of this kind */
    } rows[] = {
        {PARE_ENDED_EXIT, 0, "", false, false, false},
        {PARE_ENDED_EXIT, 0, "an Assertion `x' failed", false, false, false},
        {PARE_ENDED_EXIT, 1, "a.js:1: syntax error", false, false, true},
        {PARE_ENDED_EXIT, 1, "SyntaxError: unexpected token", false, false, true},
        {PARE_ENDED_EXIT, 1, "TypeError: x is not a function", false, true, true},
        {PARE_ENDED_EXIT, 1, python, false, true, true},
        {PARE_ENDED_EXIT, 134, "a.c:3: f: Assertion `x' failed.", true, true, true},
        {PARE_ENDED_EXIT, 0, "a.c:1:2: runtime error: signed integer overflow", true, true, true},
        {PARE_ENDED_EXIT, 2, "panic: runtime error: index out of range", true, true, true},
        {PARE_ENDED_SIGNAL, SIGSEGV, "", true, true, true},
        {PARE_ENDED_SIGNAL, SIGKILL, "", false, false, false},
        {PARE_ENDED_SIGNAL, SIGXCPU, "", false, false, false},
        {PARE_ENDED_FLOOD, 0, "", false, false, true},
        {PARE_ENDED_HANG, 0, "", false, false, false},
    };
    const pare_keep keep = {.use_exit_code = false};
    (void)state;
    for (pare_any_failure any = PARE_ANY_CRASH; any <= PARE_ANY_EXIT; any++) {
        pare_judge *judge = NULL;
        assert_int_equal(pare_judge_new(&keep, &judge, NULL), PARE_OK);
        assert_false(pare_judge_is_any(judge));
        assert_int_equal(pare_judge_any(judge, any, NULL), PARE_OK);
        assert_true(pare_judge_is_any(judge));
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            pare_trial trial = {0};
            const bool fails = any == PARE_ANY_CRASH       ? rows[k].crash
                               : any == PARE_ANY_EXCEPTION ? rows[k].exception
                                                           : rows[k].exit;
            const pare_judgement judgement =
                decide(judge, &trial, seen(rows[k].ended, rows[k].code, rows[k].err));
            assert_int_equal(judgement.outcome == PARE_FAIL, fails);
            assert_int_equal(judgement.signature != NULL, fails);
        }
        pare_judge_free(judge);
    }
}

static pare_judge *any_judge(const pare_keep *keep, pare_any_failure any)
{
    pare_judge *judge = NULL;
    assert_int_equal(pare_judge_new(keep, &judge, NULL), PARE_OK);
    assert_int_equal(pare_judge_any(judge, any, NULL), PARE_OK);
    return judge;
}

static void test_judge__of_any_failure_what_is_named_is_a_condition(void **state)
{
    const pare_keep keep = {.patterns = PATTERNS, .n_patterns = 2};
    pare_judge *judge = any_judge(&keep, PARE_ANY_CRASH);
    pare_trial trial = {0};
    (void)state;
    assert_int_equal(decide(judge, &trial, seen(PARE_ENDED_SIGNAL, SIGSEGV, "")).outcome,
                     PARE_PASS);
    assert_int_equal(decide(judge, &trial, seen(PARE_ENDED_SIGNAL, SIGSEGV, "needle 1")).outcome,
                     PARE_FAIL);
    assert_int_equal(
        decide(judge, &trial, seen(PARE_ENDED_SIGNAL, SIGSEGV, "needle 1\nbad")).outcome,
        PARE_PASS);
    assert_int_equal(decide(judge, &trial, seen(PARE_ENDED_EXIT, 0, "needle 1")).outcome,
                     PARE_PASS);
    pare_judge_free(judge);
    judge = any_judge(&keep, PARE_ANY_NAMED);
    const pare_judgement named = decide(judge, &trial, seen(PARE_ENDED_EXIT, 0, "needle 1"));
    assert_int_equal(named.outcome, PARE_FAIL);
    assert_string_equal(named.signature, "exit 0");
    pare_judge_free(judge);
    const pare_keep nothing = {.use_exit_code = false};
    assert_int_equal(pare_judge_new(&nothing, &judge, NULL), PARE_OK);
    assert_int_equal(pare_judge_any(judge, PARE_ANY_NAMED, NULL), PARE_E_ARG);
    pare_judge_free(judge);
}

static void test_judge__a_hang_and_a_difference_are_failures_by_themselves(void **state)
{
    const pare_keep keep = {.hang_ms = 1000, .differs = "other", .valid = "valid"};
    pare_judge *judge = any_judge(&keep, PARE_ANY_CRASH);
    pare_trial trial = {0};
    (void)state;
    pare_judgement judgement = decide(judge, &trial, seen(PARE_ENDED_HANG, 0, ""));
    assert_true(judgement.more);
    assert_string_equal(judgement.signature, "hang");
    assert_int_equal(trial.run, PARE_RUN_VALID); /* nothing to compare */
    trial = (pare_trial){0};
    judgement = decide(judge, &trial, seen(PARE_ENDED_EXIT, 0, ""));
    assert_true(judgement.more);
    assert_int_equal(trial.run, PARE_RUN_OTHER);
    judgement = decide(judge, &trial, seen(PARE_ENDED_EXIT, 1, ""));
    assert_true(judgement.more);
    assert_int_equal(decide(judge, &trial, seen(PARE_ENDED_EXIT, 0, "")).outcome, PARE_FAIL);
    assert_true(trial.has_signature);
    pare_judge_free(judge);
}

static void test_judge__frames_may_be_passed_over(void **state)
{
    static const char *const ignored[] = {"^js_(malloc|free)$"};
    static const char report[] = "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n"
                                 "    #0 0x1 in js_malloc a.c:1\n    #1 0x2 in parse a.c:2\n"
                                 "    #2 0x3 in main a.c:3\n";
    const pare_keep keep = {.ignore_frames = ignored, .n_ignore_frames = 1};
    pare_judge *judge = any_judge(&keep, PARE_ANY_CRASH);
    pare_trial trial = {0};
    (void)state;
    assert_string_equal(
        decide(judge, &trial, seen(PARE_ENDED_EXIT, 1, report)).signature,
        "exit 1; error \"AddressSanitizer: SEGV\"; frame \"parse\"; frame \"main\"");
    pare_judge_free(judge);
}

static void test_judge__a_run_that_is_only_compared_leaves_what_was_seen(void **state)
{
    const pare_keep keep = {.signal = NULL};
    pare_judge *judge = NULL;
    pare_judgement judgement;
    pare_trial trial = {0};
    const pare_observation other = seen(PARE_ENDED_EXIT, 1, "error: no coffee\n");
    (void)state;
    assert_int_equal(pare_judge_new(&keep, &judge, NULL), PARE_OK);
    pare_judge_learn(judge);
    (void)decide(judge, &trial, seen(PARE_ENDED_EXIT, 1, "error: no tea\n"));
    assert_int_equal(pare_judge_compare(judge, &trial, &other, &judgement, NULL), PARE_OK);
    assert_int_equal(judgement.outcome, PARE_FAIL);
    assert_int_equal(pare_judge_seen(judge)->n, 1);
    assert_string_equal(pare_judge_seen(judge)->item[0].text, "error: no tea");
    pare_judge_free(judge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judge__any_failure_is_one_of_the_kind_that_is_looked_for),
        cmocka_unit_test(test_judge__of_any_failure_what_is_named_is_a_condition),
        cmocka_unit_test(test_judge__a_hang_and_a_difference_are_failures_by_themselves),
        cmocka_unit_test(test_judge__frames_may_be_passed_over),
        cmocka_unit_test(test_judge__a_run_that_is_only_compared_leaves_what_was_seen),
        cmocka_unit_test(test_judge__each_condition_is_required),
        cmocka_unit_test(test_judge__asks_for_the_other_commands_only_when_all_else_holds),
        cmocka_unit_test(test_judge__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
