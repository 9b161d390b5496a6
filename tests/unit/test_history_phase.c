/* Going back to a step of the history, and on from there: what is tested first, what is found, what is
 * refused, and that a run which was ended is where it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <pare/history.h>
#include <pare/reduce.h>
#include <pare/stop.h>

#include "os/file.h"
#include "unit/support/scratch.h"

/* Fails with an x and a y, or, of a `strict` run, with two of x. */
struct test {
    bool is_strict;
    unsigned runs;
    uint64_t most; /* tests; 0: any number */
    uint64_t from_step;
    const char *algorithm;
    pare_stop *stop; /* asked, in run `back_at`, to go on from step `back_to`, once */
    unsigned back_at;
    uint64_t back_to;
    bool keeps_none; /* no history */
};

static pare_outcome judge(void *context, const void *bytes, size_t size)
{
    struct test *test = context;
    const char *x = memchr(bytes, 'x', size);
    if (++test->runs == test->back_at) pare_stop_go_from(test->stop, test->back_to);
    if (!x) return PARE_PASS;
    if (test->is_strict)
        return memchr(x + 1, 'x', size - (size_t)(x + 1 - (const char *)bytes)) ? PARE_FAIL
                                                                                : PARE_PASS;
    return memchr(bytes, 'y', size) ? PARE_FAIL : PARE_PASS;
}

static const char INPUT[] = "one x\ntwo y\nthree\nfour x\nfive\nsix y\nseven\neight\n";

static pare_status reduce(struct test *test, pare_result *result, pare_error *err)
{
    const pare_reduce_options options = {.input.bytes = INPUT,
                                         .input.size_bytes = sizeof INPUT - 1,
                                         .test.predicate = judge,
                                         .test.context = test,
                                         .algorithms = test->algorithm ? test->algorithm : "ddmin",
                                         .units = "char",
                                         .limits.jobs = 1,
                                         .limits.max_tests = test->most,
                                         .output.path = "out",
                                         .output.journal_dir = "out.pare",
                                         .output.keep_earlier = PARE_ON,
                                         .output.history = test->keeps_none ? PARE_OFF : PARE_ON,
                                         .events.stop = test->stop,
                                         .output.from_step = test->from_step,
                                         .output.sync = PARE_SYNC_NEVER};
    *result = (pare_result){.size_bytes = 0};
    return pare_reduce(&options, result, err);
}

static void assert_reduces(struct test test)
{
    pare_result result;
    pare_error err = {0};
    if (reduce(&test, &result, &err)) fail_msg("%s", err.message);
    pare_result_done(&result);
}

static void assert_is_refused(struct test test, pare_status wanted, const char *sentence)
{
    pare_result result;
    pare_error err = {0};
    assert_int_equal(reduce(&test, &result, &err), wanted);
    if (!strstr(err.message, sentence)) fail_msg("'%s' is not in: %s", sentence, err.message);
    pare_result_done(&result);
}

static pare_history *open_history(void)
{
    pare_history *history = NULL;
    pare_error err = {0};
    if (pare_history_open("out", &history, &err)) fail_msg("%s", err.message);
    return history;
}

/* All texts of the history, one after the other, each with what it was made of. */
static void print_history(pare_buffer *to)
{
    pare_history *history = open_history();
    pare_history_step step;
    pare_buffer_reset(to);
    for (size_t n = 0; pare_history_step_at(history, n, &step); n++) {
        const char *bytes;
        size_t size;
        assert_int_equal(pare_history_text(history, n, &bytes, &size, NULL), PARE_OK);
        assert_int_equal(
            pare_buffer_format(to, NULL, "%zu from %zu: %.*s\n", n, step.from, (int)size, bytes),
            PARE_OK);
    }
    pare_history_close(history);
}

