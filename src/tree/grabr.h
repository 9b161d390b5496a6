/* GRABR: grammar-based reduction.
 *
 * Every child of a node, from the root down, is replaced by smaller trees of its own
 * symbol: first by those below it, then by such that an expansion of the grammar makes
 * from what is below it; a node's children are gone over until none can be replaced, then
 * it goes on below each.  The depth-oriented driver looks for replacements only at one
 * level below a child, the next one when nothing was found, and starts over when something
 * was.  The generative extension fills in symbols that are not found with their shortest
 * text: `100.99` becomes a number that is not there, or `NaN` (exercise 2).
 *
 * All candidates are in the language if the input is and `expansions` are its grammar.
 * Source: seed 002, "Reducing failure-inducing inputs" of The Fuzzing Book (Zeller, Gopinath,
 * Böhme, Fraser, Holler), GrammarReducer.  Deviations: repeated tests are the cache's
 * business; depth 0, at which there is nothing, is passed over; `all_combinations` stops at
 * max_combinations of an expansion; a generated symbol is one leaf; a quantifier of
 * the grammar, which the seed's grammars do not have, may expand to nothing.
 * Cost: as many tests as there are replacements, without a bound worth stating. */
#ifndef PARE_TREE_GRABR_H
#define PARE_TREE_GRABR_H

#include "engine/strategy.h"
#include "tree/reductions.h"

typedef struct pare_grabr_options {
    pare_reduction_options reductions;
    bool by_depth; /* the depth-oriented driver */
} pare_grabr_options;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_grabr_new(const pare_tree *tree, const pare_grabr_options *options,
                                      pare_strategy **out, pare_error *err);

#endif
