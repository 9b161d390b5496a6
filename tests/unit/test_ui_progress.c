/* Progress, trace, statistics and summary, from events alone. */
/* tests: src/ui/stats.c src/ui/stats.c src/ui/summary.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "ui/progress.h"
#include "ui/stats.h"
#include "ui/summary.h"

enum { INPUT_BYTES = 60218 };

/* What a function printed: a stream into memory. */
struct screen {
    char *text;
    size_t size;
    FILE *out;
};

static void screen_open(struct screen *screen)
{
    *screen = (struct screen){0};
    screen->out = open_memstream(&screen->text, &screen->size);
    assert_non_null(screen->out);
}

static void screen_close(struct screen *screen)
{
    fclose(screen->out);
    free(screen->text);
}

static pare_progress *progress_on(struct screen *screen, pare_progress_mode mode, unsigned columns,
                                  pare_charset charset, pare_paint paint)
{
    screen_open(screen);
    pare_progress_options options = {
        .out = screen->out, .mode = mode, .columns = columns, .charset = charset, .paint = paint};
    pare_progress *progress = NULL;
    assert_int_equal(pare_progress_new(&options, &progress, NULL), PARE_OK);
    return progress;
}

static const char *kept_failure; /* of events to come */
static uint64_t tests_left = UINT64_MAX;

static pare_event event_at(pare_event_kind kind, double elapsed_s, size_t best_bytes)
{
    return (pare_event){.kind = kind,
                        .n = 7,
                        .digest = "00112233445566778899aabbccddeeff",
                        .size_bytes = best_bytes,
                        .outcome = PARE_FAIL,
                        .accepted = true,
                        .test_ms = 12.25,
                        .phase = "ddmin/line",
                        .keeping = kept_failure,
                        .input_bytes = INPUT_BYTES,
                        .best_bytes = best_bytes,
                        .n_units = 1200,
                        .tests_run = 450,
                        .slots_busy = 2,
                        .jobs = 8,
                        .elapsed_s = elapsed_s,
                        .tests_left = tests_left};
}

/* A reduction of twenty seconds with a success each tenth of a second. */
static void show_all(pare_progress *progress)
{
    pare_event event = event_at(PARE_EVENT_START, 0, INPUT_BYTES);
    pare_progress_show(progress, &event);
    event = event_at(PARE_EVENT_PHASE, 0, INPUT_BYTES);
    pare_progress_show(progress, &event);
    for (int i = 1; i <= 200; i++) {
        event = event_at(PARE_EVENT_TEST, 0.1 * i, (size_t)(INPUT_BYTES - 300 * i));
        pare_progress_show(progress, &event);
    }
    event = event_at(PARE_EVENT_END, 20, 218);
    pare_progress_show(progress, &event);
}

/* Columns between two carriage returns, control sequences not counted. */
static size_t widest_line(const char *text)
{
    size_t widest = 0, width = 0;
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\x1b') {
            while (*text && !(*text >= 'A' && *text <= 'z' && *text != '['))
                text++;
        } else if (c == '\r' || c == '\n') {
            width = 0;
        } else if ((c & 0xc0) != 0x80) {
            width++;
        }
        widest = width > widest ? width : widest;
    }
    return widest;
}

static size_t count(const char *text, char c)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == c;
    return n;
}

/* Of an isolation both sides are told in each mode, from the event on that told of the other one. */
static void test_progress__tells_the_passing_side(void **state)
{
    static const pare_progress_mode modes[] = {PARE_PROGRESS_PLAIN, PARE_PROGRESS_LINE,
                                               PARE_PROGRESS_VERBOSE};
    static const char *const wanted[] = {"; 99 bytes pass\n", ", 99 bytes pass  ",
                                         "#7 is the passing side, 99 bytes\n"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct screen screen;
        pare_progress *progress = progress_on(&screen, modes[i], 120, PARE_ASCII, PARE_PLAIN);
        pare_event event = event_at(PARE_EVENT_START, 0, INPUT_BYTES);
        pare_progress_show(progress, &event);
        event = event_at(PARE_EVENT_PASSING, 1, INPUT_BYTES);
        event.size_bytes = 99;
        pare_progress_show(progress, &event);
        event = event_at(PARE_EVENT_TEST, 20, 2000);
        pare_progress_show(progress, &event);
        pare_progress_free(progress);
        fflush(screen.out);
        assert_non_null(strstr(screen.text, wanted[i]));
        screen_close(&screen);
    }
}

