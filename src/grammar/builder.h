/* The builder of grammars: owns growing arrays while a reader works, and becomes an
 * immutable grammar at the end.
 *
 * A failure sticks: once memory is out, every further call is a no-op that returns
 * PARE_NO_INDEX (or NULL), and `finish` returns the status.  So a reader may check where
 * it suits it, but must not use an index it got before checking it.  One thread.
 *
 * Invariant of what it builds: the children of an expression have smaller indices than
 * the expression, so that a loop from 0 up visits children before parents. */
#ifndef PARE_GRAMMAR_BUILDER_H
#define PARE_GRAMMAR_BUILDER_H

#include <pare/status.h>

#include "base/arena.h"
#include "grammar/grammar.h"
#include "grammar/intervals.h"
#include "grammar/name_index.h"
#include "grammar/unicode.h"

typedef struct pare_builder {
    pare_grammar *grammar; /* owned until finish */
    pare_arena *arena;     /* the grammar's */
    pare_name_index rules, tokens, literals, labels, modes, channels;
    size_t rules_capacity, exprs_capacity, sets_capacity, intervals_capacity;
    size_t code_points_capacity, commands_capacity, tokens_capacity, modes_capacity;
    size_t channels_capacity, labels_capacity, warnings_capacity;
    pare_status status;
    pare_error *err; /* borrowed; may be NULL */
} pare_builder;

/* Starts a grammar with its predefined token, mode and channels.  Errors: PARE_E_NOMEM;
 * the builder needs no `done` then. */
PARE_CHECK pare_status pare_builder_init(pare_builder *builder, pare_error *err);

/* Releases the builder and, if it was not finished, its grammar. */
void pare_builder_done(pare_builder *builder);

/* Hands the grammar over; on PARE_OK the caller owns *out.  Errors: what stuck. */
PARE_CHECK pare_status pare_builder_finish(pare_builder *builder, pare_grammar **out);

/* Copy of a text that lives as long as the grammar. */
const char *pare_builder_text(pare_builder *builder, const char *text, size_t size);

/* A new expression without children. */
pare_index pare_builder_expr(pare_builder *builder, pare_expr_kind kind);

/* A LITERAL of `n` code points. */
pare_index pare_builder_literal(pare_builder *builder, const uint32_t *code_points, size_t n);

/* A SET; `set` is normalised first. */
pare_index pare_builder_set(pare_builder *builder, pare_intervals *set);

/* A new rule; its name must not be taken.  The body is PARE_NO_INDEX for now. */
pare_index pare_builder_rule(pare_builder *builder, const char *name, size_t size);

/* The token type of that symbolic name, new if there is none yet. */
pare_index pare_builder_token(pare_builder *builder, const char *name, size_t size);

/* A new token type without a name, for a literal. */
pare_index pare_builder_anonymous(pare_builder *builder);

/* Makes `literal` stand for `token` unless it stands for another one already. */
void pare_builder_alias(pare_builder *builder, pare_index token, const char *literal, size_t size);

void pare_builder_command(pare_builder *builder, pare_lexer_command command);

/* The label, mode or channel of that name, new if there is none yet. */
pare_index pare_builder_label(pare_builder *builder, const char *name, size_t size);
pare_index pare_builder_mode(pare_builder *builder, const char *name, size_t size);
pare_index pare_builder_channel(pare_builder *builder, const char *name, size_t size);

/* Adds a sentence to the grammar's warnings. */
void pare_builder_warn(pare_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Regular expressions as tree-sitter's grammars write them, turned into expressions of the
 * grammar model over characters.
 *
 * Taken: alternatives, groups of every kind, sets with ranges, negation, nested sets, `&&`
 * and `--`, `\d \w \s \p{..}` and their negations, escapes of characters, the quantifiers.
 * What is made is for finding short texts, not for lexing, so it may be less than the
 * expression says: upper bounds of `{n,m}` are not kept (any more rounds), letters are taken
 * as written whatever the flags say, a set that has digits or letters of ASCII is these
 * alone (`$` is the first of all identifiers, and hardly what anybody means), anchors are
 * passed over, and lazy quantifiers are as any other.
 * Source: the syntax of tree-sitter's generator, which is that of Rust's regex-syntax. */

/* Sets *expr to the new expression.
 * Errors: PARE_E_SYNTAX and PARE_E_UNSUPPORTED (it is not read so far; nothing is lost
 * but a few expressions that nobody refers to), PARE_E_LIMIT (nested or repeated too
 * often), PARE_E_NOMEM; *expr is untouched then. */
PARE_CHECK pare_status pare_regex_expr(pare_builder *builder, pare_unicode *unicode,
                                       const char *regex, pare_index *expr, pare_error *err);

#endif
