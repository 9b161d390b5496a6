/* halves: Perses' list minimiser.  A stack of parts of the list, the last part on top; it
 * is tried to leave out exactly the part on top; a part that stays is split in two.
 *
 * Parts lie in order and only the one on top is cut, so the positions of those below do
 * not move: no renumbering.  Parts on the stack double in size towards its ground at
 * least, so 64 of them are enough.
 * Source: Sun et al., "Perses: Syntax-guided program reduction", ICSE 2018, and its tool's
 * default minimiser.  Cost: at most 2n tests. */
#include "reduce/list/algorithm.h"
#include "reduce/tree/node_list.h"

#include <pare/reduce.h>

enum { MAX_PARTS = 66 };

struct halves {
    size_t n_parts;
    pare_range parts[MAX_PARTS];
};

static void push(struct halves *halves, size_t from, size_t to)
{
    if (from < to) halves->parts[halves->n_parts++] = (pare_range){from, to};
}

static void split(struct halves *halves, pare_range part)
{
    size_t middle = part.from + (part.to - part.from) / 2;
    push(halves, part.from, middle);
    push(halves, middle, part.to);
}

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    struct halves *halves = state;
    (void)knobs;
    (void)run;
    (void)err;
    halves->n_parts = 0;
    push(halves, 0, n);
    return PARE_OK;
}

static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct halves *halves = state;
    *done = halves->n_parts == 0;
    if (*done) return PARE_OK;
    pare_range part = halves->parts[halves->n_parts - 1];
    return pare_edit_add(edit, part.from, part.to, err);
}

static pare_status tell(void *state, bool fails, pare_error *err)
{
    struct halves *halves = state;
    pare_range part = halves->parts[--halves->n_parts];
    (void)err;
    if (!fails && part.to - part.from > 1) split(halves, part);
    return PARE_OK;
}

const pare_list_algorithm pare_list_halves = {
    .info = {.name = "halves",
             .summary = "leaves out the last half, or the last half of that: each part once",
             .source = "Sun et al., ICSE 2018"},
    .state_bytes = sizeof(struct halves),
    .start = start,
    .next = next,
    .tell = tell,
};
