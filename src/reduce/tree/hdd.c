/* The order of levels: a level is the children of what is left of the one above, so a
 * sweep sees each node once, however deep the tree is. */
#include "reduce/tree/hdd.h"

#include "base/shared.h"
#include "engine/strategy.h"
#include "reduce/tree/tree.h"

static pare_status next_level(pare_walk *walk, pare_error *err)
{
    return pare_walk_take_children(walk, pare_shared_items(walk->items), walk->n, err);
}

pare_status pare_hdd_new(pare_tree *tree, const pare_walk_options *options, pare_strategy **out,
                         pare_error *err)
{
    static const pare_walk_order levels = {.first = pare_walk_take_root, .following = next_level};
    pare_walk_options full = *options;
    if (!full.n_phases) {
        full.phases[0] = (pare_walk_phase){{PARE_WALK_PRUNE}};
        full.n_phases = 1;
    }
    return pare_walk_new(tree, &levels, &full, out, err);
}
