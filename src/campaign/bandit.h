/* A bandit: chooses among several ways to spend tests or time by their earnings.
 *
 * Each way is an arm.  The owner reports what an arm has spent and earned, in units of its own
 * (tests or seconds; edges), and asks for the next one.  No randomness: the same calls give the
 * same choices.  One thread. */
#ifndef PARE_CAMPAIGN_BANDIT_H
#define PARE_CAMPAIGN_BANDIT_H

#include <stdbool.h>
#include <stddef.h>

/* All-zero, but for the weight, is an arm that has not been tried. */
typedef struct pare_bandit_arm {
    double weight;        /* the user's; above 0 */
    double earned, spent; /* lately: both fade */
    double doubt;         /* 0: it is trusted as the best one; 0.75: a quarter of that; below 1 */
    double ahead;         /* what it is spending now, not in `spent` yet; the owner's */
    bool is_out;          /* it may not be chosen; the owner's */
} pare_bandit_arm;

typedef struct pare_bandit {
    pare_bandit_arm *arms; /* borrowed */
    size_t n;
    /* Both in the unit of spending, above 0: how much of it halves the past; for how much of it an
     * arm is taken to earn as much as the best one, before its own earnings count. */
    double half_life, trust;
} pare_bandit;

/* The arm whose turn it is; SIZE_MAX: all are out.  O(n). */
size_t pare_bandit_next(const pare_bandit *bandit);

/* The arm has spent `amount`: the past of all arms fades by as much.  O(n). */
void pare_bandit_spend(const pare_bandit *bandit, size_t arm, double amount);

/* The arm has earned `amount`. */
void pare_bandit_earn(const pare_bandit *bandit, size_t arm, double amount);

/* Whether no number of an arm is negative or unbounded: the invariant. */
bool pare_bandit_check(const pare_bandit *bandit);

#endif
