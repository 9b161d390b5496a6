/* Engines as processes: the shell stands for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the four above. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "alloc_sweep.h"
#include "generate/discovery/script_engine.h"
#include "os/clock.h"

enum { TIMEOUT_MS = 20000 };

static const char *const words[] = {"sh", "@@"};

/* Runs `text` once in a new engine; *described (may be NULL) says how it ended. */
static pare_script_run run_with(const pare_engine_options *options, const char *text,
                                uint64_t timeout_ms, pare_buffer *printed, pare_buffer *described)
{
    pare_script_engine *engine = NULL;
    pare_script_run run;
    pare_buffer script = {0};
    assert_int_equal(pare_buffer_text(&script, text, NULL), PARE_OK);
    assert_int_equal(pare_script_engine_open(options, &engine, NULL), PARE_OK);
    assert_int_equal(pare_script_engine_run(engine, &script, timeout_ms, printed, &run, NULL),
                     PARE_OK);
    if (described)
        assert_int_equal(pare_script_engine_describe(engine, &run, described, NULL), PARE_OK);
    pare_script_engine_free(engine);
    pare_buffer_done(&script);
    return run;
}

static pare_script_run run_text(const char *text, uint64_t timeout_ms, pare_buffer *printed)
{
    const pare_engine_options options = {.words = words, .n_words = 2};
    return run_with(&options, text, timeout_ms, printed, NULL);
}

static void test_script_engine__what_a_script_prints_is_read(void **state)
{
    (void)state;
    const pare_engine_options options = {.words = words, .n_words = 2};
    pare_buffer printed = {0}, described = {0};
    pare_script_run run =
        run_with(&options, "echo out; echo err >&2; exit 7", TIMEOUT_MS, &printed, &described);
    assert_string_equal(printed.data, "out\n");
    assert_string_equal(described.data, "ends with exit code 7: err");
    assert_int_equal(run.exit_code, 7);
    assert_int_equal(run.signal, 0);
    assert_false(run.timed_out);
    pare_buffer_done(&printed);
    pare_buffer_done(&described);
}

static void test_script_engine__without_a_mark_the_script_is_standard_input(void **state)
{
    (void)state;
    const pare_engine_options options = {.words = words, .n_words = 1};
    pare_buffer printed = {0};
    (void)run_with(&options, "echo read", TIMEOUT_MS, &printed, NULL);
    assert_string_equal(printed.data, "read\n");
    pare_buffer_done(&printed);
}

static void test_script_engine__nothing_of_one_run_is_in_the_next(void **state)
{
    (void)state;
    const pare_engine_options options = {.words = words, .n_words = 2};
    pare_script_engine *engine = NULL;
    pare_script_run run;
    pare_buffer first = {0}, second = {0}, printed = {0};
    assert_int_equal(pare_buffer_text(&first, "echo a long first line; echo x > left", NULL), 0);
    assert_int_equal(pare_buffer_text(&second, "ls", NULL), 0);
    assert_int_equal(pare_script_engine_open(&options, &engine, NULL), PARE_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(pare_script_engine_run(engine, &first, TIMEOUT_MS, &printed, &run, NULL),
                         PARE_OK);
        assert_string_equal(printed.data, "a long first line\n");
        assert_int_equal(pare_script_engine_run(engine, &second, TIMEOUT_MS, &printed, &run, NULL),
                         PARE_OK);
        assert_string_equal(printed.data, "script.js\n");
    }
    pare_script_engine_free(engine);
    pare_buffer_done(&first);
    pare_buffer_done(&second);
    pare_buffer_done(&printed);
}

static void test_script_engine__a_signal_is_told(void **state)
{
    (void)state;
    pare_buffer printed = {0};
    pare_script_run run = run_text("echo before; kill -SEGV $$", TIMEOUT_MS, &printed);
    assert_int_equal(run.signal, SIGSEGV);
    assert_string_equal(printed.data, "before\n");
    pare_buffer_done(&printed);
}

static void test_script_engine__a_hang_ends_with_all_that_it_started(void **state)
{
    (void)state;
    pare_buffer printed = {0};
    uint64_t began = pare_clock_ms();
    pare_script_run run =
        run_text("echo before; sleep 100 & setsid sleep 100 & wait", 300, &printed);
    assert_true(run.timed_out);
    assert_int_equal(run.signal, 0);
    assert_string_equal(printed.data, "before\n");
    assert_true(pare_clock_ms() - began < TIMEOUT_MS);
    pare_buffer_done(&printed);
}

