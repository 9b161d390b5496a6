/* The order of a work list: walk->queue holds items queue_from .. queue_to-1, the oldest
 * first. */
#include "reduce/tree/hddr.h"

#include <string.h>

#include <pare/reduce.h>

#include "base/shared.h"
#include "engine/strategy.h"
#include "reduce/tree/state.h"
#include "reduce/tree/tree.h"

static bool takes_oldest(const pare_walk *walk)
{
    return walk->options.traversal == PARE_TRAVERSAL_FIRST_FORWARD ||
           walk->options.traversal == PARE_TRAVERSAL_FIRST_BACKWARD;
}

static bool puts_backward(const pare_walk *walk)
{
    return walk->options.traversal == PARE_TRAVERSAL_LAST_BACKWARD ||
           walk->options.traversal == PARE_TRAVERSAL_FIRST_BACKWARD;
}

/* Puts the configuration's items into the work list. */
static pare_status put(pare_walk *walk, pare_error *err)
{
    void *own = NULL;
    pare_status status =
        pare_shared_own(&walk->queue, walk->queue_to, walk->queue_to + walk->n, &own, err);
    if (status) return status;
    pare_tree_item *queue = own;
    if (walk->queue_from > walk->queue_to / 2) {
        memmove(queue, queue + walk->queue_from,
                (walk->queue_to - walk->queue_from) * sizeof *queue);
        walk->queue_to -= walk->queue_from;
        walk->queue_from = 0;
    }
    const pare_tree_item *items = pare_shared_items(walk->items);
    for (size_t i = 0; i < walk->n; i++)
        queue[walk->queue_to++] = items[puts_backward(walk) ? walk->n - 1 - i : i];
    return PARE_OK;
}

/* Takes nodes until one has children in play; these are the configuration. */
static pare_status take(pare_walk *walk, pare_error *err)
{
    pare_status status = PARE_OK;
    walk->n = 0;
    while (!status && !walk->n && walk->queue_from < walk->queue_to) {
        size_t at = takes_oldest(walk) ? walk->queue_from++ : --walk->queue_to;
        const pare_tree_item *queue = pare_shared_items(walk->queue);
        status = pare_walk_take_children(walk, &queue[at], 1, err);
    }
    return status;
}

static pare_status following(pare_walk *walk, pare_error *err)
{
    pare_status status = put(walk, err);
    return status ? status : take(walk, err);
}

static pare_status first(pare_walk *walk, pare_error *err)
{
    walk->queue_from = walk->queue_to = 0;
    pare_status status = pare_walk_take_root(walk, err);
    return status ? status : following(walk, err);
}

pare_status pare_hddr_new(pare_tree *tree, const pare_walk_options *options, pare_strategy **out,
                          pare_error *err)
{
    static const pare_walk_order work_list = {.first = first, .following = following};
    pare_walk_options full = *options;
    if (!full.n_phases) {
        full.phases[0] = (pare_walk_phase){{PARE_WALK_PRUNE}};
        full.n_phases = 1;
    }
    return pare_walk_new(tree, &work_list, &full, out, err);
}
