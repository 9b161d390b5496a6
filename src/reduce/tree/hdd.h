/* HDD: hierarchical delta debugging, level by level from the root.
 *
 * The nodes in play of a level are minimised as a list; what is pruned prints its minimal
 * text; the children of the rest are the next level.  With the fixpoint (HDD*, the default)
 * levels are gone over until nothing changes: then no single node in play can be pruned so
 * that less is printed (1-tree-minimal), if the list algorithm's results are 1-minimal.
 * Nodes for which no text is known are not tried (reduce/tree/shown.h says what was).  Coarse HDD
 * looks only at nodes that can go altogether, in far fewer tests, and makes no promise.
 * Source: Misherghi and Su, "HDD: hierarchical delta debugging", ICSE 2006; Hodován and
 * Kiss, A-TEST 2016; Coarse HDD: Hodován, Kiss and Gyimóthy, ICSME 2017 (seed 001,
 * algorithm 4).  Cost in tests: that of the list algorithm over each level and sweep. */
#ifndef PARE_REDUCE_TREE_HDD_H
#define PARE_REDUCE_TREE_HDD_H

#include "engine/strategy.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/walk.h"

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_hdd_new(pare_tree *tree, const pare_walk_options *options,
                                    pare_strategy **out, pare_error *err);

#endif
