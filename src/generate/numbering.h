/* Numbers of the alternations and quantifiers of a grammar, as files of weights name them.
 *
 * Those of a rule are counted from 0, each kind for itself, in the order in which they begin
 * in its text; the alternatives of the rule itself are alternation 0.  A set of characters is
 * no alternation.  Source: Grammarinator.  Immutable; borrows the grammar. */
#ifndef PARE_GENERATE_NUMBERING_H
#define PARE_GENERATE_NUMBERING_H

#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

/* Some of `exprs`. */
typedef struct pare_numbered {
    uint32_t first, n;
} pare_numbered;

/* All-zero is empty. */
typedef struct pare_numbering {
    const pare_grammar *grammar;
    pare_numbered *alternations, *quantifiers; /* owned; of each rule */
    pare_index *exprs;                         /* owned */
    uint32_t *numbers;                         /* owned; of each expression that is one of them */
} pare_numbering;

/* O(grammar).  Errors: PARE_E_NOMEM; *numbering is all-zero then. */
PARE_CHECK pare_status pare_numbering_init(pare_numbering *numbering, const pare_grammar *grammar,
                                           pare_error *err);
void pare_numbering_done(pare_numbering *numbering);

/* The alternation or quantifier `number` of a rule; PARE_NO_INDEX: there is none. */
pare_index pare_numbering_alternation(const pare_numbering *numbering, pare_index rule,
                                      unsigned long number);
pare_index pare_numbering_quantifier(const pare_numbering *numbering, pare_index rule,
                                     unsigned long number);

#endif
