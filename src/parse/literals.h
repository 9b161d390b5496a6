/* Literals as leaves: in a scannerless parse every character is a leaf; here those that
 * one literal of the grammar made become one leaf, as in the trees of The Fuzzing Book.
 *
 * A leaf's symbol is then an expression of the grammar: the first literal of that text.
 * Immutable once made; any thread. */
#ifndef PARE_PARSE_LITERALS_H
#define PARE_PARSE_LITERALS_H

#include "grammar/grammar.h"
#include "parse/parse_tree.h"

typedef struct pare_literals {
    const pare_grammar *grammar; /* borrowed */
    pare_index *first;           /* owned; by expression: the first literal of equal text;
                                    PARE_NO_INDEX for what is no literal */
} pare_literals;

/* O(size of the grammar).  Errors: PARE_E_NOMEM; *literals is all-zero then. */
PARE_CHECK pare_status pare_literals_init(pare_literals *literals, const pare_grammar *grammar,
                                          pare_error *err);
void pare_literals_done(pare_literals *literals); /* all-zero is a no-op */

/* Joins the leaves of `tree`, parsed by the scannerless grammar, whose rules are sequences
 * of rules and literals.  Leaves that no literal is known of, where the text leaves the
 * grammar, get no symbol (PARE_NO_NODE).  Errors: PARE_E_NOMEM; *tree is as it was
 * then. */
PARE_CHECK pare_status pare_literals_join(const pare_literals *literals, pare_parse_tree *tree,
                                          pare_error *err);

#endif
