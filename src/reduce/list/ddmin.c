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

#include <pare/algorithm.h>

#include "base/random.h"
#include "base/wide.h"
#include "reduce/list/algorithms.h"

/* The state machine of ddmin, shared by `ddmin` and `ddmin-parallel`.
 *
 * Immutable but through the functions below; plain memory, O(1).  What it does, and how
 * the knobs change it, stands at the top of this file. */

typedef struct pare_ddmin {
    pare_list_knobs knobs;
    size_t n;       /* units */
    size_t parts;   /* 2 .. n, while n is at least 2 */
    size_t index;   /* of the next test in this round */
    size_t offset;  /* the part at which a round of complements starts */
    uint64_t round; /* counts rounds, to draw another random order for each */
    bool done;
} pare_ddmin;

/* What one test of a round is about. */
struct trial {
    bool subset; /* else complement */
    size_t part;
    size_t from, to; /* positions of the part */
};

/* Whether the round goes as Picire's does: see the top of the file. */
static bool like_picire(const pare_ddmin *dd)
{
    return dd->knobs.subsets != PARE_SUBSETS_DEFAULT || dd->knobs.order != PARE_ORDER_DEFAULT;
}

/* The first number of parts and the factor by which it grows; below 2 nothing would be split. */
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

/* Which part is tried as number `i` of the round: the knob may ask for the order from the rear. */
static size_t ordered(const pare_ddmin *dd, size_t i)
{
    if (dd->knobs.order == PARE_ORDER_BACKWARD) return dd->parts - 1 - i;
    if (dd->knobs.order != PARE_ORDER_RANDOM || dd->parts > UINT32_MAX) return i;
    uint64_t seed = dd->knobs.seed + dd->round * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)pare_random_permute(seed, dd->parts, i);
}

/* One test for each part of each kind; a round that skips subsets has complements only. */
static size_t tests_in_round(const pare_ddmin *dd)
{
    return dd->knobs.subsets == PARE_SUBSETS_SKIP ? dd->parts : 2 * dd->parts;
}

/* What test number `index` of the round is about: computed anew each time, so nothing has to be
 * kept. */
static struct trial current_trial(const pare_ddmin *dd)
{
    bool first_half = dd->index < dd->parts;
    bool subset = dd->knobs.subsets != PARE_SUBSETS_SKIP &&
                  first_half == (dd->knobs.subsets != PARE_SUBSETS_LAST);
    size_t part = ordered(dd, first_half ? dd->index : dd->index - dd->parts);
    if (!subset) part = (part + dd->offset) % dd->parts;
    return (struct trial){subset, part, part_start(dd, part), part_start(dd, part + 1)};
}

/* Fewer than two units end it: the last one counts as needed, untested. */
static void start_round(pare_ddmin *dd, size_t parts)
{
    dd->parts = parts;
    dd->index = 0;
    dd->round++;
    if (dd->n < 2) dd->done = true;
}

/* The subset alone fails: it becomes the configuration, which is split from the coarsest
 * granularity on. */
static void reduce_to_subset(pare_ddmin *dd, struct trial trial)
{
    dd->n = trial.to - trial.from;
    dd->offset = 0;
    start_round(dd, least(dd->n, granularity(dd)));
}

/* One part is gone and the others keep their size; after the last of two parts the rest is split
 * anew. */
static void reduce_to_complement(pare_ddmin *dd, struct trial trial)
{
    dd->n -= trial.to - trial.from;
    dd->offset = like_picire(dd) ? trial.part : 0;
    start_round(dd, dd->parts > 2 ? dd->parts - 1 : least(dd->n, granularity(dd)));
}

/* No part of this round could go: finer parts, or the end if they are single units already. */
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

static pare_status ddmin_start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                               pare_error *err)
{
    (void)run;
    (void)err;
    pare_ddmin *dd = state;
    *dd = (pare_ddmin){.knobs = *knobs, .n = n};
    start_round(dd, least(n, granularity(dd)));
    return PARE_OK;
}

static pare_status ddmin_next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const pare_ddmin *dd = state;
    *done = dd->done;
    if (dd->done) return PARE_OK;
    struct trial trial = current_trial(dd);
    if (!trial.subset) return pare_edit_add(edit, trial.from, trial.to, err);
    pare_status status = pare_edit_add(edit, 0, trial.from, err);
    return status ? status : pare_edit_add(edit, trial.to, dd->n, err);
}

static pare_status ddmin_tell(void *state, bool fails, pare_error *err)
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
    .start = ddmin_start,
    .next = ddmin_next,
    .tell = ddmin_tell,
};

/* ---- ddmin-parallel ---------------------------------------------------------------------- */

/* ddmin-parallel: ddmin with its two cases of reduction combined.
 *
 * The source tests the subsets 1 .. n and the complements n+1 .. 2n of a round in one
 * parallel loop, without waiting for the subsets to end, and leaves open which of
 * several failing ones is taken.  Here it is the one of the lowest index, so that the
 * result does not depend on timing; the engine's running ahead is the parallel loop, for
 * `ddmin` as well.  Step by step the two are therefore the same: this name stands for
 * the source, and takes the same knobs.
 *
 * Guarantee: 1-minimal, as for ddmin.
 * Source: seed 001, algorithm 1; Hodován and Kiss, ICSOFT 2016. */

