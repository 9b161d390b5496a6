/* The grammar's expressions seen from below: parents and uses.
 *
 * Immutable once made; borrows the grammar, which must outlive it.  Any thread. */
#ifndef PARE_GRAMMAR_LINKS_H
#define PARE_GRAMMAR_LINKS_H

#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

typedef struct pare_links {
    const pare_grammar *grammar;
    pare_index *parent;    /* of each expression; none for the body of a rule */
    pare_index *rule;      /* that each expression belongs to; none: to no rule */
    pare_index *first_use; /* of each rule: a RULE expression that refers to it, or none */
    pare_index *next_use;  /* of each RULE expression: the next one of its rule, or none */
} pare_links;

/* Makes the links in O(expressions).  On an error *links is all-zero.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_links_init(pare_links *links, const pare_grammar *grammar,
                                       pare_error *err);
void pare_links_done(pare_links *links); /* all-zero is a no-op */

#endif
