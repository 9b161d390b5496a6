/* Whether an edit of a tree-sitter tree keeps the text in the language: the trees of
 * tree_sitter.h against the content models of the language's grammar. */
#ifndef PARE_LANG_TREE_LEGALITY_H
#define PARE_LANG_TREE_LEGALITY_H

#include "grammar/content.h"
#include "parse/parse_tree.h"
#include "parse/tree_sitter.h"

/* One thread. */
typedef struct pare_tree_legality pare_tree_legality;

/* For trees of the language `name`, loaded as `language` (borrowed).  On PARE_OK the
 * caller owns *out.  Errors: those of pare_language_read and pare_content_read. */
PARE_CHECK pare_status pare_tree_legality_new(const char *name, const pare_tree_sitter *language,
                                              pare_tree_legality **out, pare_error *err);

/* A symbol of a tree: a node type, or a token known by its text. */
typedef struct pare_tree_kind {
    const char *name;
    bool named;
} pare_tree_kind;

/* The same for trees with `n` symbols of any parser's, by the grammar.json in `json`.
 * Errors: those of pare_content_read. */
PARE_CHECK pare_status pare_tree_legality_make(const char *json, size_t size,
                                               const pare_tree_kind *kinds, uint32_t n,
                                               pare_tree_legality **out, pare_error *err);
void pare_tree_legality_free(pare_tree_legality *legality); /* NULL is a no-op */

/* The content models; borrowed. */
const pare_content *pare_tree_legality_content(const pare_tree_legality *legality);

/* Number of tree-sitter's symbols. */
uint32_t pare_tree_legality_n_symbols(const pare_tree_legality *legality);

/* The number that the content models give a symbol of tree-sitter's. */
uint32_t pare_tree_legality_symbol(const pare_tree_legality *legality, uint32_t symbol);

/* Whether `node` may have the children it has, with `child`, one of them, replaced by a
 * node with the symbol `symbol`, or left out when that is PARE_NO_NODE; `child` may be
 * PARE_NO_NODE: nothing is replaced.  A node that is no rule of the grammar is unsure.
 * Takes about as long as the node has children.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT; *out is untouched then. */
PARE_CHECK pare_status pare_tree_legality_edit(pare_tree_legality *legality,
                                               const pare_parse_tree *tree, uint32_t node,
                                               uint32_t child, uint32_t symbol, pare_legality *out,
                                               pare_error *err);

#endif
