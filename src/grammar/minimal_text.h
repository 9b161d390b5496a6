/* Inside the minimal texts: leaves and their sizes. */
#ifndef PARE_GRAMMAR_MINIMAL_TEXT_H
#define PARE_GRAMMAR_MINIMAL_TEXT_H

#include "grammar/grammar.h"
#include "grammar/minimal.h"

/* The character taken for a SET or ANY of characters; PARE_NO_INDEX: the set is empty. */
uint32_t pare_minimal_character(const pare_grammar *grammar, const pare_expr *expr);

uint64_t pare_minimal_utf8_size(uint32_t code_point); /* bytes */

/* Size of a token's minimal text in bytes; PARE_NO_MINIMUM: it has none. */
uint64_t pare_minimal_token_size(const pare_minimal_texts *minimal, pare_index token);

/* Makes `rule` the one a token's text is from, if it has the smaller text. */
void pare_minimal_offer(pare_minimal_texts *minimal, pare_index token, pare_index rule);

#endif