static void test_progress__line_fits_any_width(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 2, 10, 20, 40, 60, 79, 80, 81, 120, 200, 5000};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct screen screen;
        pare_progress *progress =
            progress_on(&screen, PARE_PROGRESS_LINE, widths[i], PARE_UTF8, PARE_COLORED);
        show_all(progress);
        fflush(screen.out);
        assert_true(widest_line(screen.text) <= (widths[i] > 1 ? widths[i] - 1 : 1));
        pare_progress_free(progress);
        screen_close(&screen);
    }
}

/* The line of `columns` columns tells all of `told`, up to NULL. */
static void assert_line_tells(unsigned columns, const char *keeping, const char *const *told)
{
    struct screen screen;
    pare_progress *progress =
        progress_on(&screen, PARE_PROGRESS_LINE, columns, PARE_UTF8, PARE_PLAIN);
    kept_failure = keeping;
    show_all(progress);
    kept_failure = NULL;
    fflush(screen.out);
    for (; *told; told++)
        assert_non_null(strstr(screen.text, *told));
    assert_true(widest_line(screen.text) < columns);
    assert_int_equal(count(screen.text, '\n'), 0);
    assert_string_equal(screen.text + screen.size - 4, "\r\x1b[K");
    pare_progress_free(progress);
    screen_close(&screen);
}

static void test_progress__line_tells_size_time_phase_and_what_is_kept_in_80_columns(void **state)
{
    (void)state;
    static const char *const told[] = {"of 60.2 kB", "%", " s  ddmin/line  450 tests",
                                       "gain 0.00 s ago", NULL};
    static const char *const told_failure[] = {
        "of 60.2 kB", " s  ", "ddmin/line", "450 tests", "keeping \"TypeError\"", NULL};
    static const char *const told_at_72[] = {"of 60.2 kB", "ddmin/line", "  keeping \"TypeError\"",
                                             NULL};
    static const char *const told_at_40[] = {"of 60.2 kB", " s  ", NULL};
    assert_line_tells(80, NULL, told);
    assert_line_tells(80, "exit 1; error \"TypeError\"", told_failure);
    assert_line_tells(72, "exit 1; error \"TypeError\"", told_at_72);
    assert_line_tells(40, "exit 1; error \"TypeError\"", told_at_40);
}

/* Characters of two columns, of which there is room for half as many. */
static void test_progress__line_counts_columns_and_not_bytes(void **state)
{
    (void)state;
    static const char narrow[] = "message \"\xd0\xba\xd0\xbb\xd1\x8e\xd1\x87\"";
    static const char wide[] =
        "message "
        "\"\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\"";
    static const char *const told_narrow[] = {
        "keeping message \"\xd0\xba\xd0\xbb\xd1\x8e\xd1\x87\"", NULL};
    static const char *const told_wide[] = {
        "keeping \"\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2...", NULL};
    assert_line_tells(90, narrow, told_narrow);
    assert_line_tells(80, wide, told_wide);
}

static void test_progress__line_tells_everything_where_it_has_room(void **state)
{
    (void)state;
    static const char *const told[] = {
        "of 60.2 kB",      "%",    "450 tests",  "/s",           "2/8 busy",
        "gain 0.00 s ago", " s  ", "ddmin/line", "\xe2\x96\x88", NULL};
    assert_line_tells(120, NULL, told);
    static const char *const told_failure[] = {"keeping exit 1; error \"TypeError\"  gain",
                                               "2/8 busy", NULL};
    assert_line_tells(140, "exit 1; error \"TypeError\"", told_failure);
    static const char *const told_left[] = {"450 tests  at most 112 tests left  gain", NULL};
    tests_left = 112;
    assert_line_tells(120, NULL, told_left);
    tests_left = UINT64_MAX;
}

static void test_progress__line_is_drawn_ten_times_a_second_at_most(void **state)
{
    (void)state;
    struct screen screen;
    pare_progress *progress = progress_on(&screen, PARE_PROGRESS_LINE, 80, PARE_ASCII, PARE_PLAIN);
    for (int i = 0; i < 10000; i++) {
        pare_event event = event_at(PARE_EVENT_TEST, i / 10000.0, 1000);
        pare_progress_show(progress, &event);
    }
    fflush(screen.out);
    assert_in_range(count(screen.text, '\r'), 8, 10);
    pare_progress_free(progress);
    screen_close(&screen);
}

