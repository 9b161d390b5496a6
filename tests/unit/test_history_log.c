/* Writing a history as a run goes on: again after its end, off from a step, within its bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "unit/alloc_sweep.h"
#include "unit/support/history_run.h"

/* ---- runs ------------------------------------------------------------------------------------- */

static void test_history_log__goes_on_where_a_run_was_ended(void **state)
{
    (void)state;
    pare_buffer before = {0}, after = {0};
    pare_history_log log;
    write_history();
    assert_int_equal(pare_file_read("h.pare/history", &before, NULL), PARE_OK);
    /* Killed within the last record, and then resumed: the bests come again. */
    assert_int_equal(pare_file_write_bytes("h.pare/history", before.data, before.size - 3, NULL),
                     PARE_OK);
    open_log(&log, BESTS[0], strlen(BESTS[0]), true);
    note_bests(&log, 0, N_BESTS);
    pare_history_log_close(&log);
    assert_int_equal(pare_file_read("h.pare/history", &after, NULL), PARE_OK);
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.data, before.data, before.size);
    pare_buffer_done(&before);
    pare_buffer_done(&after);
    remove_history();
}

static void test_history_log__of_a_run_that_finds_other_bests_keeps_both(void **state)
{
    (void)state;
    pare_history_log log;
    pare_history_step step;
    write_history();
    open_log(&log, BESTS[0], strlen(BESTS[0]), true);
    note_bests(&log, 0, 3);
    assert_int_equal(note(&log, "four\n", 5, 7, false), PARE_OK);
    assert_int_equal(note(&log, BESTS[1], strlen(BESTS[1]), 8, false), PARE_OK); /* taken back */
    pare_history_log_close(&log);
    pare_history *history = open_history();
    assert_int_equal(pare_history_steps(history), N_BESTS + 2);
    assert_true(pare_history_step_at(history, N_BESTS, &step));
    assert_int_equal(step.from, 2);
    assert_step_is(history, N_BESTS, "four\n");
    assert_true(pare_history_step_at(history, N_BESTS + 1, &step));
    assert_int_equal(step.from, 1);
    assert_step_is(history, N_BESTS + 1, BESTS[1]);
    assert_step_is(history, N_BESTS - 1, BESTS[N_BESTS - 1]);
    pare_history_close(history);
    remove_history();
}

/* By way of a step that the run went back to: what is known of it is not written again, but that the
 * run went back, and the result. */
static void test_history_log__of_a_run_that_comes_by_the_same_way_has_it_once(void **state)
{
    (void)state;
    pare_history_log log;
    pare_history_step step;
    write_history();
    for (unsigned again = 0; again < 2; again++) {
        open_log(&log, BESTS[0], strlen(BESTS[0]), true);
        assert_int_equal(note(&log, BESTS[2], strlen(BESTS[2]), 1, false), PARE_OK);
        for (size_t k = 3; k < N_BESTS; k++)
            assert_int_equal(note(&log, BESTS[k], strlen(BESTS[k]), k, k + 1 == N_BESTS), PARE_OK);
        pare_history_log_close(&log);
        pare_history *history = open_history();
        assert_int_equal(pare_history_steps(history), N_BESTS + 2);
        assert_true(pare_history_step_at(history, N_BESTS, &step));
        assert_int_equal(step.from, 2);
        assert_step_is(history, N_BESTS, BESTS[2]);
        assert_step_is(history, N_BESTS + 1, BESTS[N_BESTS - 1]);
        pare_history_close(history);
    }
    remove_history();
}

static void test_history_log__of_another_run_is_replaced_only_by_a_best(void **state)
{
    (void)state;
    pare_history_log log;
    write_history();
    open_log(&log, "other\n", 6, false);
    pare_history_log_close(&log); /* its input did not fail */
    pare_history *history = open_history();
    assert_int_equal(pare_history_steps(history), N_BESTS);
    pare_history_close(history);
    open_log(&log, "other\n", 6, false);
    assert_int_equal(note(&log, "o\n", 2, 1, true), PARE_OK);
    pare_history_log_close(&log);
    history = open_history();
    assert_int_equal(pare_history_steps(history), 2);
    assert_step_is(history, 0, "other\n");
    assert_step_is(history, 1, "o\n");
    pare_history_close(history);
    remove_history();
}

