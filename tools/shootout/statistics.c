/* Statistics of the shoot-out: intervals by the bootstrap, and two contenders beside each other.
 *
 * Figures are compared by their logarithms where they are averaged, since cases differ by orders of
 * magnitude; the test of Wilcoxon and the effect size A12 are about order only.  Cases are the sample:
 * an interval says what other cases of the kind would give, so they are drawn anew with replacement,
 * each with all of its repeats.  Repeats of a case are no cases of their own: each case is the median of
 * its repeats in the test, and A12 is computed within each case and averaged.
 *
 * Invariant: the same runs give the same figures: the random source has a fixed seed.
 * Source: Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7(1), 1979
 * (percentiles of 2,000 samples); Wilcoxon, Biometrics Bulletin 1(6), 1945, exact up to 20 pairs without
 * ties and by the normal distribution with corrections for ties and continuity beyond; Vargha and
 * Delaney, JEBS 25(2), 2000; that these are to be told of randomised algorithms is Arcuri and Briand's
 * advice, ICSE 2011.
 * Tested by tests/unit/test_statistics.c. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <pare/result.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/random.h"
#include "shootout/shootout.h"

enum {
    SAMPLES = 2000,
    LOW = 50,
    HIGH = 1949,
    EXACT_PAIRS = 20
}; /* 2.5 % of SAMPLES on each side */

/* ---- numbers alone ------------------------------------------------------------------------ */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double pare_statistics_median(double *values, size_t n)
{
    if (!n) return 0;
    qsort(values, n, sizeof *values, compare_doubles);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double pare_statistics_a12(const double *a, size_t n_a, const double *b, size_t n_b)
{
    double sum = 0;
    if (!n_a || !n_b) return 0.5;
    for (size_t i = 0; i < n_a; i++)
        for (size_t k = 0; k < n_b; k++)
            sum += a[i] < b[k] ? 1 : a[i] > b[k] ? 0 : 0.5;
    return sum / ((double)n_a * (double)n_b);
}

pare_interval pare_statistics_bootstrap(const double *values, size_t n)
{
    double means[SAMPLES];
    pare_random random;
    pare_interval interval = {0, 0, 0};
    if (!n) return interval;
    pare_random_init(&random, 1);
    for (size_t i = 0; i < n; i++)
        interval.mean += values[i] / (double)n;
    for (size_t s = 0; s < SAMPLES; s++) {
        means[s] = 0;
        for (size_t i = 0; i < n; i++)
            means[s] += values[pare_random_below(&random, n)] / (double)n;
    }
    qsort(means, SAMPLES, sizeof *means, compare_doubles);
    interval.low = means[LOW];
    interval.high = means[HIGH];
    return interval;
}

/* Of all 2^n ways to sign the ranks 1 .. n, how many have a sum of at most `sum`; as a share.  By the
 * number of subsets of 1 .. n with each sum. */
static double exact_share(size_t n, size_t sum)
{
    double ways[EXACT_PAIRS * (EXACT_PAIRS + 1) / 2 + 1] = {1};
    const size_t most = n * (n + 1) / 2;
    double at_most = 0;
    assert(n <= EXACT_PAIRS);
    for (size_t rank = 1; rank <= n; rank++)
        for (size_t s = most; s >= rank; s--)
            ways[s] += ways[s - rank];
    for (size_t s = 0; s <= sum && s <= most; s++)
        at_most += ways[s];
    return at_most / exp2((double)n);
}

/* A difference of a pair that is not 0. */
struct difference {
    double size;
    bool is_negative;
    double rank;
};

static int compare_differences(const void *a, const void *b)
{
    const struct difference *x = a, *y = b;
    return (x->size > y->size) - (x->size < y->size);
}

/* Ranks from 1; equal sizes share the mean of theirs.  The sum of t^3 - t over ties of t. */
static double rank(struct difference *differences, size_t n)
{
    double ties = 0;
    qsort(differences, n, sizeof *differences, compare_differences);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && !(differences[end].size > differences[i].size); end++)
            continue;
        const double size = (double)(end - i);
        for (size_t k = i; k < end; k++)
            differences[k].rank = (double)(i + 1 + end) / 2;
        ties += size * size * size - size;
    }
    return ties;
}

pare_status pare_statistics_wilcoxon(const double *a, const double *b, size_t n, double *p,
                                     pare_error *err)
{
    double negative = 0;
    size_t pairs = 0;
    struct difference *differences = pare_alloc(n + 1, sizeof *differences);
    if (!differences) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        if (a[i] < b[i] || a[i] > b[i])
            differences[pairs++] = (struct difference){fabs(a[i] - b[i]), a[i] < b[i], 0};
    const double ties = rank(differences, pairs);
    for (size_t i = 0; i < pairs; i++)
        if (differences[i].is_negative) negative += differences[i].rank;
    pare_alloc_free(differences);
    const double count = (double)pairs, all = count * (count + 1) / 2;
    const double smaller = negative < all - negative ? negative : all - negative;
    *p = 1;
    if (pairs && pairs <= EXACT_PAIRS && !(ties > 0)) {
        *p = 2 * exact_share(pairs, (size_t)smaller);
    } else if (pairs) {
        const double variance = count * (count + 1) * (2 * count + 1) / 24 - ties / 48;
        const double z = (all / 2 - smaller - 0.5) / sqrt(variance);
        *p = z > 0 ? erfc(z / sqrt(2)) : 1;
    }
    if (*p > 1) *p = 1;
    return PARE_OK;
}

