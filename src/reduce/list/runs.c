/* Runs of neighbouring units of the same rank: what ProbDD and CDD know of their units.
 *
 * Both keep a number for each unit (a probability, a counter) and choose the units with the lowest
 * ones.  Units that were treated alike have equal numbers, so runs of them are stored instead of
 * units: a choice costs O(runs * ranks), and a copy of the state a reference.
 *
 * Chosen are all runs of lower rank and one stretch of the units of the highest rank chosen,
 * numbered across their runs.  A walk over the runs in order of position counts those units, and
 * so knows which part of each run is chosen.  Invariant: no run is empty, neighbours differ in
 * rank (pare_runs_check). */
#include "reduce/list/runs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct run {
    size_t length; /* units */
    double rank;
};

/* A run on the walk, with the part of it that is chosen: chosen.from .. chosen.to-1,
 * counted from the run's first unit. */
struct walk {
    const struct run *runs;
    size_t n_runs, next;
    size_t seen; /* units of rank `lowest->rank` before the next run */
    const pare_lowest *lowest;
    struct run run;
    pare_range chosen;
};

/* NULL when there is none, as the shared array may be missing then. */
static const struct run *items(const pare_runs *runs)
{
    return runs->n_runs ? pare_shared_items(runs->shared) : NULL;
}

