/* GTR is a walk over levels with two steps of its own. */
#include "reduce/tree/gtr.h"

#include "engine/strategy.h"
#include "reduce/tree/hdd.h"
#include "reduce/tree/tree.h"

pare_status pare_gtr_new(pare_tree *tree, const pare_walk_options *options, pare_strategy **out,
                         pare_error *err)
{
    pare_walk_options full = *options;
    if (!full.n_phases) {
        full.phases[0] = (pare_walk_phase){{PARE_WALK_DELETE, PARE_WALK_CHILD}};
        full.n_phases = 1;
    }
    return pare_hdd_new(tree, &full, out, err);
}
