/* Weights of alternatives, chances of quantifiers and texts of tokens, read from JSON.
 *
 *     {"alts": {"expr": {"0": {"2": 10, "3": 0}}}, "quants": {"list": {"0": 0.9}},
 *      "leaves": {"call": {"ID": {"main": 3, "x": 1}}}, "fresh": 0.1}
 *
 * In rule expr, of its first alternation, the third alternative has weight 10 and the fourth
 * is never taken when there is another; in rule list, the first quantifier goes on with
 * chance 0.9.  Alternations and quantifiers of a rule are counted from 0 in the order in
 * which they begin in its text (generate/weights.h).  What is not named has weight 1, and
 * chance 0.5.  In rule call a token ID is one of the texts, by their weights, or, with the chance "fresh"
 * (0.1), made as its rule says.  Several files may be read; where
 * both say something the later counts (of leaves: it alone).
 * Source: "alts" and "quants" are Grammarinator's; leaves are what Generinator:RATS learns. */
#ifndef PARE_GENERATE_WEIGHTS_H
#define PARE_GENERATE_WEIGHTS_H

#include <pare/export.h>
#include <pare/status.h>

#include "base/arena.h"
#include "generate/expansion_table.h"
#include "grammar/grammar.h"
#include "grammar/tree_sitter_grammar.h"

/* Sets the weights of a table from `size` bytes of JSON; `path` is for sentences.
 * Errors: PARE_E_SYNTAX (no JSON, not of this form, names what is not there, negative
 * weights, only zeros, chances of quantifiers of 1 and more), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_weights_read(pare_expansion_table *table, const char *path,
                                         const char *text, size_t size, pare_error *err);

/* The texts of tokens that the grammar of a language cannot say (those of its own scanner): of each
 * name that is no pattern's the most frequent text of its leaves.  *examples, `*n` of them, lives in
 * `memory`.  What is wrong with the file is said by pare_weights_read.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_weights_examples(const char *text, size_t size, pare_arena *memory,
                                             pare_token_example **examples, size_t *n,
                                             pare_error *err);

/* Numbers of the alternations and quantifiers of a grammar, as files of weights name them.
 *
 * Those of a rule are counted from 0, each kind for itself, in the order in which they begin
 * in its text; the alternatives of the rule itself are alternation 0.  A set of characters is
 * no alternation.  Source: Grammarinator.  Immutable; borrows the grammar. */

/* Some of `exprs`. */
typedef struct pare_weights_numbered {
    uint32_t first, n;
} pare_weights_numbered;

/* All-zero is empty. */
typedef struct pare_weights_numbering {
    const pare_grammar *grammar;
    pare_weights_numbered *alternations, *quantifiers; /* owned; of each rule */
    pare_index *exprs;                                 /* owned */
    uint32_t *numbers; /* owned; of each expression that is one of them */
} pare_weights_numbering;

/* O(grammar).  Errors: PARE_E_NOMEM; *numbering is all-zero then. */
PARE_CHECK pare_status pare_weights_numbering_init(pare_weights_numbering *numbering,
                                                   const pare_grammar *grammar, pare_error *err);
void pare_weights_numbering_done(pare_weights_numbering *numbering);

#endif
