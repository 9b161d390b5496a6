/* What surrounds one call of the library: places that are looked at, signals, exit codes. */
/* tests: src/cli/console.c src/cli/signals.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>

#include "cli/console.h"
#include "os/stop.h"
#include "unit/support/scratch.h"

static pare_settings quiet_settings(void)
{
    return (pare_settings){.verbosity = PARE_QUIET, .reduce.output.path = "out"};
}

static void test_console__what_cannot_be_written_is_refused_before_the_run(void **state)
{
    static const struct {
        pare_settings settings;
        pare_status status;
    } rows[] = {{{.reduce.output.path = "none/out"}, PARE_E_IO},
                {{.reduce.output.path = "-"}, PARE_E_IO},
                {{.stats_path = "none/stats"}, PARE_E_IO},
                {{.trace_path = "none/trace"}, PARE_E_IO},
                {{.report_path = "none/report"}, PARE_E_IO},
                {{.reduce.keep.signature_path = "none/sig"}, PARE_E_IO},
                {{.reduce.output.path = "out"}, PARE_OK}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        pare_settings settings = rows[k].settings;
        pare_console console = {0};
        pare_error err = {0};
        settings.verbosity = PARE_QUIET;
        assert_int_equal(pare_console_open(&console, "pare reduce", &settings, &err),
                         rows[k].status);
        assert_int_equal(err.message[0] != '\0', rows[k].status != PARE_OK);
        assert_int_equal(pare_console_close(&console, PARE_EXIT_DONE), PARE_EXIT_DONE);
    }
}

static void test_console__signals_ask_the_run_to_stop_and_then_end_the_process_again(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    (void)state;
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
        pare_settings settings = quiet_settings();
        pare_console console = {0};
        struct sigaction action;
        assert_int_equal(pare_console_open(&console, "pare reduce", &settings, NULL), PARE_OK);
        assert_ptr_equal(settings.reduce.events.stop, console.stop);
        assert_int_equal(raise(SIGPIPE), 0); /* does nothing */
        assert_false(pare_stop_requested(console.stop));
        assert_int_equal(raise(signals[k]), 0);
        assert_true(pare_stop_requested(console.stop));
        (void)pare_console_close(&console, PARE_EXIT_DONE);
        assert_int_equal(sigaction(SIGINT, NULL, &action), 0);
        assert_true(action.sa_handler == SIG_DFL);
    }
}

static void test_console__how_a_run_ended_is_its_exit_code(void **state)
{
    static const struct {
        pare_status status;
        pare_stats stats;
        pare_exit code;
    } rows[] = {
        {PARE_OK, {.bytes_in = 5, .bytes_out = 1}, PARE_EXIT_DONE},
        {PARE_OK, {.bytes_in = 5, .stopped = PARE_STOPPED_BUDGET}, PARE_EXIT_DONE},
        {PARE_OK, {.bytes_in = 5, .stopped = PARE_STOPPED_INTERRUPTED}, PARE_EXIT_INTERRUPTED},
        {PARE_OK, {.arguments_in = 3}, PARE_EXIT_DONE},
        {PARE_E_STATE, {.bytes_in = 5}, PARE_EXIT_NOTHING},
        {PARE_E_ARG, {.bytes_in = 5}, PARE_EXIT_USAGE},
        {PARE_E_IO, {.bytes_in = 5}, PARE_EXIT_ERROR},
        {PARE_E_INTERRUPTED, {.bytes_in = 5}, PARE_EXIT_INTERRUPTED}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        pare_settings settings = quiet_settings();
        pare_console console = {0};
        const pare_result result = {.stats = rows[k].stats};
        const pare_error err = {.status = rows[k].status, .message = "said"};
        assert_int_equal(pare_console_open(&console, "pare reduce", &settings, NULL), PARE_OK);
        assert_int_equal(pare_console_finish(&console, rows[k].status, &err, &result, NULL),
                         rows[k].code);
        (void)pare_console_close(&console, rows[k].code);
    }
}

/* What is in the file of --stats stays until there is something to write. */
static void test_console__statistics_are_written_by_a_run_that_ended_well(void **state)
{
    (void)state;
    for (int is_well = 0; is_well < 2; is_well++) {
        pare_settings settings = quiet_settings();
        pare_console console = {0};
        const pare_result result = {.stats = {.bytes_in = 5, .bytes_out = 1}};
        const pare_error err = {.status = PARE_E_IO, .message = "said"};
        pare_buffer text = {0};
        scratch_write("stats", "earlier", 0644);
        settings.stats_path = "stats";
        assert_int_equal(pare_console_open(&console, "pare reduce", &settings, NULL), PARE_OK);
        (void)pare_console_finish(&console, is_well ? PARE_OK : PARE_E_IO, &err, &result, NULL);
        (void)pare_console_close(&console, PARE_EXIT_DONE);
        assert_int_equal(pare_file_read("stats", &text, NULL), PARE_OK);
        if (is_well) assert_non_null(strstr(text.data, "\"bytes_in\": 5"));
        if (!is_well) assert_string_equal(text.data, "earlier");
        pare_buffer_done(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_console__what_cannot_be_written_is_refused_before_the_run),
        cmocka_unit_test(test_console__signals_ask_the_run_to_stop_and_then_end_the_process_again),
        cmocka_unit_test(test_console__how_a_run_ended_is_its_exit_code),
        cmocka_unit_test(test_console__statistics_are_written_by_a_run_that_ended_well),
    };
    /* nohup(1) has its children ignore it. */
    if (signal(SIGHUP, SIG_DFL) == SIG_ERR) return 1;
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
