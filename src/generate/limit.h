/* LimitFuzzer, ComplexFuzzer and ChoiceFuzzer: from the start symbol down, any expansion as
 * long as the depth allows, then one of least depth.
 *
 * One choice for each nonterminal, also when it has a single expansion, in pre-order; each
 * nonterminal is a span, labelled by its rule.  With `digits` an answer is a number below
 * that, taken modulo the number of expansions (ChoiceFuzzer); without, it is the expansion.
 * A default choice puts in the rule's default text.  Hooks of the user's are called around a
 * symbol, its rule and the expansion taken, in this order before it and backwards behind it.
 * Source: seed 004 (Gopinath); see generate/book.h for its cost.  Depth of the recursion is
 * on the heap.  Cost: some nanoseconds a symbol. */
#ifndef PARE_GENERATE_LIMIT_H
#define PARE_GENERATE_LIMIT_H

#include "generate/book.h"
#include "generate/hooks.h"
#include "generate/names.h"
#include "reduce/choice/choices.h"

/* Members from `stack` on are the generator's own; all-zero at first. */
typedef struct pare_limit {
    const pare_book *book;          /* borrowed */
    uint32_t start;                 /* rule */
    uint32_t max_depth;             /* below which any expansion may be taken; seed 004: 10 */
    uint32_t digits;                /* ChoiceFuzzer: 10; 0: as above */
    bool sorted;                    /* expansions of least depth are counted by their texts, as the
                                   seed's LimitFuzzer does, not its ComplexFuzzer */
    const char *undefined;          /* stands for a use when nothing is visible and the book does
                                   not say what does; NULL: the symbol is expanded */
    const char *undefined_default;  /* stands for a use whose choice is a default; NULL: the
                                      name that was declared first */
    pare_hooks *hooks;              /* borrowed; those of the book, or of the same script; NULL
                                       when it has none */
    struct pare_limit_frame *stack; /* owned */
    size_t n_frames, capacity;
    pare_declared declared; /* after a run: the names of its text */
} pare_limit;

void pare_limit_done(pare_limit *limit); /* gives the generator's own memory back */

/* The generator; borrows `limit`. */
pare_generator pare_limit_generator(pare_limit *limit);

#endif
