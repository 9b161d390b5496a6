/* ddrmin: recursive delta debugging.
 *
 * A stretch of the configuration is halved.  When the left half alone (with all that
 * surrounds the stretch) fails, or else the right one, the other half goes for good and
 * the same happens to the half that stays.  When neither fails both contribute: the
 * left half is reduced while the right one is intact, then the right one beside what
 * the left has become.  A stretch of one unit is needed.
 *
 * The recursion is a stack of the lengths of right halves still to do.  They lie one
 * after the other after the current stretch, so their positions follow from `from`,
 * and each is at most half as long as the one below it: 64 levels do.
 *
 * Guarantee: 1-minimal only for monotone oracles.  Inputs of one unit or none are
 * never tested; nor is the empty candidate.
 * Source: seed 000, ddrmin; Zeller, "Yesterday, my program worked.  Today, it does
 * not.  Why?", ESEC/FSE 1999.  Cost: at most 2n tests.  No knobs. */
#include "reduce/list/algorithms.h"

#include <assert.h>

#include <pare/algorithm.h>

enum { MAX_DEPTH = 64 };

struct state {
    size_t from, length; /* the stretch; length 0: done */
    size_t depth;
    size_t pending[MAX_DEPTH]; /* lengths of right halves */
    bool right;                /* whether the right half alone is tested */
};

/* Goes to the next stretch of at least two units: single units are needed. */
static void skip_single_units(struct state *s)
{
    while (s->length == 1) {
        s->from++;
        s->length = s->depth ? s->pending[--s->depth] : 0;
    }
}

/* The half that is left out. */
static pare_range other_half(const struct state *s)
{
    size_t middle = s->from + s->length / 2;
    if (s->right) return (pare_range){s->from, middle};
    return (pare_range){middle, s->from + s->length};
}

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)knobs;
    (void)run;
    (void)err;
    struct state *s = state;
    *s = (struct state){.length = n};
    skip_single_units(s);
    return PARE_OK;
}

static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct state *s = state;
    *done = s->length == 0;
    if (*done) return PARE_OK;
    pare_range out = other_half(s);
    return pare_edit_add(edit, out.from, out.to, err);
}

/* Both halves are needed: does the left one first. */
static void descend(struct state *s)
{
    assert(s->depth < MAX_DEPTH);
    s->pending[s->depth++] = s->length - s->length / 2;
    s->length /= 2;
}

/* The left half alone was tried first: if the failure is gone, the right one alone is next.
 * Whichever fails becomes the stretch; if neither does, both halves contribute, and are reduced one
 * after the other. */
static pare_status tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    struct state *s = state;
    if (!fails && !s->right) {
        s->right = true;
        return PARE_OK;
    }
    if (fails) {
        pare_range out = other_half(s);
        s->length -= out.to - out.from;
    } else {
        descend(s);
    }
    s->right = false;
    skip_single_units(s);
    return PARE_OK;
}

const pare_list_algorithm pare_list_ddrmin = {
    .info = {.name = "ddrmin",
             .summary = "recursive halving: reduces one half while keeping the other",
             .source = "Zeller, ESEC/FSE 1999; Gopinath, \"Delta Debugging\" (blog), ddrmin",
             .one_minimal = false},
    .state_bytes = sizeof(struct state),
    .start = start,
    .next = next,
    .tell = tell,
};
