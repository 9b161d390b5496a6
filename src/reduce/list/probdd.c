/* probdd and cdd: units ranked by how likely they are needed; probdd first.
 *
 * The rank of a unit is the probability p that it is needed, 0.1 at first.  The units of
 * the lowest p are left out, as many as make the expected gain, size * product(1 - p),
 * greatest.  If the failure is gone at least one of them is needed, and by Bayes' rule
 * each p is divided by 1 - product(1 - p).
 *
 * Adding one more unit of probability p to s units raises the gain just when
 * (s + 1)(1 - p) > s, so up to ceil((1 - p) / p) units are taken.
 *
 * Repetition, order, the final sweep and the guarantee (1-minimal): see below, "reducing by
 * rank", which cdd shares.
 * Source: Wang, Shen, Chen, Xiong, Zhang, "Probabilistic Delta Debugging", ESEC/FSE
 * 2021.  Knobs: order, fixpoint. */

#include "reduce/list/probdd.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <pare/algorithm.h>

#include "reduce/list/algorithms.h"
#include "reduce/list/sweep.h"

/* ---- runs of units of the same rank ---------------------------------------------------- */

/* Runs of neighbouring units of the same rank: what ProbDD and CDD know of their units.
 *
 * Both keep a number for each unit (a probability, a counter) and choose the units with the lowest
 * ones.  Units that were treated alike have equal numbers, so runs of them are stored instead of
 * units: a choice costs O(runs * ranks), and a copy of the state a reference.
 *
 * Chosen are all runs of lower rank and one stretch of the units of the highest rank chosen,
 * numbered across their runs.  A walk over the runs in order of position counts those units, and
 * so knows which part of each run is chosen.  Invariant: no run is empty, neighbours differ in
 * rank (pare_probdd_runs_check). */

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
pare_status pare_probdd_runs_start(pare_runs *runs, size_t n, double rank, pare_error *err)
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
void pare_probdd_runs_retain(pare_runs *runs)
{
    pare_shared_retain(runs->shared);
}

