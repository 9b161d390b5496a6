/* A tree that the user gives: a file of JSON, made by any parser, in the place of a grammar or a
 * language.
 *
 *     {"kind": "call", "begin": 0, "end": 8, "children": [
 *        {"kind": "name", "begin": 0, "end": 1, "replaceable_by": ["call"]},
 *        {"kind": "args", "begin": 2, "end": 7, "list": "any", "children": [...]}]}
 *
 * docs/guide/own-tree.md has the format.  The tree is of one text, the input.  Of a text that was
 * made of it by a reduction it is what is left: that text is embedded in the input
 * (text/embed.h), and a node covers what of its bytes is still there.  What no node says
 * anything about (brackets, commas, keywords) are tokens of the node around it; in a list they go
 * with the element beside them.  One thread at a time for a parse; several may parse. */
#ifndef PARE_REDUCE_SYNTAX_GIVEN_TREE_H
#define PARE_REDUCE_SYNTAX_GIVEN_TREE_H

#include "base/fail.h"
#include "parse/parse_tree.h"
#include "parse/shape.h"
#include "reduce/tree/tree.h"

typedef struct pare_given_tree pare_given_tree;

/* Reads `size` bytes of JSON; `path` is for sentences.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_SYNTAX (no JSON, not of this form, spans that are not nested), PARE_E_LIMIT (more
 * than 2^31 bytes are spanned), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_given_tree_read(const char *path, const char *json, size_t size,
                                            pare_given_tree **out, pare_error *err);
void pare_given_tree_free(pare_given_tree *given); /* NULL is a no-op */

/* Says which text the tree is of; its bytes are copied.  Errors: PARE_E_ARG (a span ends beyond
 * it), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_given_tree_set_input(pare_given_tree *given, const char *bytes,
                                                 size_t size, pare_error *err);

/* The tree of a text.  Tokens between the elements of a list go with what is before them or with
 * what is after.  Where most of the text is not from the input, or that is not known, its error
 * says so and it is one opaque piece.  It borrows the names; on PARE_OK the caller ends it.
 * Errors: PARE_E_NOMEM; *tree is untouched then. */
PARE_CHECK pare_status pare_given_tree_parse(const pare_given_tree *given, const char *bytes,
                                             size_t size, pare_separators side,
                                             pare_parse_tree *tree, pare_error *err);

/* What the file says about such trees; borrows `given`. */
pare_tree_rules pare_given_tree_rules(const pare_given_tree *given);

#endif
