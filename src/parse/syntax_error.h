/* What is said, and what is built, where the input leaves the grammar. */
#ifndef PARE_PARSE_SYNTAX_ERROR_H
#define PARE_PARSE_SYNTAX_ERROR_H

#include "parse/descent.h"
#include "parse/lexer.h"
#include "parse/parse_tree.h"
#include "parse/productions.h"
#include "parse/tree_writer.h"

#include <pare/export.h>
#include <pare/status.h>

/* Fills *error, whose message the caller owns, for letter `at`, the first that could not be
 * taken, in ANTLR's words as `descent` finds them; where it finds nothing, with the letter
 * alone.  `letter` is what the productions know the letters as.  `tokens` has those of
 * hidden channels, too; empty without a lexer.
 * Errors: PARE_E_NOMEM; *error is untouched then. */
PARE_CHECK pare_status pare_syntax_error_say(const pare_productions *p, pare_descent *descent,
                                             uint32_t at, const uint32_t *letter,
                                             const pare_letters *letters, const pare_tokens *tokens,
                                             const char *text, pare_parse_error *error,
                                             pare_error *err);

/* The same for bytes begin .. end-1 that do not lex. */
PARE_CHECK pare_status pare_syntax_error_lexical(const char *text, uint32_t begin, uint32_t end,
                                                 pare_parse_error *error, pare_error *err);

/* A tree for a text of `size` bytes of which nothing can be kept: the start rule over an
 * opaque leaf.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_syntax_error_tree(const pare_productions *p, uint32_t size,
                                              pare_parse_tree *tree, pare_error *err);

#endif