/* `value`, or the nearer bound if it is not between them. */
static size_t clamp(size_t value, size_t low, size_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Goes to the next run and finds the part of it that is chosen; false at the end. */
static bool step(struct walk *walk)
{
    if (walk->next == walk->n_runs) return false;
    const pare_lowest *lowest = walk->lowest;
    walk->run = walk->runs[walk->next++];
    size_t length = walk->run.length;
    walk->chosen = (pare_range){0, walk->run.rank < lowest->rank ? length : 0};
    if (walk->run.rank != lowest->rank) return true;
    size_t start = walk->seen;
    walk->seen += length;
    walk->chosen.from = clamp(lowest->from, start, walk->seen) - start;
    walk->chosen.to = clamp(lowest->to, start, walk->seen) - start;
    assert(walk->chosen.from <= walk->chosen.to && walk->chosen.to <= length);
    return true;
}

/* All units alike: one run, with room for the two that the first choice cuts off. */
pare_status pare_runs_start(pare_runs *runs, size_t n, double rank, pare_error *err)
{
    *runs = (pare_runs){0};
    void *room = NULL;
    pare_status status = pare_shared_new(3, sizeof(struct run), &runs->shared, err);
    if (!status) status = pare_shared_own(&runs->shared, 0, 1, &room, err);
    if (status) return status;
    *(struct run *)room = (struct run){n, rank};
    runs->n_runs = n > 0;
    return PARE_OK;
}

/* After a copy by memcpy: the array is shared until one of the copies writes. */
void pare_runs_retain(pare_runs *runs)
{
    pare_shared_retain(runs->shared);
}

void pare_runs_release(pare_runs *runs)
{
    pare_shared_release(runs->shared);
    *runs = (pare_runs){0};
}

/* The lowest rank above `above`, and how many units have it; 0 when there is none. */
static size_t next_rank(const pare_runs *runs, double above, double *rank)
{
    const struct run *run = items(runs);
    size_t count = 0;
    *rank = INFINITY;
    for (size_t i = 0; i < runs->n_runs; i++) {
        if (run[i].rank <= above || run[i].rank > *rank || isinf(run[i].rank)) continue;
        if (run[i].rank < *rank) count = 0;
        *rank = run[i].rank;
        count += run[i].length;
    }
    return count;
}

/* Rank by rank, from the lowest, as long as `limit` allows more units for the next one; of the
 * last rank from the side that is asked for. */
pare_lowest pare_runs_choose(const pare_runs *runs, pare_runs_limit limit, pare_side side)
{
    pare_lowest lowest = {.rank = -INFINITY};
    size_t most = 0;
    for (;;) {
        double rank;
        size_t count = next_rank(runs, lowest.rank, &rank);
        if (!count) break;
        most = limit(rank, most);
        if (most <= lowest.size) break;
        size_t taken = clamp(most - lowest.size, 0, count);
        size_t from = side == PARE_SIDE_FIRST ? 0 : count - taken;
        lowest = (pare_lowest){rank, from, from + taken, lowest.size + taken};
        if (taken < count) break;
    }
    assert(lowest.from <= lowest.to);
    return lowest;
}

/* The positions that are chosen, ascending. */
pare_status pare_runs_edit(const pare_runs *runs, const pare_lowest *lowest, pare_edit *edit,
                           pare_error *err)
{
    struct walk walk = {.runs = items(runs), .n_runs = runs->n_runs, .lowest = lowest};
    size_t at = 0;
    while (step(&walk)) {
        pare_status status = pare_edit_add(edit, at + walk.chosen.from, at + walk.chosen.to, err);
        if (status) return status;
        at += walk.run.length;
    }
    return PARE_OK;
}

/* Probability that none of the chosen units is needed, if ranks are probabilities.  Multiplied
 * unit by unit and not by powers, so that rounding is the same however the units are grouped in
 * runs. */
double pare_runs_product(const pare_runs *runs, const pare_lowest *lowest)
{
    struct walk walk = {.runs = items(runs), .n_runs = runs->n_runs, .lowest = lowest};
    double product = 1;
    while (step(&walk))
        for (size_t i = walk.chosen.from; i < walk.chosen.to; i++)
            product *= 1 - walk.run.rank;
    return product;
}

/* Writes a run after the `n` that are written; returns how many there are then. */
static size_t append(struct run *runs, size_t n, size_t length, double rank)
{
    if (!length) return n;
    if (n && runs[n - 1].rank == rank) {
        runs[n - 1].length += length;
        return n;
    }
    runs[n] = (struct run){length, rank};
    return n + 1;
}

/* In place: each run leaves at most one. */
pare_status pare_runs_drop(pare_runs *runs, const pare_lowest *lowest, pare_error *err)
{
    void *room = NULL;
    pare_status status = pare_shared_own(&runs->shared, runs->n_runs, runs->n_runs, &room, err);
    if (status) return status;
    struct walk walk = {.runs = room, .n_runs = runs->n_runs, .lowest = lowest};
    size_t n = 0;
    while (step(&walk)) {
        size_t left = walk.run.length - (walk.chosen.to - walk.chosen.from);
        n = append(room, n, left, walk.run.rank);
    }
    runs->n_runs = n;
    return PARE_OK;
}

/* The two ends of the stretch may each cut a run in two, so there are at most two runs
 * more: the old ones move up by two and are read before they are written over. */
pare_status pare_runs_raise(pare_runs *runs, const pare_lowest *lowest, pare_runs_raised raised,
                            double by, pare_error *err)
{
    void *room = NULL;
    pare_status status = pare_shared_own(&runs->shared, runs->n_runs, runs->n_runs + 2, &room, err);
    if (status) return status;
    struct run *run = room;
    memmove(run + 2, run, runs->n_runs * sizeof *run);
    struct walk walk = {.runs = run + 2, .n_runs = runs->n_runs, .lowest = lowest};
    size_t n = 0;
    while (step(&walk)) {
        pare_range chosen = walk.chosen;
        n = append(run, n, chosen.from, walk.run.rank);
        n = append(run, n, chosen.to - chosen.from, raised(walk.run.rank, by));
        n = append(run, n, walk.run.length - chosen.to, walk.run.rank);
    }
    runs->n_runs = n;
    return PARE_OK;
}

/* For tests: the invariant, and that the runs have `n` units. */
bool pare_runs_check(const pare_runs *runs, size_t n)
{
    const struct run *run = items(runs);
    for (size_t i = 0; i < runs->n_runs; i++) {
        if (run[i].length == 0 || run[i].length > n) return false;
        if (i && run[i].rank == run[i - 1].rank) return false;
        n -= run[i].length;
    }
    return n == 0;
}
