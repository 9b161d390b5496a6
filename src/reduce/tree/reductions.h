/* What GRABR may put in the place of a subtree: smaller trees of the same symbol, found in
 * it or built from what is in it.
 *
 * Source: seed 002 (The Fuzzing Book, "Reducing failure-inducing inputs"):
 * subtrees_with_symbol, alternate_reductions, symbol_reductions.  One thread. */
#ifndef PARE_REDUCE_TREE_REDUCTIONS_H
#define PARE_REDUCE_TREE_REDUCTIONS_H

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

void pare_reductions_done(pare_reductions *reductions);

/* What is looked for: trees of `symbol` that may stand at `node`. */
typedef struct pare_reduction_place {
    uint32_t node;
    pare_tree_symbol symbol;
    long
        depth; /* PARE_ANY_DEPTH, or the only level below `node` at which subtrees are looked for */
} pare_reduction_place;

/* Each appends to *to.  Errors: PARE_E_NOMEM. */

/* The subtrees of the symbol below the node, in pre-order. */
PARE_CHECK pare_status pare_reductions_subtrees(const pare_derivation *tree,
                                                pare_reduction_place place, pare_reductions *to,
                                                pare_error *err);

/* Smaller trees of the symbol made by its expansions, those with the fewest symbols first, from
 * subtrees below the node, and from what is made; fewest nodes first. */
PARE_CHECK pare_status pare_reductions_alternates(const pare_derivation *tree,
                                                  pare_reduction_place place,
                                                  const pare_reduction_options *options,
                                                  pare_reductions *to, pare_error *err);

/* Both, without repetitions. */
PARE_CHECK pare_status pare_reductions_all(const pare_derivation *tree, pare_reduction_place place,
                                           const pare_reduction_options *options,
                                           pare_reductions *to, pare_error *err);

#endif