static void remove_all(void)
{
    static const char *const names[] = {"out", "out.~1~", "out.~2~"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        (void)unlink(names[k]);
    if (pare_file_is_directory("out.pare"))
        assert_int_equal(pare_file_remove_tree("out.pare", NULL), PARE_OK);
}

static void test_history_phase__goes_on_from_a_step_that_another_test_keeps(void **state)
{
    (void)state;
    assert_reduces((struct test){.most = 0});
    pare_history *history = open_history();
    pare_history_step step;
    const size_t before = pare_history_steps(history), last = before - 1;
    size_t from = 0;
    const char *bytes;
    size_t size;
    /* The last one that the stricter test keeps, too. */
    for (size_t n = 1; n <= last; n++) {
        struct test strict = {.is_strict = true};
        assert_int_equal(pare_history_text(history, n, &bytes, &size, NULL), PARE_OK);
        if (judge(&strict, bytes, size) == PARE_FAIL) from = n;
    }
    pare_history_close(history);
    assert_is_refused((struct test){.is_strict = true, .from_step = last}, PARE_E_STATE,
                      "does not fail with this test");
    assert_true(pare_file_is_regular("out.pare/history"));
    assert_false(pare_file_exists("out.pare/journal"));
    if (from) {
        assert_reduces((struct test){.is_strict = true, .from_step = from});
        assert_true(pare_file_exists("out.~1~"));
        history = open_history();
        assert_true(pare_history_steps(history) > before);
        assert_true(pare_history_step_at(history, pare_history_steps(history) - 1, &step));
        assert_int_equal(
            pare_history_text(history, pare_history_steps(history) - 1, &bytes, &size, NULL),
            PARE_OK);
        assert_string_equal(bytes, "xx");
        pare_history_close(history);
    }
    remove_all();
}

static void test_history_phase__a_run_that_was_ended_is_where_it_was(void **state)
{
    (void)state;
    pare_buffer whole = {0}, parts = {0};
    pare_buffer first = {0};
    assert_reduces((struct test){.most = 0});
    assert_int_equal(pare_file_read("out.pare/history", &first, NULL), PARE_OK);
    assert_reduces((struct test){.from_step = 2, .algorithm = "lithium"});
    print_history(&whole);
    remove_all();
    assert_int_equal(pare_file_make_directories("out.pare", NULL), PARE_OK);
    assert_int_equal(pare_file_write_bytes("out.pare/history", first.data, first.size, NULL),
                     PARE_OK);
    /* One test more each time; only the first run is told where to go on from. */
    uint64_t most = 1;
    do
        assert_reduces(
            (struct test){.from_step = most == 1 ? 2 : 0, .algorithm = "lithium", .most = most});
    while (++most < 1000 && pare_file_exists("out.pare/journal"));
    assert_true(most > 5 && most < 1000);
    print_history(&parts);
    assert_string_equal(parts.data, whole.data);
    pare_buffer_done(&whole);
    pare_buffer_done(&parts);
    pare_buffer_done(&first);
    remove_all();
}

/* Whenever it is asked: the way is that of a run that is stopped and told to go on from there. */
static void test_history_phase__goes_back_while_it_runs(void **state)
{
    (void)state;
    pare_buffer asked = {0}, told = {0};
    unsigned n_back = 0;
    for (unsigned at = 4; at < 40; at += 5) {
        struct test test = {.back_at = at, .back_to = 1};
        pare_result result;
        assert_int_equal(pare_stop_new(&test.stop, NULL), PARE_OK);
        assert_int_equal(reduce(&test, &result, NULL), PARE_OK);
        n_back += result.stats.stopped == PARE_STOPPED_MINIMAL;
        assert_int_equal(result.size_bytes, 2);
        pare_result_done(&result);
        pare_stop_free(test.stop);
        print_history(&asked);
        assert_false(pare_file_exists("out.pare/journal"));
        remove_all();
        /* The run in which it was asked is not retired: it is ended, and another one is told. */
        assert_reduces((struct test){.most = at - 3});
        const bool is_there = pare_file_exists("out.pare/history");
        if (is_there) {
            assert_reduces((struct test){.from_step = 1});
            print_history(&told);
            assert_string_equal(asked.data, told.data);
        }
        remove_all();
    }
    assert_true(n_back > 3);
    pare_buffer_done(&asked);
    pare_buffer_done(&told);
}

static void test_history_phase__goes_nowhere_without_a_history_or_a_step(void **state)
{
    (void)state;
    struct test test = {.back_at = 20, .back_to = 1, .keeps_none = true};
    pare_result result;
    pare_error err = {0};
    assert_int_equal(pare_stop_new(&test.stop, NULL), PARE_OK);
    assert_int_equal(reduce(&test, &result, &err), PARE_OK);
    assert_int_equal(result.stats.stopped, PARE_STOPPED_INTERRUPTED);
    pare_result_done(&result);
    pare_stop_free(test.stop);
    assert_true(pare_file_exists("out.pare/journal")); /* it can go on */
    remove_all();
    test = (struct test){.back_at = 20, .back_to = 77};
    assert_int_equal(pare_stop_new(&test.stop, NULL), PARE_OK);
    assert_int_equal(reduce(&test, &result, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "there is no step 77 in the history"));
    pare_result_done(&result);
    pare_stop_free(test.stop);
    assert_true(pare_file_exists("out.pare/journal"));
    assert_true(pare_file_exists("out"));
    remove_all();
}

static void test_history_phase__refuses_what_is_no_step(void **state)
{
    (void)state;
    assert_is_refused((struct test){.from_step = 1}, PARE_E_STATE, "there is no history");
    assert_false(pare_file_exists("out.pare"));
    assert_reduces((struct test){.most = 0});
    assert_is_refused((struct test){.from_step = 1000}, PARE_E_ARG, "there is no step 1000");
    assert_false(pare_file_exists("out.pare/journal"));
    /* Of a run that is to go on the journal stays. */
    remove_all();
    assert_reduces((struct test){.most = 8});
    assert_true(pare_file_exists("out.pare/journal"));
    assert_is_refused((struct test){.from_step = 1000}, PARE_E_ARG, "there is no step 1000");
    assert_true(pare_file_exists("out.pare/journal"));
    assert_reduces((struct test){.most = 0});
    const pare_reduce_options without = {.input.bytes = INPUT,
                                         .input.size_bytes = sizeof INPUT - 1,
                                         .test.predicate = judge,
                                         .test.context = &(struct test){.most = 0},
                                         .output.from_step = 1};
    pare_result result = {0};
    pare_error err = {0};
    assert_int_equal(pare_reduce(&without, &result, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "a run needs a journal and a history"));
    pare_result_done(&result);
    remove_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_history_phase__goes_on_from_a_step_that_another_test_keeps),
        cmocka_unit_test(test_history_phase__a_run_that_was_ended_is_where_it_was),
        cmocka_unit_test(test_history_phase__goes_back_while_it_runs),
        cmocka_unit_test(test_history_phase__goes_nowhere_without_a_history_or_a_step),
        cmocka_unit_test(test_history_phase__refuses_what_is_no_step),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
