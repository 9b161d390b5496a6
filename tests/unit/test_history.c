/* Reading a history: every best comes back, as text, as a difference, as files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/alloc_sweep.h"
#include "unit/support/history_run.h"

/* ---- reading --------------------------------------------------------------------------------- */

static void test_history__gives_every_best_back(void **state)
{
    (void)state;
    pare_history_step step = {0};
    write_history();
    pare_history *history = open_history();
    assert_int_equal(pare_history_steps(history), N_BESTS);
    assert_null(pare_history_damage(history));
    for (size_t n = 0; n < N_BESTS; n++) {
        assert_true(pare_history_step_at(history, n, &step));
        assert_int_equal(step.from, n ? n - 1 : 0);
        assert_int_equal(step.test, n);
        assert_int_equal(step.size_bytes, strlen(BESTS[n]));
        assert_true(step.seconds == (double)n / 100);
        assert_string_equal(step.phase, !n ? "" : n % 2 ? "ddmin/line" : "words");
        assert_step_is(history, n, BESTS[n]);
    }
    for (size_t n = N_BESTS; n-- > 0;) /* and backwards */
        assert_step_is(history, n, BESTS[n]);
    assert_false(pare_history_step_at(history, N_BESTS, &step));
    const char *bytes;
    size_t size;
    assert_int_equal(pare_history_text(history, N_BESTS, &bytes, &size, NULL), PARE_E_ARG);
    pare_history_close(history);
    remove_history();
}

static void test_history__is_found_by_its_result_its_folder_and_its_file(void **state)
{
    (void)state;
    static const char *const paths[] = {"h", "h.pare", "h.pare/", "h.pare/history"};
    pare_error err = {0};
    write_history();
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        pare_history *history = NULL;
        assert_int_equal(pare_history_open(paths[k], &history, NULL), PARE_OK);
        assert_int_equal(pare_history_steps(history), N_BESTS);
        pare_history_close(history);
    }
    pare_history *none = NULL;
    assert_int_equal(pare_history_open("elsewhere", &none, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "elsewhere.pare/history"));
    remove_history();
}

static void test_history__compares_and_restores_steps(void **state)
{
    (void)state;
    const char *text;
    size_t size;
    write_history();
    pare_history *history = open_history();
    assert_int_equal(pare_history_diff(history, 1, 3, &text, &size, NULL), PARE_OK);
    assert_string_equal(text, "--- step 1\n+++ step 3\n@@ -1 +1 @@\n-one three four\n+three\n");
    assert_int_equal(pare_history_diff(history, 2, 2, &text, &size, NULL), PARE_OK);
    assert_int_equal(size, 0);
    assert_int_equal(pare_history_diff(history, 2, 9, &text, &size, NULL), PARE_E_ARG);
    assert_int_equal(pare_history_restore(history, 2, "back", NULL), PARE_OK);
    assert_file_holds("back", BESTS[2]);
    pare_error err = {0};
    assert_int_equal(pare_history_restore(history, 1, "back", &err), PARE_E_STATE);
    assert_file_holds("back", BESTS[2]);
    assert_int_equal(unlink("back"), 0);
    pare_history_close(history);
    remove_history();
}

/* ---- folders --------------------------------------------------------------------------------------- */

static void test_history__of_a_folder_is_restored_without_its_input(void **state)
{
    (void)state;
    const char *const inputs[] = {"in"};
    pare_layout *layout = NULL;
    pare_text *text = NULL;
    pare_candidate best = {0};
    pare_history_log log = {.is_continued = false};
    assert_int_equal(mkdir("in", 0755), 0);
    assert_int_equal(mkdir("in/sub", 0755), 0);
    scratch_write("in/a.txt", "first\n", 0644);
    scratch_write("in/sub/run.sh", "#!/bin/sh\n", 0755);
    assert_int_equal(symlink("a.txt", "in/link"), 0);
    assert_int_equal(mkdir("h.pare", 0755), 0);
    assert_int_equal(pare_layout_read(inputs, 1, &layout, &text, NULL), PARE_OK);
    assert_int_equal(pare_history_log_open(&log, "h.pare", PARE_SYNC_NEVER, layout, text, NULL),
                     PARE_OK);
    /* Without "st" of "first". */
    const unsigned char *bytes = pare_text_bytes(text);
    const size_t at =
        (size_t)((const unsigned char *)memmem(bytes, pare_text_size(text), "first", 5) - bytes) +
        3;
    pare_candidate_start(&best, text);
    assert_int_equal(pare_candidate_slice(&best, 0, at, NULL), PARE_OK);
    assert_int_equal(pare_candidate_slice(&best, at + 2, pare_text_size(text) - at - 2, NULL),
                     PARE_OK);
    const pare_history_facts facts = {.test = 1, .bytes = 14, .phase = ""};
    assert_int_equal(pare_history_log_note(&log, &best, &facts, NULL), PARE_OK);
    pare_history_log_close(&log);
    pare_candidate_done(&best);
    pare_text_unref(text);
    pare_layout_free(layout);
    assert_int_equal(pare_file_remove_tree("in", NULL), PARE_OK);

    pare_history *history = open_history();
    pare_history_step step;
    assert_true(pare_history_step_at(history, 0, &step));
    assert_int_equal(step.size_bytes, 16); /* frames do not count */
    assert_step_is(history, 1,
                   "== in/a.txt ==\nfir\n== in/link ==\n== in/sub/run.sh ==\n"
                   "#!/bin/sh\n");
    assert_int_equal(pare_history_restore(history, 1, "out", NULL), PARE_OK);
    assert_file_holds("out/a.txt", "fir\n");
    assert_file_holds("out/link", "fir\n");
    assert_int_equal(access("out/sub/run.sh", X_OK), 0);
    assert_int_equal(pare_history_restore(history, 0, "out", NULL), PARE_E_STATE);
    assert_int_equal(pare_history_restore(history, 0, "out0", NULL), PARE_OK);
    assert_file_holds("out0/a.txt", "first\n");
    pare_history_close(history);
    assert_int_equal(pare_file_remove_tree("out", NULL), PARE_OK);
    assert_int_equal(pare_file_remove_tree("out0", NULL), PARE_OK);
    remove_history();
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static pare_status attempt_to_read(void *context)
{
    const char *const *paths = context;
    pare_history *history = NULL;
    const char *text;
    size_t size;
    pare_status status = pare_history_open(paths[0], &history, NULL);
    if (!status) status = pare_history_diff(history, 1, 2, &text, &size, NULL);
    pare_history_close(history);
    return status;
}

static void test_history__reports_oom(void **state)
{
    (void)state;
    static const char *const paths[] = {"h"};
    write_history();
    sweep_allocations(attempt_to_read, (void *)(uintptr_t)paths);
    remove_history();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_history__gives_every_best_back),
        cmocka_unit_test(test_history__is_found_by_its_result_its_folder_and_its_file),
        cmocka_unit_test(test_history__compares_and_restores_steps),
        cmocka_unit_test(test_history__of_a_folder_is_restored_without_its_input),
        cmocka_unit_test(test_history__reports_oom),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
