/* What the first runs of a program teach: what they have in common, as soon as two agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "session/test/learn_signature.h"
#include "unit/alloc_sweep.h"

/* A run of the program that did not end in time. */
static const char hanging[] = "";

/* Answers the n-th test with the n-th of `runs`, the last one for ever: the signature that
 * the judge tells while it learns; NULL: no failure is seen; or `hanging`. */
struct script {
    pare_oracle head;
    const char *const *runs;
    size_t n_runs, n_started;
    bool interrupted, waits_twice;
    char input[32]; /* that was tested last */
};

static pare_status script_start(pare_oracle *oracle, unsigned slot, const pare_candidate *candidate,
                                pare_error *err)
{
    struct script *script = (struct script *)oracle;
    (void)err;
    assert_int_equal(slot, 0);
    assert_true(candidate->size < sizeof script->input);
    pare_candidate_read(candidate, script->input);
    script->input[candidate->size] = '\0';
    script->n_started++;
    script->waits_twice = true;
    return PARE_OK;
}

/* Says once that nothing has happened yet. */
static pare_status script_wait(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                               pare_verdict *verdict, pare_error *err)
{
    struct script *script = (struct script *)oracle;
    size_t run = script->n_started < script->n_runs ? script->n_started : script->n_runs;
    const char *told = script->runs[run - 1];
    (void)err;
    assert_true(timeout_ms < 0);
    *what = script->interrupted   ? PARE_WAIT_INTERRUPTED
            : script->waits_twice ? PARE_WAIT_TIMEOUT
                                  : PARE_WAIT_VERDICT;
    script->waits_twice = false;
    bool hangs = told == hanging;
    *verdict = (pare_verdict){.outcome = hangs  ? PARE_UNRESOLVED
                                         : told ? PARE_FAIL
                                                : PARE_PASS,
                              .timed_out = hangs,
                              .signature = hangs ? NULL : told};
    return PARE_OK;
}

static struct script make_script(const char *const *runs, size_t n_runs)
{
    static const pare_oracle_ops ops = {.start = script_start, .wait = script_wait};
    return (struct script){.head = {.ops = &ops, .n_slots = 1}, .runs = runs, .n_runs = n_runs};
}

static pare_status learn(struct script *script, pare_judge *judge, pare_signature *signature,
                         pare_error *err)
{
    pare_text *input = NULL;
    pare_status status = pare_text_copy("the input", 9, &input, NULL);
    static const pare_keep keep = {.allow_new_errors = true};
    const pare_learning learning = {.oracle = &script->head,
                                    .judge = judge,
                                    .input = input,
                                    .input_name = "in.txt",
                                    .keep = &keep};
    pare_diagnostics offered;
    if (!status) status = pare_learn_signature(&learning, signature, &offered, err);
    pare_text_unref(input);
    return status;
}

static pare_judge *make_judge(void)
{
    static const pare_keep nothing = {.signal = NULL};
    pare_judge *judge = NULL;
    assert_int_equal(pare_judge_new(&nothing, &judge, NULL), PARE_OK);
    return judge;
}

static void test_learn_signature__what_all_runs_share_is_the_signature(void **state)
{
    static const struct {
        const char *runs[PARE_LEARN_RUNS];
        size_t n_runs, n_tests;
        const char *learnt;
    } cases[] = {
        {{"exit 1; error \"KeyError\""}, 1, 2, "exit 1; error \"KeyError\""},
        {{"exit 1; error \"E\"; frame \"f\"", "exit 1; error \"E\"; frame \"g\""},
         2,
         3,
         "exit 1; error \"E\""},
        {{"exit 1; error \"E\"", "exit 2; error \"E\""}, 2, 3, "error \"E\""},
        {{"signal SIGSEGV; message \"m\"; frame \"f\"",
          "signal SIGABRT; message \"m\"; frame \"f\"",
          "signal SIGABRT; message \"n\"; frame \"f\"",
          "signal SIGABRT; message \"n\"; frame \"f\""},
         4,
         4,
         "frame \"f\""},
        {{"signal SIGSEGV", "signal SIGSEGV; message \"only now\""}, 2, 2, "signal SIGSEGV"},
        {{NULL, "exit 1", NULL, "exit 1"}, 4, 4, "exit 1"}, /* by chance */
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct script script = make_script(cases[k].runs, cases[k].n_runs);
        pare_judge *judge = make_judge();
        pare_signature signature;
        pare_buffer text = {0};
        assert_int_equal(learn(&script, judge, &signature, NULL), PARE_OK);
        assert_int_equal(pare_signature_print(&signature, &text, NULL), PARE_OK);
        assert_string_equal(text.data, cases[k].learnt);
        assert_int_equal(script.n_started, cases[k].n_tests);
        assert_string_equal(script.input, "the input");
        pare_buffer_done(&text);
        pare_judge_free(judge);
    }
}

