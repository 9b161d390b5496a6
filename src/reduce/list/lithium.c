/* lithium: Lithium's "minimize": backward scans with chunks whose size halves.
 *
 * The first size is the largest power of two below n.  A scan leaves out the `size`
 * units that end at `end`, starting from the last; whether they can go or not, the scan
 * continues before them, but after a failure with chunks of one or two units only one
 * unit further on, so that pairs are met whatever their alignment.  Then the size
 * halves, skipping sizes that are not below n.  Size 1 repeats while a scan removes
 * something.
 *
 * Guarantee: 1-minimal; the empty candidate is never tested (a chunk that has come to
 * be all that is left is skipped), so one remaining unit is taken as needed.
 * Source: the tool Lithium (Ruderman), strategy minimize, repeat = last.
 * Cost: O(m log n) tests for m units needed in a monotone oracle.  No knobs. */
#include "reduce/list/algorithms.h"

#include <assert.h>
#include <pare/algorithm.h>

struct state {
    size_t n;
    size_t size;  /* of a chunk, units */
    size_t end;   /* of the chunk to leave out */
    bool removed; /* something, in this scan */
    bool done;
};

/* The largest power of two below `n`, which is at least 2. */
static size_t first_size(size_t n)
{
    size_t size = 1;
    while (size < n - size)
        size *= 2;
    return size;
}

/* The first chunk of a scan backward may be cut short by the front. */
static size_t chunk_start(const struct state *s)
{
    return s->end > s->size ? s->end - s->size : 0;
}

/* At the front, or where the chunk is all that is left, which is never tested. */
static bool at_end_of_scan(const struct state *s)
{
    return s->end == 0 || (s->end == s->n && s->size >= s->n);
}

/* Starts the next scan where one has ended. */
static void settle(struct state *s)
{
    if (s->n < 2) s->done = true;
    if (s->done || !at_end_of_scan(s)) return;
    s->done = s->size == 1 && !s->removed;
    if (s->size > 1) s->size /= 2;
    while (s->size > 1 && s->size >= s->n)
        s->size /= 2;
    s->end = s->n;
    s->removed = false;
}

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)knobs;
    (void)run;
    (void)err;
    struct state *s = state;
    *s = (struct state){.n = n, .end = n, .size = n < 2 ? 1 : first_size(n)};
    settle(s);
    return PARE_OK;
}

/* Proposes the chunk that ends at `end`. */
static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct state *s = state;
    *done = s->done;
    if (s->done) return PARE_OK;
    return pare_edit_add(edit, chunk_start(s), s->end, err);
}

/* The scan goes on before the chunk; after a failure with chunks of one or two units only one unit
 * further on, so that pairs are met whatever their alignment. */
static pare_status tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    struct state *s = state;
    size_t from = chunk_start(s);
    assert(!s->done && from < s->end && s->end <= s->n);
    if (fails) {
        s->n -= s->end - from;
        s->end = from;
        s->removed = true;
    } else {
        s->end = s->size <= 2 ? s->end - 1 : from;
    }
    settle(s);
    return PARE_OK;
}

const pare_list_algorithm pare_list_lithium = {
    .info = {.name = "lithium",
             .summary = "backward scans with halving chunks; single units until none can go",
             .source = "Lithium, strategy minimize (Ruderman)",
             .one_minimal = true},
    .state_bytes = sizeof(struct state),
    .start = start,
    .next = next,
    .tell = tell,
};
