/* Deletions: which nodes of a closed set are dropped next, with all that cannot do without them
 * and all that only these needed.
 *
 * Each node has a doubt: how probable it is that the failure needs it.  What is chosen is the
 * group of which most bytes are expected: what it would remove, times the probability that none
 * of it is needed.  Outcomes change the doubts, so groups grow while they go, and shrink to single
 * nodes where they do not.
 * The state of one strategy; copied with it.  One thread.
 * Source: ProbDD (Wang et al., ESEC/FSE 2021), whose elements are independent and all of one
 * size; that an element is a node with its dependents, and that bytes are expected, is ours. */
#ifndef PARE_REDUCE_DEPENDENCY_DELETIONS_H
#define PARE_REDUCE_DEPENDENCY_DELETIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/shared.h"
#include "reduce/dependency/deletions_blame.h"
#include "reduce/dependency/dependency_graph.h"

enum { PARE_DELETIONS_MOST_VAIN = 12, PARE_DELETIONS_MOST_SUSPECTS = 32 };

/* All-zero: not begun. */
typedef struct pare_deletions {
    pare_shared *doubts;  /* double by node, 0 .. 1; 1: it is needed */
    pare_shared *choices; /* nodes that were looked at; NULL: none, of the set at hand */
    pare_shared *sets;    /* bits: what is left without each of them; */
    pare_shared *drops;   /* and what cannot do without each */
    size_t n_choices;
    pare_shared *chosen; /* uint32_t: the nodes that were proposed last */
    size_t n_chosen;
    uint32_t suspects[PARE_DELETIONS_MOST_SUSPECTS]; /* nodes; the first of them */
    size_t n_suspects;
    pare_shared *gone;          /* bits: the chosen with what cannot do without them */
    pare_deletions_blame blame; /* what groups in vain had in common */
    double scale;               /* of all doubts below 1 */
    unsigned n_looks;           /* which nodes are looked at where there are too many */
    pare_shared *vain[PARE_DELETIONS_MOST_VAIN]; /* bits: sets that are known not to be enough; */
    unsigned n_vain;                             /* so many were told, the last of which are kept */
} pare_deletions;

void pare_deletions_done(pare_deletions *deletions); /* all-zero is a no-op */
void pare_deletions_share(pare_deletions *copy);     /* after it was copied by value */

/* What nodes are dropped from; all borrowed. */
typedef struct pare_deletions_view {
    const pare_dependency *graph;
    const pare_dependency_query *query; /* `within` is the set */
    const uint32_t *roots;              /* what all of the set is there for; */
    size_t n_roots; /* 0: that is not known, so what nobody uses is not dropped */
    bool entry;     /* it is known even so: what always stays starts the program */
    bool linked; /* bodies that the query says come with their functions do not go by themselves */
    bool only_main; /* only nodes of the file that was preprocessed are chosen */
    size_t bytes;   /* of the set's text */
} pare_deletions_view;

/* Begins: of the `n` suspects it is likely that they are needed.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_begin(pare_deletions *deletions, const pare_dependency *graph,
                                            const uint32_t *suspects, size_t n, pare_error *err);

/* At these nodes, `n` of them, an error was reported that is the failure, or a part of it: they hardly go.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_hold(pare_deletions *deletions, const pare_dependency *graph,
                                           const uint32_t *nodes, size_t n, pare_error *err);

/* The function is known to be needed, and that it has a body, but nothing of what is in that.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_need_function(pare_deletions *deletions,
                                                    const pare_dependency *graph, uint32_t function,
                                                    pare_error *err);

/* Chooses a group and makes of `kept`, which is empty, what is left without it; *expected: bytes
 * that it is likely to remove, 0: there is nothing left to choose.  Cost: a closure for each of
 * some hundred nodes, after the set has changed.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_choose(pare_deletions *deletions,
                                             const pare_deletions_view *view,
                                             pare_dependency_bits *kept, double *expected,
                                             pare_error *err);

/* Makes of `kept`, which is empty, what is left without the `n` nodes: without what cannot do without them, and, where
 * it is known what the set is there for, without what only these need.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_without(const pare_deletions_view *view,
                                              const uint32_t *nodes, size_t n,
                                              pare_dependency_bits *kept, pare_error *err);

/* The node and what is in it, as far as that is in `set`, are known to be needed: they are never
 * chosen, nor what they need.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_need(pare_deletions *deletions, const pare_dependency *graph,
                                           const pare_dependency_bits *set, uint32_t node,
                                           pare_error *err);

/* What is beside the suspects, of which there are at most 32: statements of blocks in which a suspect
 * is a statement, or is in one.  Those stay that name another suspect, and those that what stays
 * needs.  Adds the others to `beside`, which is empty; *any: there are some.  Of the view only graph
 * and query are read.  Cost: two closures and a sweep for each statement; too many are left alone.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_beside(const pare_deletions_view *view,
                                             const uint32_t *suspects, size_t n,
                                             pare_dependency_bits *beside, bool *any,
                                             pare_error *err);

/* The outcome of what was chosen last.  `vain`: what was left then, if it is known that it was run, and is not
 * enough; NULL.  What leaves less than that is hardly tried any more.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_tell(pare_deletions *deletions, const pare_dependency *graph,
                                           bool failed, pare_shared *vain, pare_error *err);

/* The set or the needs of its nodes have changed: they are looked at again. */
void pare_deletions_look_again(pare_deletions *deletions);

#endif
