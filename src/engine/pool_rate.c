/* Rates of pools, and the sizes of groups that follow from them. */
#include "engine/pool_rate.h"

#include <math.h>

#include "text/patch.h"

/* What was seen weighs less by each outcome.  Both factors were chosen in simulation
 * (docs/design/parallel.md); what comes of it depends little on them. */
static const double FADING = 0.8, LONG_FADING = 0.9;

void pare_pool_rate_learn(pare_pool_rate *rate, pare_pool_item item, bool made)
{
    if (!made && item.kind == PARE_POOL_FIRST_HALF) return;
    double n_made = made ? item.range.count : 0, n_failed = made ? 0 : 1;
    rate->made = rate->made * FADING + n_made;
    rate->failed = rate->failed * FADING + n_failed;
    rate->made_long = rate->made_long * LONG_FADING + n_made;
    rate->failed_long = rate->failed_long * LONG_FADING + n_failed;
}

/* How probable it is that one patch can be made, for sizes of groups, which are to follow
 * runs of successes.  By Laplace's rule of succession it is n + 1 of n + 2 after a run of n
 * successes, so that groups double from one to the next, as in find_integer. */
static double rate_now(const pare_pool_rate *rate)
{
    return (rate->made + 1) / (rate->made + rate->failed + 2);
}

/* The same for predictions, which are to be right on average. */
static double rate_predicted(const pare_pool_rate *rate)
{
    return (rate->made_long + 2 * rate_now(rate)) / (rate->made_long + rate->failed_long + 2);
}

/* Adding a patch of gain g to a group of gain G is worth it if (G + g) p > G, where p is
 * how probable it is that one patch can be made. */
uint32_t pare_pool_group(const pare_pool_plan *plan, pare_pool_range range,
                         const pare_pool_rate *rate)
{
    const pare_patch *patches = plan->patches->patches;
    size_t most = plan->options.group;
    if (most) return most < range.count ? (uint32_t)most : range.count;
    double p = rate_now(rate);
    double gain = (double)patches[plan->order[range.from]].gain;
    uint32_t n = 1;
    for (; n < range.count; n++) {
        double next = (double)patches[plan->order[range.from + n]].gain;
        if ((gain + next) * p <= gain || next <= 0) break;
        gain += next;
    }
    return n;
}

double pare_pool_rate_chance(const pare_pool_rate *rate, pare_pool_item item)
{
    double all = pow(rate_predicted(rate), (double)item.range.count);
    if (item.kind != PARE_POOL_FIRST_HALF) return all;
    double group = all * all;
    return group < 1 ? (all - group) / (1 - group) : 0.5;
}
