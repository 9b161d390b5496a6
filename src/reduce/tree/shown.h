/* What the end of a tree algorithm has shown, in a sentence. */
#ifndef PARE_REDUCE_TREE_SHOWN_H
#define PARE_REDUCE_TREE_SHOWN_H

#include "reduce/tree/table.h"
#include "reduce/tree/tree.h"

enum { PARE_TREE_SHOWN_BYTES = 160 };

/* What a tree's rules know of minimal texts. */
typedef enum pare_tree_texts {
    PARE_TEXTS_NONE, /* nothing: a node goes or stays, and tokens were not tried */
    PARE_TEXTS_SOME, /* those of some nodes; the others were not tried */
    PARE_TEXTS_ALL   /* every node's, tokens included */
} pare_tree_texts;

/* Of the rules of a tree: those that keep to a language need not know every text. */
pare_tree_texts pare_tree_texts_of(const pare_tree_rules *rules);

/* Writes what is true of the result when a run of `algorithm` over its tree has changed
 * nothing; false when nothing is known of each single node: without a fixpoint, without
 * the step PRUNE, or with a list algorithm that does not try each node by itself.
 * What `squeeze` and `hide` take out of play is no exception: for a node that is
 * squeezed another one with the same minimal text was tried, and one that is hidden
 * prints its own; what would print no less is not tried either. */
bool pare_tree_shown(const pare_tree_algorithm *algorithm, const pare_tree_setup *setup,
                     pare_tree_texts texts, char sentence[static PARE_TREE_SHOWN_BYTES]);

#endif
