/* What a grammar says about the inside of its tokens: their trees, shortest texts of their
 * parts, and whether the lexer still reads a token where another text stands for it.
 *
 * One thread: the lexer remembers. */
#ifndef PARE_PARSE_TOKEN_GRAMMAR_H
#define PARE_PARSE_TOKEN_GRAMMAR_H

#include <pare/export.h>
#include <pare/status.h>

#include "base/buffer.h"
#include "grammar/grammar.h"
#include "grammar/minimal.h"

/* The tree of one token by the lexer rule that makes it: which of its characters are a
 * round of which repetition, what is there by choice, what could be another character.
 *
 * A lexer takes a token as a whole and keeps none of this.  Where a text has several trees
 * it is one that ANTLR might take: first alternatives, long rounds.
 * Source: T-Rec (Xu et al., TOSEM 2024), which simulates the lexeme on a regular expression
 * made of the rule.  Here rules may call themselves, as those of nested comments do. */

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
PARE_CHECK pare_status pare_token_grammar_read(const pare_grammar *grammar, pare_index rule,
                                               const char *text, size_t size, pare_token_tree *tree,
                                               pare_error *err);
void pare_token_grammar_tree_done(pare_token_tree *tree); /* all-zero is a no-op */

typedef struct pare_token_grammar pare_token_grammar;

/* Borrows `minimal`, of a grammar with a lexer.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_token_grammar_new(const pare_minimal_texts *minimal,
                                              pare_token_grammar **out, pare_error *err);
void pare_token_grammar_free(pare_token_grammar *rules); /* NULL is a no-op */

const pare_grammar *pare_token_grammar_grammar(const pare_token_grammar *rules); /* borrowed */

/* Replaces *tree by that of `size` bytes as a token of type `token`, by the first rule that
 * makes such tokens of them; it is empty when none does by itself, and for what is too
 * much (parse/token_grammar.h).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_token_grammar_tree(const pare_token_grammar *rules, pare_index token,
                                               const char *text, size_t size, pare_token_tree *tree,
                                               pare_error *err);

/* Appends the shortest text of an expression of a lexer rule, of the simplest characters
 * (text/order.h).  *spelled is false, and nothing appended, when there is none of up to
 * PARE_TOKEN_TREE_CHARACTERS bytes.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_token_grammar_spell(const pare_token_grammar *rules, pare_index expr,
                                                pare_buffer *text, bool *spelled, pare_error *err);

/* The simplest character of a SET or ANY that is of the same kind as the ASCII character
 * `like` (a digit, a small letter, a capital, or something else), or, with PARE_NO_INDEX, of
 * any kind; PARE_NO_INDEX: no ASCII character is. */
uint32_t pare_token_grammar_simplest(const pare_token_grammar *rules, pare_index expr,
                                     uint32_t like);

/* A token in what stands around it. */
typedef struct pare_token_place {
    const char *before, *text, *after; /* next to each other, but not in one piece */
    size_t before_size, size, after_size;
    pare_index before_token, token; /* types; `before` begins with the first, if it has bytes */
} pare_token_place;

/* Whether the lexer reads all of `place` as the same tokens when `size` bytes at `text` stand
 * for the one in the middle, which it reads by itself now.  False also when what stands there
 * is not read like that.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_token_grammar_keep(pare_token_grammar *rules,
                                               const pare_token_place *place, const char *text,
                                               size_t size, bool *kept, pare_error *err);

#endif
