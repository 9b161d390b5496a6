/* What a tree-sitter language says about the nodes of its trees: the facts of tree/tree.h,
 * from the language's grammar.json.
 *
 * For trees with quantifiers (parse/quantify.h).  A node may take another one's place if
 * the rule around that place takes its kind there too (both are expressions, say).  What
 * may stand anywhere, such as comments, and what did not parse may go. */
#ifndef PARE_PIPELINE_LANGUAGE_RULES_H
#define PARE_PIPELINE_LANGUAGE_RULES_H

#include "parse/legality.h"
#include "tree/tree.h"

/* The rules for trees of a language; they borrow `legality`, which knows its grammar. */
pare_tree_rules pare_language_rules_of(const pare_tree_legality *legality);

#endif
