/* A grammar as plain productions, for the Earley parser.
 *
 * Every quantifier and every choice inside an alternative becomes a nonterminal of its
 * own.  Loops are left-recursive (S: base | S body), so that long lists cost linear time.
 * A left-recursive rule e becomes, as ANTLR rewrites it, a loop for each precedence p it
 * is called with: e[p]: primary (operator of precedence >= p)*; see productions.c.
 *
 * A dotted state is an index into `next`: the symbol after the dot, or PARE_DOT_END.
 * The state after the symbol is the next index.
 * Sources: Earley 1970; Parr, Harwell, Fisher, "Adaptive LL(*) parsing", OOPSLA 2014,
 * section 2.2 and appendix C (left recursion). */
#ifndef PARE_PARSE_PRODUCTIONS_H
#define PARE_PARSE_PRODUCTIONS_H

#include "grammar/grammar.h"
#include "parse/code_point.h"

#define PARE_TERMINAL 0x40000000u /* flag of a symbol; the rest is a terminal's index */
#define PARE_DOT_END UINT32_MAX

typedef enum pare_nonterminal_kind {
    PARE_NONTERMINAL_RULE,     /* symbol: rule */
    PARE_NONTERMINAL_LEFT,     /* the loop of a left-recursive rule; symbol: rule */
    PARE_NONTERMINAL_PRIMARY,  /* its alternatives without left recursion; symbol: rule */
    PARE_NONTERMINAL_OPERATOR, /* its left-recursive ones, after the recursion */
    PARE_NONTERMINAL_OPTIONAL, /* symbol: expression, as below */
    PARE_NONTERMINAL_STAR,
    PARE_NONTERMINAL_PLUS,
    PARE_NONTERMINAL_ITEM, /* body of a quantifier that is not a single symbol */
    PARE_NONTERMINAL_BLOCK /* a choice within a sequence; makes no node */
} pare_nonterminal_kind;

typedef struct pare_nonterminal {
    pare_nonterminal_kind kind;
    bool lazy, nullable;
    uint32_t symbol;
    uint32_t precedence;                      /* LEFT, OPERATOR */
    uint32_t first_production, n_productions; /* in order of preference */
    uint32_t null_production; /* how it derives nothing; PARE_NO_INDEX when it does not */
} pare_nonterminal;

typedef struct pare_production {
    uint32_t lhs, first_state, alternative; /* alternative of the rule's body, from 0 */
} pare_production;

/* Immutable once built; its owner calls pare_productions_done. */
typedef struct pare_productions {
    const pare_grammar *grammar; /* borrowed */
    pare_nonterminal *nonterminals;
    size_t n_nonterminals;
    pare_production *productions;
    size_t n_productions;
    uint32_t *next;       /* by dotted state: symbol */
    uint32_t *production; /* by dotted state */
    size_t n_states;
    pare_code_point_classes classes; /* scannerless: of code points */
    uint32_t n_letters;              /* letters: token types, or 1 + class; 0 is the end of file */
    size_t words;                    /* 64-bit words of a set of letters */
    uint64_t *terminals;             /* sets of letters, `words` each */
    size_t n_terminals;
    uint64_t *first;     /* by nonterminal: letters it may begin with */
    uint64_t *look;      /* by dotted state: letters that may follow the dot, by FIRST and FOLLOW */
    uint64_t *open_look; /* the same when anything may follow the start rule; NULL until
                            pare_production_sets_open */
    bool open_differs;   /* whether open_look is not look */
    bool *right_recursive; /* by dotted state: a link of right recursion, see
                              production_sets.c; at the end of a production: a link waits
                              for its nonterminal */
    uint32_t start;        /* nonterminal */
} pare_productions;

/* Rewrites what is reachable from rule `start`.
 * Errors: PARE_E_LIMIT (a grammar beyond 2^30 symbols, or whose sets need more than 1 GiB),
 * PARE_E_NOMEM; *out is all-zero then. */
PARE_CHECK pare_status pare_productions_init(pare_productions *out, const pare_grammar *grammar,
                                             pare_index start, pare_error *err);
void pare_productions_done(pare_productions *productions);

/* Whether the productions of a nonterminal are in a row, end, and refer to what is there: the
 * invariant.  O(states). */
bool pare_productions_check(const pare_productions *productions);

/* Whether the letter is in the set of a terminal, or may follow the dot of a state. */
static inline bool pare_letter_in(const pare_productions *p, const uint64_t *sets, size_t index,
                                  uint32_t letter)
{
    return sets[index * p->words + letter / 64] >> letter % 64 & 1;
}

/* Whether a symbol may begin with the letter. */
static inline bool pare_symbol_begins(const pare_productions *p, uint32_t symbol, uint32_t letter)
{
    if (symbol & PARE_TERMINAL)
        return pare_letter_in(p, p->terminals, symbol & ~PARE_TERMINAL, letter);
    return pare_letter_in(p, p->first, symbol, letter);
}

/* Whether a loop's production starts with the loop itself. */
static inline bool pare_is_loop(const pare_nonterminal *n)
{
    return n->kind == PARE_NONTERMINAL_STAR || n->kind == PARE_NONTERMINAL_PLUS ||
           n->kind == PARE_NONTERMINAL_LEFT;
}

/* Whether there may be so many sets of letters: their memory is the product of both.
 * Errors: PARE_E_LIMIT. */
PARE_CHECK pare_status pare_productions_bound(const pare_productions *productions, size_t n_sets,
                                              pare_error *err);

/* Fills open_look.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_production_sets_open(pare_productions *productions, pare_error *err);

/* Fills nullable, null_production, first, look and right_recursive; called by
 * pare_productions_init. */
PARE_CHECK pare_status pare_production_sets_find(pare_productions *productions, pare_error *err);

#endif