static pare_outcome judged(pare_judge *judge, int code, const char *printed)
{
    pare_trial trial = {0};
    pare_judgement judgement;
    pare_observation seen = {
        .ended = PARE_ENDED_EXIT, .code = code, .err = {printed, strlen(printed)}};
    assert_int_equal(pare_judge_decide(judge, &trial, &seen, &judgement, NULL), PARE_OK);
    return judgement.outcome;
}

static void test_learn_signature__the_judge_requires_it_from_then_on(void **state)
{
    static const char *const runs[] = {"exit 3"};
    struct script script = make_script(runs, 1);
    pare_judge *judge = make_judge();
    pare_signature signature;
    (void)state;
    assert_true(pare_judge_must_learn(judge));
    assert_int_equal(learn(&script, judge, &signature, NULL), PARE_OK);
    assert_int_equal(judged(judge, 3, ""), PARE_FAIL);
    assert_int_not_equal(judged(judge, 4, ""), PARE_FAIL);
    assert_int_not_equal(judged(judge, 0, ""), PARE_FAIL);
    pare_judge_free(judge);
}

static void test_learn_signature__what_teaches_nothing_is_told_with_a_way_out(void **state)
{
    static const struct {
        const char *runs[2];
        size_t n_tests;
        const char *advice;
    } cases[] = {
        {{NULL, NULL}, 3, "reports no failure"},
        {{hanging, NULL}, 1, "--hang 10 -- PROGRAM"},
        {{"exit 1", "exit 2"}, 3, "in another way each time"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct script script = make_script(cases[k].runs, 2);
        pare_judge *judge = make_judge();
        pare_signature signature;
        pare_error err = {0};
        assert_int_equal(learn(&script, judge, &signature, &err), PARE_E_STATE);
        assert_non_null(strstr(err.message, cases[k].advice));
        assert_int_equal(script.n_started, cases[k].n_tests);
        pare_judge_free(judge);
    }
}

static void test_learn_signature__a_stop_ends_it(void **state)
{
    static const char *const runs[] = {"exit 1"};
    struct script script = make_script(runs, 1);
    pare_judge *judge = make_judge();
    pare_signature signature;
    (void)state;
    script.interrupted = true;
    assert_int_equal(learn(&script, judge, &signature, NULL), PARE_E_INTERRUPTED);
    assert_int_equal(script.n_started, 1);
    pare_judge_free(judge);
}

static void test_learn_signature__a_signature_that_cannot_be_read_is_an_error(void **state)
{
    static const char *const runs[] = {"exit perhaps"};
    struct script script = make_script(runs, 1);
    pare_judge *judge = make_judge();
    pare_signature signature;
    (void)state;
    assert_int_equal(learn(&script, judge, &signature, NULL), PARE_E_SYNTAX);
    pare_judge_free(judge);
}

static pare_status learn_once(void *context)
{
    static const char *const runs[] = {"exit 1; error \"E\"; frame \"f\"", "exit 1"};
    static const pare_keep nothing = {.signal = NULL};
    struct script script = make_script(runs, 2);
    pare_judge *judge = NULL;
    pare_signature signature;
    (void)context;
    pare_status status = pare_judge_new(&nothing, &judge, NULL);
    if (!status) status = learn(&script, judge, &signature, NULL);
    pare_judge_free(judge);
    return status;
}

static void test_learn_signature__survives_each_allocation_failing(void **state)
{
    (void)state;
    sweep_allocations(learn_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learn_signature__what_all_runs_share_is_the_signature),
        cmocka_unit_test(test_learn_signature__the_judge_requires_it_from_then_on),
        cmocka_unit_test(test_learn_signature__what_teaches_nothing_is_told_with_a_way_out),
        cmocka_unit_test(test_learn_signature__a_stop_ends_it),
        cmocka_unit_test(test_learn_signature__a_signature_that_cannot_be_read_is_an_error),
        cmocka_unit_test(test_learn_signature__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
