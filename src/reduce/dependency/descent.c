/* Down over what compiles, and draws at the floor.
 *
 * A step leaves out the group of which most bytes are expected (deletions.h); outcomes are whether
 * it compiles, not whether it fails.  The suspects stay whole, with all that they need: nothing but
 * a failure could tell which part of them matters.
 * A draw adds the closures of up to four nodes to the set at the floor.  It is not closed again:
 * what was found not to be needed would come back.  Of some choices of nodes the first is taken that
 * adds little, for small programs are what the descent is for.
 *
 * Why not draw groups that go from what fails, as from the suspects' closure: with 80 to 170 KB left
 * one draw in ten fails, and removes a few hundredths (docs/lab/dependency.md).
 * Invariant: `left` compiles as far as anybody has said, and holds the suspects that it began with. */
#include "reduce/dependency/descent.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "base/shared.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/outline.h"

enum {
    STEP_SHARE = 200,  /* less than this part of the bytes is no step, */
    SMALL_STEP = 2,    /* nor are so few bytes */
    MOST_CHOICES = 20, /* groups that drop a suspect, one after the other */
    MOST_SAMPLES = 32, /* choices of nodes for one draw */
    ROOM = 1000        /* bytes that a draw may add, beside as many as there are */
};

void pare_descent_done(pare_descent *descent)
{
    pare_shared_release(descent->left);
    pare_deletions_done(&descent->deletions);
    *descent = (pare_descent){.left = NULL};
}

/* A copy by value shares the sets, which are replaced and never written. */
void pare_descent_share(pare_descent *copy)
{
    pare_shared_retain(copy->left);
    pare_deletions_share(&copy->deletions);
}

/* Puts another set in the place of the one that it is at. */
static void set_left(pare_descent *descent, const pare_dependency *graph, pare_shared *left)
{
    pare_shared_retain(left);
    pare_shared_release(descent->left);
    descent->left = left;
    descent->bytes = pare_dependency_print_size(graph, pare_shared_items(left));
}

/* The node that stays whole for a suspect: the suspect, or where it is a statement, the block
 * that it is in, since the statements that are left in the block lead to it. */
static uint32_t whole_of(const pare_dependency *graph, uint32_t suspect)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(graph);
    uint32_t parent = nodes[suspect].parent;
    bool block = nodes[suspect].roles & PARE_OUTLINE_PIECE && parent != PARE_NO_NODE &&
                 nodes[parent].roles & (PARE_OUTLINE_BODY | PARE_OUTLINE_PIECE);
    return block ? parent : suspect;
}

/* Whether all that is to stay of `left` is in `kept`: groups may drop what none of their nodes does alone, such as
 * the only two declarations of a name. */
static bool stays(const pare_descent *descent, const pare_descent_view *view,
                  const pare_dependency_bits *kept)
{
    const pare_dependency_bits *left = pare_shared_items(descent->left);
    const pare_dependency_node *nodes = pare_dependency_nodes(view->graph);
    for (size_t i = 0; i < view->n_suspects; i++) {
        uint32_t whole = whole_of(view->graph, view->suspects[i]);
        for (uint32_t k = whole; k < nodes[whole].after; k++)
            if (pare_dependency_has(left, k) && !pare_dependency_has(kept, k)) return false;
    }
    return true;
}

/* All that is left of a suspect's block counts as needed from the start: outcomes are only
 * whether a set compiles, and would let go of the very code that makes the compiler fail. */
pare_status pare_descent_begin(pare_descent *descent, const pare_descent_view *view,
                               pare_shared *left, pare_error *err)
{
    set_left(descent, view->graph, left);
    descent->at_floor = descent->is_over = false;
    pare_status status = pare_deletions_begin(&descent->deletions, view->graph, view->suspects,
                                              view->n_suspects, err);
    for (size_t i = 0; !status && i < view->n_suspects; i++)
        status = pare_deletions_need(&descent->deletions, view->graph, pare_shared_items(left),
                                     whole_of(view->graph, view->suspects[i]), err);
    return status;
}

/* Bits that look random, the same each time: multiplied and folded in the manner of SplitMix64,
 * of which the upper half is taken.  The draws have to be the same in each run of the same
 * input. */
static uint32_t scramble(uint64_t number)
{
    number = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ number >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(number >> 32);
}

/* Chooses up to PARE_DESCENT_EXTRAS nodes that a draw adds.  `number` is another one for each
 * draw, sample and place, so no state is kept.  A node that is there already, is out of reach,
 * or is only a shell is passed over, so there may be fewer. */
