/* What the first runs of a program teach: what they have in common, as soon as two agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "engine/journal.h"
#include "session/test/learn_signature.h"
#include "session/test/session_oracle.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

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
                                    .hang_line = "pare reduce in.txt --hang 10 -- prog @@",
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
        {{hanging, NULL}, 1, "write pare reduce in.txt --hang 10 -- prog @@, otherwise"},
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

/* ---- Where the signature that a program's judge requires comes from: the option, a file, what lies beside the journal, and only then the program's first runs. */

static char program[128];
static const char *const words[] = {program};

/* A program that ends with exit code 7, and counts its runs. */
static void write_program(const char *name)
{
    char body[256];
    (void)snprintf(program, sizeof program, "%s/%s", scratch_dir, name);
    (void)snprintf(body, sizeof body, "cat >/dev/null\necho >>%s/runs\nexit 7", scratch_dir);
    scratch_script(name, body);
}

static size_t count_runs(void)
{
    pare_buffer runs = {0};
    if (pare_file_exists("runs")) assert_int_equal(pare_file_read("runs", &runs, NULL), PARE_OK);
    size_t n = runs.size;
    pare_buffer_done(&runs);
    return n;
}

static pare_reduce_options options_of(pare_keep keep)
{
    return (pare_reduce_options){.test.program = words,
                                 .test.n_program = 1,
                                 .keep = keep,
                                 .limits.jobs = 1,
                                 .test.timeout_ms = 60000,
                                 .test.runner = PARE_RUNNER_SPAWN,
                                 .test.safety = {.sandbox = PARE_SANDBOX_OFF}};
}

static pare_text *make_text(const char *bytes)
{
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy(bytes, strlen(bytes), &text, NULL), PARE_OK);
    return text;
}

static pare_session_oracle_options asked_of(const pare_reduce_options *options)
{
    return (pare_session_oracle_options){.input = &options->input,
                                         .test = &options->test,
                                         .keep = &options->keep,
                                         .jobs = options->limits.jobs};
}

/* Opens an oracle and settles it; how many runs that took. */
static size_t settle(const pare_reduce_options *options, const char *input,
                     pare_session_oracle *oracle)
{
    pare_text *text = make_text(input);
    pare_error err = {0};
    size_t before = count_runs();
    const pare_session_oracle_options asked = asked_of(options);
    assert_int_equal(pare_session_oracle_open(&asked, oracle, NULL), PARE_OK);
    pare_status status =
        pare_learn_signature_choose(oracle, options->output.journal_dir, text, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, PARE_OK);
    pare_text_unref(text);
    return count_runs() - before;
}

static void test_learn_signature__what_is_named_is_not_learnt(void **state)
{
    static const struct {
        pare_keep keep;
        const char *signature;
    } cases[] = {{{.signature = "exit 3; error \"E\""}, "exit 3; error \"E\""},
                 {{.use_exit_code = true, .exit_code = 7}, ""},
                 {{.signal = "SEGV"}, ""}};
    (void)state;
    write_program("seven");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const pare_reduce_options options = options_of(cases[k].keep);
        pare_session_oracle oracle = {.oracle = NULL};
        assert_int_equal(settle(&options, "in", &oracle), 0);
        assert_string_equal(oracle.signature.size ? oracle.signature.data : "", cases[k].signature);
        pare_session_oracle_close(&oracle);
    }
}

static void test_learn_signature__a_test_command_has_nothing_to_settle(void **state)
{
    const pare_reduce_options options = {.test.command = "true",
                                         .limits.jobs = 1,
                                         .test.runner = PARE_RUNNER_SPAWN,
                                         .test.safety = {.sandbox = PARE_SANDBOX_OFF}};
    pare_session_oracle oracle = {.oracle = NULL};
    (void)state;
    assert_int_equal(settle(&options, "in", &oracle), 0);
    assert_int_equal(oracle.signature.size, 0);
    assert_int_equal(pare_learn_signature_keep(&oracle, "no/such/folder", NULL), PARE_OK);
    pare_learn_signature_drop(&oracle, "no/such/folder");
    pare_session_oracle_close(&oracle);
}

static void test_learn_signature__what_was_learnt_is_kept_in_the_file_and_read_from_it(void **state)
{
    const pare_reduce_options options = options_of((pare_keep){.signature_path = "sig"});
    pare_session_oracle first = {.oracle = NULL}, second = {.oracle = NULL};
    (void)state;
    write_program("seven");
    assert_int_equal(settle(&options, "in", &first), 2);
    assert_file_holds("sig", "exit 7; alone\n");
    scratch_write("sig", "  exit nonzero \n", 0644); /* widened by a person */
    assert_int_equal(settle(&options, "in", &second), 0);
    assert_string_equal(second.signature.data, "exit nonzero");
    pare_session_oracle_close(&first);
    pare_session_oracle_close(&second);
    assert_int_equal(unlink("sig"), 0);
}