/* What is not compressible: each best replaces all bytes of the one before. */
static void test_history_log__stays_below_twice_the_input_and_has_the_result(void **state)
{
    (void)state;
    enum { SIZE = 50000, STEPS = 1200 };
    static char text[SIZE];
    pare_random random;
    pare_history_log log;
    struct stat about;
    pare_random_init(&random, 3);
    for (size_t i = 0; i < SIZE; i++)
        text[i] = (char)('a' + pare_random_below(&random, 26));
    open_log(&log, text, SIZE, false);
    size_t size = SIZE;
    for (uint64_t test = 1; test <= STEPS; test++) {
        size -= 41;
        for (size_t i = 0; i < 40; i++)
            text[pare_random_below(&random, size)] = (char)('a' + pare_random_below(&random, 26));
        assert_int_equal(note(&log, text, size, test, test == STEPS), PARE_OK);
    }
    pare_history_log_close(&log);
    assert_int_equal(stat("h.pare/history", &about), 0);
    assert_true(about.st_size < 2 * SIZE);
    pare_history *history = open_history();
    const size_t n = pare_history_steps(history);
    pare_history_step step;
    assert_true(n > 10 && n < STEPS);
    bool has_left_out = false;
    for (size_t k = 0; pare_history_step_at(history, k, &step); k++)
        has_left_out |= step.has_left_out;
    assert_true(has_left_out);
    assert_true(pare_history_step_at(history, n - 1, &step));
    assert_int_equal(step.test, STEPS);
    const char *bytes;
    size_t last = 0;
    assert_int_equal(pare_history_text(history, n - 1, &bytes, &last, NULL), PARE_OK);
    assert_int_equal(last, size);
    assert_memory_equal(bytes, text, size);
    pare_history_close(history);
    remove_history();
}

static void test_history_log__that_cannot_be_written_is_given_up(void **state)
{
    (void)state;
    pare_history_log log;
    assert_int_equal(mkdir("h.pare", 0755), 0);
    assert_int_equal(mkdir("h.pare/history", 0755), 0); /* in the way */
    open_log(&log, BESTS[0], strlen(BESTS[0]), false);
    assert_int_equal(note(&log, BESTS[1], strlen(BESTS[1]), 1, false), PARE_E_IO);
    assert_int_equal(note(&log, BESTS[2], strlen(BESTS[2]), 2, false), PARE_OK);
    pare_history_log_close(&log);
    remove_history();
}

static pare_status attempt_to_write(void *context)
{
    const pare_text *const *texts = context;
    pare_history_log log = {.is_continued = true};
    pare_candidate best = {0};
    const pare_history_facts facts = {.test = 9, .phase = "new"};
    pare_status status =
        pare_history_log_open(&log, "h.pare", PARE_SYNC_NEVER, NULL, texts[0], NULL);
    pare_candidate_start(&best, texts[0]);
    if (!status) status = pare_candidate_slice(&best, 4, 9, NULL);
    if (!status) status = pare_history_log_note(&log, &best, &facts, NULL);
    pare_history_log_close(&log);
    pare_candidate_done(&best);
    (void)unlink("h.pare/history"); /* each attempt begins anew */
    return status;
}

static void test_history_log__reports_oom(void **state)
{
    (void)state;
    pare_text *text = NULL;
    assert_int_equal(mkdir("h.pare", 0755), 0);
    assert_int_equal(pare_text_copy(BESTS[0], strlen(BESTS[0]), &text, NULL), PARE_OK);
    const pare_text *const texts[] = {text};
    sweep_allocations(attempt_to_write, (void *)(uintptr_t)texts);
    pare_text_unref(text);
    remove_history();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_history_log__goes_on_where_a_run_was_ended),
        cmocka_unit_test(test_history_log__of_a_run_that_finds_other_bests_keeps_both),
        cmocka_unit_test(test_history_log__of_a_run_that_comes_by_the_same_way_has_it_once),
        cmocka_unit_test(test_history_log__of_another_run_is_replaced_only_by_a_best),
        cmocka_unit_test(test_history_log__stays_below_twice_the_input_and_has_the_result),
        cmocka_unit_test(test_history_log__that_cannot_be_written_is_given_up),
        cmocka_unit_test(test_history_log__reports_oom),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
