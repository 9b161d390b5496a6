/* Failures that come by chance: what is kept, what is found out, what is told. */
/* tests: src/session/test/flaky.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pare/reduce.h>

#include "base/random.h"

enum { LINES = 60, MEASURED = 1000, WORDS = 12 };

/* Sanitizers look into the code, which is the same for each seed: there a few are enough. */
static bool looks_at_code(void)
{
    const char *sanitize = getenv("PARE_SANITIZE");
    return sanitize && *sanitize && !getenv("PARE_TEST_LONG");
}

/* Reductions of which each has to be as it should. */
static unsigned some_seeds(void)
{
    return looks_at_code() ? 4 : 20;
}

/* Reductions of which a share is counted: all of them with PARE_TEST_LONG, else the first ones. */
static unsigned many_seeds(void)
{
    return getenv("PARE_TEST_LONG") ? 400 : 40;
}

/* Fails with `chance` when BUG and TRIGGER are there; without "boost" less often. */
struct target {
    pare_random random;
    double chance, without_boost;
    bool needs_words;   /* "worda" to "wordl" as well: a reduction of hundreds of tests */
    uint64_t disturbed; /* the number of a run that passes whatever it is given; 0: none */
    uint64_t runs;
};

static bool has(const void *bytes, size_t size, const char *word)
{
    return memmem(bytes, size, word, strlen(word)) != NULL;
}

static double chance_of(const struct target *target, const void *bytes, size_t size)
{
    if (!has(bytes, size, "BUG") || !has(bytes, size, "TRIGGER")) return 0;
    for (int i = 0; target->needs_words && i < WORDS; i++) {
        const char word[] = {'w', 'o', 'r', 'd', (char)('a' + i), '\0'};
        if (!has(bytes, size, word)) return 0;
    }
    return has(bytes, size, "boost") ? target->chance : target->chance * target->without_boost;
}

static pare_outcome run(void *context, const void *bytes, size_t size)
{
    struct target *target = context;
    double draw = (double)pare_random_below(&target->random, 1u << 30) / (double)(1u << 30);
    if (++target->runs == target->disturbed) return PARE_PASS;
    return draw < chance_of(target, bytes, size) ? PARE_FAIL : PARE_PASS;
}

static size_t make_input(char *text, size_t capacity)
{
    size_t size = 0;
    for (int i = 0; i < LINES; i++) {
        const char *line = i == 7 ? "a BUG" : i == 31 ? "TRIGGER it" : "plain";
        const char word[] = {'w', 'o', 'r', 'd', (char)('a' + i / 5), '\0'};
        if (i == 50) line = "boost this";
        if (i % 5 == 3) line = word;
        size += (size_t)snprintf(text + size, capacity - size, "%s\n", line);
    }
    return size;
}

