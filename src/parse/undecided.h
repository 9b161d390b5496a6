/* Where ANTLR still was undecided when the input left the grammar.
 *
 * ANTLR takes a decision by as many letters as it needs, from the outside in.  If at the
 * letter that nothing can take the outermost construct that is open has several
 * productions, or several places in one of them, that agree with all the letters before,
 * prediction fails there, and its message quotes from the letter where the decision began.
 * Source: Parr, Harwell, Fisher, "Adaptive LL(*) parsing", OOPSLA 2014.  Deviation:
 * ANTLR settles for the first of alternatives that can no longer be told apart; this does
 * not see that. */
#ifndef PARE_PARSE_UNDECIDED_H
#define PARE_PARSE_UNDECIDED_H

#include "parse/earley.h"

/* The set where the outermost open decision begins, for the items `first` .. `end`-1 of
 * set `failed`, where no set before has a hole; `failed` when all are taken.
 * O(groups + waiters).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_undecided_from(const pare_chart *chart, uint32_t failed, uint32_t first,
                                           uint32_t end, uint32_t *from);

#endif
