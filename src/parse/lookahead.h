/* ANTLR's decisions: which alternative, by how many letters.
 *
 * A decision whose alternatives begin with different letters, whoever calls the rule, is
 * taken by one letter.  Others look ahead as far as it takes: first with the stack of the
 * rule under way only, then, when that leaves a conflict, with the whole stack.  Where
 * alternatives cannot be told apart, the first one is taken.  A lookahead that fails settles
 * for an alternative that had come to the end of the rule before, if there is one.
 *
 * Source: Parr, Harwell, Fisher, "Adaptive LL(*) parsing", OOPSLA 2014, sections 5 and 6;
 * ANTLR 4's PredictionMode (when a conflict ends the lookahead).  One thread. */
#ifndef PARE_PARSE_LOOKAHEAD_H
#define PARE_PARSE_LOOKAHEAD_H

#include "grammar/grammar.h"
#include "parse/network.h"

#include <pare/export.h>

enum {
    PARE_LOOKAHEAD_FAILS = 0 /* no alternative is viable; others count from 1 */
};

/* What was found out about the decisions of one network; ended by pare_lookahead_done. */
typedef struct pare_lookahead {
    pare_network *network;   /* borrowed */
    const uint32_t *letters; /* borrowed; behind them the end of the file; set by the user */
    uint32_t n_letters;
    struct pare_decision *decisions; /* by nonterminal */
    pare_config_set alternatives;    /* of the last decision */
    pare_config_set from, to;
    struct pare_alternative_stacks *groups; /* scratch of the search for conflicts */
    size_t groups_capacity;
    uint32_t *table; /* hash of the groups */
    size_t table_capacity, table_mask;
    uint32_t failed_at; /* letter at which the last decision failed */
} pare_lookahead;

/* Errors: PARE_E_NOMEM; *out is all-zero then. */
PARE_CHECK pare_status pare_lookahead_init(pare_lookahead *out, pare_network *network,
                                           pare_error *err);
void pare_lookahead_done(pare_lookahead *lookahead); /* all-zero is a no-op */

/* Decides how `nonterminal` goes on at letter `at`, with `stack` to return to: the index
 * from 1 in lookahead->alternatives, or PARE_LOOKAHEAD_FAILS. */
uint32_t pare_lookahead_decide(pare_lookahead *lookahead, uint32_t nonterminal, uint32_t stack,
                               uint32_t at);

static inline uint32_t pare_lookahead_letter(const pare_lookahead *lookahead, uint32_t at)
{
    return at < lookahead->n_letters ? lookahead->letters[at] : PARE_TOKEN_END;
}

#endif