static void test_progress__line_tells_how_far_the_input_was_read(void **state)
{
    (void)state;
    struct screen screen;
    pare_progress *progress = progress_on(&screen, PARE_PROGRESS_LINE, 80, PARE_ASCII, PARE_PLAIN);
    pare_event event = event_at(PARE_EVENT_READING, 1, 2000000000);
    event.size_bytes = 750000000;
    event.input_bytes = 2000000000;
    pare_progress_show(progress, &event);
    event = event_at(PARE_EVENT_END, 1, 1000);
    pare_progress_show(progress, &event);
    fflush(screen.out);
    assert_string_equal(screen.text, "\rreading the input: 750 MB of 2.0 GB\x1b[K\r\x1b[K");
    pare_progress_free(progress);
    screen_close(&screen);
    progress = progress_on(&screen, PARE_PROGRESS_PLAIN, 80, PARE_ASCII, PARE_PLAIN);
    event = event_at(PARE_EVENT_READING, 100, 1000);
    pare_progress_show(progress, &event);
    fflush(screen.out);
    assert_int_equal(screen.size, 0);
    pare_progress_free(progress);
    screen_close(&screen);
}

static void test_progress__plain_lines_are_few_and_without_control_characters(void **state)
{
    (void)state;
    struct screen screen;
    pare_progress *progress = progress_on(&screen, PARE_PROGRESS_PLAIN, 80, PARE_UTF8, PARE_PLAIN);
    show_all(progress);
    fflush(screen.out);
    assert_null(strpbrk(screen.text, "\x1b\r"));
    assert_non_null(strstr(screen.text, "ddmin/line: 1,200 units, 60.2 kB\n"));
    assert_in_range(count(screen.text, '\n'), 4, 12);
    assert_in_range(widest_line(screen.text), 20, 80);
    pare_progress_free(progress);
    screen_close(&screen);
}

static void test_progress__verbose_prints_each_test(void **state)
{
    (void)state;
    struct screen screen;
    pare_progress *progress =
        progress_on(&screen, PARE_PROGRESS_VERBOSE, 80, PARE_UTF8, PARE_PLAIN);
    show_all(progress);
    fflush(screen.out);
    assert_int_equal(count(screen.text, '\n'), 201);
    assert_non_null(strstr(screen.text, "#7 FAIL       59918 bytes, 12.2 ms, accepted\n"));
    pare_progress_free(progress);
    screen_close(&screen);
}

static void test_progress__quiet_prints_nothing(void **state)
{
    (void)state;
    struct screen screen;
    pare_progress *progress =
        progress_on(&screen, PARE_PROGRESS_QUIET, 80, PARE_UTF8, PARE_COLORED);
    show_all(progress);
    pare_progress_erase(progress);
    fflush(screen.out);
    assert_int_equal(screen.size, 0);
    pare_progress_free(progress);
    screen_close(&screen);
}

static void test_progress__new_reports_oom_and_leaves_out_alone(void **state)
{
    (void)state;
    pare_progress_options options = {.out = stdout};
    pare_progress *progress = NULL;
    pare_alloc_fault_after(0);
    assert_int_equal(pare_progress_new(&options, &progress, NULL), PARE_E_NOMEM);
    pare_alloc_fault_after(SIZE_MAX);
    assert_null(progress);
}

