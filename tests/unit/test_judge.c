/* The judge's outcomes, captured output in constant memory, and marks in words. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "run/capture.h"
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

/* Writes `size` bytes of letters, reading them meanwhile. */
static void feed(pare_capture *capture, size_t size)
{
    char block[1000];
    for (size_t at = 0; at < size;) {
        size_t n = size - at < sizeof block ? size - at : sizeof block;
        for (size_t k = 0; k < n; k++)
            block[k] = (char)('a' + (at + k) % 26);
        assert_int_equal(write(capture->write_fd, block, n), (ssize_t)n);
        at += n;
        (void)pare_capture_drain(capture);
    }
}

static void test_capture__keeps_head_and_tail_of_any_length(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 32768, 32769, 98304, 98305, 131072, 1000003};
    pare_capture capture = {0};
    assert_int_equal(pare_capture_open(&capture, NULL), PARE_OK);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t size = sizes[k];
        pare_capture_reset(&capture);
        feed(&capture, size);
        assert_int_equal(capture.total, size);
        pare_printed text = pare_capture_text(&capture);
        bool whole = text.size == size;
        assert_true(whole || text.size > 2 * PARE_CAPTURE_PART_BYTES);
        assert_true(size >= 3 * PARE_CAPTURE_PART_BYTES || whole);
        for (size_t i = 0; i < PARE_CAPTURE_PART_BYTES && i < size; i++) {
            assert_int_equal(text.text[i], 'a' + i % 26);
            assert_int_equal(text.text[text.size - 1 - i], 'a' + (size - 1 - i) % 26);
        }
    }
    pare_capture_close(&capture);
}

static void test_target__marks_and_suffixes(void **state)
{
    (void)state;
    static const char *const words[] = {"cc", "-I@@x", "--in=@@.tar.gz"};
    static const char *const two[] = {"@@.a", "@@.b"};
    pare_buffer text = {0};
    assert_int_equal(pare_command_name_file(words, 3, "in.c", &text, NULL), PARE_OK);
    assert_string_equal(text.data, "in.tar.gz");
    pare_buffer_reset(&text);
    assert_int_equal(pare_command_name_file(words, 2, "in.c", &text, NULL), PARE_OK);
    assert_string_equal(text.data, "in.c");
    pare_buffer_reset(&text);
    assert_int_equal(pare_command_fill_marks("<@@.c,@@>", "/p", &text, NULL), PARE_OK);
    assert_string_equal(text.data, "</p,/p>");
    assert_int_equal(pare_command_name_file(two, 2, "in", &text, NULL), PARE_E_ARG);
    pare_buffer_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judge__each_condition_is_required),
        cmocka_unit_test(test_judge__asks_for_the_other_commands_only_when_all_else_holds),
        cmocka_unit_test(test_judge__survives_each_allocation_failing),
        cmocka_unit_test(test_capture__keeps_head_and_tail_of_any_length),
        cmocka_unit_test(test_target__marks_and_suffixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
