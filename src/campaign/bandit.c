/* Shares that follow recent earnings, with a little for everybody.
 *
 * An arm's rate is its earnings for each unit spent.  Both sums fade by half with each `half_life`
 * that all arms together spend, so a rate describes the recent past, and an arm that has not been
 * tried for long is forgotten.  To the sums of each arm, `trust` units are added that earn as much
 * as the best arm does: an arm without a past counts as the best one, and one that earned nothing
 * improves while it is left alone.  There is no other exploration.  If it is known beforehand that
 * a trial is expensive, `doubt` takes a part of that trust away.
 *
 * Shares are proportional to the weight times the square of (rate / best rate).  The square is a
 * compromise: equal shares for all that earn would waste time on the worse ones, and everything for
 * the best one would follow each stroke of luck.  As long as nobody earns anything, shares follow
 * the weights.
 *
 * The next arm is the one that is furthest behind its share of what was spent lately.  With
 * constant rates, each arm gets its share to within one job.
 *
 * Why no random draw, as in Thompson sampling: with few arms and thousands of tests each arm is
 * tried anyway, and the choices can be tested exactly.
 * Sources: Garivier and Moulines, On Upper-Confidence Bound Policies for Switching Bandit Problems
 * (2011), for sums that fade; Garivier and Kaufmann, Optimal Best Arm Identification with Fixed
 * Confidence (2016), for following shares by what is behind; Yue et al., EcoFuzz (2020), for fuzzing
 * as a bandit whose rewards become rarer. */
#include "campaign/bandit.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

/* What an arm earns for each unit; `best` as trusted. */
static double rate(const pare_bandit *bandit, const pare_bandit_arm *arm, double best)
{
    return (arm->earned + best * (1 - arm->doubt) * bandit->trust) / (arm->spent + bandit->trust);
}

/* The highest rate without trust in others: of what was seen. */
static double best_rate(const pare_bandit *bandit)
{
    double best = 0;
    for (size_t i = 0; i < bandit->n; i++) {
        const double seen = rate(bandit, &bandit->arms[i], 0);
        if (!bandit->arms[i].is_out && seen > best) best = seen;
    }
    return best;
}

/* What part of all spending the arm should have, up to a factor that is the same for all arms. */
static double claim(const pare_bandit *bandit, const pare_bandit_arm *arm, double best)
{
    const double part = best > 0 ? rate(bandit, arm, best) / best : 1;
    return arm->weight * part * part;
}

/* SIZE_MAX when all arms are out.  O(arms), with nothing kept from call to call. */
size_t pare_bandit_next(const pare_bandit *bandit)
{
    const double best = best_rate(bandit);
    double claims = 0, spent = 0, most = 0;
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < bandit->n; i++) {
        const pare_bandit_arm *arm = &bandit->arms[i];
        if (arm->is_out) continue;
        assert(arm->weight > 0 && "one without weight is out");
        claims += claim(bandit, arm, best);
        spent += arm->spent + arm->ahead;
    }
    for (size_t i = 0; i < bandit->n; i++) {
        const pare_bandit_arm *arm = &bandit->arms[i];
        if (arm->is_out) continue;
        /* A little more than was spent, so that shares count before anything was. */
        const double share = claim(bandit, arm, best) / claims;
        const double behind = share * (spent + bandit->trust / 1024) - arm->spent - arm->ahead;
        if (next != SIZE_MAX && behind <= most) continue;
        next = i, most = behind;
    }
    return next;
}

/* Lets the past of all arms fade by what this one has spent, so that time is counted in work,
 * not by a clock: a campaign that pauses forgets nothing. */
void pare_bandit_spend(const pare_bandit *bandit, size_t arm, double amount)
{
    assert(arm < bandit->n && amount >= 0);
    const double kept = exp2(-amount / bandit->half_life);
    for (size_t i = 0; i < bandit->n; i++) {
        bandit->arms[i].earned *= kept;
        bandit->arms[i].spent *= kept;
    }
    bandit->arms[arm].spent += amount;
}

/* Not spread over the time in which it was earned: spending and earning of a job come together. */
void pare_bandit_earn(const pare_bandit *bandit, size_t arm, double amount)
{
    assert(arm < bandit->n && amount >= 0);
    bandit->arms[arm].earned += amount;
}

/* No number is negative, infinite or NaN: one of these would make all shares NaN, and the first
 * arm always next. */
bool pare_bandit_check(const pare_bandit *bandit)
{
    if (!(bandit->half_life > 0) || !(bandit->trust > 0)) return false;
    for (size_t i = 0; i < bandit->n; i++) {
        const pare_bandit_arm *arm = &bandit->arms[i];
        const double numbers[] = {arm->weight, arm->earned, arm->spent, arm->ahead};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (!(numbers[k] >= 0) || isinf(numbers[k])) return false;
    }
    return true;
}
