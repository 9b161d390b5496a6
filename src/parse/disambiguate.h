/* The tree among all that an Earley chart allows: the one ANTLR takes.
 *
 * ANTLR decides from left to right and from the outside in, each time for the first
 * alternative with which the rest can still be parsed; a greedy loop goes on while it can,
 * a lazy one ends as soon as it can.  So the tree wanted is the first one in the order of
 * these decisions.  It is built directly, never enumerated: at each decision the ways that
 * lead to an end which the context accepts are known from the chart.
 * Source: Parr, Harwell, Fisher, "Adaptive LL(*) parsing", OOPSLA 2014. */
#ifndef PARE_PARSE_DISAMBIGUATE_H
#define PARE_PARSE_DISAMBIGUATE_H

#include "parse/chart.h"
#include "parse/parse_tree.h"
#include "parse/tree_writer.h"

/* Fills nodes and n_nodes of *tree, from the `n_finishes` >= 1 accepted ends (ascending).
 * Empty quantifiers make no node.  O(nodes) where the grammar is not ambiguous.
 * Errors: PARE_E_LIMIT (2^32 nodes), PARE_E_NOMEM; *tree is untouched then. */
PARE_CHECK pare_status pare_disambiguate_tree(const pare_chart *chart, const pare_letters *letters,
                                              const pare_finish *finishes, size_t n_finishes,
                                              pare_parse_tree *tree, pare_error *err);

#endif
