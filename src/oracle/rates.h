/* How often an input fails: estimates, comparisons, and decisions in as few runs as the
 * facts allow, for failures that do not come every time. */
#ifndef PARE_ORACLE_RATES_H
#define PARE_ORACLE_RATES_H

#include <stdbool.h>
#include <stdint.h>

/* `fails` of `runs` runs showed the failure. */
typedef struct pare_rate {
    uint64_t fails, runs;
} pare_rate;

/* The share of runs that fail; 0 without runs. */
double pare_rate_share(pare_rate rate);

/* Where the true share lies with 95 % confidence, by Wilson's score interval (1927), which
 * holds for few runs and for shares near 0 and 1 too.  Without runs: 0 to 1. */
void pare_rate_interval(pare_rate rate, double *low, double *high);

/* Whether, with 95 % confidence, `later` fails at most `tolerance` less often than
 * `earlier`.  Source: Newcombe, "Interval estimation for the difference between
 * independent proportions", Statistics in Medicine 17, 1998, method 10. */
bool pare_rate_holds(pare_rate earlier, pare_rate later, double tolerance);

/* How many runs of each of two inputs that fail equally often, about as often as `rate`,
 * let pare_rate_holds say so 95 times in 100. */
uint64_t pare_rate_runs_needed(pare_rate rate, double tolerance);

/* A rule for deciding about one candidate. */
typedef struct pare_rate_rule {
    double floor; /* accepting says: it fails more often than this */
    double usual; /* rejecting says: it fails less often than this; floor < usual <= 1 */
    double wrong_accept, wrong_reject; /* how probable either error may be at most */
    uint64_t max_runs;                 /* still open after so many: rejected */
} pare_rate_rule;

typedef enum pare_rate_decision {
    PARE_RATE_OPEN, /* run it once more */
    PARE_RATE_ACCEPT,
    PARE_RATE_REJECT
} pare_rate_decision;

/* What `rule` says after the runs of `rate`.  It may be asked after every run, without
 * the errors adding up.
 *
 * Two sequential probability-ratio tests side by side, one against "it fails at most
 * `floor`", one against "it fails at least `usual`"; the alternative is a mixture over
 * all shares beyond, so that a candidate that always fails, or never, is decided in a few
 * runs, while the bounds hold for any share (Ville's inequality).
 * Source: Wald, Annals of Mathematical Statistics 16, 1945; the mixture: Robbins,
 * Annals of Mathematical Statistics 41, 1970.  Takes about a microsecond. */
pare_rate_decision pare_rate_decide(const pare_rate_rule *rule, pare_rate rate);

#endif
