/* The tree of one token by the lexer rule that makes it: which of its characters are a
 * round of which repetition, what is there by choice, what could be another character.
 *
 * A lexer takes a token as a whole and keeps none of this.  Where a text has several trees
 * it is one that ANTLR might take: first alternatives, long rounds.
 * Source: T-Rec (Xu et al., TOSEM 2024), which simulates the lexeme on a regular expression
 * made of the rule.  Here rules may call themselves, as those of nested comments do. */
#ifndef PARE_PARSE_TOKEN_TREE_H
#define PARE_PARSE_TOKEN_TREE_H

#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

/* What an expression of the grammar has matched.  A RULE has one child, its body; a CHOICE
 * the alternative; an OPTIONAL one or none; STAR and PLUS one for each round. */
typedef struct pare_token_node {
    pare_index expr;
    uint32_t begin, end; /* bytes of the token */
    uint32_t after;      /* index of the first node that is not below this one */
} pare_token_node;

/* All-zero: none.  Nodes stand in pre-order. */
typedef struct pare_token_tree {
    pare_token_node *nodes; /* owned */
    size_t n, capacity;
} pare_token_tree;

/* More characters than this, or a tree that is deeper, is not looked into. */
enum { PARE_TOKEN_TREE_CHARACTERS = 256, PARE_TOKEN_TREE_DEPTH = 512 };

/* Replaces *tree by that of `size` bytes by the body of `rule`; it is empty when they are none
 * of it, or too much.  Time and memory grow with the square of
 * the characters times the rules' size.  Errors: PARE_E_NOMEM; the tree is empty then. */
PARE_CHECK pare_status pare_token_tree_make(const pare_grammar *grammar, pare_index rule,
                                            const char *text, size_t size, pare_token_tree *tree,
                                            pare_error *err);
void pare_token_tree_done(pare_token_tree *tree); /* all-zero is a no-op */

#endif
