/* What is said, and what is built, where the input leaves the grammar. */
#ifndef PARE_PARSE_SYNTAX_ERROR_H
#define PARE_PARSE_SYNTAX_ERROR_H

#include "parse/choose.h"
#include "parse/lexer.h"

/* Fills *error for letter `at`, which could not be taken, in ANTLR's words where they
 * apply, by what the chart (of pare_earley_mend) says about its first error.  `tokens` has
 * those of hidden channels, too; empty without a lexer. */
void pare_syntax_error_say(uint32_t at, const pare_chart *chart, const pare_letters *letters,
                           const pare_tokens *tokens, const char *text, pare_parse_error *error);

/* Fills *error for bytes begin .. end-1 that do not lex. */
void pare_syntax_error_lexical(const char *text, uint32_t begin, uint32_t end,
                               pare_parse_error *error);

/* A tree for a text of `size` bytes of which nothing can be kept: the start rule over an
 * opaque leaf.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_syntax_error_tree(const pare_productions *p, uint32_t size,
                                              pare_parse_tree *tree, pare_error *err);

#endif
