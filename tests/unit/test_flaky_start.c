/* What is run of a slow input before the first candidate. */
/* tests: src/session/test/flaky.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <pare/reduce.h>

#include "base/random.h"

enum { LINES = 100, SLOW_MS = 1050 };

/* Fails with `chance` where BUG is there; the input itself takes more than a second. */
struct target {
    pare_random random;
    double chance;
    size_t input_bytes;
    uint64_t before; /* runs of the input before any other text */
    bool is_reducing;
};

static pare_outcome run(void *context, const void *bytes, size_t size)
{
    struct target *target = context;
    const struct timespec slow = {.tv_sec = SLOW_MS / 1000, .tv_nsec = SLOW_MS % 1000 * 1000000};
    const bool is_input = size == target->input_bytes;
    if (!is_input) target->is_reducing = true;
    if (is_input && !target->is_reducing) {
        target->before++;
        nanosleep(&slow, NULL);
        return PARE_FAIL;
    }
    double draw = (double)pare_random_below(&target->random, 1u << 30) / (double)(1u << 30);
    return memmem(bytes, size, "BUG", 3) && draw < target->chance ? PARE_FAIL : PARE_PASS;
}

static void reduce(struct target *target, pare_result *result)
{
    static char text[LINES * 16];
    size_t size = 0;
    for (int i = 0; i < LINES; i++)
        size +=
            (size_t)snprintf(text + size, sizeof text - size, "%s %d\n", i == 71 ? "BUG" : "no", i);
    target->input_bytes = size;
    pare_random_init(&target->random, 3);
    const pare_reduce_options options = {
        .input = {.bytes = text, .size_bytes = size},
        .test = {.flaky = PARE_FLAKY_AUTO, .predicate = run, .context = target},
        .limits.jobs = 1};
    assert_int_equal(pare_reduce(&options, result, NULL), PARE_OK);
}

static void test_flaky__reduction_of_a_slow_input_begins_after_one_run_of_it(void **state)
{
    (void)state;
    struct target target = {.chance = 1};
    pare_result result;
    reduce(&target, &result);
    assert_int_equal(target.before, 1);
    assert_int_equal(result.size_bytes, 3);
    assert_false(result.stats.flaky.flaky);
    pare_result_done(&result);
}

static void test_flaky__that_a_slow_input_fails_by_chance_is_found_out_when_it_is_small(
    void **state)
{
    (void)state;
    struct target target = {.chance = 0.6};
    pare_result result;
    reduce(&target, &result);
    assert_int_equal(target.before, 1);
    assert_true(result.stats.flaky.flaky);
    assert_int_equal(result.size_bytes, 3);
    pare_result_done(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flaky__reduction_of_a_slow_input_begins_after_one_run_of_it),
        cmocka_unit_test(
            test_flaky__that_a_slow_input_fails_by_chance_is_found_out_when_it_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
