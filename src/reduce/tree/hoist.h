/* Hoisting: which descendants may stand in the place of a node.
 * Source: Hodován et al., arXiv 2104.03637, as in Picireny: topmost descendants of the
 * same symbol.  Deviation: any symbol that fits the place will do. */
#ifndef PARE_REDUCE_TREE_HOIST_H
#define PARE_REDUCE_TREE_HOIST_H

#include "reduce/tree/state.h"

/* The first node from `from` on, in pre-order, that is in play below `item.node`, prints
 * less than it, and fits item.slot; PARE_NO_NODE if there is none.  To go on topmost,
 * ask from the `behind` of the last one; O(nodes passed). */
uint32_t pare_hoist_next(const pare_tree_state *state, pare_tree_item item, uint32_t from);

/* The same, but for all children, whatever fits; a child that prints all that the node
 * prints gives way to its own children. */
uint32_t pare_hoist_next_child(const pare_tree_state *state, pare_tree_item item, uint32_t from);

#endif
