/* bisect: leaves out one half or the other, for as long as one of them can go.
 *
 * What is needed in one place only is found in one or two tests a halving; it stops where
 * both halves are needed.  No algorithm by itself, but a cheap look before others: where
 * it is of no use it costs two tests.
 * Guarantee: none.  Source: binary search; the first steps of ddmin with two subsets.
 * Cost: at most 2 log2(n) tests.  No knobs. */
#include "list/algorithms.h"

struct state {
    size_t n;   /* units */
    bool front; /* the rear half is needed: the front one is tried */
    bool done;
};

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)knobs;
    (void)run;
    (void)err;
    *(struct state *)state = (struct state){.n = n, .done = n < 2};
    return PARE_OK;
}

static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct state *s = state;
    size_t middle = s->n - s->n / 2;
    *done = s->done;
    if (s->done) return PARE_OK;
    return s->front ? pare_edit_add(edit, 0, middle, err) : pare_edit_add(edit, middle, s->n, err);
}

static pare_status tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    struct state *s = state;
    size_t half = s->n / 2;
    if (fails) {
        s->n = s->front ? half : s->n - half;
        s->front = false;
        s->done = s->n < 2;
    } else if (s->front) {
        s->done = true;
    } else {
        s->front = true;
    }
    return PARE_OK;
}

const pare_list_algorithm pare_list_bisect = {
    .info = {.name = "bisect",
             .summary = "leaves out one half or the other while one of them can go",
             .source = "binary search"},
    .state_bytes = sizeof(struct state),
    .start = start,
    .next = next,
    .tell = tell,
};
