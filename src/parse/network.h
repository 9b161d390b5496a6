/* Configurations of ANTLR's adaptive LL(*) prediction, over the productions.
 *
 * A configuration is a state of the grammar's transition network, a stack of the states to
 * return to, and the number of the alternative of a decision that it stands for.  What is
 * not in the stack is behind its bottom: there, either the stack was whole, and the start
 * rule is at its end, or it was cut, and any caller may go on.
 *
 * States are the dotted states of the productions, where a loop's left recursion is passed
 * by: behind a round stands the loop's own state, which decides on another round.  A
 * left-recursive rule that is called in the course of a closure has all its operators, as
 * in ANTLR, which looks at precedences only where a decision begins.
 *
 * Source: Parr, Harwell, Fisher, "Adaptive LL(*) parsing", OOPSLA 2014, section 5 (closure
 * and move) and ANTLR 4's ParserATNSimulator and LL1Analyzer as documented there.
 * Deviation: stacks are lists that share their tails, not a graph; how many there are is
 * limited by the steps that may be taken. */
#ifndef PARE_PARSE_NETWORK_H
#define PARE_PARSE_NETWORK_H

#include "parse/productions.h"

#include <pare/export.h>
#include <pare/status.h>

/* Kinds of state, in the two high bits; the rest is a nonterminal, or a dotted state. */
#define PARE_PLACE_KIND 0xC0000000u
#define PARE_PLACE_DOT 0u
#define PARE_PLACE_LOOP 0x40000000u /* before the first or another round of a loop */
#define PARE_PLACE_EXIT 0x80000000u /* behind the nonterminal */
#define PARE_PLACE_CALL 0xC0000000u /* before the nonterminal, its return state on the stack */
#define PARE_PLACE_END UINT32_MAX   /* popped the bottom of the stack */

typedef struct pare_config {
    uint32_t state, stack, alternative; /* stack: 0 is the empty one */
    bool dipped;                        /* went on behind the bottom, with any caller */
} pare_config;

typedef struct pare_config_set {
    pare_config *all; /* owned */
    size_t n, capacity;
} pare_config_set;

/* What is behind the bottom of the stacks. */
typedef enum pare_stack_bottom {
    PARE_BOTTOM_END,    /* nothing: PARE_PLACE_END */
    PARE_BOTTOM_CALLERS /* whatever may stand behind the rule anywhere in the grammar */
} pare_stack_bottom;

/* One network with its stacks; ended by pare_network_done.  One thread. */
typedef struct pare_network {
    const pare_productions *p;     /* borrowed */
    uint32_t *whole;               /* by nonterminal: the one that stands for it */
    uint32_t *first_call;          /* by nonterminal: in calls; n + 1 entries */
    uint32_t *calls;               /* dotted states behind it */
    struct pare_stack_node *nodes; /* of the stacks; 0 is the empty one */
    size_t n_nodes, nodes_capacity;
    uint32_t *node_table; /* hash */
    size_t node_mask;
    pare_config_set work; /* met by the closure under way */
    uint32_t *met_table;  /* hash */
    size_t met_mask;
    uint32_t letter;     /* behind that closure, or PARE_ANY_LETTER */
    bool met_precedence; /* the last closure came by a loop of operators */
    size_t n_steps, max_steps;
    bool exhausted; /* steps */
    bool failed;    /* memory */
} pare_network;

typedef struct pare_stack_node {
    uint32_t below, state;
} pare_stack_node;

/* `p` is borrowed.  Errors: PARE_E_NOMEM; *out is all-zero then. */
PARE_CHECK pare_status pare_network_init(pare_network *out, const pare_productions *p,
                                         pare_error *err);
void pare_network_done(pare_network *network); /* all-zero is a no-op */
void pare_config_set_done(pare_config_set *set);

/* Forgets all stacks, and allows so many steps from here on. */
void pare_network_reset(pare_network *network, size_t max_steps);

/* The functions below set `failed` or `exhausted` rather than return a status; what they
 * leave is not to be used then. */

/* The stack with `state` on top. */
uint32_t pare_stack_push(pare_network *network, uint32_t below, uint32_t state);

/* The part of the stack that belongs to the rule under way, on an empty one. */
uint32_t pare_stack_cut(pare_network *network, uint32_t stack);

/* The state on top, with the stack below it. */
pare_config pare_stack_pop(const pare_network *network, uint32_t stack);

void pare_config_add(pare_network *network, pare_config_set *set, pare_config config);

/* Where a nonterminal begins; for a choice, its first alternative. */
uint32_t pare_network_entry(const pare_network *network, uint32_t nonterminal);

/* The ways to go on from a decision: those of a nonterminal whose return state `stack` has
 * on top, or of a loop another round or none; numbered from 1 in ANTLR's order. */
void pare_network_alternatives(pare_network *network, uint32_t nonterminal, uint32_t stack,
                               pare_config_set *out);

/* Whether the nonterminal is matched as one set of tokens, without a decision. */
bool pare_network_is_set(const pare_network *network, uint32_t nonterminal);

/* Replaces the configurations by those before a letter, or at the end, that they lead to
 * without one.  With `letter` other than PARE_ANY_LETTER, those that do not take it may be
 * left out. */
#define PARE_ANY_LETTER UINT32_MAX
void pare_network_close(pare_network *network, pare_config_set *set, pare_stack_bottom bottom,
                        uint32_t letter);

/* Those of `from` that take `letter`, behind it.  PARE_PLACE_END takes the end of the file,
 * and stays. */
void pare_network_move(pare_network *network, const pare_config_set *from, uint32_t letter,
                       pare_config_set *out);

/* Adds the letters that the closed set may take to `letters` (words of the productions);
 * true when PARE_PLACE_END is among the configurations. */
bool pare_network_letters(const pare_network *network, const pare_config_set *set,
                          uint64_t *letters);

static inline pare_nonterminal_kind pare_network_kind(const pare_network *network,
                                                      uint32_t nonterminal)
{
    return network->p->nonterminals[nonterminal].kind;
}

#endif