static void test_trace__has_exactly_the_promised_keys_in_order(void **state)
{
    (void)state;
    char path[] = "/tmp/pare-trace-XXXXXX", line[512] = "";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    pare_trace *trace = NULL;
    assert_int_equal(pare_stats_trace_open(path, PARE_TRACE_DIGESTS, &trace, NULL), PARE_OK);
    pare_event event = event_at(PARE_EVENT_PHASE, 0, 5);
    pare_stats_trace_add(trace, &event);
    event = event_at(PARE_EVENT_TEST, 0, 5);
    pare_stats_trace_add(trace, &event);
    event.from_cache = true;
    event.accepted = false;
    event.outcome = PARE_UNRESOLVED;
    pare_stats_trace_add(trace, &event);
    assert_int_equal(pare_stats_trace_close(trace, NULL), PARE_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line,
                        "{\"n\":7,\"digest\":\"00112233445566778899aabbccddeeff\",\"bytes\":5,"
                        "\"outcome\":\"FAIL\",\"source\":\"run\",\"ms\":12.25,"
                        "\"accepted\":true}\n");
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line,
                        "{\"n\":7,\"digest\":\"00112233445566778899aabbccddeeff\",\"bytes\":5,"
                        "\"outcome\":\"UNRESOLVED\",\"source\":\"cache\",\"ms\":0.0,"
                        "\"accepted\":false}\n");
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    unlink(path);
}

static void test_trace__a_full_disk_is_reported_when_it_is_closed(void **state)
{
    (void)state;
    pare_trace *trace = NULL;
    pare_error err = {0};
    assert_int_equal(pare_stats_trace_open("/dev/full", PARE_TRACE_DIGESTS, &trace, &err), PARE_OK);
    pare_event event = event_at(PARE_EVENT_TEST, 0, 5);
    pare_stats_trace_add(trace, &event);
    pare_stats_trace_add(trace, &event);
    assert_int_equal(pare_stats_trace_close(trace, &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "cannot write the trace '/dev/full'"));
}

static void test_trace__open_reports_what_cannot_be_created(void **state)
{
    (void)state;
    pare_trace *trace = NULL;
    pare_error err = {0};
    assert_int_equal(pare_stats_trace_open("/nowhere/t", PARE_TRACE_DIGESTS, &trace, &err),
                     PARE_E_IO);
    assert_null(trace);
    assert_non_null(strstr(err.message, "'/nowhere/t'"));
}

static pare_stats small_stats(pare_pass_stats *pass, pare_curve_point *point)
{
    *pass = (pare_pass_stats){
        .name = "ddmin/line", .tests = 3, .successes = 1, .bytes_removed = 5, .oracle_s = 0.5};
    *point = (pare_curve_point){.tests = 2, .seconds = 0.25, .bytes = 5};
    return (pare_stats){.bytes_in = 10,
                        .bytes_out = 5,
                        .files_in = 1,
                        .files_out = 1,
                        .units_in = 4,
                        .units_out = 2,
                        .tests_run = 3,
                        .wall_s = 1.5,
                        .jobs = 2,
                        .minimal = PARE_MINIMAL_ONE,
                        .minimal_unit = "line",
                        .passes = pass,
                        .n_passes = 1,
                        .curve = point,
                        .n_curve = 1};
}

static void test_stats__have_exactly_the_promised_keys(void **state)
{
    (void)state;
    struct screen screen;
    pare_pass_stats pass;
    pare_curve_point point;
    pare_stats stats = small_stats(&pass, &point);
    screen_open(&screen);
    assert_int_equal(pare_stats_write(screen.out, "ddmin", &(pare_result){.stats = stats}, NULL),
                     PARE_OK);
    assert_string_equal(
        screen.text, "{\"algorithm\": \"ddmin\", \"bytes_in\": 10, \"bytes_out\": 5, "
                     "\"files_in\": 1, \"files_out\": 1, \"units_in\": 4, "
                     "\"units_out\": 2, \"tests_run\": 3, \"cache_hits\": 0, \"speculated\": 0, "
                     "\"cancelled\": 0, \"wall_s\": 1.5, \"oracle_s\": 0.0, \"cpu_s\": 0.0, "
                     "\"peak_rss_bytes\": 0, \"jobs\": 2, \"stopped\": \"minimal\", "
                     "\"minimal\": \"1-minimal\", \"runner\": \"none\", \"runner_reason\": \"\", "
                     "\"passes\": [{\"name\": \"ddmin/line\", \"tests\": 3, "
                     "\"oracle_s\": 0.5, \"bytes_removed\": 5, \"successes\": 1}], "
                     "\"curve\": [[2, 0.25, 5]], \"sandbox\": \"off\", "
                     "\"limits\": {\"memory_bytes\": null, \"cpu_s\": null, \"processes\": null, "
                     "\"file_bytes\": null}, "
                     "\"outcomes\": {\"FAIL\": 0, \"PASS\": 0, \"UNRESOLVED\": 0, "
                     "\"other_failures\": 0}, \"flaky\": null, \"unprotected\": null, "
                     "\"language\": null, \"busy_s\": 0.0}\n");
    screen_close(&screen);
}

