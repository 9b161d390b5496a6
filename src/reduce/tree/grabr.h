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
#include "reduce/tree/derivation.h"
#include "reduce/tree/tree.h"

/* One alternative of a symbol. */
typedef struct pare_expansion {
    const pare_tree_symbol *symbols; /* terminals among them */
    size_t n;
} pare_expansion;

/* The expansions that alternatives are built from.  Borrowed. */
typedef struct pare_expansions {
    const void *context;
    /* Sets *expansion to the index-th one of `symbol` in the grammar's order; false when
     * there is none. */
    bool (*get)(const void *context, pare_tree_symbol symbol, size_t index,
                pare_expansion *expansion);
    /* Generative GRABR: the shortest text of `symbol`; false when there is none.  May be
     * NULL: nothing is generated.  Of expansions with this text the input's own is taken. */
    bool (*shortest)(const void *context, pare_tree_symbol symbol, const char **text,
                     uint32_t *size);
} pare_expansions;

enum { PARE_ANY_DEPTH = -1 };

typedef struct pare_reduction_options {
    const pare_expansions *expansions; /* NULL: only subtrees */
    bool all_combinations;             /* of each expansion, not only the first that is smaller */
    bool generate;                     /* symbols that are not found are made */
    size_t max_combinations;           /* of one expansion; 0: 1000 */
} pare_reduction_options;

/* All-zero is empty. */
typedef struct pare_reductions {
    pare_reduction *items; /* owned */
    size_t n, capacity;
    pare_part *parts; /* owned */
    size_t n_parts, parts_capacity;
} pare_reductions;

void pare_grabr_reductions_done(pare_reductions *reductions);

/* What is looked for: trees of `symbol` that may stand at `node`. */
typedef struct pare_reduction_place {
    uint32_t node;
    pare_tree_symbol symbol;
    long
        depth; /* PARE_ANY_DEPTH, or the only level below `node` at which subtrees are looked for */
} pare_reduction_place;

/* Each appends to *to.  Errors: PARE_E_NOMEM. */

/* The subtrees of the symbol below the node, in pre-order. */
PARE_CHECK pare_status pare_grabr_subtrees(const pare_derivation *tree, pare_reduction_place place,
                                           pare_reductions *to, pare_error *err);

/* Smaller trees of the symbol made by its expansions, those with the fewest symbols first, from
 * subtrees below the node, and from what is made; fewest nodes first. */
PARE_CHECK pare_status pare_grabr_alternates(const pare_derivation *tree,
                                             pare_reduction_place place,
                                             const pare_reduction_options *options,
                                             pare_reductions *to, pare_error *err);

/* Both, without repetitions. */
PARE_CHECK pare_status pare_grabr_all_reductions(const pare_derivation *tree,
                                                 pare_reduction_place place,
                                                 const pare_reduction_options *options,
                                                 pare_reductions *to, pare_error *err);

typedef struct pare_grabr_options {
    pare_reduction_options reductions;
    bool by_depth; /* the depth-oriented driver */
} pare_grabr_options;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_grabr_new(const pare_tree *tree, const pare_grabr_options *options,
                                      pare_strategy **out, pare_error *err);

#endif
