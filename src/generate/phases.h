/* GrammarFuzzer: a tree that is expanded in three phases.
 *
 * While fewer than `min_nonterminals` nodes are open, one of them is expanded at the highest
 * cost; then any way, until `max_nonterminals` are open; then at the lowest cost, until none
 * is.  The next node is found from the root down, each time one of the children below which
 * something is open.  Choices: one for each step down, one for the expansion.
 * Source: The Fuzzing Book (Zeller, Gopinath, Böhme, Fraser, Holler), GrammarFuzzer; costs
 * as pare_book_sums has them.  Cost: O(height * children) an expansion. */
#ifndef PARE_GENERATE_PHASES_H
#define PARE_GENERATE_PHASES_H

#include "generate/book.h"
#include "reduce/choice/choices.h"

/* Members from `nodes` on are the generator's own; all-zero at first. */
typedef struct pare_phases {
    const pare_book *book;                       /* borrowed */
    uint32_t start;                              /* rule */
    uint32_t min_nonterminals, max_nonterminals; /* the book: 0 and 10 */
    struct pare_phases_node *nodes;              /* owned */
    size_t n_nodes, capacity;
    uint64_t *sums;  /* owned; of each expansion, where its rule is known */
    bool *are_known; /* owned; of each rule */
} pare_phases;

void pare_phases_done(pare_phases *phases); /* gives the generator's own memory back */

/* The generator; borrows `phases`. */
pare_generator pare_phases_generator(pare_phases *phases);

#endif
