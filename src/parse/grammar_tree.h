/* A tree of tree-sitter's as a tree of its grammar: what the grammar model has made of the text.
 *
 * Tree-sitter shows neither hidden rules nor quantifiers nor which of several aliases a node came
 * by.  Here they are put back: the result is what our own parser would have made of the text by
 * the grammar model (grammar/tree_sitter_grammar.h), so all that reads such trees (learning of
 * weights, populations) reads these.
 *
 *   - A node is a RULE of the grammar, hidden ones and aliases too; quantifiers are nodes, their
 *     rounds items, as the parser of ours has them.
 *   - A token that tree-sitter does not show (a pattern within a rule, a line end, a token of the
 *     language's own scanner) is a TOKEN with the text that belongs to its node alone, or, where
 *     there is none but white space, one without bytes.
 *   - Comments and other extras are in no node, as what our lexer hides.
 *   - A node whose children match no rule, because of an error, is a RULE with the alternative
 *     PARE_NO_INDEX, and its children stand directly below it. */
#ifndef PARE_PARSE_GRAMMAR_TREE_H
#define PARE_PARSE_GRAMMAR_TREE_H

#include <pare/export.h>
#include <pare/status.h>

#include "grammar/content.h"
#include "grammar/tree_sitter_grammar.h"
#include "parse/parse_tree.h"
#include "parse/tree_sitter.h"

/* One thread; keeps what it has found out from tree to tree. */
typedef struct pare_grammar_tree_maker pare_grammar_tree_maker;

/* For trees of `language`, whose grammar `from` is, and `content` what its rules show.  `from` is
 * borrowed, also by the trees.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_grammar_tree_new(const pare_tree_sitter *language,
                                             const pare_tree_sitter_grammar *from,
                                             const pare_content *content,
                                             pare_grammar_tree_maker **out, pare_error *err);
void pare_grammar_tree_free(pare_grammar_tree_maker *maker); /* NULL is a no-op */

/* The tree of the grammar for `tree`, made by tree-sitter from `bytes`.  Linear in its nodes, but
 * for the first time that a node has just these children.  Errors of the text are counted as
 * `tree` has them; the message stays there.  On PARE_OK the caller ends *out with
 * pare_parse_tree_done.  Errors: PARE_E_LIMIT, PARE_E_NOMEM; *out is untouched then. */
PARE_CHECK pare_status pare_grammar_tree_make(pare_grammar_tree_maker *maker,
                                              const pare_parse_tree *tree, const char *bytes,
                                              pare_parse_tree *out, pare_error *err);

#endif
