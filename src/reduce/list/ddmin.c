/* ddmin: minimising delta debugging.
 *
 * A round splits the configuration into `parts` parts.  It tests each part alone
 * (subset), then everything but each part (complement).  The first that fails becomes
 * the configuration: a subset starts again with two parts, a complement goes on with
 * one part less.  When none fails there are twice as many parts, until each part is a
 * single unit; a round of single units without success ends it.
 *
 * Invariant: 2 <= parts <= n as long as there is something to test.
 * Guarantee: 1-minimal.  As its definition demands, the empty configuration is taken
 * to pass and never tested, so one remaining unit counts as needed.
 * Source: seed 001, definition 1; Zeller and Hildebrandt, "Simplifying and Isolating
 * Failure-Inducing Input", IEEE TSE 28(2), 2002.
 *
 * Knobs, after Hodován and Kiss, "Practical Improvements to the Minimizing Delta
 * Debugging Algorithm", ICSOFT 2016, and their tool Picire:
 *   subsets      first (as defined), last, or skip
 *   order        in which the parts of a round are tried, subsets and complements alike
 *   granularity  the first number of parts and the factor by which it grows
 *   split        zeller: part i takes floor(rest / parts left); balanced: part i starts
 *                at floor(i * n / parts)
 * With neither `subsets` nor `order` given this is the definition.  With one of them it
 * is Picire's loop, which differs in one point: the complements do not start again with
 * the first part after a success, but go on beside the part that was removed; the
 * offset is scaled when the parts are split.  Picire's defaults are `order` = forward,
 * its recommended setting `subsets` = skip with `order` = backward.
 *
 * Deviation from Picire: it keeps the parts that a success leaves, here the remaining
 * units are split anew.  The zeller split gives the same parts either way (short parts
 * stand before long ones, and so they stay); the balanced split may not. */
#include "reduce/list/ddmin.h"

#include "base/random.h"
#include "base/wide.h"
#include "reduce/list/algorithms.h"

#include <pare/algorithm.h>

/* What one test of a round is about. */
struct trial {
    bool subset; /* else complement */
    size_t part;
    size_t from, to; /* positions of the part */
};

static bool like_picire(const pare_ddmin *dd)
{
    return dd->knobs.subsets != PARE_SUBSETS_DEFAULT || dd->knobs.order != PARE_ORDER_DEFAULT;
}

static size_t granularity(const pare_ddmin *dd)
{
    return dd->knobs.granularity < 2 ? 2 : dd->knobs.granularity;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Where part `part` begins; part `parts` begins at n. */
static size_t part_start(const pare_ddmin *dd, size_t part)
{
    size_t size = dd->n / dd->parts;
    size_t longer = dd->n % dd->parts; /* so many parts have one unit more */
    if (dd->knobs.split == PARE_SPLIT_BALANCED)
        return part * size + (size_t)((pare_wide)part * longer / dd->parts);
    size_t shorter = dd->parts - longer;
    return part * size + (part > shorter ? part - shorter : 0);
}

/* The part that is tried as number `i` of the round. */
static size_t ordered(const pare_ddmin *dd, size_t i)
{
    if (dd->knobs.order == PARE_ORDER_BACKWARD) return dd->parts - 1 - i;
    if (dd->knobs.order != PARE_ORDER_RANDOM || dd->parts > UINT32_MAX) return i;
    uint64_t seed = dd->knobs.seed + dd->round * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)pare_random_permute(seed, dd->parts, i);
}

static size_t tests_in_round(const pare_ddmin *dd)
{
    return dd->knobs.subsets == PARE_SUBSETS_SKIP ? dd->parts : 2 * dd->parts;
}

static struct trial current_trial(const pare_ddmin *dd)
{
    bool first_half = dd->index < dd->parts;
    bool subset = dd->knobs.subsets != PARE_SUBSETS_SKIP &&
                  first_half == (dd->knobs.subsets != PARE_SUBSETS_LAST);
    size_t part = ordered(dd, first_half ? dd->index : dd->index - dd->parts);
    if (!subset) part = (part + dd->offset) % dd->parts;
    return (struct trial){subset, part, part_start(dd, part), part_start(dd, part + 1)};
}

static void start_round(pare_ddmin *dd, size_t parts)
{
    dd->parts = parts;
    dd->index = 0;
    dd->round++;
    if (dd->n < 2) dd->done = true;
}

static void reduce_to_subset(pare_ddmin *dd, struct trial trial)
{
    dd->n = trial.to - trial.from;
    dd->offset = 0;
    start_round(dd, least(dd->n, granularity(dd)));
}

static void reduce_to_complement(pare_ddmin *dd, struct trial trial)
{
    dd->n -= trial.to - trial.from;
    dd->offset = like_picire(dd) ? trial.part : 0;
    start_round(dd, dd->parts > 2 ? dd->parts - 1 : least(dd->n, granularity(dd)));
}

static void increase_granularity(pare_ddmin *dd)
{
    if (dd->parts >= dd->n) {
        dd->done = true;
        return;
    }
    size_t factor = granularity(dd);
    size_t parts = factor > dd->n / dd->parts ? dd->n : dd->parts * factor;
    dd->offset = (size_t)((pare_wide)dd->offset * parts / dd->parts);
    start_round(dd, parts);
}

pare_status pare_ddmin_start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                             pare_error *err)
{
    (void)run;
    (void)err;
    pare_ddmin *dd = state;
    *dd = (pare_ddmin){.knobs = *knobs, .n = n};
    start_round(dd, least(n, granularity(dd)));
    return PARE_OK;
}

pare_status pare_ddmin_next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const pare_ddmin *dd = state;
    *done = dd->done;
    if (dd->done) return PARE_OK;
    struct trial trial = current_trial(dd);
    if (!trial.subset) return pare_edit_add(edit, trial.from, trial.to, err);
    pare_status status = pare_edit_add(edit, 0, trial.from, err);
    return status ? status : pare_edit_add(edit, trial.to, dd->n, err);
}

pare_status pare_ddmin_tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    pare_ddmin *dd = state;
    if (!fails) {
        if (++dd->index == tests_in_round(dd)) increase_granularity(dd);
        return PARE_OK;
    }
    struct trial trial = current_trial(dd);
    if (trial.subset)
        reduce_to_subset(dd, trial);
    else
        reduce_to_complement(dd, trial);
    return PARE_OK;
}

const pare_list_algorithm pare_list_ddmin = {
    .info = {.name = "ddmin",
             .summary = "delta debugging as defined: subsets, then complements, then finer parts",
             .source = "Zeller and Hildebrandt, TSE 2002",
             .one_minimal = true},
    .knobs = PARE_KNOBS_DDMIN,
    .state_bytes = sizeof(pare_ddmin),
    .start = pare_ddmin_start,
    .next = pare_ddmin_next,
    .tell = pare_ddmin_tell,
};