static pare_status reduce(struct target *target, pare_reduce_options options, pare_result *result,
                          pare_error *err)
{
    static char text[LINES * 16];
    options.input.bytes = text;
    options.input.size_bytes = make_input(text, sizeof text);
    options.test.predicate = run;
    options.test.context = target;
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
    const pare_reduce_options options = {.test.flaky = PARE_FLAKY_AUTO,
                                         .test.flaky_precision = 0.02};
    assert_int_equal(reduce(&target, options, &result, NULL), PARE_OK);
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

/* What `n` reductions come to. */
struct sum {
    uint64_t runs, bytes;
    unsigned kept, dear, long_measured; /* fail often enough; cost more than `price`; more than
                                           60 runs of the input were made */
};

static struct sum reduce_often(struct target sample, unsigned n, double price)
{
    struct sum sum = {.runs = 0};
    for (uint64_t seed = 1; seed <= n; seed++) {
        struct target target = sample;
        pare_result result;
        pare_random_init(&target.random, seed);
        const pare_reduce_options options = {.test.flaky = PARE_FLAKY_AUTO};
        assert_int_equal(reduce(&target, options, &result, NULL), PARE_OK);
        sum.runs += target.runs;
        sum.bytes += result.size_bytes;
        sum.dear += (double)target.runs > price;
        sum.kept += chance_of(&target, result.bytes, result.size_bytes) >= sample.chance - 0.05;
        sum.long_measured += result.stats.flaky.input.runs > 60;
        pare_result_done(&result);
    }
    return sum;
}

/* What the reduction of this input took in tests, with the failure certain, when the bound on
 * single reductions was set.  Passes that offered little have gone since, and it takes fewer now.
 * Most of what they offered passed at the first run, so with them went the tests that cost least:
 * a single reduction costs fewer runs, but more in times of the tests that are left.  The mean is
 * held in these, as the manual promises it; single reductions in runs. */
enum { TESTS_THEN = 498 };

/* Tests of the reduction of a failure that is certain. */
static uint64_t tests_when_certain(bool needs_words)
{
    struct target target = {.chance = 1, .without_boost = 1, .needs_words = needs_words};
    pare_result result;
    pare_random_init(&target.random, 1);
    const pare_reduce_options options = {.test.flaky = PARE_FLAKY_AUTO};
    assert_int_equal(reduce(&target, options, &result, NULL), PARE_OK);
    uint64_t tests = result.stats.tests_run;
    pare_result_done(&result);
    return tests;
}

static void test_flaky__the_price_is_bounded(void **state)
{
    (void)state;
    static const struct {
        double chance, most; /* runs, in times of the tests that a certain failure takes */
    } rows[] = {{0.9, 3}, {0.8, 3}, {0.5, 6}};
    const double tests = (double)tests_when_certain(true);
    const unsigned n_seeds = many_seeds();
    assert_true(tests <= TESTS_THEN);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct target target = {.chance = rows[k].chance, .without_boost = 1, .needs_words = true};
        struct sum sum = reduce_often(target, n_seeds, rows[k].most * TESTS_THEN);
        double mean = (double)sum.runs / n_seeds;
        printf("chance %.1f: %.0f runs for %.0f tests, %.2f times as many; more than %.0f runs in "
               "%u of %u; %.1f bytes on average; more than 60 runs of the input in %u\n",
               rows[k].chance, mean, tests, mean / tests, rows[k].most * TESTS_THEN, sum.dear,
               n_seeds, (double)sum.bytes / n_seeds, sum.long_measured);
        assert_true(mean < rows[k].most * tests);
        assert_true(sum.dear <= n_seeds / 10);
        /* One in twenty, which make test-long shows of 400; a sample of 40 may have more by chance. */
        assert_true(sum.long_measured <= n_seeds / 20 + (n_seeds < 400 ? 3 : 0));
        assert_true(sum.bytes <= 71 * n_seeds); /* 70 when nothing comes by chance */
        assert_int_equal(sum.kept, n_seeds);
    }
}

/* The less a part of the input matters, the more runs it would take to see it. */
static void test_flaky__at_that_price_what_makes_the_failure_rare_stays(void **state)
{
    (void)state;
    static const struct {
        double chance, without_boost;
        double least; /* share of the reductions that keep the promise */
    } rows[] = {
        {0.9, 0.1, 0.99}, {0.8, 0.1, 0.99}, {0.5, 0.1, 0.99}, {0.9, 0.5, 0.96}, {0.8, 0.5, 0.925}};
    const unsigned n_seeds = looks_at_code() ? 10 : many_seeds();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct target target = {.chance = rows[k].chance, .without_boost = rows[k].without_boost};
        struct sum sum = reduce_often(target, n_seeds, 1e9);
        printf("chance %.1f, without one word %.2f of it: kept in %u of %u, %llu runs\n",
               rows[k].chance, rows[k].without_boost, sum.kept, n_seeds,
               (unsigned long long)(sum.runs / n_seeds));
        assert_true(sum.kept >= rows[k].least * n_seeds);
    }
}

