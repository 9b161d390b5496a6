/* Grammars of nonterminals, expansions and symbols, as the Fuzzing Book and seed 004 have
 * them, laid out for their generators.
 *
 * It works for any grammar of the model whose rules are choices of sequences of rules and literals.
 * A symbol whose label names a hook is treated by the hook:
 *
 *     define   what the symbol produced is a name, declared but not yet visible
 *     use      instead of the symbol, a visible name (each as often as it was declared);
 *              use:TEXT says what stands there while no name is visible
 *     commit   declared names become visible
 *     apart    a space is put before what the symbol produced where two words or two signs
 *              would touch
 *
 * Any other name is a hook of the user's (generate/hooks.h), which may also have hooks for
 * rules and their expansions.
 *
 * Source: seed 004 (Gopinath), LimitFuzzer and ComplexFuzzer, whose functions defining_var,
 * defined_var and sync these are; The Fuzzing Book, GrammarFuzzer, for the other cost.
 * Immutable but for its defaults, which are set before it is used; borrows the grammar. */
#ifndef PARE_GENERATE_EXPANSION_COSTS_H
#define PARE_GENERATE_EXPANSION_COSTS_H

#include "base/arena.h"
#include "generate/hooks.h"
#include "grammar/grammar.h"

#define PARE_NO_COST UINT64_MAX

typedef enum pare_hook {
    PARE_HOOK_NONE,
    PARE_HOOK_DEFINE,
    PARE_HOOK_USE,
    PARE_HOOK_COMMIT,
    PARE_HOOK_APART
} pare_hook;

typedef struct pare_costed_symbol {
    const char *text; /* of a terminal, UTF-8, ended by a NUL; NULL: a nonterminal */
    uint32_t size;    /* bytes of text */
    uint32_t rule;    /* the nonterminal */
    pare_hook hook;
    const char *undefined; /* USE: while no name is visible; NULL: what the generator says */
} pare_costed_symbol;

typedef struct pare_costed_expansion {
    uint32_t first, end; /* symbols */
    uint64_t depth;      /* 1 + the highest least depth of its nonterminals; PARE_NO_COST: it
                            has no finite text */
} pare_costed_expansion;

typedef struct pare_costed_rule {
    const char *name;
    uint32_t first, end;             /* expansions */
    uint32_t least_first, least_end; /* in `least`: its expansions of least depth */
    uint64_t depth;                  /* the least of its expansions */
    const char *default_text;        /* what a default choice puts in; NULL: the first
                                       expansion of least depth is taken */
} pare_costed_rule;

/* All-zero is empty. */
typedef struct pare_expansion_costs {
    pare_costed_rule *rules;
    size_t n_rules;
    pare_costed_expansion *expansions;
    size_t n_expansions;
    pare_costed_symbol *symbols;
    size_t n_symbols;
    uint32_t *least;         /* expansions, in the grammar's order */
    uint32_t *least_sorted;  /* the same by their symbols, as Python orders lists of texts */
    const char *default_use; /* what a default choice puts in for a use; NULL: the first name */
    /* Hooks of the user's, of each of these; NULL without a script. */
    pare_hook_pair *rule_hooks, *expansion_hooks, *symbol_hooks;
    pare_arena memory; /* of all of it */
} pare_expansion_costs;

/* `hooks` (or NULL) are those of the user, or of the same script; all of them must be known.
 * Errors: PARE_E_UNSUPPORTED (the grammar is not of that form, or has labels that are no
 * hooks), PARE_E_SYNTAX (a rule has no finite text; a hook of the user's names nothing),
 * PARE_E_NOMEM; *book is all-zero then. */
PARE_CHECK pare_status pare_expansion_costs_init_hooked(pare_expansion_costs *costed,
                                                        const pare_grammar *grammar,
                                                        pare_hooks *hooks, pare_error *err);

/* The same without hooks of the user's. */
PARE_CHECK pare_status pare_expansion_costs_init(pare_expansion_costs *costed,
                                                 const pare_grammar *grammar, pare_error *err);
void pare_expansion_costs_done(pare_expansion_costs *costed);

/* Whether rules and their expansions follow each other without a gap, each rule has a finite
 * expansion, and those listed as least are: the invariant.  O(expansions). */
bool pare_expansion_costs_check(const pare_expansion_costs *costed);

/* What a default choice for the rule `name` puts in, or, where there is no rule called so, for a
 * "use"; `text` is borrowed.  Returns whether there is one of these.  Source: seed 004's NOPs. */
bool pare_expansion_costs_set_default(pare_expansion_costs *costed, const char *name,
                                      const char *text);

/* The same for each member of a JSON object, {"<expr>": "0", "use": "000"}, of `size` bytes; `path`
 * is for sentences.  Errors: PARE_E_SYNTAX (it is none, or names what is not there), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_expansion_costs_read_defaults(pare_expansion_costs *costed,
                                                          const char *path, const char *text,
                                                          size_t size, pare_error *err);

/* The Fuzzing Book's costs of the expansions of `rule`: 1 + the sum of the costs of its
 * nonterminals, where `rule` itself must not occur again; PARE_NO_COST where it must.
 * costs[i] is that of expansion rule->first + i.  O(rules * grammar).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_expansion_costs_sums(const pare_expansion_costs *costed, uint32_t rule,
                                                 uint64_t *costs, pare_error *err);

#endif
