/* What the end of a tree algorithm has shown, in a sentence. */
#ifndef PARE_TREE_SHOWN_H
#define PARE_TREE_SHOWN_H

#include "tree/table.h"

enum { PARE_TREE_SHOWN_BYTES = 160 };

/* Writes what is true of the result when a run of `algorithm` over its tree has changed
 * nothing; false when nothing is known of each single node: without a fixpoint, without
 * the step PRUNE, or with a list algorithm that does not try each node by itself.
 * `texts_known`: the tree's rules know minimal texts, so tokens have one other than their
 * own.  What `squeeze` and `hide` take out of play is no exception: for a node that is
 * squeezed another one with the same minimal text was tried, and one that is hidden
 * prints its own; what would print no less is not tried either. */
bool pare_tree_shown(const pare_tree_algorithm *algorithm, const pare_tree_setup *setup,
                     bool texts_known, char sentence[static PARE_TREE_SHOWN_BYTES]);

#endif
