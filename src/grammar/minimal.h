/* The minimal text of every expression, rule and token type.
 *
 * Smallest means: fewest bytes, then fewest tokens, then first in the order of bytes.  A
 * text of a parser rule is a sequence of tokens; how they are joined is up to a callback.
 * Where a set leaves a choice of characters, the first visible ASCII one is taken.
 * Texts are those of the grammar: whether the lexer reads a token's text as that token is
 * for parse/relex_check.h to check.  (A keyword may be the shortest identifier.)
 * Immutable; borrows the analysis.  Source: Knuth, "A generalization of Dijkstra's
 * algorithm", 1977. */
#ifndef PARE_GRAMMAR_MINIMAL_H
#define PARE_GRAMMAR_MINIMAL_H

#include "base/buffer.h"
#include "grammar/analysis.h"
#include "grammar/grammar.h"

#define PARE_NO_MINIMUM UINT64_MAX

/* What is smallest for one expression. */
typedef struct pare_minimum {
    uint64_t size_bytes; /* without separators; PARE_NO_MINIMUM: there is no finite text */
    uint32_t n_tokens;   /* parser rules; at most 2^32 - 1 */
    pare_index pick;     /* CHOICE: the child; SET, ANY: the character or token type */
} pare_minimum;

typedef struct pare_minimal_texts {
    const pare_analysis *analysis;
    pare_minimum *exprs;     /* owned; of each expression */
    pare_index *token_rules; /* owned; of each token type: the rule its text is from, or none */
} pare_minimal_texts;

/* Errors: PARE_E_NOMEM; *minimal is all-zero then. */
PARE_CHECK pare_status pare_minimal_init(pare_minimal_texts *minimal, const pare_analysis *analysis,
                                         pare_error *err);
void pare_minimal_done(pare_minimal_texts *minimal); /* all-zero is a no-op */

/* What is smallest for a rule. */
pare_minimum pare_minimal_rule(const pare_minimal_texts *minimal, pare_index rule);

/* The mode of the lexer in which a token of that type begins: that of the rule whose text is its
 * minimal one, the default mode if no rule makes it. */
pare_index pare_minimal_mode(const pare_minimal_texts *minimal, pare_index token);

/* Appends the minimal text of a token type.
 * Errors: PARE_E_NOMEM; PARE_E_LIMIT: none, or more than 1 MiB. */
PARE_CHECK pare_status pare_minimal_token(const pare_minimal_texts *minimal, pare_index token,
                                          pare_buffer *text, pare_error *err);

/* Whether two texts would lex otherwise when nothing stands between them. */
typedef bool (*pare_minimal_needs_space)(void *context, const char *left, size_t left_size,
                                         const char *right, size_t right_size);

/* Appends the minimal text of an expression (a rule's body, say), with single spaces
 * between the tokens of which `needs_space` says so; NULL: between all.
 * Errors: PARE_E_NOMEM; PARE_E_LIMIT: none, or more than 1 MiB. */
PARE_CHECK pare_status pare_minimal_text(const pare_minimal_texts *minimal, pare_index expr,
                                         pare_minimal_needs_space needs_space, void *context,
                                         pare_buffer *text, pare_error *err);

/* Appends the token types of the minimal text of a parser rule's expression to *tokens, an
 * array of `capacity`; *n becomes how many there are, also when they do not fit.
 * Errors: PARE_E_NOMEM; PARE_E_LIMIT: there is no finite text, or it is endlessly long. */
PARE_CHECK pare_status pare_minimal_tokens(const pare_minimal_texts *minimal, pare_index expr,
                                           pare_index *tokens, size_t capacity, size_t *n,
                                           pare_error *err);

/* The smallest text around a rule: what the start rule derives with just one use of the
 * rule in it, everything else minimal.
 *
 * Puts a text of any rule where a parser can see it, in a few bytes, whatever the input
 * is.  Immutable; borrows the minimal texts.  Source: the shortest path from the start rule,
 * Bellman, "On a routing problem", 1958: edges are uses, their lengths what stands beside. */

typedef struct pare_contexts {
    const pare_minimal_texts *minimal;
    uint64_t *sizes; /* owned; of each rule: bytes around it; PARE_NO_MINIMUM: not reached */
    pare_index *via; /* owned; of each rule: the use of it that is nearest to the start */
} pare_contexts;

/* From rule `start`.  O(rules * expressions) at worst, a few rounds in practice.
 * Errors: PARE_E_NOMEM; *contexts is all-zero then. */
PARE_CHECK pare_status pare_minimal_contexts_init(pare_contexts *contexts,
                                                  const pare_minimal_texts *minimal,
                                                  pare_index start, pare_error *err);
void pare_minimal_contexts_done(pare_contexts *contexts); /* all-zero is a no-op */

/* How the tokens of a text are joined: `needs_space` as in pare_minimal_text. */
typedef struct pare_joining {
    pare_minimal_needs_space needs_space; /* NULL: spaces everywhere */
    void *context;
} pare_joining;

/* A text of a rule, to be put into its context. */
typedef struct pare_context_inner {
    pare_index rule;
    const char *text;
    size_t size; /* bytes */
} pare_context_inner;

/* Appends `inner` with its context on both sides; *begin is where it begins in *text.
 * Errors: PARE_E_NOMEM; PARE_E_LIMIT (the rule is not reached, or by more than 1
 * MiB).  O(bytes * tokens before `inner`). */
PARE_CHECK pare_status pare_minimal_context(const pare_contexts *contexts, pare_context_inner inner,
                                            pare_joining joining, pare_buffer *text, size_t *begin,
                                            pare_error *err);

#endif
