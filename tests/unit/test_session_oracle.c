/* Which oracle the options ask for, what identifies its test, and what can be said of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "session/test/session_oracle.h"
#include "text/candidate.h"
#include "text/text.h"

static pare_outcome passes(void *context, const void *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
    return PARE_PASS;
}

static pare_session_oracle_options asked_of(const pare_reduce_options *options)
{
    return (pare_session_oracle_options){.input = &options->input,
                                         .test = &options->test,
                                         .keep = &options->keep,
                                         .jobs = options->limits.jobs};
}

/* The test `command`, without a sandbox, which not every system has. */
static pare_reduce_options options_of(const char *command)
{
    return (pare_reduce_options){.input.name = "in.c",
                                 .input.bytes = "",
                                 .test.command = command,
                                 .test.runner = PARE_RUNNER_SPAWN,
                                 .test.safety = {.sandbox = PARE_SANDBOX_OFF},
                                 .limits.jobs = 1};
}

static void open_oracle(const pare_reduce_options *options, pare_session_oracle *oracle)
{
    const pare_session_oracle_options asked = asked_of(options);
    *oracle = (pare_session_oracle){.oracle = NULL};
    assert_int_equal(pare_session_oracle_open(&asked, oracle, NULL), PARE_OK);
}

static void test_session_oracle__exactly_one_kind_of_test_is_taken(void **state)
{
    static const char *const words[] = {"true"};
    static const struct {
        pare_test_options test;
        unsigned jobs;
        pare_status status;
    } rows[] = {{{.predicate = NULL}, 1, PARE_E_ARG},
                {{.predicate = passes, .command = "true"}, 1, PARE_E_ARG},
                {{.command = "true", .worker = "true"}, 1, PARE_E_ARG},
                {{.program = words, .n_program = 1, .command = "true"}, 1, PARE_E_ARG},
                {{.predicate = passes}, 1025, PARE_E_ARG},
                {{.predicate = passes}, 2, PARE_OK}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const pare_reduce_options options = {.input.bytes = "", .test = rows[k].test};
        pare_session_oracle_options asked = asked_of(&options);
        pare_session_oracle oracle = {.oracle = NULL};
        pare_error err = {0};
        asked.jobs = rows[k].jobs;
        assert_int_equal(pare_session_oracle_open(&asked, &oracle, &err), rows[k].status);
        assert_int_equal(err.message[0] != '\0', rows[k].status != PARE_OK);
        if (!rows[k].status) pare_session_oracle_close(&oracle);
    }
}

/* A predicate has no command, so nothing is known of it. */
static void test_session_oracle__a_predicate_has_one_slot_and_no_identity(void **state)
{
    (void)state;
    const pare_reduce_options options = {.input.bytes = "", .test.predicate = passes};
    pare_session_oracle oracle;
    const char *reason;
    open_oracle(&options, &oracle);
    assert_int_equal(pare_session_oracle_outer(&oracle)->n_slots, 1);
    assert_null(oracle.repeat);
    assert_true(pare_digest_equal(pare_session_oracle_identity(&oracle), (pare_digest){.high = 0}));
    assert_int_equal(pare_session_oracle_timeout_ms(&oracle), 0);
    assert_int_equal(pare_session_oracle_runner(&oracle, &reason), PARE_RUNNER_AUTO);
    assert_null(pare_session_oracle_notice(&oracle));
    assert_false(pare_session_oracle_fix_addresses(&oracle, true));
    pare_session_oracle_close(&oracle);
}

/* Whether two tests have one identity. */
static bool same(const pare_reduce_options *a, const pare_reduce_options *b)
{
    pare_session_oracle first, second;
    open_oracle(a, &first);
    open_oracle(b, &second);
    bool is_same = pare_digest_equal(pare_session_oracle_identity(&first),
                                     pare_session_oracle_identity(&second));
    pare_session_oracle_close(&first);
    pare_session_oracle_close(&second);
    return is_same;
}

static void test_session_oracle__what_can_change_an_outcome_is_in_the_identity(void **state)
{
    (void)state;
    const pare_reduce_options plain = options_of("grep x");
    pare_reduce_options other = options_of("grep x");
    assert_true(same(&plain, &other));
    other.limits.jobs = 3; /* how fast outcomes come is no part of it */
    assert_true(same(&plain, &other));
    other = options_of("grep y");
    assert_false(same(&plain, &other));
    other = options_of("grep x");
    other.test.timeout_ms = 1234;
    assert_false(same(&plain, &other));
    other = options_of("grep x");
    other.test.safety.memory_bytes = 1 << 30;
    assert_false(same(&plain, &other));
}