const pare_list_algorithm pare_list_ddmin_parallel = {
    .info = {.name = "ddmin-parallel",
             .summary = "ddmin with subsets and complements in one stream, lowest index first",
             .source = "Hodován and Kiss, ICSOFT 2016, algorithm 1",
             .one_minimal = true},
    .knobs = PARE_KNOBS_DDMIN,
    .state_bytes = sizeof(pare_ddmin),
    .start = ddmin_start,
    .next = ddmin_next,
    .tell = ddmin_tell,
};

/* ---- ddmin-complement -------------------------------------------------------------------- */

/* ddmin-complement: ddmin that tests complements only, as a teaching book has it.
 *
 * The configuration is cut into `parts` stretches of n / parts units, a real number.
 * Stretch k begins at the sum of k such lengths, added up in double precision and cut
 * off to whole positions, so that the trace equals that of the source, whose language
 * computes the same way.  Where rounding leaves the last sum just below n, one more,
 * shorter stretch is tested, as there.
 *
 * The source runs it with a cache of outcomes and so skips repeated candidates; here
 * they are proposed, and the engine's cache answers them.
 *
 * Guarantee: 1-minimal; one remaining unit is taken as needed (the source never tests
 * the empty input).
 * Source: seed 002, DeltaDebuggingReducer; Zeller et al., "The Fuzzing Book".
 * No knobs. */

struct state {
    size_t n, parts;
    double start, length; /* of the stretch to leave out, in units */
    bool done;
};

/* With more parts than units the source meets its own configuration until the two
 * agree; that costs no test. */
static void complement_start_round(struct state *s, size_t parts)
{
    s->done = s->n < 2;
    if (s->done) return;
    s->parts = parts < s->n ? parts : s->n;
    s->start = 0;
    s->length = (double)s->n / (double)s->parts;
}

/* The stretch that the next test leaves out, cut off to whole positions. */
static pare_range stretch(const struct state *s)
{
    size_t to = (size_t)(s->start + s->length);
    return (pare_range){(size_t)s->start, to < s->n ? to : s->n};
}

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)knobs;
    (void)run;
    (void)err;
    struct state *s = state;
    *s = (struct state){.n = n};
    complement_start_round(s, 2);
    return PARE_OK;
}

static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct state *s = state;
    *done = s->done;
    if (s->done) return PARE_OK;
    pare_range out = stretch(s);
    return pare_edit_add(edit, out.from, out.to, err);
}

/* A stretch that went leaves one part less, and the round starts again; when the last stretch of a
 * round has stayed, the parts are doubled, until each is a single unit. */
static pare_status tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    struct state *s = state;
    if (fails) {
        pare_range out = stretch(s);
        s->n -= out.to - out.from;
        complement_start_round(s, s->parts > 2 ? s->parts - 1 : 2);
        return PARE_OK;
    }
    s->start += s->length;
    if (s->start < (double)s->n) return PARE_OK;
    if (s->parts == s->n)
        s->done = true;
    else
        complement_start_round(s, s->parts * 2);
    return PARE_OK;
}

const pare_list_algorithm pare_list_ddmin_complement = {
    .info = {.name = "ddmin-complement",
             .summary = "ddmin with complements only, starting over after each success",
             .source = "DeltaDebuggingReducer of The Fuzzing Book",
             .one_minimal = true},
    .state_bytes = sizeof(struct state),
    .start = start,
    .next = next,
    .tell = tell,
};

/* ---- ddmin-blog -------------------------------------------------------------------------- */

/* ddmin-blog: one forward scan for each part length, the lengths halving.
 *
 * Leaves out `length` units from position `at` on.  After a success the next part has
 * moved to the same position, so the scan goes on there; at the end of the list the
 * length is halved and the scan starts at the front.
 *
 * Guarantee: 1-minimal only for monotone oracles: what the last scan kept early on is
 * not tried again after its later successes.  (The source claims more.)  The empty
 * candidate is tested where the source tests it, when one part covers all that is left;
 * an input of a single unit has a first length of 0 and is not tested at all.
 * Source: seed 000, the iterative ddmin.  Cost: O(n) tests.  No knobs. */

struct blog_state {
    size_t n, at, length; /* length 0: done */
};

/* The last part may be shorter. */
static size_t part_end(const struct blog_state *s)
{
    return s->n - s->at < s->length ? s->n : s->at + s->length;
}

static pare_status blog_start(void *blog_state, size_t n, const pare_list_knobs *knobs, size_t run,
                              pare_error *err)
{
    (void)knobs;
    (void)run;
    (void)err;
    *(struct blog_state *)blog_state = (struct blog_state){.n = n, .length = n / 2};
    return PARE_OK;
}

static pare_status blog_next(void *blog_state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct blog_state *s = blog_state;
    *done = s->length == 0;
    if (*done) return PARE_OK;
    return pare_edit_add(edit, s->at, part_end(s), err);
}

static pare_status blog_tell(void *blog_state, bool fails, pare_error *err)
{
    (void)err;
    struct blog_state *s = blog_state;
    size_t end = part_end(s);
    if (fails)
        s->n -= end - s->at;
    else
        s->at = end;
    if (s->at < s->n) return PARE_OK;
    s->at = 0;
    s->length = s->n ? s->length / 2 : 0;
    return PARE_OK;
}

const pare_list_algorithm pare_list_ddmin_blog = {
    .info = {.name = "ddmin-blog",
             .summary = "one forward scan for each part length, halving it; keeps its position",
             .source = "Gopinath, \"Delta Debugging\" (blog), iterative ddmin",
             .one_minimal = false},
    .state_bytes = sizeof(struct blog_state),
    .start = blog_start,
    .next = blog_next,
    .tell = blog_tell,
};
