/* What a grammar says about the inside of its tokens: their trees, shortest texts of their
 * parts, and whether the lexer still reads a token where another text stands for it.
 *
 * One thread: the lexer remembers. */
#ifndef PARE_PARSE_TOKEN_GRAMMAR_H
#define PARE_PARSE_TOKEN_GRAMMAR_H

#include "base/buffer.h"
#include "grammar/grammar.h"
#include "grammar/minimal.h"
#include "parse/token_tree.h"

typedef struct pare_token_grammar pare_token_grammar;

/* Borrows `minimal`, of a grammar with a lexer.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_token_grammar_new(const pare_minimal_texts *minimal,
                                              pare_token_grammar **out, pare_error *err);
void pare_token_grammar_free(pare_token_grammar *rules); /* NULL is a no-op */

const pare_grammar *pare_token_grammar_grammar(const pare_token_grammar *rules); /* borrowed */

/* Replaces *tree by that of `size` bytes as a token of type `token`, by the first rule that
 * makes such tokens of them; it is empty when none does by itself, and for what is too
 * much (parse/token_tree.h).  Errors: PARE_E_NOMEM. */
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
