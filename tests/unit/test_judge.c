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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judge__each_condition_is_required),
        cmocka_unit_test(test_judge__asks_for_the_other_commands_only_when_all_else_holds),
        cmocka_unit_test(test_judge__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
