/* CPython's numbers, as CPython 3.11 gave them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/mersenne.h"
#include "unit/alloc_sweep.h"

/* random.seed(seed); getrandbits(32) three times, randrange(10) five times, getrandbits(47),
 * random(). */
static const struct {
    int64_t seed;
    uint32_t words[3];
    uint8_t digits[5];
    uint64_t bits;
    double unit;
} recorded[] = {
    {0,
     {3626764237u, 1654615998u, 3255389356u},
     {6, 0, 4, 8, 7},
     129228715180920,
     0.7837985890347726},
    {1,
     {577090037u, 2444712010u, 3639700191u},
     {1, 4, 1, 7, 7},
     91703875014753,
     0.37961522332372777},
    {6,
     {3407369726u, 2464538600u, 3530265750u},
     {1, 7, 4, 0, 0},
     93283019954631,
     0.5864844208229649},
    {-6,
     {3407369726u, 2464538600u, 3530265750u},
     {1, 7, 4, 0, 0},
     93283019954631,
     0.5864844208229649},
    {4294967295,
     {2728839433u, 2661025012u, 872737089u},
     {3, 9, 8, 4, 9},
     135331584937990,
     0.3811162164237829},
    {4294967296,
     {485306839u, 1508871100u, 1794561286u},
     {0, 0, 9, 5, 8},
     63591263128933,
     0.013998308316504615},
    {123456789012345,
     {2896848117u, 946991832u, 1255537387u},
     {6, 3, 8, 1, 9},
     26760563189310,
     0.7098850567772702},
    {INT64_MIN,
     {2377109768u, 1691753470u, 4039908392u},
     {3, 3, 8, 1, 5},
     46891396492852,
     0.5031429179402597},
};

static void test_mersenne__repeats_python_for_every_recorded_seed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
        pare_mersenne mersenne = {.at = 0};
        mersenne_seed(&mersenne, recorded[i].seed);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(pare_mersenne_bits(&mersenne, 32), recorded[i].words[k]);
        for (size_t k = 0; k < 5; k++)
            assert_int_equal(pare_mersenne_below(&mersenne, 10), recorded[i].digits[k]);
        assert_int_equal(pare_mersenne_bits(&mersenne, 47), recorded[i].bits);
        double unit = pare_mersenne_unit(&mersenne);
        assert_memory_equal(&unit, &recorded[i].unit, sizeof unit);
    }
}

static void test_mersenne__goes_on_as_python_over_many_refills(void **state)
{
    (void)state;
    pare_mersenne mersenne = {.at = 0};
    mersenne_seed(&mersenne, 6);
    uint64_t folded = 0;
    for (size_t i = 0; i < 5000; i++)
        folded = folded * 31 + pare_mersenne_bits(&mersenne, 32);
    assert_int_equal(folded, UINT64_C(2702512125967454066));
}

static void test_mersenne__draws_wide_and_narrow_ranges_as_python(void **state)
{
    (void)state;
    pare_mersenne mersenne = {.at = 0};
    mersenne_seed(&mersenne, 7);
    assert_int_equal(pare_mersenne_below(&mersenne, UINT64_C(1) << 40), UINT64_C(868231286071));
    assert_int_equal(pare_mersenne_below(&mersenne, UINT64_C(1) << 40), UINT64_C(105874957392));
    for (const char *wanted = "ageaceae"; *wanted; wanted++)
        assert_int_equal("abcdefg"[pare_mersenne_below(&mersenne, 7)], *wanted);
    assert_int_equal(pare_mersenne_bits(&mersenne, 64), UINT64_C(691672907343361484));
    assert_int_equal(pare_mersenne_below(&mersenne, 1), 0);
}

static void assert_words(const char *seed, size_t size, uint32_t a, uint32_t b, uint32_t c)
{
    pare_mersenne mersenne = {.at = 0};
    assert_int_equal(mersenne_seed_bytes(&mersenne, seed, size, NULL), PARE_OK);
    assert_int_equal(pare_mersenne_bits(&mersenne, 32), a);
    assert_int_equal(pare_mersenne_bits(&mersenne, 32), b);
    assert_int_equal(pare_mersenne_bits(&mersenne, 32), c);
}

static void test_mersenne__takes_texts_and_bytes_as_seeds(void **state)
{
    (void)state;
    char long_seed[80];
    for (size_t i = 0; i < sizeof long_seed; i++)
        long_seed[i] = (char)(i % 2 ? 0xA4 : 0xC3);
    assert_words("", 0, 4124137760u, 1951988028u, 2557274880u);
    assert_words("pare", 4, 2581406300u, 709153395u, 1865747480u);
    assert_words("\0\xff", 2, 411422920u, 3183109432u, 1539347915u);
    assert_words(long_seed, sizeof long_seed, 274838867u, 2541132666u, 712790285u);
}

static pare_status seed_once(void *context)
{
    return mersenne_seed_bytes(context, "pare", 4, NULL);
}

static void test_mersenne__seeding_reports_oom(void **state)
{
    (void)state;
    pare_mersenne mersenne = {.at = 0};
    sweep_allocations(seed_once, &mersenne);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mersenne__repeats_python_for_every_recorded_seed),
        cmocka_unit_test(test_mersenne__goes_on_as_python_over_many_refills),
        cmocka_unit_test(test_mersenne__draws_wide_and_narrow_ranges_as_python),
        cmocka_unit_test(test_mersenne__takes_texts_and_bytes_as_seeds),
        cmocka_unit_test(test_mersenne__seeding_reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
