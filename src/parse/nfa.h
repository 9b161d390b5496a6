/* The lexer rules of a grammar as a nondeterministic automaton with calls.
 *
 * Edges are ordered: what stands first is preferred, which is how ANTLR makes loops
 * greedy or not.  A rule used by another is called, not copied, so lexer rules may nest
 * (comments in comments).
 * Source: Thompson 1968 for the shape; Parr, The Definitive ANTLR 4 Reference, chapter 15
 * for what the parts mean. */
#ifndef PARE_PARSE_NFA_H
#define PARE_PARSE_NFA_H

#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

typedef enum pare_nfa_kind {
    PARE_NFA_EMPTY,       /* goes on to each of its edges, in order */
    PARE_NFA_CONSUME,     /* takes a code point of its intervals, then edge */
    PARE_NFA_END_OF_FILE, /* takes the end of the text, then edge */
    PARE_NFA_CALL,        /* goes to the start of `rule`, and on to edge when that stops */
    PARE_NFA_ALTERNATIVE, /* notes which outermost alternative `rule` ends by, then edge */
    PARE_NFA_STOP         /* end of a rule */
} pare_nfa_kind;

typedef struct pare_nfa_state {
    pare_nfa_kind kind;
    bool lazy;        /* EMPTY: the decision of a non-greedy quantifier */
    uint32_t n_edges; /* at most 2 in `edge`; more: a run in nfa->edges */
    uint32_t edge[2]; /* targets; with more than two, edge[0] is the run's start */
    uint32_t first_interval, n_intervals; /* CONSUME: in nfa->intervals */
    uint32_t rule; /* CALL: the rule; ALTERNATIVE: the expression of the alternative */
} pare_nfa_state;

/* Immutable once built; its owner calls pare_nfa_done. */
typedef struct pare_nfa {
    pare_nfa_state *states;
    size_t n_states;
    uint32_t *edges;
    size_t n_edges, edges_capacity;
    pare_interval *intervals;
    size_t n_intervals, intervals_capacity;
    uint32_t *start; /* by rule; PARE_NO_INDEX for parser rules */
} pare_nfa;

/* Builds the automaton of all lexer rules and fragments.  O(grammar).
 * Errors: PARE_E_NOMEM; *nfa is all-zero then. */
PARE_CHECK pare_status pare_nfa_init(pare_nfa *nfa, const pare_grammar *grammar, pare_error *err);
void pare_nfa_done(pare_nfa *nfa);

#endif
