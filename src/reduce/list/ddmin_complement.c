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
#include "reduce/list/algorithm.h"
#include "reduce/list/algorithms.h"

#include <pare/algorithm.h>

struct state {
    size_t n, parts;
    double start, length; /* of the stretch to leave out, in units */
    bool done;
};

/* With more parts than units the source meets its own configuration until the two
 * agree; that costs no test. */
static void start_round(struct state *s, size_t parts)
{
    s->done = s->n < 2;
    if (s->done) return;
    s->parts = parts < s->n ? parts : s->n;
    s->start = 0;
    s->length = (double)s->n / (double)s->parts;
}

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
    start_round(s, 2);
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

static pare_status tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    struct state *s = state;
    if (fails) {
        pare_range out = stretch(s);
        s->n -= out.to - out.from;
        start_round(s, s->parts > 2 ? s->parts - 1 : 2);
        return PARE_OK;
    }
    s->start += s->length;
    if (s->start < (double)s->n) return PARE_OK;
    if (s->parts == s->n)
        s->done = true;
    else
        start_round(s, s->parts * 2);
    return PARE_OK;
}

const pare_list_algorithm pare_list_ddmin_complement = {
    .info = {.name = "ddmin-complement",
             .summary = "ddmin that only leaves parts out, starting over after each success",
             .source = "DeltaDebuggingReducer of The Fuzzing Book",
             .one_minimal = true},
    .state_bytes = sizeof(struct state),
    .start = start,
    .next = next,
    .tell = tell,
};
