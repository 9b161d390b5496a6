/* group-testing: finds the units that are needed as one finds the few bad ones among many
 * samples, by testing groups as large as the odds allow.
 *
 * From the last unit to the first: a group of units is left out.  If it can go, the next
 * group follows.  If not, halving finds the last unit of the group that is needed, one test
 * a halving, because of two halves one of which could go the other holds it, untested;
 * what lies before it in the group is as unknown as it was.  The first group is all there
 * is.  Later ones are as large as makes their chance to go about one half, by how dense
 * the needed units have been so far, and by how often one stood right before another:
 * needed units come in runs.
 *
 * What stands before the group in question is always there, so definitions stay with
 * their uses, as in quickxplain; but that goes back by all the halves it came through,
 * and this leaves out in one test what is likely to go in one piece.
 *
 * A sweep follows over what is left (see sweep.c).  Guarantee: 1-minimal.
 * Source: Hwang, "A method for detecting all defective members in a population by group
 * testing", JASA 67, 1972.  Deviations: the density is learned, runs are, and the sweep.
 * Cost: for k units needed of n, scattered, about k (log2(n/k) + 2) tests, and the
 * sweep's.  No knobs. */
#include "reduce/list/algorithms.h"
#include "reduce/list/sweep.h"

#include <pare/algorithm.h>

#include "base/group_odds.h"

struct state {
    size_t n;       /* units */
    size_t unknown; /* of them: the first ones, which were not tried yet */
    size_t holds;   /* the last so many unknown units hold a needed one; 0: not known to */
    size_t group;   /* how many are tried now; the last unknown ones */
    pare_group_odds odds;
    bool sweeping;
    pare_sweep sweep;
};

/* How many units have an even chance to go, after some needed ones were found.  What would be left over is
 * hardly worth a group of its own. */
static size_t even_group(const struct state *s)
{
    const double units = pare_group_odds_even(&s->odds);
    return units * 1.5 >= (double)s->unknown ? s->unknown : (size_t)units;
}

/* The next group: half of what holds a needed unit, or as many as have an even chance to go. */
static void choose(struct state *s)
{
    if (s->unknown == 0) {
        s->sweeping = true;
        pare_sweep_start(&s->sweep, s->n);
    } else if (s->holds) {
        s->group = s->holds / 2;
    } else {
        s->group = s->odds.n_needed ? even_group(s) : s->unknown;
    }
}

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)knobs;
    (void)run;
    (void)err;
    struct state *s = state;
    *s = (struct state){.n = n, .unknown = n};
    choose(s);
    return PARE_OK;
}

static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct state *s = state;
    if (s->sweeping) return pare_sweep_next(&s->sweep, done, edit, err);
    *done = false;
    return pare_edit_add(edit, s->unknown - s->group, s->unknown, err);
}

/* The group went. */
static void drop(struct state *s)
{
    pare_group_odds_note(&s->odds, s->group, false);
    s->n -= s->group;
    s->unknown -= s->group;
    if (s->holds) s->holds -= s->group;
}

/* The last unknown unit is needed. */
static void keep(struct state *s)
{
    pare_group_odds_note(&s->odds, 1, true);
    s->unknown--;
    s->holds = 0;
}

/* A group that has to stay holds a needed unit, which is then looked for by halving: `holds` is the
 * number of last units among which it must be, and 1 means that it is found. */
static pare_status tell(void *state, bool fails, pare_error *err)
{
    (void)err;
    struct state *s = state;
    if (s->sweeping) {
        pare_sweep_tell(&s->sweep, fails);
        return PARE_OK;
    }
    if (fails)
        drop(s);
    else
        s->holds = s->group;
    if (s->holds == 1) keep(s);
    choose(s);
    return PARE_OK;
}

const pare_list_algorithm pare_list_group_testing = {
    .info = {.name = "group-testing",
             .summary = "removes groups that are as likely to be removable as not, then sweeps",
             .source = "Hwang, JASA 67, 1972",
             .one_minimal = true},
    .state_bytes = sizeof(struct state),
    .start = start,
    .next = next,
    .tell = tell,
};