static void test_learn_signature__a_file_that_cannot_be_read_is_named(void **state)
{
    const pare_reduce_options options = options_of((pare_keep){.signature_path = "wrong"});
    pare_session_oracle oracle = {.oracle = NULL};
    pare_text *text = make_text("in");
    pare_error err = {0};
    (void)state;
    write_program("seven");
    scratch_write("wrong", "exit maybe", 0644);
    const pare_session_oracle_options asked = asked_of(&options);
    assert_int_equal(pare_session_oracle_open(&asked, &oracle, NULL), PARE_OK);
    assert_int_equal(pare_learn_signature_choose(&oracle, NULL, text, &err), PARE_E_SYNTAX);
    assert_int_equal(strncmp(err.message, "wrong", 5), 0);
    pare_session_oracle_close(&oracle);
    pare_text_unref(text);
}

/* Makes the journal that a run with `oracle` on `input` would. */
static void write_journal(const pare_session_oracle *oracle, const char *input)
{
    pare_text *text = make_text(input);
    const pare_journal_key key = {.test = pare_session_oracle_identity(oracle),
                                  .input = pare_text_digest(text)};
    pare_journal *journal = NULL;
    pare_journal_found found;
    assert_int_equal(
        pare_journal_open("journal.pare", &key, PARE_SYNC_SECOND, &journal, &found, NULL), PARE_OK);
    pare_journal_close(journal);
    pare_text_unref(text);
}

static void test_learn_signature__beside_its_own_journal_a_signature_is_not_learnt_again(
    void **state)
{
    pare_reduce_options options = options_of((pare_keep){.signal = NULL});
    pare_session_oracle first = {.oracle = NULL}, again = {.oracle = NULL},
                        other_input = {.oracle = NULL}, other_program = {.oracle = NULL};
    (void)state;
    write_program("seven");
    options.output.journal_dir = "journal.pare";
    assert_int_equal(settle(&options, "in", &first), 2); /* there is no journal yet */
    write_journal(&first, "in");
    assert_int_equal(pare_learn_signature_keep(&first, "journal.pare", NULL), PARE_OK);
    assert_file_holds("journal.pare/signature", "exit 7; alone\n");
    assert_int_equal(settle(&options, "in", &again), 0);
    assert_string_equal(again.signature.data, "exit 7; alone");
    assert_int_equal(settle(&options, "another", &other_input), 2);
    write_program("another-seven");
    assert_int_equal(settle(&options, "in", &other_program), 2);
    pare_learn_signature_drop(&first, "journal.pare");
    assert_int_equal(access("journal.pare/signature", F_OK), -1);
    assert_int_equal(access("journal.pare/journal", F_OK), 0);
    pare_session_oracle_close(&first);
    pare_session_oracle_close(&again);
    pare_session_oracle_close(&other_input);
    pare_session_oracle_close(&other_program);
}

static void test_learn_signature__a_signature_of_unknown_origin_is_not_believed(void **state)
{
    pare_reduce_options options = options_of((pare_keep){.signal = NULL});
    pare_session_oracle first = {.oracle = NULL}, second = {.oracle = NULL};
    (void)state;
    write_program("seven");
    options.output.journal_dir = "journal.pare";
    assert_int_equal(settle(&options, "x", &first), 2);
    write_journal(&first, "x");
    scratch_write("journal.pare/signature", "exit 9\n", 0644); /* not the journal's */
    assert_int_equal(settle(&options, "x", &second), 2);
    assert_string_equal(second.signature.data, "exit 7; alone");
    pare_session_oracle_close(&first);
    pare_session_oracle_close(&second);
}

/* Reading a signature, keeping and dropping it; runs no program. */
static pare_status settle_once(void *context)
{
    const pare_reduce_options *options = context;
    const pare_session_oracle_options asked = asked_of(options);
    pare_session_oracle oracle = {.oracle = NULL};
    pare_text *text = NULL;
    pare_status status = pare_text_copy("in", 2, &text, NULL);
    if (!status) status = pare_session_oracle_open(&asked, &oracle, NULL);
    if (!status)
        status = pare_learn_signature_choose(&oracle, options->output.journal_dir, text, NULL);
    if (!status) status = pare_learn_signature_keep(&oracle, ".", NULL);
    pare_session_oracle_close(&oracle);
    pare_text_unref(text);
    return status;
}

static void test_learn_signature__reading_and_keeping_survive_each_allocation_failing(void **state)
{
    pare_reduce_options options = options_of((pare_keep){.signature_path = "given"});
    (void)state;
    write_program("seven");
    scratch_write("given", "exit 7; error \"E\"\n", 0644);
    sweep_allocations(settle_once, &options);
    assert_file_holds("signature", "exit 7; error \"E\"\n");
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
        cmocka_unit_test(test_learn_signature__what_is_named_is_not_learnt),
        cmocka_unit_test(test_learn_signature__a_test_command_has_nothing_to_settle),
        cmocka_unit_test(
            test_learn_signature__what_was_learnt_is_kept_in_the_file_and_read_from_it),
        cmocka_unit_test(test_learn_signature__a_file_that_cannot_be_read_is_named),
        cmocka_unit_test(
            test_learn_signature__beside_its_own_journal_a_signature_is_not_learnt_again),
        cmocka_unit_test(test_learn_signature__a_signature_of_unknown_origin_is_not_believed),
        cmocka_unit_test(test_learn_signature__reading_and_keeping_survive_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