/* 400 runs of the result of each of 20 reductions, at the usual price. */
static void test_flaky__four_hundred_runs_say_that_the_promise_is_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= some_seeds(); seed++) {
        struct target target = {.chance = 0.8, .without_boost = 0.1};
        pare_result result;
        unsigned fails = 0;
        pare_random_init(&target.random, seed);
        const pare_reduce_options options = {.test.flaky = PARE_FLAKY_AUTO};
        assert_int_equal(reduce(&target, options, &result, NULL), PARE_OK);
        for (int i = 0; i < 400; i++)
            fails += run(&target, result.bytes, result.size_bytes) == PARE_FAIL;
        assert_true(fails >= 0.75 * 400 - 24); /* three standard deviations of 8 runs */
        pare_result_done(&result);
    }
}

/* A run that was disturbed once called a failure "by chance" that showed in 310 of 310 runs,
 * and 48,520 runs followed. */
static void test_flaky__one_disturbed_run_does_not_make_a_failure_one_by_chance(void **state)
{
    (void)state;
    struct target calm = {.chance = 1, .without_boost = 1};
    pare_result result;
    pare_random_init(&calm.random, 1);
    const pare_reduce_options options = {.test.flaky = PARE_FLAKY_AUTO};
    assert_int_equal(reduce(&calm, options, &result, NULL), PARE_OK);
    pare_result_done(&result);
    const uint64_t in_the_end[] = {calm.runs, calm.runs - 7};
    for (size_t k = 0; k < sizeof in_the_end / sizeof *in_the_end; k++) {
        struct target target = {.chance = 1, .without_boost = 1, .disturbed = in_the_end[k]};
        pare_random_init(&target.random, 1);
        assert_int_equal(reduce(&target, options, &result, NULL), PARE_OK);
        assert_false(result.stats.flaky.flaky);
        assert_int_equal(result.size_bytes, strlen("BUGTRIGGER"));
        assert_true(target.runs <= calm.runs + 60);
        pare_result_done(&result);
    }
}

/* ... and one at the start makes it one that nearly always shows, at a price that is as low. */
static void test_flaky__a_disturbed_run_of_the_input_costs_little(void **state)
{
    (void)state;
    struct target target = {.chance = 1, .without_boost = 1, .disturbed = 5, .needs_words = true};
    pare_result result;
    pare_random_init(&target.random, 1);
    const pare_reduce_options options = {.test.flaky = PARE_FLAKY_AUTO};
    assert_int_equal(reduce(&target, options, &result, NULL), PARE_OK);
    assert_true((double)target.runs < 2.2 * (double)tests_when_certain(true));
    assert_true(result.stats.flaky.result.fails == result.stats.flaky.result.runs);
    pare_result_done(&result);
}

/* The input always fails, a part of it in seven of ten runs: that is another failure. */
static void test_flaky__a_certain_failure_does_not_become_one_by_chance(void **state)
{
    (void)state;
    const unsigned n_seeds = looks_at_code() ? 10 : 100;
    unsigned kept = 0;
    for (uint64_t seed = 1; seed <= n_seeds; seed++) {
        struct target target = {.chance = 1, .without_boost = 0.7};
        pare_result result;
        pare_random_init(&target.random, seed);
        const pare_reduce_options options = {.test.flaky = PARE_FLAKY_AUTO};
        assert_int_equal(reduce(&target, options, &result, NULL), PARE_OK);
        kept += has(result.bytes, result.size_bytes, "boost");
        assert_true(result.size_bytes < 60);
        pare_result_done(&result);
    }
    assert_true(kept >= n_seeds - 1);
}

static void test_flaky__a_precision_is_reached(void **state)
{
    (void)state;
    struct target target = {.chance = 0.8, .without_boost = 1};
    pare_result result;
    pare_random_init(&target.random, 1);
    const pare_reduce_options options = {.test.flaky = PARE_FLAKY_AUTO,
                                         .test.flaky_precision = 0.03};
    assert_int_equal(reduce(&target, options, &result, NULL), PARE_OK);
    const pare_frequency *rates[] = {&result.stats.flaky.input, &result.stats.flaky.result};
    for (size_t k = 0; k < 2; k++)
        assert_true(rates[k]->runs > 60 && rates[k]->high - rates[k]->low <= 2 * 0.03);
    pare_result_done(&result);
}

