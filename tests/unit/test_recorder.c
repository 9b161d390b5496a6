/* Recorded runs of a generator: what is drawn is noted, and given back when it is replayed.
 *
 * The generator is helpers/random_program, which knows nothing of us. */
/* tests: src/run/recorder.c src/run/shim/interpose.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/recorder.h"
#include "unit/alloc_sweep.h"

static char program[4096];
static pare_recorder *recorder;

static int make_recorder(void **state)
{
    (void)state;
    (void)snprintf(program, sizeof program, "%s/random_program", getenv("PARE_HELPERS"));
    return pare_recorder_new(&recorder, NULL) != PARE_OK;
}

static int free_recorder(void **state)
{
    (void)state;
    pare_recorder_free(recorder);
    return 0;
}

enum { MOST_DRAWS = 100000 };
static uint64_t list[MOST_DRAWS];

/* Runs the program on `source`; `n` of the list's numbers are replayed, or, negative, none. */
static pare_recorder_result run(const char *source, int n, pare_buffer *text)
{
    const char *const words[] = {"/bin/sh", program, source, NULL};
    const pare_recorder_run order = {.words = words,
                                     .list = n < 0 ? NULL : list,
                                     .n_list = n < 0 ? 0 : (size_t)n,
                                     .timeout_ms = 60000};
    pare_recorder_result result;
    pare_error err = {0};
    if (pare_recorder_run_once(recorder, &order, text, NULL, &result, &err))
        fail_msg("%s", err.message);
    return result;
}

/* The draws of the last run, as a list; each is below its bound. */
static int copy_draws(const pare_recorder_result *result)
{
    assert_in_range(result->n_draws, 1, MOST_DRAWS);
    for (size_t i = 0; i < result->n_draws; i++) {
        pare_recorder_draw draw = pare_recorder_draw_at(recorder, i);
        assert_true(draw.index < draw.bound);
        list[i] = draw.index;
    }
    return (int)result->n_draws;
}

static void test_recorder__replaying_what_was_recorded_gives_the_same_text(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "rand",           "rand_r",  "random",  "random_r", "drand48",    "erand48",
        "lrand48",        "nrand48", "mrand48", "jrand48",  "lrand48_r",  "getrandom",
        "getentropy",     "read",    "fread",   "none",     "arc4random", "arc4random_uniform",
        "arc4random_buf",
    };
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        pare_buffer recorded = {0}, replayed = {0};
        pare_recorder_result result = run(sources[k], -1, &recorded);
        bool is_there = result.end == PARE_RECORDER_DONE;
        if (!is_there) assert_int_equal(result.code, 77); /* this C library does not have it */
        assert_true(result.attached);
        if (is_there && strcmp(sources[k], "none") != 0) {
            int n = copy_draws(&result);
            pare_recorder_result again = run(sources[k], n, &replayed);
            assert_int_equal(again.end, PARE_RECORDER_DONE);
            assert_int_equal(again.n_draws, n);
            assert_int_equal(replayed.size, recorded.size);
            assert_memory_equal(replayed.data, recorded.data, recorded.size);
        } else {
            assert_int_equal(result.n_draws, 0);
        }
        pare_buffer_done(&recorded);
        pare_buffer_done(&replayed);
    }
}

static void test_recorder__a_generator_is_not_disturbed_by_being_recorded(void **state)
{
    (void)state;
    pare_buffer recorded = {0};
    char expected[1 << 16], command[5000];
    (void)snprintf(command, sizeof command, "%s rand", program);
    FILE *plain = popen(command, "r"); /* without the shim */
    assert_non_null(plain);
    size_t size = fread(expected, 1, sizeof expected, plain);
    assert_int_equal(pclose(plain), 0);
    assert_int_equal(run("rand", -1, &recorded).end, PARE_RECORDER_DONE);
    assert_int_equal(recorded.size, size);
    assert_memory_equal(recorded.data, expected, size);
    pare_buffer_done(&recorded);
}

static void test_recorder__a_list_that_is_too_short_ends_the_run(void **state)
{
    (void)state;
    pare_buffer text = {0};
    memset(list, 0, sizeof list);
    list[0] = 1;
    pare_recorder_result result = run("rand", 3, &text);
    assert_int_equal(result.end, PARE_RECORDER_EXHAUSTED);
    assert_int_equal(text.size, 0);
    pare_buffer_done(&text);
}