/* As many paths as before, but others. */
static void test_session_oracle__which_paths_tests_reach_is_in_the_identity(void **state)
{
    static const char *const first[] = {"/tmp/a", "/tmp/b"}, *const second[] = {"/tmp/a", "/tmp/c"};
    (void)state;
    pare_reduce_options plain = options_of("grep x"), other = plain;
    plain.test.safety.writable = first;
    plain.test.safety.n_writable = 2;
    other.test.safety = plain.test.safety;
    assert_true(same(&plain, &other));
    other.test.safety.writable = second;
    assert_false(same(&plain, &other));
    other.test.safety = plain.test.safety;
    other.test.safety.visible = first;
    other.test.safety.n_visible = 1;
    assert_false(same(&plain, &other));
    plain = other;
    plain.test.safety.visible = &second[1];
    assert_false(same(&plain, &other));
    /* A path that is visible is not one that is written to. */
    plain.test.safety = (pare_safety){.writable = first, .n_writable = 1};
    other.test.safety = (pare_safety){.visible = first, .n_visible = 1};
    assert_false(pare_digest_equal(
        pare_session_oracle_identify_reach(&plain.test.safety, (pare_digest){.high = 1}),
        pare_session_oracle_identify_reach(&other.test.safety, (pare_digest){.high = 1})));
}

static void test_session_oracle__a_limit_of_an_earlier_run_is_taken_over(void **state)
{
    (void)state;
    const pare_reduce_options options = options_of("true");
    pare_session_oracle oracle;
    open_oracle(&options, &oracle);
    pare_session_oracle_set_timeout(&oracle, 7000);
    assert_int_equal(pare_session_oracle_timeout_ms(&oracle), 7000);
    pare_session_oracle_close(&oracle);
}

static void test_session_oracle__a_shells_text_sees_the_candidate_by_what_stands_in_it(void **state)
{
    static const struct {
        const char *command;
        bool sees;
    } rows[] = {{"grep -q x", true}, /* no shell: the path is its last argument */
                {"grep -q x \"$1\" | wc", true},
                {"cat *.c | grep -q x", true},
                {"grep -q x in.c && true", true},
                {"grep -q x other.c && true", false}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const pare_reduce_options options = options_of(rows[k].command);
        pare_session_oracle oracle;
        open_oracle(&options, &oracle);
        assert_int_equal(pare_session_oracle_sees_candidate(&oracle), rows[k].sees);
        pare_session_oracle_close(&oracle);
    }
}

static void test_session_oracle__any_failure_comes_with_its_signature_and_output(void **state)
{
    static const char *const words[] = {"sh", "-c", "echo before; cat >&2; kill -s ABRT $$"};
    static const char text[] = "a.c:1: f: Assertion `x' failed.\n";
    const pare_reduce_options options = {.input.name = "in",
                                         .input.bytes = "",
                                         .test = {.program = words,
                                                  .n_program = 3,
                                                  .flaky = PARE_FLAKY_OFF,
                                                  .runner = PARE_RUNNER_SPAWN,
                                                  .safety = {.sandbox = PARE_SANDBOX_OFF}},
                                         .limits.jobs = 1};
    pare_session_oracle_options asked = asked_of(&options);
    pare_session_oracle oracle = {.oracle = NULL};
    pare_text *input = NULL;
    pare_candidate whole = {0};
    pare_verdict verdict = {0};
    pare_wait what = PARE_WAIT_TIMEOUT;
    (void)state;
    asked.any = PARE_ANY_CRASH;
    assert_int_equal(pare_session_oracle_open(&asked, &oracle, NULL), PARE_OK);
    assert_int_equal(pare_text_copy(text, sizeof text - 1, &input, NULL), PARE_OK);
    pare_candidate_start(&whole, input);
    assert_int_equal(pare_candidate_slice(&whole, 0, sizeof text - 1, NULL), PARE_OK);
    assert_int_equal(oracle.oracle->ops->start(oracle.oracle, 0, &whole, NULL), PARE_OK);
    assert_int_equal(oracle.oracle->ops->wait(oracle.oracle, -1, &what, &verdict, NULL), PARE_OK);
    assert_int_equal(verdict.outcome, PARE_FAIL);
    assert_string_equal(verdict.signature,
                        "signal SIGABRT; message \"a.c:#: f: Assertion `x' failed.\"");
    assert_string_equal(verdict.output, text);
    pare_candidate_done(&whole);
    pare_text_unref(input);
    pare_session_oracle_close(&oracle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_oracle__any_failure_comes_with_its_signature_and_output),
        cmocka_unit_test(test_session_oracle__exactly_one_kind_of_test_is_taken),
        cmocka_unit_test(test_session_oracle__a_predicate_has_one_slot_and_no_identity),
        cmocka_unit_test(test_session_oracle__what_can_change_an_outcome_is_in_the_identity),
        cmocka_unit_test(test_session_oracle__which_paths_tests_reach_is_in_the_identity),
        cmocka_unit_test(test_session_oracle__a_limit_of_an_earlier_run_is_taken_over),
        cmocka_unit_test(
            test_session_oracle__a_shells_text_sees_the_candidate_by_what_stands_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
