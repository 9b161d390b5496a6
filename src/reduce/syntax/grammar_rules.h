/* What a grammar says about the nodes of its trees: the facts of reduce/tree/tree.h, from the
 * grammar's analysis. */
#ifndef PARE_REDUCE_SYNTAX_GRAMMAR_RULES_H
#define PARE_REDUCE_SYNTAX_GRAMMAR_RULES_H

#include "grammar/grammar.h"
#include "grammar/minimal.h"
#include "parse/literals.h"
#include "reduce/tree/tree.h"

typedef struct pare_grammar_rules pare_grammar_rules;

/* Analyses `grammar` (borrowed; it must outlive the result).
 * On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_grammar_rules_new(const pare_grammar *grammar, pare_grammar_rules **out,
                                              pare_error *err);
void pare_grammar_rules_free(pare_grammar_rules *rules); /* NULL is a no-op */

/* The rules for trees parsed by that grammar; they borrow `rules`. */
pare_tree_rules pare_grammar_rules_of(const pare_grammar_rules *rules);

const pare_grammar *pare_grammar_rules_grammar(const pare_grammar_rules *rules); /* borrowed */
const pare_minimal_texts *pare_grammar_rules_minimal(const pare_grammar_rules *rules); /* too */

/* Of a scannerless grammar, by which its trees' leaves are to be joined; else NULL.
 * Borrowed. */
const pare_literals *pare_grammar_rules_literals(const pare_grammar_rules *rules);

/* Sets the shortest text of a symbol (borrowed); false when it has none. */
bool pare_grammar_rules_shortest(const pare_grammar_rules *rules, pare_tree_symbol symbol,
                                 const char **text, uint32_t *size);

#endif