/* ---- of the runs -------------------------------------------------------------------------- */

double pare_run_figure(const pare_run *run, pare_figure figure)
{
    switch (figure) {
    case PARE_FIGURE_BYTES: return (double)run->size_bytes;
    case PARE_FIGURE_TESTS: return (double)pare_run_needed(run);
    case PARE_FIGURE_SECONDS: return run->stats.wall_s;
    }
    return 0;
}

uint64_t pare_run_needed(const pare_run *run)
{
    const pare_stats *stats = &run->stats;
    const uint64_t retired = stats->outcome_fail + stats->outcome_pass + stats->outcome_unresolved;
    const uint64_t needed = retired > stats->cache_hits ? retired - stats->cache_hits : 0;
    return needed < stats->tests_run ? needed : stats->tests_run;
}

/* The figures of the repeats of a case; none where one has no result. */
static size_t figures_of(const pare_shootout *shootout, const pare_cell *cell, pare_figure figure,
                         double *values)
{
    size_t n = 0;
    for (unsigned repeat = 0; repeat < shootout->n_repeats; repeat++) {
        const pare_run *run = pare_shootout_find_repeat(shootout, cell, repeat);
        if (!run || run->status) return 0;
        values[n++] = pare_run_figure(run, figure);
    }
    return n;
}

static double logarithm(double value)
{
    return log(value > 1e-6 ? value < 1 && value > 0.5 ? 1 : value : 1e-6);
}

/* What is gathered over the cases in which both contenders have results. */
struct gathered {
    double *a, *b;         /* owned; logarithms of the medians, one for each case */
    double *first, *other; /* owned; figures of a case, one for each repeat */
    double *ratio;         /* owned; logarithms */
    double a12;            /* sum */
    size_t n;
};

static pare_status gather_new(const pare_shootout *shootout, struct gathered *all, pare_error *err)
{
    const size_t n = shootout->suite->n_cases + shootout->n_repeats + 1;
    *all = (struct gathered){.a = pare_alloc(n, sizeof *all->a),
                             .b = pare_alloc(n, sizeof *all->b),
                             .first = pare_alloc(n, sizeof *all->first),
                             .other = pare_alloc(n, sizeof *all->other),
                             .ratio = pare_alloc(n, sizeof *all->ratio)};
    const bool is_whole = all->a && all->b && all->first && all->other && all->ratio;
    return is_whole ? PARE_OK : pare_fail_nomem(err);
}

static void gather_done(struct gathered *all)
{
    pare_alloc_free(all->a);
    pare_alloc_free(all->b);
    pare_alloc_free(all->first);
    pare_alloc_free(all->other);
    pare_alloc_free(all->ratio);
}

static void gather(const pare_shootout *shootout, const pare_cell *a, const pare_cell *b,
                   pare_figure figure, struct gathered *all)
{
    for (size_t i = 0; i < shootout->suite->n_cases; i++) {
        const pare_cell here = {i, a->contender, a->jobs}, there = {i, b->contender, b->jobs};
        const size_t n_a = figures_of(shootout, &here, figure, all->first);
        const size_t n_b = figures_of(shootout, &there, figure, all->other);
        if (!n_a || !n_b) continue;
        all->a12 += pare_statistics_a12(all->first, n_a, all->other, n_b);
        all->a[all->n] = logarithm(pare_statistics_median(all->first, n_a));
        all->b[all->n] = logarithm(pare_statistics_median(all->other, n_b));
        all->ratio[all->n] = all->a[all->n] - all->b[all->n];
        all->n++;
    }
}

static pare_interval raise(pare_interval interval)
{
    return (pare_interval){exp(interval.mean), exp(interval.low), exp(interval.high)};
}

pare_status pare_shootout_compare(const pare_shootout *shootout, const pare_cell *a,
                                  const pare_cell *b, pare_figure figure, pare_comparison *out,
                                  pare_error *err)
{
    struct gathered all;
    pare_status status = gather_new(shootout, &all, err);
    if (!status) {
        gather(shootout, a, b, figure, &all);
        *out = (pare_comparison){.n_cases = all.n, .a12 = 0.5, .p = 1};
        if (all.n) {
            out->ratio = raise(pare_statistics_bootstrap(all.ratio, all.n));
            out->a12 = all.a12 / (double)all.n;
        }
        status = pare_statistics_wilcoxon(all.a, all.b, all.n, &out->p, err);
    }
    gather_done(&all);
    return status;
}

pare_status pare_shootout_summarize(const pare_shootout *shootout, const pare_cell *cell,
                                    pare_figure figure, pare_summary *out, pare_error *err)
{
    struct gathered all;
    pare_status status = gather_new(shootout, &all, err);
    if (!status) {
        gather(shootout, cell, cell, figure, &all);
        *out = (pare_summary){.n_cases = all.n};
        if (all.n) out->mean = raise(pare_statistics_bootstrap(all.a, all.n));
        if (all.n) out->median = exp(pare_statistics_median(all.a, all.n));
    }
    gather_done(&all);
    return status;
}