void pare_probdd_runs_release(pare_runs *runs)
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
pare_lowest pare_probdd_runs_choose(const pare_runs *runs, pare_runs_limit limit, pare_side side)
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
pare_status pare_probdd_runs_edit(const pare_runs *runs, const pare_lowest *lowest, pare_edit *edit,
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
static double product_of(const pare_runs *runs, const pare_lowest *lowest)
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
pare_status pare_probdd_runs_drop(pare_runs *runs, const pare_lowest *lowest, pare_error *err)
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
pare_status pare_probdd_runs_raise(pare_runs *runs, const pare_lowest *lowest,
                                   pare_runs_raised raised, double by, pare_error *err)
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
bool pare_probdd_runs_check(const pare_runs *runs, size_t n)
{
    const struct run *run = items(runs);
    for (size_t i = 0; i < runs->n_runs; i++) {
        if (run[i].length == 0 || run[i].length > n) return false;
        if (i && run[i].rank == run[i - 1].rank) return false;
        n -= run[i].length;
    }
    return n == 0;
}

/* ---- reducing by rank --------------------------------------------------------------------- */

/* Reducing by rank: each unit has a rank, the higher the more likely it is needed.  A
 * test leaves out the units of the lowest ranks, as many as promise the greatest gain.
 * When it fails they go; when it passes their ranks rise, and a unit that was left out
 * alone is final: it stays.  A run ends when all units are final.
 *
 * What the sources ship is not 1-minimal, for three reasons, each answered here:
 *   - they take units of equal rank from the front, where the definitions stand: here
 *     from the back, unless the knob `order` is forward;
 *   - a final unit may become removable by a later success: the run is repeated until
 *     one removes nothing, which has then tried every unit alone;
 *   - with --no-fixpoint a sweep over single units follows when it is needed.
 * Candidates need not be contiguous, which gets them out of local minima where scans
 * are stuck (pairs that must go together).
 * Guarantee: 1-minimal, also for a single unit: the empty candidate is tested. */

/* How ranks begin and change: what makes ProbDD and CDD different. */
struct ranked_model {
    double first; /* rank of all units at the start */
    pare_runs_limit limit;
    pare_runs_raised raised; /* after a test that passed; `by` is the product over the
                                units left out of 1 - rank */
};

/* The state of both algorithms. */
struct ranked {
    const struct ranked_model *model; /* static */
    pare_runs runs;
    pare_lowest lowest; /* what is left out now */
    pare_side side;
    size_t n;       /* units */
    size_t n_final; /* units that were found needed alone */
    bool stale;     /* something went after that, so they may not be needed any more */
    bool repeated;  /* another run will follow if this one removes anything */
    bool sweeping;
    pare_sweep sweep;
};

/* Decides which units the next test leaves out; when all are final, the sweep starts. */
static void choose(struct ranked *ranked)
{
    ranked->lowest = pare_probdd_runs_choose(&ranked->runs, ranked->model->limit, ranked->side);
    if (ranked->lowest.size || ranked->repeated || !ranked->stale) return;
    ranked->sweeping = true;
    pare_sweep_start(&ranked->sweep, ranked->n);
}

/* Everything has the rank of the model at first, so the first choice is a stretch from one end. */
static pare_status ranked_start(struct ranked *ranked, const struct ranked_model *model, size_t n,
                                const pare_list_knobs *knobs, pare_error *err)
{
    *ranked = (struct ranked){.model = model, .n = n};
    ranked->side = knobs->order == PARE_ORDER_FORWARD ? PARE_SIDE_FIRST : PARE_SIDE_LAST;
    ranked->repeated = knobs->fixpoint != PARE_FIXPOINT_OFF;
    pare_status status = pare_probdd_runs_start(&ranked->runs, n, model->first, err);
    if (!status) choose(ranked);
    return status;
}

/* The choice was made when the last outcome came, so asking twice proposes the same. */
static pare_status ranked_next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct ranked *ranked = state;
    if (ranked->sweeping) return pare_sweep_next(&ranked->sweep, done, edit, err);
    *done = ranked->lowest.size == 0;
    if (*done) return PARE_OK;
    return pare_probdd_runs_edit(&ranked->runs, &ranked->lowest, edit, err);
}

/* The rank of a unit that is needed for certain because it was left out alone: infinite, so it is
 * never chosen again in this run. */
static double finally(double rank, double by)
{
    (void)rank;
    (void)by;
    return INFINITY;
}

/* A unit that was found needed before this success may not be needed any more. */
static pare_status remove_lowest(struct ranked *ranked, pare_error *err)
{
    pare_status status = pare_probdd_runs_drop(&ranked->runs, &ranked->lowest, err);
    if (status) return status;
    ranked->n -= ranked->lowest.size;
    if (ranked->n_final) ranked->stale = true;
    return PARE_OK;
}

/* Left out alone, a unit is needed for certain; of several only the odds are known. */
static pare_status raise_lowest(struct ranked *ranked, pare_error *err)
{
    if (ranked->lowest.size == 1) {
        pare_status status =
            pare_probdd_runs_raise(&ranked->runs, &ranked->lowest, finally, 0, err);
        if (!status) ranked->n_final++;
        return status;
    }
    double product = product_of(&ranked->runs, &ranked->lowest);
    return pare_probdd_runs_raise(&ranked->runs, &ranked->lowest, ranked->model->raised, product,
                                  err);
}

static pare_status ranked_tell(void *state, bool fails, pare_error *err)
{
    struct ranked *ranked = state;
    if (ranked->sweeping) {
        pare_sweep_tell(&ranked->sweep, fails);
        return PARE_OK;
    }
    pare_status status = fails ? remove_lowest(ranked, err) : raise_lowest(ranked, err);
    if (!status) choose(ranked);
    return status;
}

static void ranked_retain(void *state)
{
    struct ranked *ranked = state;
    pare_probdd_runs_retain(&ranked->runs);
}