static void test_recorder__numbers_of_a_list_are_taken_modulo_their_bound(void **state)
{
    (void)state;
    pare_buffer text = {0};
    memset(list, 0xff, sizeof list);
    list[0] = UINT64_C(1) << 31 | 5; /* rand has 31 bits */
    (void)run("rand", 1, &text);
    pare_recorder_draw draw = pare_recorder_draw_at(recorder, 0);
    assert_int_equal(draw.bound, UINT64_C(1) << 31);
    assert_int_equal(draw.index, 5);
    pare_buffer_done(&text);
}

/* block, statement and expression call each other, and draw in each. */
static void test_recorder__functions_under_way_are_told_with_each_draw(void **state)
{
    (void)state;
    pare_buffer text = {0};
    pare_recorder_result result = run("rand", -1, &text);
    size_t depth = 0, deepest = 0;
    bool returned = false;
    for (size_t i = 0; i < result.n_draws; i++) {
        pare_recorder_draw draw = pare_recorder_draw_at(recorder, i);
        assert_true(draw.n_kept <= depth);
        assert_int_equal(draw.thread, 1);
        returned = returned || draw.n_kept < depth;
        depth = draw.n_kept + draw.n_labels;
        deepest = depth > deepest ? depth : deepest;
    }
    assert_true(returned);
    assert_true(deepest >= 3);
    pare_buffer_done(&text);
}

static void test_recorder__how_a_run_ends_is_a_result_and_no_error(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        pare_recorder_end end;
        int code;
    } cases[] = {{"exit 0", PARE_RECORDER_DONE, 0},
                 {"exit 3", PARE_RECORDER_FAILED, 3},
                 {"kill -9 $$", PARE_RECORDER_FAILED, 128 + 9},
                 {"sleep 1000", PARE_RECORDER_TIMED_OUT, 128 + 9}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *const words[] = {"/bin/sh", "/bin/sh", "-c", cases[k].script, NULL};
        const bool hangs = cases[k].end == PARE_RECORDER_TIMED_OUT;
        const pare_recorder_run order = {.words = words, .timeout_ms = hangs ? 100 : 60000};
        pare_recorder_result result;
        pare_buffer text = {0};
        assert_int_equal(pare_recorder_run_once(recorder, &order, &text, NULL, &result, NULL),
                         PARE_OK);
        assert_int_equal(result.end, cases[k].end);
        assert_int_equal(result.code, cases[k].code);
        pare_buffer_done(&text);
    }
}

static void test_recorder__nothing_of_one_run_is_taken_for_the_next_ones(void **state)
{
    (void)state;
    static const char *const scripts[] = {"echo long text; echo long complaint >&2; touch file",
                                          "echo a; echo b >&2; ls"};
    pare_buffer text = {0}, said = {0};
    for (size_t k = 0; k < 2; k++) {
        const char *const words[] = {"/bin/sh", "/bin/sh", "-c", scripts[k], NULL};
        const pare_recorder_run order = {.words = words, .timeout_ms = 60000};
        pare_recorder_result result;
        assert_int_equal(pare_recorder_run_once(recorder, &order, &text, &said, &result, NULL),
                         PARE_OK);
        assert_string_equal(text.data, k ? "a\n" : "long text\n");
        assert_string_equal(said.data, k ? "b\n" : "long complaint\n");
    }
    pare_buffer_done(&text);
    pare_buffer_done(&said);
}

static pare_status make_and_run(void *context)
{
    pare_recorder *own = NULL;
    pare_recorder_result result;
    pare_buffer text = {0};
    const char *const words[] = {"/bin/sh", "/bin/sh", "-c", "echo a", NULL};
    const pare_recorder_run order = {.words = words, .timeout_ms = 60000};
    (void)context;
    pare_status status = pare_recorder_new(&own, NULL);
    if (!status) status = pare_recorder_run_once(own, &order, &text, NULL, &result, NULL);
    pare_buffer_done(&text);
    pare_recorder_free(own);
    return status;
}

static void test_recorder__out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    sweep_allocations(make_and_run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorder__replaying_what_was_recorded_gives_the_same_text),
        cmocka_unit_test(test_recorder__a_generator_is_not_disturbed_by_being_recorded),
        cmocka_unit_test(test_recorder__a_list_that_is_too_short_ends_the_run),
        cmocka_unit_test(test_recorder__numbers_of_a_list_are_taken_modulo_their_bound),
        cmocka_unit_test(test_recorder__functions_under_way_are_told_with_each_draw),
        cmocka_unit_test(test_recorder__how_a_run_ends_is_a_result_and_no_error),
        cmocka_unit_test(test_recorder__nothing_of_one_run_is_taken_for_the_next_ones),
        cmocka_unit_test(test_recorder__out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, make_recorder, free_recorder);
}