static void test_stats__a_full_disk_is_an_error(void **state)
{
    (void)state;
    pare_stats stats = {0};
    pare_error err = {0};
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(pare_stats_write(full, "auto", &(pare_result){.stats = stats}, &err),
                     PARE_E_IO);
    fclose(full);
}

static void test_summary__says_how_small_why_and_where(void **state)
{
    (void)state;
    struct screen screen;
    pare_pass_stats pass;
    pare_curve_point point;
    pare_stats stats = small_stats(&pass, &point);
    pare_summary summary = {
        .input_name = "x.c", .output_path = "x.min.c", .journal_dir = "x.min.c.pare"};
    screen_open(&screen);
    pare_summary_print(screen.out, &summary, &stats);
    assert_string_equal(screen.text,
                        "x.c: 10 bytes -> 5 bytes (50.0 %)\n"
                        "  tests    3 in 1.5 s (2.0/s, 2 at once)\n"
                        "  stopped  minimal: without any single line the failure is gone\n"
                        "  result   x.min.c\n");
    stats.stopped = PARE_STOPPED_INTERRUPTED;
    pare_summary_print(screen.out, &summary, &stats);
    assert_non_null(strstr(screen.text, "run the same command again"));
    assert_true(widest_line(screen.text) <= 80);
    screen_close(&screen);
}

static void test_summary__says_what_the_build_lacks(void **state)
{
    (void)state;
    struct screen screen;
    pare_pass_stats pass;
    pare_curve_point point;
    pare_stats stats = small_stats(&pass, &point);
    pare_summary summary = {.input_name = "x.c", .lacks = "this and that"};
    screen_open(&screen);
    pare_summary_print(screen.out, &summary, &stats);
    assert_non_null(strstr(screen.text, "\n  lacks    this and that\n"));
    screen_close(&screen);
}

static void test_summary__shows_what_the_test_did_with_an_input_that_passes(void **state)
{
    (void)state;
    char command[] = "./t.sh /tmp/x", output[] = "one\ntwo\x1b[2J";
    pare_result result = {.check_exit_code = 1, .check_command = command, .check_output = output};
    struct screen screen;
    screen_open(&screen);
    pare_summary_print_check(screen.out, &result);
    fflush(screen.out);
    assert_non_null(strstr(screen.text, "  command:  ./t.sh /tmp/x\n"));
    assert_non_null(strstr(screen.text, "with exit code 1\n"));
    assert_non_null(strstr(screen.text, "    | one\n    | two\\x1b[2J\n"));
    screen_close(&screen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress__tells_the_passing_side),
        cmocka_unit_test(test_progress__line_fits_any_width),
        cmocka_unit_test(test_progress__line_tells_size_time_phase_and_what_is_kept_in_80_columns),
        cmocka_unit_test(test_progress__line_counts_columns_and_not_bytes),
        cmocka_unit_test(test_progress__line_tells_everything_where_it_has_room),
        cmocka_unit_test(test_progress__line_is_drawn_ten_times_a_second_at_most),
        cmocka_unit_test(test_progress__line_tells_how_far_the_input_was_read),
        cmocka_unit_test(test_progress__plain_lines_are_few_and_without_control_characters),
        cmocka_unit_test(test_progress__verbose_prints_each_test),
        cmocka_unit_test(test_progress__quiet_prints_nothing),
        cmocka_unit_test(test_progress__new_reports_oom_and_leaves_out_alone),
        cmocka_unit_test(test_trace__has_exactly_the_promised_keys_in_order),
        cmocka_unit_test(test_trace__a_full_disk_is_reported_when_it_is_closed),
        cmocka_unit_test(test_trace__open_reports_what_cannot_be_created),
        cmocka_unit_test(test_stats__have_exactly_the_promised_keys),
        cmocka_unit_test(test_stats__a_full_disk_is_an_error),
        cmocka_unit_test(test_summary__says_how_small_why_and_where),
        cmocka_unit_test(test_summary__says_what_the_build_lacks),
        cmocka_unit_test(test_summary__shows_what_the_test_did_with_an_input_that_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