static void ranked_release(void *state)
{
    struct ranked *ranked = state;
    pare_probdd_runs_release(&ranked->runs);
}

/* ---- probdd ------------------------------------------------------------------------------ */

/* Short of certainty, which only a test of the unit alone gives. */
static const double most_probable = 1 - 1e-9;

/* As many units as raise the expected gain: see the top of the file. */
static size_t limit(double probability, size_t before)
{
    (void)before;
    double most = (1 - probability) / probability;
    size_t whole = (size_t)most;
    return (double)whole < most ? whole + 1 : whole;
}

/* Bayes' rule: at least one of the units that were left out is needed. */
static double raised(double probability, double all_superfluous)
{
    double posterior = probability / (1 - all_superfluous);
    return posterior < most_probable ? posterior : most_probable;
}

static const struct ranked_model model = {.first = 0.1, .limit = limit, .raised = raised};

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)run;
    return ranked_start(state, &model, n, knobs, err);
}

const pare_list_algorithm pare_list_probdd = {
    .info = {.name = "probdd",
             .summary = "removes the units least likely to be needed; backward, to a fixpoint",
             .source = "Wang et al., Probabilistic Delta Debugging, FSE 2021",
             .one_minimal = true},
    .fixpoint = true,
    .knobs = PARE_KNOB_ORDER,
    .state_bytes = sizeof(struct ranked),
    .start = start,
    .next = ranked_next,
    .tell = ranked_tell,
    .retain = ranked_retain,
    .release = ranked_release,
};

/* ---- cdd --------------------------------------------------------------------------------- */

/* cdd: counter-based delta debugging.
 *
 * The rank of a unit is a counter c of the tests without it that passed, 0 at first.
 * Taken are the units of the lowest counters, as many as the lowest one asks for: the s
 * that makes s * (1 - p)^s greatest with p = 0.1 / (1 - 1/e)^c, and at least 1.  A
 * success takes them away, otherwise their counters rise by one.
 *
 * The source derives this from ProbDD, where each passing test divides p by about
 * 1 - 1/e: the counter is all that matters.
 *
 * Repetition, order, the final sweep and the guarantee (1-minimal): as probdd.
 * Source: Zhang et al., "Toward a Better Understanding of Probabilistic Delta
 * Debugging", ICSE 2025.  Knobs: order, fixpoint. */

static const double first_probability = 0.1;
static const double shrink = 0.63212055882855767; /* 1 - 1/e */

/* A further unit pays while s < (1 - p) / p, as in ProbDD, with the p that belongs to the
 * counter. */
static size_t cdd_limit(double counter, size_t before)
{
    if (before) return before;
    double probability = first_probability;
    for (size_t c = (size_t)counter; c > 0 && probability < 1; c--)
        probability /= shrink;
    if (probability >= 1) return 1;
    double most = (1 - probability) / probability;
    size_t whole = (size_t)most;
    return (double)whole < most ? whole + 1 : whole;
}

/* The counter of a unit: one more test without it passed. */
static double cdd_raised(double counter, double all_superfluous)
{
    (void)all_superfluous;
    return counter + 1;
}

static const struct ranked_model cdd_model = {.first = 0, .limit = cdd_limit, .raised = cdd_raised};

static pare_status cdd_start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                             pare_error *err)
{
    (void)run;
    return ranked_start(state, &cdd_model, n, knobs, err);
}

const pare_list_algorithm pare_list_cdd = {
    .info = {.name = "cdd",
             .summary = "probdd with counters instead of probabilities; backward, to a fixpoint",
             .source = "Zhang et al., counter-based delta debugging, ICSE 2025",
             .one_minimal = true},
    .fixpoint = true,
    .knobs = PARE_KNOB_ORDER,
    .state_bytes = sizeof(struct ranked),
    .start = cdd_start,
    .next = ranked_next,
    .tell = ranked_tell,
    .retain = ranked_retain,
    .release = ranked_release,
};