static void choose_extras(pare_descent *descent, const pare_descent_view *view, unsigned sample)
{
    const pare_dependency_bits *left = pare_shared_items(descent->left);
    uint32_t n_nodes = pare_dependency_count(view->graph);
    uint64_t number = ((uint64_t)descent->n_draws * MOST_SAMPLES + sample) * PARE_DESCENT_EXTRAS;
    descent->n_extras = 0;
    /* Later samples are of fewer nodes: the closures of several are hardly ever all small. */
    unsigned most = 1 + (descent->n_draws + sample) % PARE_DESCENT_EXTRAS;
    if (sample >= MOST_SAMPLES / 2) most = 1;
    for (unsigned i = 0; i < most; i++) {
        uint32_t node = scramble(number + i) % n_nodes;
        bool shell = pare_dependency_nodes(view->graph)[node].roles & PARE_OUTLINE_SHELL;
        bool may = pare_dependency_has(view->query->within, node) &&
                   !(view->query->without && pare_dependency_has(view->query->without, node));
        if (may && !shell && !pare_dependency_has(left, node))
            descent->extras[descent->n_extras++] = node;
    }
}

/* Makes of `kept` the set at the floor and the closure of the nodes.  The closure is bare: what
 * is always kept was left out by the descent if it could be, and must not come back with each
 * draw. */
static pare_status add_extras(const pare_descent *descent, const pare_descent_view *view,
                              pare_dependency_bits *kept, pare_error *err)
{
    const pare_dependency_bits *left = pare_shared_items(descent->left);
    size_t n_words = pare_dependency_set_size(view->graph);
    pare_dependency_query query = *view->query;
    query.bodies = false;
    query.bare = true; /* the descent has left that out */
    memset(kept, 0, n_words * sizeof *kept);
    for (size_t i = 0; i < descent->n_extras; i++)
        pare_dependency_add(kept, descent->extras[i]);
    pare_status status = pare_dependency_close(view->graph, &query, kept, err);
    for (size_t i = 0; !status && i < n_words; i++)
        kept[i] |= left[i];
    return status;
}

/* Takes the first choice of nodes that adds at most as much as there is and ROOM bytes, or else
 * the smallest of all samples, which is made once more at the end.  It is over if with none the
 * set is smaller than what fails: then nothing that could be drawn is a gain. */
static pare_status draw(pare_descent *descent, const pare_descent_view *view,
                        pare_dependency_bits *kept, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t least = view->bytes;
    unsigned best = 0;
    bool fits = false;
    for (unsigned sample = 0; !status && !fits && sample < MOST_SAMPLES; sample++) {
        choose_extras(descent, view, sample);
        status = add_extras(descent, view, kept, err);
        size_t bytes = status ? 0 : pare_dependency_print_size(view->graph, kept);
        if (!descent->n_extras || bytes <= descent->bytes || bytes >= least) continue;
        least = bytes;
        best = sample;
        fits = bytes <= 2 * descent->bytes + ROOM;
    }
    descent->is_over = least == view->bytes;
    if (status || fits || descent->is_over) return status;
    choose_extras(descent, view, best);
    return add_extras(descent, view, kept, err);
}

/* Goes down as long as a group is worth a step.  Groups that would drop a part of a suspect are
 * told to the deletions as failures without a test, at most MOST_CHOICES times in a row.  At the
 * floor it draws. */
pare_status pare_descent_propose(pare_descent *descent, const pare_descent_view *view,
                                 pare_dependency_bits *kept, pare_error *err)
{
    assert(descent->left);
    if (descent->at_floor) return draw(descent, view, kept, err);
    pare_dependency_query query = *view->query;
    query.within = pare_shared_items(descent->left);
    const pare_deletions_view deletions = {.graph = view->graph,
                                           .query = &query,
                                           .roots = view->roots,
                                           .n_roots = view->n_roots,
                                           .bytes = descent->bytes};
    for (unsigned n = 0; n < MOST_CHOICES; n++) {
        double expected;
        pare_status status =
            pare_deletions_choose(&descent->deletions, &deletions, kept, &expected, err);
        if (status) return status;
        if (expected < SMALL_STEP || expected < (double)descent->bytes / STEP_SHARE) break;
        if (stays(descent, view, kept)) return PARE_OK;
        status = pare_deletions_tell(&descent->deletions, view->graph, false, NULL, err);
        if (status) return status;
        memset(kept, 0, pare_dependency_set_size(view->graph) * sizeof *kept);
    }
    descent->at_floor = true;
    return draw(descent, view, kept, err);
}

/* Of a draw nothing is learned; the next one has other nodes.  Before the floor, a set that
 * compiles is where the descent goes on. */
pare_status pare_descent_tell(pare_descent *descent, const pare_dependency *graph,
                              pare_shared *proposed, bool holds, pare_error *err)
{
    if (descent->at_floor) {
        descent->n_draws++;
        return PARE_OK;
    }
    if (holds) set_left(descent, graph, proposed);
    return pare_deletions_tell(&descent->deletions, graph, holds, NULL, err);
}
