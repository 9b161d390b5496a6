/* pare_isolate through the public interface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <pare/isolate.h>

#include "alloc_sweep.h"
#include "base/alloc.h"

enum { PATH_BYTES = 256 };

/* Fails when the bytes have the word; has no answer when they have an odd number of
 * brackets and `strict` is set. */
struct language {
    const char *word;
    bool strict;
    bool counts;
    int n_calls;
};

static bool contains(const char *bytes, size_t size, const char *word)
{
    return memmem(bytes, size, word, strlen(word)) != NULL;
}

static pare_outcome accepts(void *context, const void *bytes, size_t size)
{
    struct language *language = context;
    const char *text = bytes;
    size_t n_brackets = 0;
    if (language->counts) language->n_calls++;
    for (size_t i = 0; i < size; i++)
        n_brackets += text[i] == '(' || text[i] == ')';
    if (language->strict && n_brackets % 2) return PARE_UNRESOLVED;
    return contains(text, size, language->word) ? PARE_FAIL : PARE_PASS;
}

static struct language has_bug = {.word = "bug"};

static pare_reduce_options options_for(struct language *language, const char *failing)
{
    return (pare_reduce_options){.input.bytes = failing,
                                 .input.size_bytes = strlen(failing),
                                 .test.predicate = accepts,
                                 .test.context = language};
}

static pare_isolate_options passing_text(const char *passing)
{
    return (pare_isolate_options){.passing = passing, .passing_bytes = strlen(passing)};
}

static void assert_text(const unsigned char *bytes, size_t size, const char *expected)
{
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(bytes, expected, size);
}

static const char FAILING[] = "first\nsecond has a bug\nthird\nfourth\n";
static const char PASSING[] = "first\nsecond has a bee\nthird\nfifth\n";

static void test_isolate__narrows_lines_then_characters(void **state)
{
    (void)state;
    pare_reduce_options options = options_for(&has_bug, FAILING);
    pare_isolate_options isolate = passing_text(PASSING);
    pare_isolated isolated;
    assert_int_equal(pare_isolate(&options, &isolate, &isolated, NULL), PARE_OK);
    const pare_stats *stats = &isolated.failing.stats;
    assert_int_equal(isolated.n_deltas, 1);
    assert_true(isolated.n_deltas_in > 20);
    assert_int_equal(stats->minimal, PARE_MINIMAL_ONE);
    assert_int_equal(stats->stopped, PARE_STOPPED_MINIMAL);
    assert_int_equal(stats->n_passes, 2);
    assert_string_equal(stats->passes[0].name, "dd/line");
    assert_string_equal(stats->passes[1].name, "dd/char");
    assert_int_equal(stats->bytes_in, strlen(FAILING));
    assert_int_equal(stats->bytes_out, isolated.failing.size_bytes);
    assert_int_equal(accepts(&has_bug, isolated.failing.bytes, isolated.failing.size_bytes),
                     PARE_FAIL);
    assert_int_equal(accepts(&has_bug, isolated.passing_bytes, isolated.passing_size_bytes),
                     PARE_PASS);
    size_t a = isolated.failing.size_bytes, b = isolated.passing_size_bytes;
    assert_true(a == b + 1 || b == a + 1);
    pare_isolated_done(&isolated);
    assert_null(isolated.passing_bytes);
}

static void test_isolate__takes_the_units_that_are_named(void **state)
{
    (void)state;
    pare_reduce_options options = options_for(&has_bug, FAILING);
    pare_isolate_options isolate = passing_text(PASSING);
    pare_isolated isolated;
    options.units = "line";
    assert_int_equal(pare_isolate(&options, &isolate, &isolated, NULL), PARE_OK);
    assert_int_equal(isolated.n_deltas_in, 4);
    assert_int_equal(isolated.n_deltas, 1);
    assert_int_equal(isolated.failing.stats.n_passes, 1);
    assert_text(isolated.passing_bytes, isolated.passing_size_bytes,
                "first\nsecond has a bee\nthird\nfifth\n");
    assert_text(isolated.failing.bytes, isolated.failing.size_bytes,
                "first\nsecond has a bee\nsecond has a bug\nthird\nfifth\n");
    pare_isolated_done(&isolated);
}

