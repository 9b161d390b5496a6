/* adaptive: backward growth of deletable runs.
 *
 * From the last unit to the first: how many units that end here can go together?  Tries
 * 1, 2, 3, 4, then doubles from 5 until it fails, then searches between by halving
 * (find_integer).  The longest run found goes, and the scan continues before it.
 * Passes repeat until every unit that is left has stayed in a row.
 *
 * A step that fails costs one test, one that removes k units O(log k): scanning
 * backward, uses go before what they use, so most steps are long.
 *
 * Each successful try of the search is taken at once: a longer one only removes more on
 * top of it.  So `grown` units are gone already, and a try leaves out the missing ones.
 * What reaches beyond the front counts as not deletable, without a test.
 *
 * Guarantee: 1-minimal, also for a single unit: the empty candidate is tested.
 * Source: MacIver's find_integer (Hypothesis) and "adaptive parallel deletion", 2023.
 * Deviations from a scan in whole passes, which change no result: the unit that ended a
 * run by being tried on top of it is not tried alone again, that would be the same
 * candidate; and the last pass ends where the one before it had its last success.
 * No knobs. */
#include "reduce/list/algorithms.h"

#include <pare/algorithm.h>

struct state {
    size_t n;
    size_t at;     /* one after the last unit of the run, before anything of it went */
    size_t grown;  /* units of the run that are gone */
    size_t length; /* of the run to try, above `grown` */
    size_t fails;  /* least length known to fail; 0: none yet */
    size_t misses; /* units in a row that could not go, since the last success */
    bool once;     /* one pass over the units is all */
};

/* Begins to look for a run that ends before position `at`. At the front of the list a pass ends,
 * and the next one begins at the last unit. */
static void start_run(struct state *s, size_t at)
{
    if (!at && s->once) s->misses = s->n;
    s->at = at ? at : s->n;
    s->grown = 0;
    s->length = 1;
    s->fails = 0;
}

/* The run cannot grow any further: goes on before it. A unit that the search tried on top of the
 * run and that stayed is passed over, since leaving it out alone would be the same candidate. */
static void end_run(struct state *s)
{
    size_t before = s->at - s->grown;
    bool tried_next = before > 0 && s->fails == s->grown + 1;
    if (tried_next) {
        s->misses++;
        before--;
    }
    start_run(s, before);
}

/* The length to try next; 0: the search is over. First 1, 2, 3, 4, then doubling until one fails at
 * `fails`, then halfway between the longest that went and `fails`. */
static size_t next_length(const struct state *s)
{
    if (s->fails) {
        size_t middle = s->grown + (s->fails - s->grown) / 2;
        return middle > s->grown ? middle : 0;
    }
    return s->grown <= 4 ? s->grown + 1 : 2 * s->grown;
}

/* Chooses the next length to try. A length that would reach beyond the front of the list counts as
 * failed, without a test. */
static void search(struct state *s)
{
    s->length = next_length(s);
    while (s->length > s->at) {
        s->fails = s->length;
        s->length = next_length(s);
    }
    if (!s->length) end_run(s);
}

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)knobs;
    (void)run;
    (void)err;
    struct state *s = state;
    *s = (struct state){.n = n};
    start_run(s, n);
    return PARE_OK;
}

static pare_status start_once(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                              pare_error *err)
{
    pare_status status = start(state, n, knobs, run, err);
    ((struct state *)state)->once = true;
    return status;
}

static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct state *s = state;
    *done = s->misses >= s->n;
    if (*done) return PARE_OK;
    return pare_edit_add(edit, s->at - s->length, s->at - s->grown, err);
}

static pare_status tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    struct state *s = state;
    if (fails) {
        s->n -= s->length - s->grown;
        s->grown = s->length;
        s->misses = 0;
        search(s);
        return PARE_OK;
    }
    s->fails = s->length;
    search(s);
    return PARE_OK;
}

const pare_list_algorithm pare_list_adaptive = {
    .info = {.name = "adaptive",
             .summary = "removes runs from the end, growing them while that works: long steps",
             .source = "MacIver, find_integer (Hypothesis), as a backward scan",
             .one_minimal = true},
    .state_bytes = sizeof(struct state),
    .start = start,
    .next = next,
    .tell = tell,
};

const pare_list_algorithm pare_list_adaptive_once = {
    .info = {.name = "adaptive-once",
             .summary = "adaptive, in a single pass over the units: a quick start",
             .source = "as adaptive"},
    .state_bytes = sizeof(struct state),
    .start = start_once,
    .next = next,
    .tell = tell,
};