/* Whatever may go without the failure becoming rare goes; what would make it rare stays. */
static void test_flaky__with_a_precision_the_result_fails_as_often_as_the_input(void **state)
{
    (void)state;
    static const double chances[] = {0.9, 0.5, 0.2}, losses[] = {1, 0.85, 0.6, 0.1};
    const unsigned n_seeds = some_seeds();
    for (size_t c = 0; c < sizeof chances / sizeof *chances; c++) {
        for (size_t l = 0; l < sizeof losses / sizeof *losses; l++) {
            uint64_t runs = 0, bytes = 0;
            unsigned found = 0;
            for (uint64_t seed = 1; seed <= n_seeds; seed++)
                check_seed(chances[c], losses[l], seed, &runs, &bytes, &found);
            printf("chance %.1f, without one word %.2f of it: %llu runs, %llu bytes on average, "
                   "found out %u times of %u\n",
                   chances[c], losses[l], (unsigned long long)(runs / n_seeds),
                   (unsigned long long)(bytes / n_seeds), found, n_seeds);
            assert_true(found >= n_seeds / 2);
        }
    }
}

static void test_flaky__a_certain_failure_costs_a_few_runs_more(void **state)
{
    (void)state;
    struct target target = {.chance = 1, .without_boost = 1};
    pare_result once, result;
    pare_random_init(&target.random, 1);
    assert_int_equal(
        reduce(&target, (pare_reduce_options){.test.flaky = PARE_FLAKY_OFF}, &once, NULL), PARE_OK);
    uint64_t runs = target.runs;
    target.runs = 0;
    assert_int_equal(
        reduce(&target, (pare_reduce_options){.test.flaky = PARE_FLAKY_AUTO}, &result, NULL),
        PARE_OK);
    assert_true(target.runs <= runs + 9 + 20 + runs / 30);
    assert_int_equal(result.stats.tests_run, once.stats.tests_run);
    assert_int_equal(result.size_bytes, once.size_bytes);
    assert_false(result.stats.flaky.flaky);
    pare_result_done(&once);
    pare_result_done(&result);
}

static void test_flaky__the_users_floor_is_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= some_seeds(); seed++) {
        struct target target = {.chance = 0.8, .without_boost = 0.6};
        pare_result result;
        pare_random_init(&target.random, seed);
        pare_reduce_options options = {.test.flaky = PARE_FLAKY_FLOOR, .test.flaky_floor = 0.3};
        assert_int_equal(reduce(&target, options, &result, NULL), PARE_OK);
        assert_int_equal(result.size_bytes, strlen("BUGTRIGGER")); /* fails in 0.48 */
        pare_result_done(&result);
        options.test.flaky_floor = 0.6;
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
    pare_reduce_options options = {.test.flaky = PARE_FLAKY_FLOOR, .test.flaky_floor = 0.6};
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
        reduce(&target, (pare_reduce_options){.test.flaky = PARE_FLAKY_AUTO}, &result, &err),
        PARE_E_STATE);
    assert_non_null(strstr(err.message, "does not fail"));
    assert_true(target.runs <= 40);
    pare_result_done(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flaky__with_a_precision_the_result_fails_as_often_as_the_input),
        cmocka_unit_test(test_flaky__the_price_is_bounded),
        cmocka_unit_test(test_flaky__at_that_price_what_makes_the_failure_rare_stays),
        cmocka_unit_test(test_flaky__four_hundred_runs_say_that_the_promise_is_kept),
        cmocka_unit_test(test_flaky__one_disturbed_run_does_not_make_a_failure_one_by_chance),
        cmocka_unit_test(test_flaky__a_disturbed_run_of_the_input_costs_little),
        cmocka_unit_test(test_flaky__a_certain_failure_does_not_become_one_by_chance),
        cmocka_unit_test(test_flaky__a_precision_is_reached),
        cmocka_unit_test(test_flaky__a_certain_failure_costs_a_few_runs_more),
        cmocka_unit_test(test_flaky__the_users_floor_is_kept),
        cmocka_unit_test(test_flaky__an_input_below_the_floor_is_refused),
        cmocka_unit_test(test_flaky__an_input_that_never_fails_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
