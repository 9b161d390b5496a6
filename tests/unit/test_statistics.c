/* Statistics against values that are known: tables of Wilcoxon's test, A12 by hand, intervals. */
/* tests: tools/shootout/statistics.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "shootout/shootout.h"

static void assert_near(double value, double wanted, double error)
{
    if (!(fabs(value - wanted) <= error)) fail_msg("%.6f is not %.6f", value, wanted);
}

static double wilcoxon(const double *a, const double *b, size_t n)
{
    double p = -1;
    assert_int_equal(pare_statistics_wilcoxon(a, b, n, &p, NULL), PARE_OK);
    return p;
}

/* By all 2^n ways to sign the ranks. */
static double brute_force(const double *a, const double *b, unsigned n)
{
    unsigned rank[12], extreme = 0;
    unsigned seen = 0;
    const unsigned most = n * (n + 1) / 2;
    for (unsigned i = 0; i < n; i++) {
        rank[i] = 1;
        for (unsigned k = 0; k < n; k++)
            rank[i] += fabs(a[k] - b[k]) < fabs(a[i] - b[i]);
        if (a[i] < b[i]) seen += rank[i];
    }
    const unsigned low = seen < most - seen ? seen : most - seen;
    for (unsigned signs = 0; signs < 1u << n; signs++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < n; i++)
            if (signs >> i & 1) sum += rank[i];
        extreme += sum <= low || sum >= most - low;
    }
    return (double)extreme / (double)(1u << n);
}

static void test_statistics__wilcoxon_is_what_all_signs_give(void **state)
{
    static const double b[10] = {0};
    static const double a[][10] = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                                   {1, -2, 3, -4, 5, 6, 7, 8, 9, 10},
                                   {-1, 2, -3, 4, -5, 6, -7, 8, -9, 10},
                                   {9, 4, 11, -1, 7.5, 3, -2, 6, 20, 0.5}};
    (void)state;
    for (size_t k = 0; k < 4; k++)
        for (unsigned n = 1; n <= 10; n++) {
            const double exact = brute_force(a[k], b, n);
            assert_near(wilcoxon(a[k], b, n), exact < 1 ? exact : 1, 1e-9);
        }
    assert_near(wilcoxon(a[0], a[0], 10), 1, 0);
    assert_near(wilcoxon(a[0], b, 0), 1, 0);
}

/* With ties, and for many pairs, by the normal distribution (values of R's wilcox.test with
 * exact = FALSE, correct = TRUE, worked out from the same formula by hand). */
static void test_statistics__wilcoxon_of_ties_and_of_many_pairs(void **state)
{
    double a[40], b[40];
    (void)state;
    for (size_t i = 0; i < 40; i++) {
        a[i] = 2;
        b[i] = i < 30 ? 1 : 3;
    }
    /* All ranks are 20.5: W- = 205, mean 410, variance 40*41*81/24 - (40^3-40)/48 = 4202.5. */
    const double z = (410 - 205 - 0.5) / sqrt(40.0 * 41 * 81 / 24 - (64000 - 40) / 48.0);
    assert_near(wilcoxon(a, b, 40), erfc(z / sqrt(2)), 1e-9);
}

static void test_statistics__a12_counts_pairs(void **state)
{
    const double low[] = {1, 2, 3}, high[] = {4, 5}, mixed[] = {2, 2};
    (void)state;
    assert_near(pare_statistics_a12(low, 3, high, 2), 1, 0);
    assert_near(pare_statistics_a12(high, 2, low, 3), 0, 0);
    assert_near(pare_statistics_a12(low, 3, mixed, 2), 0.5, 1e-12);
    assert_near(pare_statistics_a12(low, 0, mixed, 2), 0.5, 0);
}

static void test_statistics__medians_and_intervals(void **state)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, values[30];
    (void)state;
    assert_near(pare_statistics_median(odd, 3), 2, 0);
    assert_near(pare_statistics_median(even, 4), 2.5, 0);
    assert_near(pare_statistics_median(even, 0), 0, 0);
    for (size_t i = 0; i < 30; i++)
        values[i] = (double)(i % 10);
    const pare_interval interval = pare_statistics_bootstrap(values, 30);
    const pare_interval again = pare_statistics_bootstrap(values, 30);
    assert_near(interval.mean, 4.5, 1e-9);
    /* The standard error is 2.87 / sqrt(30) = 0.524. */
    assert_near(interval.low, 4.5 - 1.96 * 0.524, 0.15);
    assert_near(interval.high, 4.5 + 1.96 * 0.524, 0.15);
    assert_near(interval.low, again.low, 0);
    const double one[] = {7};
    assert_near(pare_statistics_bootstrap(one, 1).high, 7, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statistics__wilcoxon_is_what_all_signs_give),
        cmocka_unit_test(test_statistics__wilcoxon_of_ties_and_of_many_pairs),
        cmocka_unit_test(test_statistics__a12_counts_pairs),
        cmocka_unit_test(test_statistics__medians_and_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
