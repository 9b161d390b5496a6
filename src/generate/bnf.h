/* Any grammar as one of nonterminals and expansions, for the generators of The Fuzzing Book and of
 * seed 004, which know nothing else.
 *
 *   - Quantifiers and choices within a sequence are nonterminals of their own, called RULE-NUMBER.
 *   - A token is the nonterminal of its lexer rule, or its only text; with `spaced`, what
 *     it produces stands apart from the word or sign before it (the hook `apart`,
 *     generate/expansion_costs.h).
 *   - A set of characters has an expansion for each visible one of ASCII; where there is none, for
 *     its first ones.
 *   - What has no finite text is left out, as are rules that cannot be reached.
 *
 * Source: The Fuzzing Book (Zeller, Gopinath, Böhme, Fraser, Holler), convert_ebnf_grammar.
 * Deviation: the book has no lexer, and no sets. */
#ifndef PARE_GENERATE_BNF_H
#define PARE_GENERATE_BNF_H

#include "generate/expansion_table.h"
#include "grammar/grammar.h"

/* The grammar of `table` from `start` on, which is rule 0 of the new one; `spaced` where a space
 * between tokens is none of them.  On PARE_OK the caller
 * owns *out, which borrows nothing.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_bnf_make(const pare_expansion_table *table, pare_index start,
                                     bool spaced, pare_grammar **out, pare_error *err);

#endif
