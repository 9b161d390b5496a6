/* Failures that come by chance: what is kept, what is found out, what is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <pare/reduce.h>

#include "base/random.h"

enum { LINES = 60, MEASURED = 1000, SEEDS = 20 };

/* Fails with `chance` when BUG and TRIGGER are there; without "boost" less often. */
struct target {
    pare_random random;
    double chance, without_boost;
    uint64_t runs;
};

static bool has(const void *bytes, size_t size, const char *word)
{
    return memmem(bytes, size, word, strlen(word)) != NULL;
}

static double chance_of(const struct target *target, const void *bytes, size_t size)
{
    if (!has(bytes, size, "BUG") || !has(bytes, size, "TRIGGER")) return 0;
    return has(bytes, size, "boost") ? target->chance : target->chance * target->without_boost;
}

static pare_outcome run(void *context, const void *bytes, size_t size)
{
    struct target *target = context;
    double draw = (double)pare_random_below(&target->random, 1u << 30) / (double)(1u << 30);
    target->runs++;
    return draw < chance_of(target, bytes, size) ? PARE_FAIL : PARE_PASS;
}

static size_t make_input(char *text, size_t capacity)
{
    size_t size = 0;
    for (int i = 0; i < LINES; i++) {
        const char *line = i == 7 ? "a BUG\n" : i == 31 ? "TRIGGER it\n" : "plain\n";
        if (i == 50) line = "boost this\n";
        size += (size_t)snprintf(text + size, capacity - size, "%s", line);
    }
    return size;
}

static pare_status reduce(struct target *target, pare_reduce_options options, pare_result *result,
                          pare_error *err)
{
    static char text[LINES * 16];
    options.input = text;
    options.input_bytes = make_input(text, sizeof text);
    options.predicate = run;
    options.predicate_context = target;
    return pare_reduce(&options, result, err);
}

/* Share of 1,000 runs of the result that fail. */
static double measured_share(struct target *target, const pare_result *result)
{
    unsigned fails = 0;
    for (int i = 0; i < MEASURED; i++)
        fails += run(target, result->bytes, result->size_bytes) == PARE_FAIL;
    return (double)fails / MEASURED;
}

static void check_seed(double chance, double without_boost, uint64_t seed, uint64_t *runs,
                       uint64_t *bytes, unsigned *found)
{
    struct target target = {.chance = chance, .without_boost = without_boost};
    pare_result result;
    pare_random_init(&target.random, seed);
    assert_int_equal(
        reduce(&target, (pare_reduce_options){.flaky = PARE_FLAKY_AUTO}, &result, NULL), PARE_OK);
    *runs += target.runs;
    *bytes += result.size_bytes;
    double true_chance = chance_of(&target, result.bytes, result.size_bytes);
    assert_true(true_chance >= chance - 0.05);
    /* ... and by measurement, which is off by three standard deviations at most. */
    assert_true(measured_share(&target, &result) >= chance - 0.05 - 0.05);
    if (result.stats.flaky.flaky) { /* else it looked certain all the time */
        assert_true(result.stats.flaky.input.low <= chance + 0.03);
        assert_true(result.stats.flaky.input.high >= chance - 0.03);
        *found += 1;
    }
    assert_true(result.size_bytes < 60);
    pare_result_done(&result);
}

/* Whatever may go without the failure becoming rare goes; what would make it rare stays. */
static void test_flaky__the_result_fails_as_often_as_the_input(void **state)
{
    (void)state;
    static const double chances[] = {0.9, 0.5, 0.2}, losses[] = {1, 0.85, 0.6, 0.1};
    for (size_t c = 0; c < sizeof chances / sizeof *chances; c++) {
        for (size_t l = 0; l < sizeof losses / sizeof *losses; l++) {
            uint64_t runs = 0, bytes = 0;
            unsigned found = 0;
            for (uint64_t seed = 1; seed <= SEEDS; seed++)
                check_seed(chances[c], losses[l], seed, &runs, &bytes, &found);
            printf("chance %.1f, without one word %.2f of it: %llu runs, %llu bytes on average, "
                   "found out %u times of %d\n",
                   chances[c], losses[l], (unsigned long long)(runs / SEEDS),
                   (unsigned long long)(bytes / SEEDS), found, SEEDS);
            assert_true(found >= SEEDS / 2);
        }
    }
}

static void test_flaky__a_certain_failure_costs_a_few_runs_more(void **state)
{
    (void)state;
    struct target target = {.chance = 1, .without_boost = 1};
    pare_result once, result;
    pare_random_init(&target.random, 1);
    assert_int_equal(reduce(&target, (pare_reduce_options){.flaky = PARE_FLAKY_OFF}, &once, NULL),
                     PARE_OK);
    uint64_t runs = target.runs;
    target.runs = 0;
    assert_int_equal(
        reduce(&target, (pare_reduce_options){.flaky = PARE_FLAKY_AUTO}, &result, NULL), PARE_OK);
    assert_true(target.runs <= runs + 2 + 40 + runs / 30);
    assert_int_equal(result.stats.tests_run, once.stats.tests_run);
    assert_int_equal(result.size_bytes, once.size_bytes);
    assert_false(result.stats.flaky.flaky);
    pare_result_done(&once);
    pare_result_done(&result);
}

static void test_flaky__the_users_floor_is_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct target target = {.chance = 0.8, .without_boost = 0.6};
        pare_result result;
        pare_random_init(&target.random, seed);
        pare_reduce_options options = {.flaky = PARE_FLAKY_FLOOR, .flaky_floor = 0.3};
        assert_int_equal(reduce(&target, options, &result, NULL), PARE_OK);
        assert_int_equal(result.size_bytes, strlen("BUGTRIGGER")); /* fails in 0.48 */
        pare_result_done(&result);
        options.flaky_floor = 0.6;
        assert_int_equal(reduce(&target, options, &result, NULL), PARE_OK);
        assert_true(has(result.bytes, result.size_bytes, "boost"));
        pare_result_done(&result);
    }
}

static void test_flaky__an_input_below_the_floor_is_refused(void **state)
{
    (void)state;
    struct target target = {.chance = 0.3, .without_boost = 1};
    pare_result result;
    pare_error err = {.status = PARE_OK};
    pare_random_init(&target.random, 1);
    pare_reduce_options options = {.flaky = PARE_FLAKY_FLOOR, .flaky_floor = 0.6};
    assert_int_equal(reduce(&target, options, &result, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "floor"));
    pare_result_done(&result);
}

static void test_flaky__an_input_that_never_fails_is_refused(void **state)
{
    (void)state;
    struct target target = {.chance = 0, .without_boost = 1};
    pare_result result;
    pare_error err = {.status = PARE_OK};
    pare_random_init(&target.random, 1);
    assert_int_equal(
        reduce(&target, (pare_reduce_options){.flaky = PARE_FLAKY_AUTO}, &result, &err),
        PARE_E_STATE);
    assert_non_null(strstr(err.message, "does not fail"));
    assert_true(target.runs <= 40);
    pare_result_done(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flaky__the_result_fails_as_often_as_the_input),
        cmocka_unit_test(test_flaky__a_certain_failure_costs_a_few_runs_more),
        cmocka_unit_test(test_flaky__the_users_floor_is_kept),
        cmocka_unit_test(test_flaky__an_input_below_the_floor_is_refused),
        cmocka_unit_test(test_flaky__an_input_that_never_fails_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
