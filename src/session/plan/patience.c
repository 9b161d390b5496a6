/* Patience: after a gain a run goes on for a hundred tests and half as many as it took to get
 * there.  Then it ends, whatever is left to try.
 *
 * Why a share of the past: when gains stop is known only afterwards, and the longer a run has
 * gone on, the longer are its pauses; so at most a third of all tests, and a hundred, are in vain
 * at the end.  Why at least a hundred: a small text is gone through by every phase in as many.
 *
 * What shows that the result is minimal is part of it, not exempt, so its tests are kept until
 * they are needed; where the text is too long for them, nothing is claimed.
 * Invariant: tests are counted, never time, so a run ends at the same place on every machine.
 * Source: ours; C-Vise and Shrink Ray leave it to the user to lose patience. */
#include "session/plan/patience.h"

#include "engine/engine.h"
#include "engine/limited.h"
#include "session/plan/work.h"

#include <pare/algorithm.h>

enum {
    LEAST = 100, /* tests */
    SHARE = 2,   /* of the tests before the gain: one in so many */
    LITTLE = 3   /* one in so many of both, with PARE_EFFORT_FAST */
};

/* Terms for lists and trees. They are given a little longer than passes, because they begin with
 * their largest parts, which are the least likely to go. */
const pare_early_stop_terms pare_patience_coarse_terms = {.first = 60, .tests = 60, .share = 0.01};
const pare_early_stop_terms pare_patience_terms = {.first = 40, .tests = 40, .share = 0.005};

/* Terms for a list of `n` units: a few tests, and one more for each halving, which is what finding
 * a single unit takes. */
pare_early_stop_terms pare_patience_among(size_t n)
{
    pare_early_stop_terms terms = {.first = 3, .tests = 3, .share = 0.02};
    for (; n > 1; n /= 2) {
        terms.first++;
        terms.tests++;
    }
    return terms;
}

/* The sum cannot overflow: nobody runs 2^63 tests. */
uint64_t pare_patience_after(uint64_t gained_at)
{
    return LEAST + gained_at / SHARE;
}

/* A third of the patience, for PARE_EFFORT_FAST, which may end with a larger result. */
static uint64_t little_after(uint64_t gained_at)
{
    return pare_patience_after(gained_at) / LITTLE;
}

/* How many tests may follow a gain, as a function of when it came (pare_engine_yield); NULL: no
 * limit. */
static uint64_t (*after(const pare_work *work))(uint64_t)
{
    if (work->effort == PARE_EFFORT_MAX || work->files || !work->again) return NULL;
    if (work->effort == PARE_EFFORT_FAST) return little_after;
    return pare_patience_after;
}

/* All of the patience is left while coarse phases run, since none of them repeats anything. */
uint64_t pare_patience_left(const pare_work *work)
{
    uint64_t (*const most)(uint64_t) = after(work);
    if (!most) return UINT64_MAX;
    const pare_engine_stats stats = pare_engine_statistics(work->session.engine);
    const uint64_t until = stats.gained_at + most(stats.gained_at);
    return until > stats.tests ? until - stats.tests : 0;
}

/* How many tests are to be kept for the final sweep over single units of a text of `size` bytes; 0
 * if they do not fit into `left`. A sweep that finds nothing takes one test for each unit, and some
 * for the runs of units that it tries first. */
uint64_t pare_patience_kept(uint64_t left, size_t size)
{
    const uint64_t needed = (uint64_t)size + size / 8 + 4;
    return left != UINT64_MAX && needed <= left ? needed : 0;
}

/* The engine follows later gains by itself. */
void pare_patience_guard(pare_work *work, const pare_early_stop_terms *yield, uint64_t kept)
{
    pare_guard_terms terms = {.after = after(work), .kept = kept};
    if (yield) terms.yield = *yield;
    pare_engine_guard(work->session.engine, &terms);
}
