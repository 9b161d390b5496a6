/* What follows from a grammar: its expressions seen from below, and what can be empty.
 *
 * Immutable once made; borrows the grammar, which must outlive it.  Any thread. */
#ifndef PARE_GRAMMAR_ANALYSIS_H
#define PARE_GRAMMAR_ANALYSIS_H

#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

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

#endif
