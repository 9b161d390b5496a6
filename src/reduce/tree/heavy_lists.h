/* The first look at a large tree: elements of lists go, where that is worth much.
 *
 * A list is gone through from the rear, by halves: nothing that stands before an element needs
 * it, mostly, and what is small there (a call) keeps what is large before it (the function).
 * An element that holds nearly all of the bytes stands alone, so that what is light beside it
 * goes without it.  Once PARE_HEAVY_PATIENCE tests in a row left nothing out, what remains of
 * the list is put back, and of all that was put back the heaviest part is tried next: a run of
 * neighbours, cut where its bytes are halved, or a single element, opened when it cannot go.
 * Parts of less than a hundredth of the text are left to the run that follows, and so is the
 * candidate without anything.
 *
 * So the first hundred tests go to where the bytes are.
 *
 * Source: ours.  From the rear by halves is Perses' list minimiser (Sun, Li, Zhang, Gu and
 * Su, ICSE 2018), the heaviest first its order of nodes; that a part is cut by the weight of
 * its elements, not by their number, is Weighted Delta Debugging's (Zhou et al., ICSE 2025).
 * Measured: docs/lab/default.md. */
#ifndef PARE_REDUCE_TREE_HEAVY_LISTS_H
#define PARE_REDUCE_TREE_HEAVY_LISTS_H

#include "engine/strategy.h"
#include "reduce/tree/tree.h"

enum { PARE_HEAVY_PATIENCE = 7 };

/* Takes a reference to `tree`.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM.
 * Cost: at most two tests for each element of a hundredth of the text, and PARE_HEAVY_PATIENCE
 * and the logarithm of its length for each list of as much, between two successes.
 * Memory: 12 bytes a part of which something is left. */
PARE_CHECK pare_status pare_heavy_lists_new(pare_tree *tree, pare_strategy **out, pare_error *err);

#endif
