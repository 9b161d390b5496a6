/* LimitFuzzer, ComplexFuzzer and ChoiceFuzzer: from the start symbol down, any expansion as
 * long as the depth allows, then one of least depth.
 *
 * One choice for each nonterminal, also when it has a single expansion, in pre-order; each
 * nonterminal is a span, labelled by its rule.  With `digits` an answer is a number below
 * that, taken modulo the number of expansions (ChoiceFuzzer); without, it is the expansion.
 * A default choice puts in the rule's default text.  Hooks of the user's are called around a
 * symbol, its rule and the expansion taken, in this order before it and backwards after it.
 * Source: seed 004 (Gopinath); see generate/expansion_costs.h for its cost.  Depth of the recursion is
 * on the heap.  Cost: some nanoseconds a symbol. */
#ifndef PARE_GENERATE_GRAMMAR_FUZZERS_H
#define PARE_GENERATE_GRAMMAR_FUZZERS_H

#include "generate/expansion_costs.h"
#include "generate/hooks.h"
#include "reduce/choice/choices.h"

/* Members from `stack` on are the generator's own; all-zero at first. */
typedef struct pare_limit_fuzzer {
    const pare_expansion_costs *costed; /* borrowed */
    uint32_t start;                     /* rule */
    uint32_t max_depth;                 /* below which any expansion may be taken; seed 004: 10 */
    uint32_t digits;                    /* ChoiceFuzzer: 10; 0: as above */
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
    pare_hooks_names declared; /* after a run: the names of its text */
} pare_limit_fuzzer;

void pare_grammar_fuzzers_limit_done(
    pare_limit_fuzzer *limit); /* gives the generator's own memory back */

/* The generator; borrows `limit`. */
pare_generator pare_grammar_fuzzers_limit(pare_limit_fuzzer *limit);

/* GrammarFuzzer: a tree that is expanded in three phases.
 *
 * While fewer than `min_nonterminals` nodes are open, one of them is expanded at the highest
 * cost; then any way, until `max_nonterminals` are open; then at the lowest cost, until none
 * is.  The next node is found from the root down, each time one of the children below which
 * something is open.  Choices: one for each step down, one for the expansion.
 * Source: The Fuzzing Book (Zeller, Gopinath, Böhme, Fraser, Holler), GrammarFuzzer; costs
 * as pare_expansion_costs_sums has them.  Cost: O(height * children) an expansion. */

/* Members from `nodes` on are the generator's own; all-zero at first. */
typedef struct pare_phases_fuzzer {
    const pare_expansion_costs *costed;          /* borrowed */
    uint32_t start;                              /* rule */
    uint32_t min_nonterminals, max_nonterminals; /* the book: 0 and 10 */
    struct pare_phases_node *nodes;              /* owned */
    size_t n_nodes, capacity;
    uint64_t *sums;  /* owned; of each expansion, where its rule is known */
    bool *are_known; /* owned; of each rule */
} pare_phases_fuzzer;

void pare_grammar_fuzzers_phases_done(
    pare_phases_fuzzer *phases); /* gives the generator's own memory back */

/* The generator; borrows `phases`. */
pare_generator pare_grammar_fuzzers_phases(pare_phases_fuzzer *phases);

#endif
