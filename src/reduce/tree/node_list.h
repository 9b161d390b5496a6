/* A list algorithm over the nodes of a tree: which of a list of places to leave out next.
 *
 * The bridge from reduce/list, which knows positions, to tree strategies.  When the algorithm
 * has ended with one place left and has not tried that one, it is tried too (EmptyDD in
 * Picireny), unless the list must not become empty.  With `all_first` the whole list is
 * tried before anything else.
 *
 * One thread; copied by pare_node_list_copy, states share what they do not write. */
#ifndef PARE_REDUCE_TREE_NODE_LIST_H
#define PARE_REDUCE_TREE_NODE_LIST_H

#include "base/shared.h"
#include "reduce/list/algorithms.h"
#include "reduce/tree/tree_state.h"

#include <pare/algorithm.h>

typedef struct pare_node_list_options {
    const pare_list_algorithm *algorithm; /* NULL: ddmin */
    pare_list_knobs knobs;
    bool all_first;
    bool never_empty;        /* at least one place stays */
    pare_tree_change change; /* PRUNE or DELETE */
} pare_node_list_options;

typedef enum pare_node_list_step {
    PARE_NODE_LIST_ALL,
    PARE_NODE_LIST_ALGORITHM,
    PARE_NODE_LIST_ONE,
    PARE_NODE_LIST_ENDED
} pare_node_list_step;

/* All-zero is a list that has ended. */
typedef struct pare_node_list {
    pare_node_list_options options;
    pare_shared *items; /* of pare_tree_item */
    size_t n;
    void *state; /* of the algorithm; owned; NULL before it starts */
    bool started;
    pare_edit edit; /* what was proposed last */
    size_t run;
    bool removed; /* something went in this run */
    pare_node_list_step step;
} pare_node_list;

/* Begins a list of `n` items, ascending.  *list is all-zero or was used before.
 * Errors: PARE_E_NOMEM; *list is to be ended with done. */
PARE_CHECK pare_status pare_node_list_start(pare_node_list *list,
                                            const pare_node_list_options *options,
                                            const pare_tree_item *items, size_t n, pare_error *err);
void pare_node_list_done(pare_node_list *list);

/* Makes *copy, which is not initialised, an independent copy.
 * Errors: PARE_E_NOMEM; *copy is then all-zero. */
PARE_CHECK pare_status pare_node_list_copy(const pare_node_list *list, pare_node_list *copy,
                                           pare_error *err);

/* Sets *edits to the next proposal, or *done.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_node_list_next(pare_node_list *list, bool *done, pare_tree_edits *edits,
                                           pare_error *err);

/* Takes the outcome of the last proposal.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_node_list_tell(pare_node_list *list, bool fails, pare_error *err);

/* Perses' own list minimiser: the whole list, then a stack of its halves, the last half
 * first; a part that cannot go is split.  Between n and 2n tests, none twice; 1-minimal
 * only as part of a fixpoint.
 * Source: Sun et al., ICSE 2018 (the tool's default, "DFS"). */
extern const pare_list_algorithm pare_list_halves;

#endif
