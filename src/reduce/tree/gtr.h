/* GTR: generalized tree reduction.
 *
 * Level by level from the root: first the nodes of a level are deleted, as many as
 * possible, by list minimisation; then each is replaced by one of its children, greedily,
 * until no replacement on the level succeeds; then the next level.  The whole is repeated
 * until nothing changes (GTR*, the default).  It needs no grammar; templates learned from
 * example files keep it from edits that were never seen (reduce/tree/templates.h).
 * Source: Herfert, Patra and Pradel, ASE 2017.  Deviation: a replacement is taken as soon
 * as it succeeds, without backtracking over a level's other choices.  1-tree-minimal for
 * deletions without templates. */
#ifndef PARE_REDUCE_TREE_GTR_H
#define PARE_REDUCE_TREE_GTR_H

#include "engine/strategy.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/walk.h"

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_gtr_new(pare_tree *tree, const pare_walk_options *options,
                                    pare_strategy **out, pare_error *err);

#endif