static void test_isolate__works_from_the_empty_input(void **state)
{
    (void)state;
    pare_reduce_options options = options_for(&has_bug, "bug");
    pare_isolate_options isolate = passing_text("");
    pare_isolated isolated;
    assert_int_equal(pare_isolate(&options, &isolate, &isolated, NULL), PARE_OK);
    assert_text(isolated.failing.bytes, isolated.failing.size_bytes, "bug");
    assert_int_equal(isolated.passing_size_bytes, 2);
    pare_isolated_done(&isolated);
}

static void test_isolate__keeps_together_what_cannot_be_told_apart(void **state)
{
    (void)state;
    struct language strict = {.word = "(b)", .strict = true};
    pare_reduce_options options = options_for(&strict, "x(b)y");
    pare_isolate_options isolate = passing_text("xby");
    pare_isolated isolated;
    options.units = "char";
    assert_int_equal(pare_isolate(&options, &isolate, &isolated, NULL), PARE_OK);
    assert_int_equal(isolated.n_deltas, 2);
    assert_text(isolated.failing.bytes, isolated.failing.size_bytes, "x(b)y");
    assert_text(isolated.passing_bytes, isolated.passing_size_bytes, "xby");
    pare_isolated_done(&isolated);
}

static void test_isolate__jobs_change_nothing(void **state)
{
    (void)state;
    pare_isolate_options isolate = passing_text(PASSING);
    pare_isolated one, many;
    pare_reduce_options options = options_for(&has_bug, FAILING);
    assert_int_equal(pare_isolate(&options, &isolate, &one, NULL), PARE_OK);
    for (unsigned jobs = 2; jobs <= 8; jobs *= 2) {
        options.limits.jobs = jobs;
        assert_int_equal(pare_isolate(&options, &isolate, &many, NULL), PARE_OK);
        assert_int_equal(many.failing.size_bytes, one.failing.size_bytes);
        assert_memory_equal(many.failing.bytes, one.failing.bytes, one.failing.size_bytes);
        assert_int_equal(many.passing_size_bytes, one.passing_size_bytes);
        assert_memory_equal(many.passing_bytes, one.passing_bytes, one.passing_size_bytes);
        pare_isolated_done(&many);
    }
    pare_isolated_done(&one);
}

/* ---- events --------------------------------------------------------------------- */

struct seen {
    uint64_t n_tests;
    size_t best_bytes;
    int n_phases, n_ends;
};

static void watch(void *context, const pare_event *event)
{
    struct seen *seen = context;
    if (event->kind == PARE_EVENT_TEST) {
        assert_int_equal(event->n, seen->n_tests++);
        if (event->n == 0) assert_int_equal(event->outcome, PARE_FAIL);
        if (event->n == 1) assert_int_equal(event->outcome, PARE_PASS);
        if (event->n < 2) assert_false(event->accepted);
        if (!event->accepted && event->n > 0) assert_int_equal(event->best_bytes, seen->best_bytes);
        seen->best_bytes = event->best_bytes;
    }
    seen->n_phases += event->kind == PARE_EVENT_PHASE;
    seen->n_ends += event->kind == PARE_EVENT_END;
}

/* The passing sides that were told of, one after the other, each after its length and its test. */
struct passing_sides {
    char told[4096];
    size_t size;
    char last[256]; /* the text of the newest */
    uint64_t n;     /* and its test */
    int n_told;
};

static void watch_passing(void *context, const pare_event *event)
{
    struct passing_sides *sides = context;
    const size_t size = pare_event_passing(event, NULL, 0);
    if (event->kind != PARE_EVENT_PASSING) {
        assert_int_equal(size, 0);
        return;
    }
    assert_in_range(size, 1, sizeof sides->last - 1);
    assert_int_equal(size, event->size_bytes);
    assert_int_equal(pare_event_passing(event, sides->last, 1),
                     size); /* no more than there is room */
    assert_int_equal(pare_event_passing(event, sides->last, sizeof sides->last), size);
    sides->last[size] = '\0';
    assert_int_equal(accepts(&has_bug, sides->last, size), PARE_PASS);
    if (sides->n_told++ == 0) {
        assert_int_equal(event->n, 1);
        assert_string_equal(sides->last, PASSING);
    } else {
        assert_true(event->n > sides->n);
    }
    sides->n = event->n;
    sides->size += (size_t)snprintf(sides->told + sides->size, sizeof sides->told - sides->size,
                                    "%llu %s\n", (unsigned long long)event->n, sides->last);
    assert_true(sides->size < sizeof sides->told);
}

