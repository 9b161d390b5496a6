/* How often an input fails: estimates, comparisons, and decisions in as few runs as the
 * facts allow, for failures that do not come every time. */
#ifndef PARE_RUN_RATE_H
#define PARE_RUN_RATE_H

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

/* By how much `later` fails less often than `earlier` at least, if chance makes up to
 * `deviations` standard deviations: the lower limit of Newcombe's method 10 for that many.
 * Negative: it may well fail as often, or more often. */
double pare_rate_drop(pare_rate earlier, pare_rate later, double deviations);

/* How many runs of each of two inputs that fail equally often, about as often as `rate`,
 * let pare_rate_holds say so 95 times in 100. */
uint64_t pare_rate_runs_needed(pare_rate rate, double tolerance);

/* How many runs of an input that fails about as often as `rate` tell its share to within
 * `half_width` on either side, with 95 % confidence. */
uint64_t pare_rate_runs_within(pare_rate rate, double half_width);

/* A rule for deciding about one candidate. */
typedef struct pare_rate_rule {
    double floor; /* an accepted candidate fails more often than this */
    double usual; /* a rejected one fails less often than this; floor < usual <= 1 */
    double wrong_accept, wrong_reject; /* how probable either error may be at most */
    uint64_t max_runs;                 /* still open after so many: rejected */
    bool adapts; /* wrong_reject is meant for candidates of which PARE_RATE_GOOD are good:
                    where fewer are, fewer passes reject; see pare_rate_expect */
} pare_rate_rule;

#define PARE_RATE_GOOD 0.15

typedef enum pare_rate_decision {
    PARE_RATE_OPEN, /* run it once more */
    PARE_RATE_ACCEPT,
    PARE_RATE_REJECT
} pare_rate_decision;

/* What `rule` says after the runs of `rate`.  It may be asked after every run, without the
 * errors adding up: what fails at most `floor` is accepted with at most `wrong_accept`, what
 * fails at least `usual` rejected with at most `wrong_reject`.
 *
 * A sequential probability-ratio test of `usual` against `floor` accepts.  It rejects when
 * `usual` has become improbable beside an even mixture of `floor` and of a failure that is
 * gone, which is what becomes of most candidates: so a few passes in a row suffice, 2 where
 * `usual` is 0.8 and one good candidate in 7 may be lost, 4 where it is 0.5; and one pass where
 * it is 1.
 * Source: Wald, Annals of Mathematical Statistics 16, 1945; the bound for mixtures is
 * Ville's inequality. */
pare_rate_decision pare_rate_decide(const pare_rate_rule *rule, pare_rate rate);

/* `rule` for candidates of which the share `good` was accepted lately: the odds that a rejected
 * one was good stay what they are, whatever that share is, but one of two good ones is
 * accepted in any case.  The same rule unless it adapts. */
pare_rate_rule pare_rate_expect(const pare_rate_rule *rule, double good);

/* How many passes in a row, from the first run on, let `rule` reject. */
uint64_t pare_rate_passes_to_reject(const pare_rate_rule *rule);

#endif