static void test_script_engine__a_flood_is_bounded(void **state)
{
    (void)state;
    pare_buffer printed = {0};
    pare_script_run run = run_text("yes", TIMEOUT_MS, &printed);
    assert_true(run.flooded);
    assert_int_equal(printed.size, PARE_SCRIPT_ENGINE_OUTPUT_BYTES);
    pare_buffer_done(&printed);
}

static void test_script_engine__a_requested_stop_interrupts(void **state)
{
    (void)state;
    pare_stop *stop = NULL;
    pare_script_engine *engine = NULL;
    pare_script_run run;
    pare_buffer script = {0}, printed = {0};
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    const pare_engine_options options = {.words = words, .n_words = 2, .stop = stop};
    assert_int_equal(pare_buffer_text(&script, "sleep 100", NULL), PARE_OK);
    assert_int_equal(pare_script_engine_open(&options, &engine, NULL), PARE_OK);
    pare_stop_request(stop);
    assert_int_equal(pare_script_engine_run(engine, &script, TIMEOUT_MS, &printed, &run, NULL),
                     PARE_E_INTERRUPTED);
    pare_script_engine_free(engine);
    pare_stop_free(stop);
    pare_buffer_done(&script);
    pare_buffer_done(&printed);
}

static void test_script_engine__it_needs_a_program(void **state)
{
    (void)state;
    static const char *const nowhere[] = {"./there-is-no-such-program"};
    pare_script_engine *engine = NULL;
    pare_engine_options options = {.n_words = 0};
    assert_int_equal(pare_script_engine_open(&options, &engine, NULL), PARE_E_ARG);
    options = (pare_engine_options){.words = nowhere, .n_words = 1};
    assert_int_equal(pare_script_engine_open(&options, &engine, NULL), PARE_E_IO);
    assert_null(engine);
}

static void test_script_engine__its_digest_is_that_of_the_program(void **state)
{
    (void)state;
    static const char *const others[] = {"sh", "-e", "@@"};
    pare_script_engine *one = NULL, *other = NULL;
    pare_engine_options options = {.words = words, .n_words = 2};
    assert_int_equal(pare_script_engine_open(&options, &one, NULL), PARE_OK);
    options = (pare_engine_options){.words = others, .n_words = 3};
    assert_int_equal(pare_script_engine_open(&options, &other, NULL), PARE_OK);
    assert_string_equal(pare_script_engine_digest(one), pare_script_engine_digest(other));
    assert_int_equal(strlen(pare_script_engine_digest(one)), 32);
    assert_non_null(strstr(pare_script_engine_command(other), "-e"));
    pare_script_engine_free(one);
    pare_script_engine_free(other);
}

static pare_status attempt(void *context)
{
    (void)context;
    const pare_engine_options options = {.words = words, .n_words = 2};
    pare_script_engine *engine = NULL;
    pare_script_run run;
    pare_buffer script = {0}, printed = {0};
    pare_status status = pare_buffer_text(&script, "echo x", NULL);
    if (!status) status = pare_script_engine_open(&options, &engine, NULL);
    if (!status) status = pare_script_engine_run(engine, &script, TIMEOUT_MS, &printed, &run, NULL);
    pare_script_engine_free(engine);
    pare_buffer_done(&script);
    pare_buffer_done(&printed);
    return status;
}

static void test_script_engine__any_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_script_engine__what_a_script_prints_is_read),
        cmocka_unit_test(test_script_engine__without_a_mark_the_script_is_standard_input),
        cmocka_unit_test(test_script_engine__nothing_of_one_run_is_in_the_next),
        cmocka_unit_test(test_script_engine__a_signal_is_told),
        cmocka_unit_test(test_script_engine__a_hang_ends_with_all_that_it_started),
        cmocka_unit_test(test_script_engine__a_flood_is_bounded),
        cmocka_unit_test(test_script_engine__a_requested_stop_interrupts),
        cmocka_unit_test(test_script_engine__it_needs_a_program),
        cmocka_unit_test(test_script_engine__its_digest_is_that_of_the_program),
        cmocka_unit_test(test_script_engine__any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
