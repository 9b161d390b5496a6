/* Odds of groups: how many units have an even chance to go together, learned from those that were tried.
 *
 * Of units that are tried in order, some have to stay.  A group that goes as often as not tells most in one test.
 * Units that have to stay come in runs, so the chance of a neighbour of one is counted by itself.
 * Source: Hwang, "A method for detecting all defective members in a population by group testing", JASA 67, 1972.
 * Deviation: the density is learned, and runs are.
 * A value without pointers; all-zero: nothing was tried.  Any thread. */
#ifndef PARE_BASE_GROUP_ODDS_H
#define PARE_BASE_GROUP_ODDS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pare_group_odds {
    size_t n_seen;   /* units that are known to go or to stay */
    size_t n_needed; /* of them: they have to stay */
    size_t n_pairs;  /* needed units whose neighbour, the one tried next, is known */
    size_t n_runs;   /* of them: that one is needed, too */
    bool was_needed; /* the unit seen last is */
} pare_group_odds;

/* Notes that the next `n` units went together, or, if `needed`, that the next one, `n` is 1, has to stay. */
void pare_group_odds_note(pare_group_odds *odds, size_t n, bool needed);

/* How many of the next units have an even chance to go together, 1 or more; 0: none was needed so far, so nothing
 * is known. */
double pare_group_odds_even(const pare_group_odds *odds);

/* The same away from a needed unit. */
double pare_group_odds_apart(const pare_group_odds *odds);

#endif
