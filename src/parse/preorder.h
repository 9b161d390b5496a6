/* Nodes in the order in which a tree is finished, children before their parent; put into
 * the pre-order of a parse tree at the end.  One thread. */
#ifndef PARE_PARSE_PREORDER_H
#define PARE_PARSE_PREORDER_H

#include "parse/parse_tree.h"

typedef struct pare_finished_node {
    uint32_t kind, symbol, alternative; /* as in pare_parse_node */
    uint32_t size;                      /* nodes below it and itself; they stand before it */
    uint32_t begin, end;                /* bytes */
} pare_finished_node;

/* All-zero is empty; ended by pare_preorder_done. */
typedef struct pare_preorder {
    pare_finished_node *nodes;
    size_t n, capacity;
} pare_preorder;

/* Adds a node; false when memory is out or there are 2^32 - 2 nodes. */
bool pare_preorder_add(pare_preorder *list, pare_finished_node node);

/* Fills nodes and n_nodes of *tree; the last node added is the root.  A node keeps within
 * the bytes of its parent.  O(nodes).  Errors: PARE_E_NOMEM; *tree is untouched then. */
PARE_CHECK pare_status pare_preorder_store(const pare_preorder *list, pare_parse_tree *tree,
                                           pare_error *err);
void pare_preorder_done(pare_preorder *list);

#endif
