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
#ifndef PARE_GRAMMAR_REGEX_H
#define PARE_GRAMMAR_REGEX_H

#include "grammar/builder.h"
#include "grammar/grammar.h"
#include "grammar/unicode.h"

/* Sets *expr to the new expression.
 * Errors: PARE_E_SYNTAX and PARE_E_UNSUPPORTED (it is not read so far; nothing is lost
 * but a few expressions that nobody refers to), PARE_E_LIMIT (nested or repeated too
 * often), PARE_E_NOMEM; *expr is untouched then. */
PARE_CHECK pare_status pare_regex_expr(pare_builder *builder, pare_unicode *unicode,
                                       const char *regex, pare_index *expr, pare_error *err);

#endif
