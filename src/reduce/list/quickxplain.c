/* quickxplain: which units explain the failure, given all that stands before them.
 *
 *     QX(B, D, C):  if D is not empty and B fails, nothing of C is needed
 *                   if C is a single unit, it is needed
 *                   cut C into C1, C2
 *                   X2 = QX(B + C1, C1, C2);  X1 = QX(B + X2, X2, C1);  X1 + X2
 *
 * B is what surely stays for now, C what is searched, D what was added to B last; B and
 * C together are the current configuration.  So each test of B is the removal of the
 * one stretch C, the right half is searched before the left one, and definitions in
 * front of their uses stay in the background: few tests where they matter.
 *
 * The recursion is a stack of left halves.  All that is removed while a right half is
 * searched lies right of them, so their positions stay.
 *
 * The argument needs a monotone oracle.  As others exist, a sweep follows over what is
 * left (see sweep.c), and tests the empty candidate where one unit is left.
 * Guarantee: 1-minimal.
 * Source: Junker, "QuickXplain: Preferred explanations and relaxations for
 * over-constrained problems", AAAI 2004.  Deviation: the sweep.
 * Cost: O(k log(n/k) + k) tests for k units needed, and the sweep's.  No knobs. */
#include "reduce/list/algorithms.h"
#include "reduce/list/sweep.h"

#include <assert.h>

#include <pare/algorithm.h>

enum { MAX_DEPTH = 64 };

/* A left half to be searched when the right one next to it is done. */
struct left {
    size_t from, to;
    size_t after; /* units after the right half */
};

struct state {
    size_t n;
    size_t from, to; /* C; it is tested whether it can go */
    size_t depth;
    struct left pending[MAX_DEPTH];
    bool sweeping;
    pare_sweep sweep;
};

/* The recursion is done: the proof for oracles that are not monotone. */
static void start_sweep(struct state *s)
{
    s->sweeping = true;
    pare_sweep_start(&s->sweep, s->n);
}

/* Searches from .. to-1, known to be needed in part: cuts it and goes to the right half.
 * A single unit is needed, an empty stretch is done: goes to the next left half, where D
 * is what is left of the right one; nothing added to B means that C needs no test. */
static void search(struct state *s, size_t from, size_t to)
{
    while (to - from < 2) {
        if (s->depth == 0) {
            start_sweep(s);
            return;
        }
        struct left left = s->pending[--s->depth];
        from = left.from;
        to = left.to;
        bool background_grew = s->n - left.after > to;
        if (background_grew) {
            s->from = from;
            s->to = to;
            return;
        }
    }
    assert(s->depth < MAX_DEPTH);
    size_t middle = from + (to - from) / 2;
    s->pending[s->depth++] = (struct left){from, middle, s->n - to};
    s->from = middle;
    s->to = to;
}

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)knobs;
    (void)run;
    (void)err;
    struct state *s = state;
    *s = (struct state){.n = n};
    search(s, 0, n);
    return PARE_OK;
}

static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct state *s = state;
    if (s->sweeping) return pare_sweep_next(&s->sweep, done, edit, err);
    *done = false;
    return pare_edit_add(edit, s->from, s->to, err);
}

static pare_status tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    struct state *s = state;
    if (s->sweeping) {
        pare_sweep_tell(&s->sweep, fails);
    } else if (fails) {
        s->n -= s->to - s->from;
        search(s, s->from, s->from);
    } else {
        search(s, s->from, s->to);
    }
    return PARE_OK;
}

const pare_list_algorithm pare_list_quickxplain = {
    .info = {.name = "quickxplain",
             .summary = "divide and conquer with the other half kept as background, then sweeps",
             .source = "Junker, QuickXplain, AAAI 2004",
             .one_minimal = true},
    .state_bytes = sizeof(struct state),
    .start = start,
    .next = next,
    .tell = tell,
};
