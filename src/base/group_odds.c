/* Odds of groups: the chance that a group goes is that of its first unit, which may stand beside a needed one, times
 * that of each of the others. */
#include "base/group_odds.h"

#include <assert.h>
#include <math.h>

static const double RUNS_BEFORE = 0.25; /* of one pair, before any is known */

void pare_group_odds_note(pare_group_odds *odds, size_t n, bool needed)
{
    assert(n && (!needed || n == 1));
    odds->n_pairs += odds->was_needed;
    odds->n_runs += odds->was_needed && needed;
    odds->was_needed = needed;
    odds->n_seen += n;
    odds->n_needed += needed;
    assert(odds->n_runs <= odds->n_pairs && odds->n_needed <= odds->n_seen);
}

/* The share of units that are needed.  Half a unit less than counted: a search stops at a needed unit, so the plain
 * share would be too high. */
static double density_of(const pare_group_odds *odds)
{
    return ((double)odds->n_needed - 0.5) / ((double)odds->n_seen + 1);
}

/* The units of a group that has an even chance to go, if the first one is needed with the chance `first`. */
static double even_group(double first, double density)
{
    if (first >= 0.5) return 1;
    if (density > 0.5) density = 0.5;
    return 1 + log(0.5 / (1 - first)) / log(1 - density);
}

/* Alone, the neighbour of a needed unit costs a test; if it is needed, that saves the search for it in a group. */
double pare_group_odds_even(const pare_group_odds *odds)
{
    if (!odds->was_needed) return pare_group_odds_apart(odds);
    const double density = density_of(odds);
    const double runs = ((double)odds->n_runs + RUNS_BEFORE) / ((double)odds->n_pairs + 1);
    const double first = runs > density ? runs : density, even = even_group(first, density);
    return first * log2(even) > 1 ? 1 : even;
}

double pare_group_odds_apart(const pare_group_odds *odds)
{
    return odds->n_needed ? even_group(density_of(odds), density_of(odds)) : 0;
}
