/* Where the signature that a program's judge requires comes from: the option, a file, what
 * lies beside the journal, and only then the program's first runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "engine/journal.h"
#include "session/test/session_oracle.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

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
        pare_signature_store_choose(oracle, options->output.journal_dir, text, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, PARE_OK);
    pare_text_unref(text);
    return count_runs() - before;
}

static void test_signature_store__what_is_named_is_not_learnt(void **state)
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

static void test_signature_store__a_test_command_has_nothing_to_settle(void **state)
{
    const pare_reduce_options options = {.test.command = "true",
                                         .limits.jobs = 1,
                                         .test.runner = PARE_RUNNER_SPAWN,
                                         .test.safety = {.sandbox = PARE_SANDBOX_OFF}};
    pare_session_oracle oracle = {.oracle = NULL};
    (void)state;
    assert_int_equal(settle(&options, "in", &oracle), 0);
    assert_int_equal(oracle.signature.size, 0);
    assert_int_equal(pare_signature_store_keep(&oracle, "no/such/folder", NULL), PARE_OK);
    pare_signature_store_drop(&oracle, "no/such/folder");
    pare_session_oracle_close(&oracle);
}

static void test_signature_store__what_was_learnt_is_kept_in_the_file_and_read_from_it(void **state)
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

static void test_signature_store__a_file_that_cannot_be_read_is_named(void **state)
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
    assert_int_equal(pare_signature_store_choose(&oracle, NULL, text, &err), PARE_E_SYNTAX);
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
    assert_int_equal(pare_journal_open("journal.pare", &key, &journal, &found, NULL), PARE_OK);
    pare_journal_close(journal);
    pare_text_unref(text);
}

static void test_signature_store__beside_its_own_journal_a_signature_is_not_learnt_again(
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
    assert_int_equal(pare_signature_store_keep(&first, "journal.pare", NULL), PARE_OK);
    assert_file_holds("journal.pare/signature", "exit 7; alone\n");
    assert_int_equal(settle(&options, "in", &again), 0);
    assert_string_equal(again.signature.data, "exit 7; alone");
    assert_int_equal(settle(&options, "another", &other_input), 2);
    write_program("another-seven");
    assert_int_equal(settle(&options, "in", &other_program), 2);
    pare_signature_store_drop(&first, "journal.pare");
    assert_int_equal(access("journal.pare/signature", F_OK), -1);
    assert_int_equal(access("journal.pare/journal", F_OK), 0);
    pare_session_oracle_close(&first);
    pare_session_oracle_close(&again);
    pare_session_oracle_close(&other_input);
    pare_session_oracle_close(&other_program);
}

static void test_signature_store__a_signature_of_unknown_origin_is_not_believed(void **state)
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
        status = pare_signature_store_choose(&oracle, options->output.journal_dir, text, NULL);
    if (!status) status = pare_signature_store_keep(&oracle, ".", NULL);
    pare_session_oracle_close(&oracle);
    pare_text_unref(text);
    return status;
}

static void test_signature_store__survives_each_allocation_failing(void **state)
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
        cmocka_unit_test(test_signature_store__what_is_named_is_not_learnt),
        cmocka_unit_test(test_signature_store__a_test_command_has_nothing_to_settle),
        cmocka_unit_test(
            test_signature_store__what_was_learnt_is_kept_in_the_file_and_read_from_it),
        cmocka_unit_test(test_signature_store__a_file_that_cannot_be_read_is_named),
        cmocka_unit_test(
            test_signature_store__beside_its_own_journal_a_signature_is_not_learnt_again),
        cmocka_unit_test(test_signature_store__a_signature_of_unknown_origin_is_not_believed),
        cmocka_unit_test(test_signature_store__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
