/* Odds of groups: the chance that a group goes is that of its first unit, which may stand beside a needed one, times
 * that of each of the others. */
#include "base/group_odds.h"

#include <assert.h>
#include <math.h>

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

/* Half a unit less than counted: a search stops at a needed unit, so the plain share would be too high. */
double pare_group_odds_even(const pare_group_odds *odds)
{
    if (!odds->n_needed) return 0;
    double density = ((double)odds->n_needed - 0.5) / ((double)odds->n_seen + 1), first = density;
    if (odds->was_needed) first = ((double)odds->n_runs + density) / ((double)odds->n_pairs + 1);
    if (first >= 0.5) return 1;
    if (density > 0.5) density = 0.5;
    return 1 + log(0.5 / (1 - first)) / log(1 - density);
}
