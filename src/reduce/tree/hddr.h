/* HDDr: recursive hierarchical delta debugging, node by node from a work list.
 *
 * The children of one node are minimised as a list, then those that are left join the work
 * list; which node is taken next, and in which order children join, give four traversals.
 * The root itself is not tried.  Guarantees and options as for HDD (reduce/tree/hdd.h).
 * Source: Hodován and Kiss, "Modernizing hierarchical delta debugging", A-TEST 2016, and
 * their tool Picireny. */
#ifndef PARE_REDUCE_TREE_HDDR_H
#define PARE_REDUCE_TREE_HDDR_H

#include "engine/strategy.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/walk.h"

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_hddr_new(pare_tree *tree, const pare_walk_options *options,
                                     pare_strategy **out, pare_error *err);

#endif
