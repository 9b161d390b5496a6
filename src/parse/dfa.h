/* The lexer's automaton made deterministic while it runs.
 *
 * A state is an ordered list of configurations (automaton state, calls to come back to,
 * rule).  Order is priority.  States and steps are built when first needed and kept.
 * Semantics are those of ANTLR 4's lexer: see dfa.c.  One thread. */
#ifndef PARE_PARSE_DFA_H
#define PARE_PARSE_DFA_H

#include <pare/export.h>
#include <pare/status.h>

#include "grammar/grammar.h"

typedef struct pare_dfa pare_dfa;

/* What a state accepts. */
typedef struct pare_dfa_accept {
    pare_index rule;        /* PARE_NO_INDEX: nothing */
    pare_index alternative; /* expression of its outermost alternative */
} pare_dfa_accept;

enum { PARE_DFA_DEAD = 0 };

/* Borrows `grammar`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dfa_new(const pare_grammar *grammar, pare_dfa **out, pare_error *err);
void pare_dfa_free(pare_dfa *dfa); /* NULL is a no-op */

/* The state to begin a token of `mode` with.  May forget all states: those got before are
 * then void.  Errors: PARE_E_NOMEM, PARE_E_LIMIT (rules that call themselves without
 * end). */
PARE_CHECK pare_status pare_dfa_start(pare_dfa *dfa, pare_index mode, uint32_t *state,
                                      pare_error *err);

/* The state after `state` and code point `point`; UINT32_MAX is the end of the text.
 * Errors: as above. */
PARE_CHECK pare_status pare_dfa_step(pare_dfa *dfa, uint32_t state, uint32_t point, uint32_t *next,
                                     pare_error *err);

/* Runs over `size` bytes of UTF-8 from *state on, until it is dead.  Errors: as above. */
PARE_CHECK pare_status pare_dfa_run(pare_dfa *dfa, const char *bytes, size_t size, uint32_t *state,
                                    pare_error *err);

/* Another number whenever states were forgotten. */
size_t pare_dfa_epoch(const pare_dfa *dfa);

pare_dfa_accept pare_dfa_accepts(const pare_dfa *dfa, uint32_t state);

#endif
