/* The expansions of a grammar's symbols, from which GRABR builds smaller trees.
 *
 * A grammar's quantifiers are nodes of its trees, so they are symbols here too: one that
 * may be absent is left out in half of the expansions it occurs in; by itself it expands
 * to one round, or to nothing if it may be empty. */
#ifndef PARE_REDUCE_SYNTAX_GRAMMAR_EXPANSIONS_H
#define PARE_REDUCE_SYNTAX_GRAMMAR_EXPANSIONS_H

#include "reduce/syntax/grammar_rules.h"
#include "reduce/tree/grabr.h"

typedef struct pare_grammar_expansions pare_grammar_expansions;

/* At most this many expansions of one symbol are kept, in the grammar's order. */
enum { PARE_MAX_EXPANSIONS = 256 };

/* `rules` (borrowed) are those of the trees.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_grammar_expansions_new(const pare_grammar_rules *rules,
                                                   pare_grammar_expansions **out, pare_error *err);
void pare_grammar_expansions_free(pare_grammar_expansions *expansions); /* NULL is a no-op */

/* As GRABR takes them; borrows. */
const pare_expansions *pare_grammar_expansions_of(const pare_grammar_expansions *expansions);

#endif
