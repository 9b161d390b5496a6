/* From an outline to clauses: the rules of what needs what.  For dependency.c alone. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_RULES_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_RULES_H

#include "reduce/dependency/dependency_lists.h"
#include "reduce/dependency/outline.h"

/* The graph's clauses.  Facts are numbered from n_nodes on; the first is that bodies stay. */
typedef struct pare_dependency_clauses {
    uint32_t n_nodes, n;          /* n: nodes and facts */
    pare_dependency_lists edges;  /* premise: conclusions that need no other premise */
    pare_dependency_lists shared; /* premise: clauses that have others, too */
    uint32_t *heads;              /* owned; by clause: the conclusion */
    uint32_t *n_premises;         /* owned; by clause */
    size_t n_clauses;
    pare_dependency_lists providers; /* fact, from 0: nodes of which one must be kept, or members
                                        that bear the name */
    unsigned char *one_of;           /* owned; fact, from 0: one of its providers is needed */
    unsigned char *forwards;         /* owned; by place in providers.to: it uses the fact itself, as
                                `typedef typename B::value value;` does */
    pare_dependency_lists named;     /* word: nodes that declare it */
    pare_dependency_lists ties;      /* node: bases through which it reaches a member: it cannot do
                                        without them, though they do not come with it */
    pare_dependency_lists
        rivals;       /* node: parts of it, and after each the node that it is an error beside
                                        without that part */
    uint32_t *always; /* owned; nodes */
    size_t n_always;
} pare_dependency_clauses;

/* On PARE_OK the caller owns what *out holds.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_rules_apply(const pare_outline *outline,
                                                   pare_dependency_clauses *out, pare_error *err);
void pare_dependency_rules_done(pare_dependency_clauses *clauses); /* all-zero is a no-op */

#endif