/* From the passing input to the passing result, the same whatever runs at once. */
static void test_isolate__tells_of_each_change_of_the_passing_side(void **state)
{
    (void)state;
    struct passing_sides one = {.size = 0};
    pare_reduce_options options = options_for(&has_bug, FAILING);
    pare_isolate_options isolate = passing_text(PASSING);
    options.events.watcher = watch_passing;
    for (unsigned jobs = 1; jobs <= 4; jobs *= 2) {
        struct passing_sides sides = {.size = 0};
        pare_isolated isolated;
        options.events.context = &sides;
        options.limits.jobs = jobs;
        assert_int_equal(pare_isolate(&options, &isolate, &isolated, NULL), PARE_OK);
        assert_true(sides.n_told > 1);
        assert_text(isolated.passing_bytes, isolated.passing_size_bytes, sides.last);
        if (jobs == 1) one = sides;
        assert_string_equal(sides.told, one.told);
        pare_isolated_done(&isolated);
    }
}

static void test_isolate__announces_each_change_of_the_failing_side(void **state)
{
    (void)state;
    struct seen seen = {.n_tests = 0};
    pare_reduce_options options = options_for(&has_bug, FAILING);
    pare_isolate_options isolate = passing_text(PASSING);
    pare_isolated isolated;
    options.events.watcher = watch;
    options.events.context = &seen;
    assert_int_equal(pare_isolate(&options, &isolate, &isolated, NULL), PARE_OK);
    assert_int_equal(seen.best_bytes, isolated.failing.size_bytes);
    assert_int_equal(seen.n_phases, 2);
    assert_int_equal(seen.n_ends, 1);
    assert_int_equal(isolated.failing.stats.curve[isolated.failing.stats.n_curve - 1].bytes,
                     isolated.failing.size_bytes);
    pare_isolated_done(&isolated);
}

/* ---- files, journal, budget ----------------------------------------------------- */

