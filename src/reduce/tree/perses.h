/* Perses: syntax-guided reduction in order of weight.
 *
 * The heaviest node in tokens is taken next.  The rounds of a star, plus or optional are
 * minimised as a list; any other node is left out, if the language allows, or replaced by
 * the lightest descendant that fits its place, found by a bounded breadth-first search; in
 * a list it may also be replaced by a list below it, whose rounds then take its place.
 * What cannot be replaced is opened: its children queue up.  One run of the strategy is
 * one round over one tree; to parse the result and run again until nothing changes is the
 * pipeline's part, and only that hops over production rules.
 *
 * Where the search ends at its bound, the bound costs a test for each few levels of a deep
 * nest.  So when the place was given to a node at the bound, a single node further down,
 * on the path of the heaviest children, is tried at twice the distance, and again, until
 * one fails; then at halves of it: O(log depth) tests.
 *
 * Source: Sun, Li, Zhang, Gu and Su, "Perses: Syntax-guided program reduction", ICSE 2018;
 * the bounds 3, 5 and 100 and the list minimiser are those of its tool.  Deviations: the
 * doubling; the root is queued, not its children; a level of the search is one where tokens are
 * lost, which is what collapsed chains give Perses; weights are those of the tree as
 * parsed.  Seed 000's listing under that name is something else: it takes the lightest
 * node first, never uses its sorted list with the empty expansion, and knows no lists; its
 * intent, the smallest subtree of the same symbol, is what is done here, and with `own_symbol`
 * its example comes to the seed's result. */
#ifndef PARE_REDUCE_TREE_PERSES_H
#define PARE_REDUCE_TREE_PERSES_H

#include "engine/strategy.h"
#include "reduce/list/algorithms.h"
#include "reduce/tree/tree.h"

#include <pare/algorithm.h>

/* The zero value of each is the tool's. */
typedef struct pare_perses_options {
    const pare_list_algorithm *list; /* NULL: pare_list_halves */
    pare_list_knobs knobs;
    unsigned max_depth;      /* of the search for a descendant; 0: 5 */
    unsigned max_list_depth; /* of the search for a list; 0: 3 */
    size_t max_candidates;   /* for one node; 0: 100 */
    bool own_symbol;         /* of candidates of one weight, those of the node's symbol first */
} pare_perses_options;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM.
 * Cost: at most 2 tests a list element and max_candidates a node; a nest of depth n in which
 * any part will do, O(log n) tests. */
PARE_CHECK pare_status pare_perses_new(pare_tree *tree, const pare_perses_options *options,
                                       pare_strategy **out, pare_error *err);

#endif
