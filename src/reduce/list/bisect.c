/* bisect: leaves out one half or the other, for as long as one of them can go.
 *
 * What is needed in one place only is found in one or two tests a halving; it stops where
 * both halves are needed.  No algorithm by itself, but a cheap look before others: where
 * it is of no use it costs two tests.
 * Guarantee: none.  Source: binary search; the first steps of ddmin with two subsets.
 * Cost: at most 2 log2(n) tests.  No knobs.
 *
 * bisect-ends: where few units are left of many it then trims either end, by halving too,
 * and leaves out what stands between in one test: what is needed in two places, such as a
 * bracket and the one that closes it, is found in about as many tests more.  For units
 * without parts: inside large ones there is more to find than by trimming them.
 * Cost: at most 2 log2(FEW) + 1 tests more. */
#include "reduce/list/algorithms.h"

#include <pare/algorithm.h>

enum {
    FEW = 64, /* units, at most, of which the ends are looked for ... */
    SHARE = 8 /* and this part of all, so that much has gone before */
};

typedef enum step { REAR, FRONT, TAIL, HEAD, INSIDE, DONE } step;

struct state {
    bool ends;    /* are looked for */
    size_t n_all; /* units at the start */
    size_t n;     /* units */
    step step;    /* what is tried to be left out */
    size_t front; /* a needed one stands among so many of the first ... */
    size_t rear;  /* ... and of the last, once neither half can go */
};

/* A single unit or none is not tried. */
static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)knobs;
    (void)run;
    (void)err;
    *(struct state *)state = (struct state){.n_all = n, .n = n, .step = n < 2 ? DONE : REAR};
    return PARE_OK;
}

/* Nothing changes here, so asking twice proposes the same. */
static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct state *s = state;
    const size_t n = s->n, middle = n - n / 2;
    *done = s->step == DONE;
    switch (s->step) {
    case REAR: return pare_edit_add(edit, middle, n, err);
    case FRONT: return pare_edit_add(edit, 0, middle, err);
    case TAIL: return pare_edit_add(edit, n - s->rear / 2, n, err);
    case HEAD: return pare_edit_add(edit, 0, s->front / 2, err);
    case INSIDE: return pare_edit_add(edit, 1, n - 1, err);
    case DONE: break;
    }
    return PARE_OK;
}

/* A half that can go goes, and what is left is halved again; when neither can, each half holds a
 * unit that is needed. */
static void tell_half(struct state *s, bool fails)
{
    const size_t rear = s->n / 2, front = s->n - rear;
    if (fails) {
        s->n = s->step == FRONT ? rear : front;
        s->step = s->n < 2 ? DONE : REAR;
    } else if (s->step == REAR) {
        s->step = FRONT;
    } else {
        s->front = front;
        s->rear = rear;
        s->step = s->ends && s->n <= FEW && s->n <= s->n_all / SHARE ? TAIL : DONE;
    }
}

/* Half of the units at one end (`holds` of them hold a needed one) was left out. If the failure is
 * still there, that half goes; otherwise the needed unit is in it. Either way what is known to hold
 * it has halved; a single unit that is left is needed itself. */
static void tell_end(struct state *s, size_t *holds, bool fails)
{
    const size_t half = *holds / 2;
    if (fails) s->n -= half;
    *holds = fails ? *holds - half : half;
}

/* Each step goes on until it can do no more: halves of all, then (bisect-ends) the tail and the
 * head around the two needed units, then everything between them in one test. */
static pare_status tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    struct state *s = state;
    switch (s->step) {
    case REAR:
    case FRONT: tell_half(s, fails); break;
    case TAIL: tell_end(s, &s->rear, fails); break;
    case HEAD: tell_end(s, &s->front, fails); break;
    case INSIDE:
    case DONE: s->step = DONE; break;
    }
    if (s->step == TAIL && s->rear == 1) s->step = HEAD;
    if (s->step == HEAD && s->front == 1) s->step = s->n > 2 ? INSIDE : DONE;
    return PARE_OK;
}

static pare_status start_ends(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                              pare_error *err)
{
    pare_status status = start(state, n, knobs, run, err);
    ((struct state *)state)->ends = true;
    return status;
}

const pare_list_algorithm pare_list_bisect = {
    .info = {.name = "bisect",
             .summary = "removes one half or the other as long as one of them can go",
             .source = "binary search"},
    .state_bytes = sizeof(struct state),
    .start = start,
    .next = next,
    .tell = tell,
};

const pare_list_algorithm pare_list_bisect_ends = {
    .info = {.name = "bisect-ends",
             .summary = "bisect, then the ends of the few units that are left",
             .source = "binary search"},
    .state_bytes = sizeof(struct state),
    .start = start_ends,
    .next = next,
    .tell = tell,
};
