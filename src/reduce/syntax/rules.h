/* What a grammar says about the nodes of its trees: the facts of reduce/tree/tree.h, from the
 * grammar's analysis (grammar_rules.c); the expansions that GRABR builds smaller trees from
 * (grammar_expansions.c); and the same for trees with islands of other languages
 * (island_rules.c).  For the front end and its readers; nobody else needs it. */
#ifndef PARE_REDUCE_SYNTAX_RULES_H
#define PARE_REDUCE_SYNTAX_RULES_H

#include "grammar/grammar.h"
#include "grammar/minimal.h"
#include "lang/islands.h"
#include "parse/literals.h"
#include "parse/parse_tree.h"
#include "parse/shape.h"
#include "reduce/tree/grabr.h"
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

/* The expansions of a grammar's symbols, from which GRABR builds smaller trees.
 *
 * A grammar's quantifiers are nodes of its trees, so they are symbols here too: one that
 * may be absent is left out in half of the expansions it occurs in; by itself it expands
 * to one round, or to nothing if it may be empty. */

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

/* Islands in the trees of the front end: their readers, and rules for trees of several
 * languages, in which each node is judged by its own (lang/islands.h). */

typedef struct pare_reader pare_reader; /* reduce/syntax/reader.h */

typedef struct pare_island_rules pare_island_rules;

/* Opens the languages of the islands that `n` options name (see lang/islands.h), for trees
 * of `host` (borrowed).  On PARE_OK the caller owns *out.
 * Errors: those of pare_islands_option_read, pare_islands_add and the readers. */
PARE_CHECK pare_status pare_island_rules_new(const pare_reader *host, const char *const *options,
                                             size_t n, pare_island_rules **out, pare_error *err);
void pare_island_rules_free(pare_island_rules *rules); /* NULL is a no-op */

/* Makes *filled of the host's tree of `bytes`.  Trees may be made of filled->tree with
 * pare_island_rules_of until the next call; they borrow the rules as long as they are.
 * Errors: those of pare_islands_fill. */
PARE_CHECK pare_status pare_island_rules_fill(pare_island_rules *rules, const pare_parse_tree *host,
                                              const char *bytes, pare_separators side,
                                              pare_island_tree *filled, pare_error *err);

/* Does pare_reader_forget_texts for the languages of the islands, not for the host. */
bool pare_island_rules_forget_texts(pare_island_rules *rules);

const pare_tree_rules *pare_island_rules_of(const pare_island_rules *rules);

#endif
