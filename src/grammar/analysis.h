/* What follows from a grammar: its expressions seen from below, and what can be empty.
 *
 * Immutable once made; borrows the grammar, which must outlive it.  Any thread. */
#ifndef PARE_GRAMMAR_ANALYSIS_H
#define PARE_GRAMMAR_ANALYSIS_H

#include <pare/export.h>
#include <pare/status.h>

#include "grammar/grammar.h"

/* Parents and uses. */
typedef struct pare_links {
    const pare_grammar *grammar;
    pare_index *parent;    /* of each expression; none for the body of a rule */
    pare_index *rule;      /* that each expression belongs to; none: to no rule */
    pare_index *first_use; /* of each rule: a RULE expression that refers to it, or none */
    pare_index *next_use;  /* of each RULE expression: the next one of its rule, or none */
} pare_links;

typedef struct pare_analysis {
    const pare_grammar *grammar;
    pare_links links;
    uint8_t *expr_nullable; /* of each expression: whether it derives the empty text */
    uint8_t *rule_nullable; /* of each rule */
} pare_analysis;

/* Analyses the grammar in O(expressions).
 * Errors: PARE_E_NOMEM; *analysis is all-zero then. */
PARE_CHECK pare_status pare_analysis_init(pare_analysis *analysis, const pare_grammar *grammar,
                                          pare_error *err);
void pare_analysis_done(pare_analysis *analysis); /* all-zero is a no-op */

/* Rule subtyping by unit derivation: what a rule can become with everything else in its
 * body empty.
 *
 * A node of rule or token x may stand where rule r is expected when x is r or among the
 * subtypes of r.  Of an alternative the parts count that can stand alone: the only part
 * that is not nullable, or any part when all are.
 * Immutable; O(rules * (rules + tokens) / 8) bytes.  Source: Perses, GrammarHierarchy, as
 * described in Sun et al., "Perses: Syntax-guided program reduction", ICSE 2018. */

typedef struct pare_subtypes {
    size_t n_rules, n_tokens, row_words;
    uint64_t *rows; /* owned; of each rule: a bit for each rule, then for each token */
} pare_subtypes;

/* Errors: PARE_E_NOMEM, PARE_E_LIMIT (more than 30,000 rules); *subtypes is all-zero then. */
PARE_CHECK pare_status pare_analysis_subtypes_init(pare_subtypes *subtypes,
                                                   const pare_analysis *analysis, pare_error *err);
void pare_analysis_subtypes_done(pare_subtypes *subtypes); /* all-zero is a no-op */

/* Whether `rule` (or `token`) is among the proper subtypes of `expected`, in any number of
 * steps.  O(1). */
bool pare_analysis_has_subrule(const pare_subtypes *subtypes, pare_index expected, pare_index rule);
bool pare_analysis_has_subtoken(const pare_subtypes *subtypes, pare_index expected,
                                pare_index token);

#endif
