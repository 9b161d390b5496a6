/* Rates: Wilson's interval, Newcombe's comparison, mixture sequential tests. */
#include "oracle/rates.h"

#include <assert.h>
#include <math.h>

static const double Z_TWO_SIDED = 1.959964; /* 97.5 % of the normal distribution */
static const double Z_ONE_SIDED = 1.644854; /* 95 % */

double pare_rate_share(pare_rate rate)
{
    return rate.runs ? (double)rate.fails / (double)rate.runs : 0;
}

static void wilson(pare_rate rate, double z, double *low, double *high)
{
    *low = 0;
    *high = 1;
    if (!rate.runs) return;
    double n = (double)rate.runs, share = pare_rate_share(rate);
    double scale = 1 + z * z / n;
    double middle = (share + z * z / (2 * n)) / scale;
    double half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale;
    *low = fmax(0, middle - half);
    *high = fmin(1, middle + half);
}

void pare_rate_interval(pare_rate rate, double *low, double *high)
{
    wilson(rate, Z_TWO_SIDED, low, high);
}

bool pare_rate_holds(pare_rate earlier, pare_rate later, double tolerance)
{
    double low, high, ignored;
    wilson(earlier, Z_ONE_SIDED, &ignored, &high);
    wilson(later, Z_ONE_SIDED, &low, &ignored);
    double before = pare_rate_share(earlier), now = pare_rate_share(later);
    double slack = sqrt((now - low) * (now - low) + (high - before) * (high - before));
    return now - before - slack >= -tolerance;
}

/* The difference of two shares has twice the variance of one; it must be seen to be within
 * the tolerance (one z), also when chance is against it (another). */
uint64_t pare_rate_runs_needed(pare_rate rate, double tolerance)
{
    double low, high;
    assert(tolerance > 0);
    pare_rate_interval(rate, &low, &high);
    double share = low > 0.5 ? low : high < 0.5 ? high : 0.5; /* the most variable it may be */
    double distance = 2 * Z_ONE_SIDED / tolerance;
    return (uint64_t)ceil(distance * distance * 2 * share * (1 - share)) + 1;
}

/* ---- sequential tests ------------------------------------------------------------- */

enum { ALTERNATIVES = 24 };

/* Logarithm of how much more probable the runs are when a share `alternative` of them
 * fails than when `share` does.  0 * log(0) counts as 0. */
static double log_ratio(pare_rate rate, double alternative, double share)
{
    double fails = (double)rate.fails, passes = (double)(rate.runs - rate.fails), sum = 0;
    if (fails > 0) sum += fails * log(alternative / share);
    if (passes > 0) sum += passes * log((1 - alternative) / (1 - share));
    return sum;
}

/* The same for the mean over shares from `from` to `to`, both included, which lie on one
 * side of `share`. */
static double log_mixture(pare_rate rate, double from, double to, double share)
{
    double ratio[ALTERNATIVES + 1], most = -INFINITY, sum = 0;
    for (int i = 0; i <= ALTERNATIVES; i++) {
        double alternative = from + (to - from) * i / ALTERNATIVES;
        ratio[i] = log_ratio(rate, fmin(alternative, 1), share); /* rounding may exceed 1 */
        if (ratio[i] > most) most = ratio[i];
    }
    if (isinf(most)) return most;
    for (int i = 0; i <= ALTERNATIVES; i++)
        sum += exp(ratio[i] - most);
    return most + log(sum / (ALTERNATIVES + 1));
}

pare_rate_decision pare_rate_decide(const pare_rate_rule *rule, pare_rate rate)
{
    assert(rule->floor > 0 && rule->floor < rule->usual && rule->usual <= 1);
    if (!rate.runs) return PARE_RATE_OPEN;
    bool impossible = rule->usual >= 1 && rate.fails < rate.runs; /* for what always fails */
    if (log_mixture(rate, rule->floor, 1, rule->floor) >= -log(rule->wrong_accept))
        return PARE_RATE_ACCEPT;
    if (impossible || log_mixture(rate, 0, rule->usual, rule->usual) >= -log(rule->wrong_reject))
        return PARE_RATE_REJECT;
    return rate.runs < rule->max_runs ? PARE_RATE_OPEN : PARE_RATE_REJECT;
}
