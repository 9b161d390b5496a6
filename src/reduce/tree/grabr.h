/* GRABR: grammar-based reduction.
 *
 * Every child of a node, from the root down, is replaced by smaller trees of its own
 * symbol: first by those below it, then by such that an expansion of the grammar makes
 * from what is below it; a node's children are gone over until none can be replaced, then
 * it goes on below each.  The depth-oriented driver looks for replacements only at one
 * level below a child, the next one when nothing was found, and starts over when something
 * was.  The generative extension makes symbols that are not found: as small as can be, with
 * the input's own tokens where these are as short as any; and where such a symbol would stand
 * alone, from what is found below it, too.  So `100.99` becomes `1`, `NaN` or `100`
 * (exercise 2).
 *
 * All candidates are in the language if the input is and `expansions` are its grammar.
 * Source: seed 002, "Reducing failure-inducing inputs" of The Fuzzing Book (Zeller, Gopinath,
 * Böhme, Fraser, Holler), GrammarReducer.  Deviations: repeated tests are the cache's
 * business; depth 0, at which there is nothing, is passed over; `all_combinations` stops at
 * max_combinations of an expansion; a generated symbol is the leaves of its smallest tree,
 * without the nodes above them; a quantifier of the grammar, which the seed's grammars do not
 * have, may expand to nothing.  The root is replaced as any other node: the seed's code looks
 * at children only, for its grammars begin with `<start> ::= <expr>`.  What such a root could
 * give way to is what its child gives way to, and is left to that one: the seed's steps are
 * the same.
 * Cost: as many tests as there are replacements, without a bound worth stating. */
#ifndef PARE_REDUCE_TREE_GRABR_H
#define PARE_REDUCE_TREE_GRABR_H

#include "engine/strategy.h"
#include "reduce/tree/reductions.h"
#include "reduce/tree/tree.h"

typedef struct pare_grabr_options {
    pare_reduction_options reductions;
    bool by_depth; /* the depth-oriented driver */
} pare_grabr_options;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_grabr_new(const pare_tree *tree, const pare_grabr_options *options,
                                      pare_strategy **out, pare_error *err);

#endif
