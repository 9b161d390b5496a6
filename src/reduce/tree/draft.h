/* A tree while it is reshaped: nodes linked to their children, so that a transformation
 * moves a list of children by setting an index.
 *
 * Nodes 0 .. n_source-1 are those of the source tree under their own indices; nodes that a
 * transformation adds come behind them.  So a loop from n_source-1 down to 0 sees every
 * node after all that are below it: no recursion.  One thread. */
#ifndef PARE_REDUCE_TREE_DRAFT_H
#define PARE_REDUCE_TREE_DRAFT_H

#include "reduce/tree/tree.h"

typedef struct pare_draft_node {
    pare_tree_node node;        /* behind, parent, level, resume are computed at the end */
    uint32_t first, last, next; /* children and sibling, or PARE_NO_NODE */
} pare_draft_node;

typedef struct pare_draft {
    pare_tree *source;      /* one reference */
    pare_draft_node *nodes; /* owned */
    size_t n, capacity, n_source;
    uint32_t root;
} pare_draft;

/* On PARE_OK *draft is to be ended by pare_draft_done.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_draft_open(pare_tree *tree, pare_draft *draft, pare_error *err);
void pare_draft_done(pare_draft *draft); /* all-zero is a no-op */

/* Adds a node without children whose minimal text is empty; indices stay, pointers do not.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_draft_add(pare_draft *draft, uint32_t *out, pare_error *err);

/* Sets bytes and tokens of `node` from its children. */
void pare_draft_span(pare_draft *draft, uint32_t node);

/* The tree of the draft, over the same text.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_draft_close(const pare_draft *draft, pare_tree **out, pare_error *err);

#endif
