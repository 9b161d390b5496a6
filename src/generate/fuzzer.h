/* The generators that need no lexer, by name: those of The Fuzzing Book and of seed 004.
 *
 * One object for each thread. */
#ifndef PARE_GENERATE_FUZZER_H
#define PARE_GENERATE_FUZZER_H

#include "base/buffer.h"
#include "generate/expansion_costs.h"
#include "generate/hooks.h"
#include "reduce/choice/choices.h"

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

void pare_fuzzer_limit_done(pare_limit_fuzzer *limit); /* gives the generator's own memory back */

/* The generator; borrows `limit`. */
pare_generator pare_fuzzer_limit(pare_limit_fuzzer *limit);

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

void pare_fuzzer_phases_done(
    pare_phases_fuzzer *phases); /* gives the generator's own memory back */

/* The generator; borrows `phases`. */
pare_generator pare_fuzzer_phases(pare_phases_fuzzer *phases);

/* MutationFuzzer: inputs made of other inputs by small changes.
 *
 * First each member that was there at the start, in order; then a member, changed 2 to 10
 * times: a byte is left out, a printable character put in, or a bit flipped.  The form that
 * is driven by coverage adds what reached something new, and changes that alone (`grows`;
 * campaign/guide.c, which reduces it first where seed 002, exercise 1, is asked for).
 * Source: The Fuzzing Book, MutationFuzzer and MutationCoverageFuzzer.  Deviation: bytes, where the book has characters. */

/* All-zero is ready, with the book's numbers.  One thread. */
typedef struct pare_mutation_fuzzer {
    uint32_t min_mutations, max_mutations; /* 0, 0: 2 and 10 */
    pare_buffer *members;                  /* owned: the population */
    size_t n, capacity;
    size_t n_first;    /* members that are returned unchanged, once */
    size_t at;         /* of those */
    bool grows;        /* they are changed only while there is no other member */
    pare_buffer spare; /* a candidate being changed */
} pare_mutation_fuzzer;

void pare_fuzzer_mutation_done(pare_mutation_fuzzer *mutation);

/* Adds a member; with `first`, one that is returned unchanged before anything else.  All of
 * those must be added before the first run.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fuzzer_mutation_add(pare_mutation_fuzzer *mutation, const char *input,
                                                size_t size, bool first, pare_error *err);

/* The generator; borrows `mutation`.  The one generator whose next run goes on where the last
 * one stood, while members are returned unchanged.  Without members it makes the empty
 * text. */
pare_generator pare_fuzzer_mutation(pare_mutation_fuzzer *mutation);

/* RandomFuzzer: characters of a range.
 * Source: The Fuzzing Book, RandomFuzzer: a length, then each character. */

typedef struct pare_random_text {
    uint32_t min_length, max_length; /* characters; the book: 10 and 100 */
    uint32_t first, n;               /* code points first .. first+n-1; the book: 32 and 32 */
} pare_random_text;

/* The generator; borrows `options`.  Characters beyond ASCII are written in UTF-8. */
pare_generator pare_fuzzer_random_text(const pare_random_text *options);

typedef enum pare_fuzzer_kind {
    PARE_FUZZER_GRAMMAR, /* generate/deriver.h, for any grammar; not made here */
    PARE_FUZZER_PHASES,
    PARE_FUZZER_LIMIT,
    PARE_FUZZER_COMPLEX,
    PARE_FUZZER_CHOICE,
    PARE_FUZZER_RANDOM,
    PARE_FUZZER_MUTATION,
    PARE_FUZZER_GRAPH /* generate/prototype/walk.h; not made here, and has no name */
} pare_fuzzer_kind;

/* The kind called `name`; false: there is none. */
bool pare_fuzzer_find(const char *name, pare_fuzzer_kind *kind);

typedef struct pare_fuzzer_options {
    pare_fuzzer_kind kind;
    const pare_expansion_costs *costed; /* borrowed; NULL for RANDOM and MUTATION */
    uint32_t start;                     /* rule */
    uint32_t max_depth;                 /* 0: the seed's 10 */
    pare_hooks *hooks;                  /* borrowed; or NULL */
    const pare_buffer *members;         /* MUTATION: the population, borrowed during the call */
    size_t n_members;
    bool grows; /* MUTATION: see there; the members are returned first */
    /* Of PHASES, RANDOM and MUTATION; where the second is 0 both are the book's. */
    uint32_t min_nonterminals, max_nonterminals;
    uint32_t min_length, max_length;
    uint32_t min_mutations, max_mutations;
} pare_fuzzer_options;

/* All-zero is empty. */
typedef struct pare_fuzzer {
    pare_fuzzer_kind kind;
    pare_limit_fuzzer limit;
    pare_phases_fuzzer phases;
    pare_random_text random;
    pare_mutation_fuzzer mutation;
} pare_fuzzer;

/* Errors: PARE_E_NOMEM; *fuzzer is to be ended then too. */
PARE_CHECK pare_status pare_fuzzer_init(pare_fuzzer *fuzzer, const pare_fuzzer_options *options,
                                        pare_error *err);
void pare_fuzzer_done(pare_fuzzer *fuzzer);

/* The generator; borrows `fuzzer`. */
pare_generator pare_fuzzer_generator(pare_fuzzer *fuzzer);

#endif