static void make_path(char path[PATH_BYTES], const char *folder, const char *name)
{
    assert_true(snprintf(path, PATH_BYTES, "%s/%s", folder, name) < PATH_BYTES);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void assert_file(const char *path, const void *bytes, size_t size)
{
    static char found[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(found, 1, sizeof found, file), size);
    assert_memory_equal(found, bytes, size);
    assert_int_equal(fclose(file), 0);
}

static void test_isolate__reads_and_writes_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/pare-isolate-XXXXXX";
    char failing[PATH_BYTES], passing[PATH_BYTES], low[PATH_BYTES], high[PATH_BYTES];
    assert_non_null(mkdtemp(folder));
    make_path(failing, folder, "failing");
    make_path(passing, folder, "passing");
    make_path(low, folder, "low");
    make_path(high, folder, "high");
    write_file(failing, FAILING);
    write_file(passing, PASSING);
    pare_reduce_options options = {.input.path = failing,
                                   .output.path = low,
                                   .test.predicate = accepts,
                                   .test.context = &has_bug};
    pare_isolate_options isolate = {.passing_path = passing, .passing_output_path = high};
    pare_isolated isolated;
    assert_int_equal(pare_isolate(&options, &isolate, &isolated, NULL), PARE_OK);
    assert_file(low, isolated.failing.bytes, isolated.failing.size_bytes);
    assert_file(high, isolated.passing_bytes, isolated.passing_size_bytes);
    assert_file(failing, FAILING, strlen(FAILING));
    assert_file(passing, PASSING, strlen(PASSING));
    pare_isolated_done(&isolated);
    const char *all[] = {failing, passing, low, high};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(unlink(all[i]), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_isolate__continues_from_its_journal(void **state)
{
    (void)state;
    char folder[] = "/tmp/pare-isolate-XXXXXX", journal[PATH_BYTES];
    assert_non_null(mkdtemp(folder));
    make_path(journal, folder, "journal");
    struct language counting = {.word = "bug", .counts = true};
    pare_reduce_options options = options_for(&counting, FAILING);
    pare_isolate_options isolate = passing_text(PASSING);
    pare_isolated whole, part;
    assert_int_equal(pare_isolate(&options, &isolate, &whole, NULL), PARE_OK);
    int n_whole = counting.n_calls;
    options.output.journal_dir = journal;
    options.limits.max_tests = 4;
    counting.n_calls = 0;
    assert_int_equal(pare_isolate(&options, &isolate, &part, NULL), PARE_OK);
    assert_int_equal(part.failing.stats.stopped, PARE_STOPPED_BUDGET);
    assert_int_equal(part.failing.stats.minimal, PARE_MINIMAL_NONE);
    assert_int_equal(accepts(&has_bug, part.passing_bytes, part.passing_size_bytes), PARE_PASS);
    pare_isolated_done(&part);
    options.limits.max_tests = 0;
    assert_int_equal(pare_isolate(&options, &isolate, &part, NULL), PARE_OK);
    assert_int_equal(counting.n_calls, n_whole); /* no test was run twice */
    assert_int_equal(part.failing.size_bytes, whole.failing.size_bytes);
    assert_memory_equal(part.failing.bytes, whole.failing.bytes, whole.failing.size_bytes);
    assert_int_equal(part.passing_size_bytes, whole.passing_size_bytes);
    assert_memory_equal(part.passing_bytes, whole.passing_bytes, whole.passing_size_bytes);
    pare_isolated_done(&part);
    pare_isolated_done(&whole);
    assert_int_equal(rmdir(folder), 0); /* the journal of a complete run has gone */
}

/* Requests a stop when test number `at` has retired. */
struct stopper {
    pare_stop *stop;
    uint64_t at;
};

static void stop_at(void *context, const pare_event *event)
{
    struct stopper *stopper = context;
    if (event->kind == PARE_EVENT_TEST && event->n == stopper->at) pare_stop_request(stopper->stop);
}

static void test_isolate__a_stop_keeps_both_sides(void **state)
{
    (void)state;
    for (uint64_t at = 2; at < 12; at++) {
        struct stopper stopper = {.at = at};
        assert_int_equal(pare_stop_new(&stopper.stop, NULL), PARE_OK);
        pare_reduce_options options = options_for(&has_bug, FAILING);
        pare_isolate_options isolate = passing_text(PASSING);
        pare_isolated isolated;
        options.events.stop = stopper.stop;
        options.events.watcher = stop_at;
        options.events.context = &stopper;
        options.limits.jobs = (unsigned)(at % 3 + 1);
        assert_int_equal(pare_isolate(&options, &isolate, &isolated, NULL), PARE_OK);
        assert_int_equal(accepts(&has_bug, isolated.failing.bytes, isolated.failing.size_bytes),
                         PARE_FAIL);
        assert_int_equal(accepts(&has_bug, isolated.passing_bytes, isolated.passing_size_bytes),
                         PARE_PASS);
        if (at < 6) assert_int_equal(isolated.failing.stats.stopped, PARE_STOPPED_INTERRUPTED);
        pare_isolated_done(&isolated);
        pare_stop_free(stopper.stop);
    }
}

static void test_isolate__a_stop_before_the_first_test_leaves_nothing(void **state)
{
    (void)state;
    pare_stop *stop = NULL;
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    pare_reduce_options options = options_for(&has_bug, FAILING);
    pare_isolate_options isolate = passing_text(PASSING);
    pare_isolated isolated;
    options.events.stop = stop;
    pare_stop_request(stop);
    assert_int_equal(pare_isolate(&options, &isolate, &isolated, NULL), PARE_E_INTERRUPTED);
    assert_int_equal(isolated.failing.stats.stopped, PARE_STOPPED_INTERRUPTED);
    assert_null(isolated.failing.bytes);
    pare_isolated_done(&isolated);
    pare_stop_free(stop);
}

/* ---- errors --------------------------------------------------------------------- */

static void assert_refused(pare_reduce_options options, pare_isolate_options isolate,
                           pare_status expected, const char *sentence)
{
    pare_isolated isolated;
    pare_error err = {.status = PARE_OK};
    assert_int_equal(pare_isolate(&options, &isolate, &isolated, &err), expected);
    assert_int_equal(err.status, expected);
    if (!strstr(err.message, sentence)) fail_msg("\"%s\" in: %s", sentence, err.message);
    assert_null(isolated.failing.bytes);
    assert_null(isolated.passing_bytes);
    pare_isolated_done(&isolated);
}

static void test_isolate__refuses_inputs_that_do_not_fail_and_pass(void **state)
{
    (void)state;
    struct language strict = {.word = "bug", .strict = true};
    assert_refused(options_for(&has_bug, "fine"), passing_text("good"), PARE_E_STATE,
                   "the input does not fail");
    assert_refused(options_for(&has_bug, "a bug"), passing_text("other bug"), PARE_E_STATE,
                   "the passing input does not pass: the test says that the failure is there");
    assert_refused(options_for(&strict, "a bug"), passing_text("a ("), PARE_E_STATE, "UNRESOLVED");
    assert_refused(options_for(&has_bug, "a bug"), passing_text("a bug"), PARE_E_STATE,
                   "are the same");
}

static void test_isolate__refuses_wrong_options(void **state)
{
    (void)state;
    pare_reduce_options options = options_for(&has_bug, "a bug");
    pare_isolate_options passing = passing_text("a bee");
    assert_refused(options, (pare_isolate_options){.passing = NULL}, PARE_E_ARG,
                   "the passing input");
    assert_refused(options, (pare_isolate_options){.passing_path = "/nonexistent/passing"},
                   PARE_E_IO, "the passing input");
    options.units = "bracket";
    assert_refused(options, passing, PARE_E_ARG, "bracket");
    options.units = "word";
    assert_refused(options, passing, PARE_E_ARG, "word");
    options = options_for(&has_bug, "a bug");
    options.algorithms = "ddmin";
    assert_refused(options, passing, PARE_E_ARG, "ddmin");
    options = options_for(&has_bug, "a bug");
    options.test.predicate = NULL;
    assert_refused(options, passing, PARE_E_ARG, "predicate");
}

static void test_isolate__reports_an_output_that_cannot_be_written(void **state)
{
    (void)state;
    pare_reduce_options options = options_for(&has_bug, "a bug");
    pare_isolate_options isolate = passing_text("a bee");
    pare_isolated isolated;
    pare_error err = {.status = PARE_OK};
    isolate.passing_output_path = "/nonexistent/passing";
    assert_int_equal(pare_isolate(&options, &isolate, &isolated, &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "/nonexistent/passing"));
    assert_non_null(isolated.failing.bytes); /* the best so far */
    assert_null(isolated.passing_bytes);
    pare_isolated_done(&isolated);
}

static void test_isolate__out_of_memory_is_a_clean_error_everywhere(void **state)
{
    (void)state;
    pare_reduce_options options = options_for(&has_bug, "one\nbug\ntwo\n");
    pare_isolate_options isolate = passing_text("one\nbee\nthree\n");
    for (size_t n = 0;; n++) {
        long before = live_blocks();
        pare_isolated isolated;
        pare_error err = {.status = PARE_OK};
        pare_alloc_fault_after(n);
        pare_status status = pare_isolate(&options, &isolate, &isolated, &err);
        bool hit = pare_alloc_fault_hit();
        pare_alloc_fault_after(SIZE_MAX);
        if (status) assert_int_equal(status, PARE_E_NOMEM);
        if (status) assert_int_equal(err.status, PARE_E_NOMEM);
        pare_isolated_done(&isolated);
        assert_int_equal(live_blocks(), before);
        if (!hit) break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isolate__narrows_lines_then_characters),
        cmocka_unit_test(test_isolate__takes_the_units_that_are_named),
        cmocka_unit_test(test_isolate__works_from_the_empty_input),
        cmocka_unit_test(test_isolate__keeps_together_what_cannot_be_told_apart),
        cmocka_unit_test(test_isolate__jobs_change_nothing),
        cmocka_unit_test(test_isolate__tells_of_each_change_of_the_passing_side),
        cmocka_unit_test(test_isolate__announces_each_change_of_the_failing_side),
        cmocka_unit_test(test_isolate__reads_and_writes_files),
        cmocka_unit_test(test_isolate__continues_from_its_journal),
        cmocka_unit_test(test_isolate__a_stop_keeps_both_sides),
        cmocka_unit_test(test_isolate__a_stop_before_the_first_test_leaves_nothing),
        cmocka_unit_test(test_isolate__refuses_inputs_that_do_not_fail_and_pass),
        cmocka_unit_test(test_isolate__refuses_wrong_options),
        cmocka_unit_test(test_isolate__reports_an_output_that_cannot_be_written),
        cmocka_unit_test(test_isolate__out_of_memory_is_a_clean_error_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
