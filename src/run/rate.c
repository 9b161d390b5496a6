/* How often an input fails: Wilson's interval, Newcombe's comparison of two shares, and
 * sequential decisions about one.
 *
 * Wilson's score interval holds for few runs and for shares near 0 and 1, where the usual
 * normal interval is empty or reaches beyond; the exact one of Clopper and Pearson is wider
 * than it need be, which costs runs.
 *
 * Decisions are Wald's sequential probability ratio test: after each run the likelihoods of
 * "fails as usual" and "fails no more than the floor" are compared, and the first to be
 * clearly ahead wins.  For rejection the alternative is a mixture, half "as rarely as the
 * floor", half "never", for most candidates that lost the failure have lost it entirely, and a
 * few passes then suffice.  It needs about half the runs of a fixed number with the same
 * errors.
 *
 * Sources: Wilson, JASA 22, 1927; Newcombe, Statistics in Medicine 17, 1998, method 10; Wald,
 * Annals of Mathematical Statistics 16, 1945.  Deviation: at max_runs an open candidate is
 * rejected, never accepted. */
#include "run/rate.h"

#include <assert.h>
#include <math.h>

static const double Z_TWO_SIDED = 1.959964; /* 97.5 % of the normal distribution */
static const double Z_ONE_SIDED = 1.644854; /* 95 % */

/* 0 if nothing is known: callers to whom that matters look at `runs`. */
double pare_rate_share(pare_rate rate)
{
    return rate.runs ? (double)rate.fails / (double)rate.runs : 0;
}

/* The score interval for `z` standard deviations; without runs nothing is known: 0 to 1. */
static void wilson(pare_rate rate, double z, double *low, double *high)
{
    *low = 0;
    *high = 1;
    if (!rate.runs) return;
    assert(rate.fails <= rate.runs);
    double n = (double)rate.runs, share = pare_rate_share(rate);
    double scale = 1 + z * z / n;
    double middle = (share + z * z / (2 * n)) / scale;
    double half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale;
    *low = fmax(0, middle - half);
    *high = fmin(1, middle + half);
}

/* Two-sided: 2.5 % of chance on either side. */
void pare_rate_interval(pare_rate rate, double *low, double *high)
{
    wilson(rate, Z_TWO_SIDED, low, high);
}

/* The difference's lower limit, from the two intervals' inner halves, is within the tolerance. */
bool pare_rate_holds(pare_rate earlier, pare_rate later, double tolerance)
{
    double low, high, ignored;
    wilson(earlier, Z_ONE_SIDED, &ignored, &high);
    wilson(later, Z_ONE_SIDED, &low, &ignored);
    double before = pare_rate_share(earlier), now = pare_rate_share(later);
    double slack = sqrt((now - low) * (now - low) + (high - before) * (high - before));
    return now - before - slack >= -tolerance;
}

/* The same formula, the other way round: the earlier share's lower half and the later one's
 * upper half are what chance may have added to the difference. */
double pare_rate_drop(pare_rate earlier, pare_rate later, double deviations)
{
    double low, high, ignored;
    wilson(earlier, deviations, &low, &ignored);
    wilson(later, deviations, &ignored, &high);
    double before = pare_rate_share(earlier), now = pare_rate_share(later);
    return before - now - sqrt((before - low) * (before - low) + (high - now) * (high - now));
}

/* The variance of one run, where it is the highest that the interval of `rate` allows: at a
 * share of 0.5, or at the end of the interval next to it. */
static double variance(pare_rate rate)
{
    double low, high;
    pare_rate_interval(rate, &low, &high);
    double share = low > 0.5 ? low : high < 0.5 ? high : 0.5;
    return share * (1 - share);
}

/* The difference of two shares has twice the variance of one; it must be seen to be within
 * the tolerance (one z), also when chance is against it (another). */
uint64_t pare_rate_runs_needed(pare_rate rate, double tolerance)
{
    assert(tolerance > 0);
    double distance = 2 * Z_ONE_SIDED / tolerance;
    return (uint64_t)ceil(distance * distance * 2 * variance(rate)) + 1;
}

/* The half width of a normal interval, solved for the number of runs. */
uint64_t pare_rate_runs_within(pare_rate rate, double half_width)
{
    assert(half_width > 0);
    double distance = Z_TWO_SIDED / half_width;
    return (uint64_t)ceil(distance * distance * variance(rate)) + 1;
}

/* ---- sequential tests ------------------------------------------------------------- */

static const double ROUNDING = 1e-9; /* of sums of logarithms that are equal on paper */

/* Logarithm of the probability of the runs when `share` of them fails.  0 * log(0) counts
 * as 0. */
static double log_likelihood(pare_rate rate, double share)
{
    double fails = (double)rate.fails, passes = (double)(rate.runs - rate.fails), sum = 0;
    if (fails > 0) sum += fails * log(share);
    if (passes > 0) sum += passes * log(1 - share);
    return sum;
}

/* The likelihood ratio of the wrong answer passes 1 / error with at most that probability,
 * however often it is asked (Ville), so the bounds hold after every run.  Logarithms, since the
 * likelihoods of some hundred runs underflow. */
pare_rate_decision pare_rate_decide(const pare_rate_rule *rule, pare_rate rate)
{
    assert(rule->floor > 0 && rule->floor < rule->usual && rule->usual <= 1);
    if (!rate.runs) return PARE_RATE_OPEN;
    double usual = log_likelihood(rate, rule->usual), floor = log_likelihood(rate, rule->floor);
    if (usual - floor >= -log(rule->wrong_accept) - ROUNDING) return PARE_RATE_ACCEPT;
    /* The mixture: what is gone has no part in it once a run has failed. */
    double lost = rate.fails ? floor - log(2) : log(0.5 + 0.5 * exp(floor));
    if (usual - lost <= log(rule->wrong_reject) + ROUNDING) return PARE_RATE_REJECT;
    return rate.runs < rule->max_runs ? PARE_RATE_OPEN : PARE_RATE_REJECT;
}

/* Where few candidates are good, rejecting a good one wrongly is rarer and cheaper; the bound
 * shifts by the odds, by Bayes' rule. */
pare_rate_rule pare_rate_expect(const pare_rate_rule *rule, double good)
{
    const double usual_odds = PARE_RATE_GOOD / (1 - PARE_RATE_GOOD);
    pare_rate_rule expected = *rule;
    if (!rule->adapts) return expected;
    good = fmin(fmax(good, 0.001), 0.9);
    expected.wrong_reject = fmin(rule->wrong_reject * usual_odds * (1 - good) / good, 0.5);
    return expected;
}

/* It ends at max_runs at the latest, where an open candidate is rejected. */
uint64_t pare_rate_passes_to_reject(const pare_rate_rule *rule)
{
    pare_rate rate = {.runs = 1};
    while (pare_rate_decide(rule, rate) == PARE_RATE_OPEN)
        rate.runs++;
    return rate.runs;
}
