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
#include "reduce/list/algorithm.h"
#include "reduce/list/algorithms.h"

#include <pare/algorithm.h>

struct state {
    size_t n, at, length; /* length 0: done */
};

static size_t part_end(const struct state *s)
{
    return s->n - s->at < s->length ? s->n : s->at + s->length;
}

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)knobs;
    (void)run;
    (void)err;
    *(struct state *)state = (struct state){.n = n, .length = n / 2};
    return PARE_OK;
}

static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct state *s = state;
    *done = s->length == 0;
    if (*done) return PARE_OK;
    return pare_edit_add(edit, s->at, part_end(s), err);
}

static pare_status tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    struct state *s = state;
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
             .summary = "one forward scan per part length, halving; keeps its place",
             .source = "Gopinath, \"Delta Debugging\" (blog), iterative ddmin",
             .one_minimal = false},
    .state_bytes = sizeof(struct state),
    .start = start,
    .next = next,
    .tell = tell,
};
