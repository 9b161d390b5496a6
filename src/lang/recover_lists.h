/* Quantifiers in trees of tree-sitter: what the grammar repeats or leaves open stands below
 * STAR, PLUS and OPTIONAL nodes, as in the trees of our own parser.
 *
 * Tree-sitter's trees do not tell a list from a sequence.  The rule of each node does: its
 * children are matched against it (shape.h), and a node is put in for every quantifier that
 * has any, an ITEM for every round of several children.  So reducers that know quantifiers
 * work on them.
 *
 *   - What may stand anywhere (comments) is a round of its own in lists, a plain child
 *     elsewhere; so are stretches that did not parse and text without a node.
 *   - Where children match no rule, because the text has errors, they are taken for a list
 *     of segments that end with a comma, a semicolon or a line, each of them a list of
 *     its children: what brackets make of a text.
 *   - `alternative` of a node that has its place in a rule is 1 + the number of the set of
 *     what else may stand there (grammar/content.h), or 0: only its own kind. */
#ifndef PARE_LANG_RECOVER_LISTS_H
#define PARE_LANG_RECOVER_LISTS_H

#include "lang/language.h"
#include "parse/parse_tree.h"
#include "parse/shape.h"

/* One thread; keeps what it learnt from one tree to the next. */
typedef struct pare_list_recovery pare_list_recovery;

/* `models`, with the language's content models, is borrowed.  On PARE_OK the caller
 * owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_recover_lists_new(const pare_language_models *models,
                                              pare_list_recovery **out, pare_error *err);
void pare_recover_lists_free(pare_list_recovery *recovery); /* NULL is a no-op */

/* The tree of `tree` (made by tree-sitter from `bytes`) with quantifiers.  Linear in its
 * nodes.  On PARE_OK the caller ends *out with pare_parse_tree_done.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT; *out is untouched then. */
PARE_CHECK pare_status pare_recover_lists(pare_list_recovery *recovery, const pare_parse_tree *tree,
                                          const char *bytes, pare_separators separators,
                                          pare_parse_tree *out, pare_error *err);

#endif
