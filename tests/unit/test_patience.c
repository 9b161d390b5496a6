/* How many tests in vain a run may end with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "session/plan/patience.h"

static void test_patience__is_a_hundred_tests_and_half_of_those_before_the_gain(void **state)
{
    (void)state;
    assert_int_equal(pare_patience_after(0), 100);
    assert_int_equal(pare_patience_after(300), 250);
}

static void test_patience__keeps_a_sweep_that_fits_and_nothing_else(void **state)
{
    (void)state;
    assert_true(pare_patience_kept(100, 40) >= 40);
    assert_true(pare_patience_kept(100, 80) <= 100);
    assert_int_equal(pare_patience_kept(100, 100), 0);
    assert_int_equal(pare_patience_kept(UINT64_MAX, 10), 0);
}

/* Of a run: its tests, those up to the last gain, and the smallest size. */
struct watched {
    uint64_t n, gained_at;
    size_t best;
};

static void watch(void *context, const pare_event *event)
{
    struct watched *watched = context;
    if (event->kind != PARE_EVENT_TEST) return;
    watched->n += event->n > 0 && !event->from_cache;
    if (!event->accepted || event->size_bytes >= watched->best) return;
    watched->best = event->size_bytes;
    watched->gained_at = watched->n;
}

/* Fails while all words are there, which are sorted. */
static pare_outcome has_words(void *context, const void *bytes, size_t size)
{
    static const char *const words[] = {"alpha(1,2)", "beta{x=y+z}", "gamma[\"text\"]"};
    (void)context;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!memmem(bytes, size, words[i], strlen(words[i]))) return PARE_PASS;
    return PARE_FAIL;
}

static struct watched reduce(const char *text, pare_effort effort, pare_result *result)
{
    struct watched watched = {.best = strlen(text)};
    const pare_reduce_options options = {.input.bytes = text,
                                         .input.size_bytes = strlen(text),
                                         .test.predicate = has_words,
                                         .trees.language = "none",
                                         .limits.jobs = 1,
                                         .events = {.watcher = watch, .context = &watched},
                                         .effort = effort};
    assert_int_equal(pare_reduce(&options, result, NULL), PARE_OK);
    return watched;
}

static const char TEXT[] = "one alpha(1,2);\ntwo beta{x=y+z};\nthree gamma[\"text\"];\nfour();\n";

static void test_patience__bounds_the_tests_after_the_last_gain_but_at_max(void **state)
{
    (void)state;
    pare_result normal = {0}, most = {0};
    struct watched watched = reduce(TEXT, PARE_EFFORT_NORMAL, &normal);
    assert_true(watched.n - watched.gained_at <= pare_patience_after(watched.gained_at));
    assert_int_equal(normal.stats.stopped, PARE_STOPPED_MINIMAL);
    watched = reduce(TEXT, PARE_EFFORT_MAX, &most);
    assert_true(watched.n - watched.gained_at > pare_patience_after(watched.gained_at));
    assert_int_equal(normal.size_bytes, most.size_bytes);
    pare_result_done(&normal);
    pare_result_done(&most);
}

static pare_outcome never_fails_but_whole(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    return size == *(const size_t *)context ? PARE_FAIL : PARE_PASS;
}

/* A sweep over the characters takes more tests than there is patience for. */
static void test_patience__claims_nothing_that_it_had_none_for(void **state)
{
    (void)state;
    char text[1000];
    size_t size = sizeof text;
    pare_result result = {0};
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i % 7 ? 'a' + i % 26 : ' ');
    const pare_reduce_options options = {
        .input.bytes = text,
        .input.size_bytes = size,
        .test = {.predicate = never_fails_but_whole, .context = &size},
        .trees.language = "none",
        .limits.jobs = 1};
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
    assert_int_equal(result.stats.stopped, PARE_STOPPED_EFFORT);
    assert_int_equal(result.stats.minimal, PARE_MINIMAL_NONE);
    pare_result_done(&result);
}

/* Reduces `size` bytes that are no text, of which none can go, and tells the tests of it. */
static struct watched reduce_binary(size_t size, pare_effort effort, pare_stats *stats)
{
    static char bytes[2000];
    struct watched watched = {.best = size};
    pare_result result = {0};
    assert_true(size <= sizeof bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i * 37 % 251);
    const pare_reduce_options options = {
        .input.bytes = bytes,
        .input.size_bytes = size,
        .test = {.predicate = never_fails_but_whole, .context = &size},
        .trees.language = "none",
        .limits.jobs = 1,
        .events = {.watcher = watch, .context = &watched},
        .effort = effort};
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
    *stats = result.stats;
    pare_result_done(&result);
    return watched;
}

static void test_patience__ends_with_binary_files_of_any_size(void **state)
{
    (void)state;
    pare_stats stats;
    static const size_t sizes[] = {2000, 500};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct watched watched = reduce_binary(sizes[i], PARE_EFFORT_NORMAL, &stats);
        assert_true(watched.n <= pare_patience_after(0));
        assert_int_equal(stats.stopped, PARE_STOPPED_EFFORT);
        assert_int_equal(stats.minimal, PARE_MINIMAL_NONE);
        watched = reduce_binary(sizes[i], PARE_EFFORT_MAX, &stats);
        assert_true(watched.n >= sizes[i] / 5 * 4);
        assert_int_equal(stats.stopped, PARE_STOPPED_MINIMAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patience__is_a_hundred_tests_and_half_of_those_before_the_gain),
        cmocka_unit_test(test_patience__keeps_a_sweep_that_fits_and_nothing_else),
        cmocka_unit_test(test_patience__bounds_the_tests_after_the_last_gain_but_at_max),
        cmocka_unit_test(test_patience__claims_nothing_that_it_had_none_for),
        cmocka_unit_test(test_patience__ends_with_binary_files_of_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
