/* A derivation tree that is rebuilt at each success: for strategies that put a subtree
 * anywhere, twice, or below a new node, which edits of a fixed tree cannot say.
 *
 * Nodes stand in pre-order over the text that the tree prints now, so a subtree is a run of
 * nodes and of bytes, and what replaces it is a list of such runs.
 * Immutable, reference-counted, one thread.  Memory: 40 bytes a node. */
#ifndef PARE_REDUCE_TREE_DERIVATION_H
#define PARE_REDUCE_TREE_DERIVATION_H

#include "reduce/tree/tree.h"
#include "text/candidate.h"
#include "text/text.h"

typedef struct pare_derivation_node {
    pare_tree_symbol symbol;
    uint32_t begin, end;    /* bytes of the text */
    uint32_t after, parent; /* as in the parse tree */
    uint32_t level;         /* 0 for the root */
    uint64_t shape;         /* equal for equal subtrees */
} pare_derivation_node;

typedef struct pare_derivation {
    size_t refs;
    const pare_text *text;       /* one reference */
    pare_derivation_node *nodes; /* owned */
    uint32_t n_nodes;
    uint32_t height; /* levels */
    bool spaced;     /* see pare_tree_joints */
} pare_derivation;

/* A part of what replaces a subtree: a subtree of the same tree, or a new leaf. */
typedef struct pare_part {
    uint32_t node; /* PARE_NO_NODE: a leaf of `symbol` that prints `text` (borrowed) */
    pare_tree_symbol symbol;
    uint32_t size;
    const char *text;
} pare_part;

/* Parts below a new node of `symbol`; or, if `as_is`, a single part alone. */
typedef struct pare_reduction {
    pare_tree_symbol symbol;
    bool as_is;
    uint32_t first, n; /* its parts */
    uint32_t n_nodes;
    uint64_t shape;
} pare_reduction;

/* On PARE_OK the caller owns *out, one reference.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_derivation_new(const pare_tree *tree, pare_derivation **out,
                                           pare_error *err);
pare_derivation *pare_derivation_ref(pare_derivation *derivation);
void pare_derivation_unref(pare_derivation *derivation); /* NULL is a no-op */

/* The shape of a new node with these parts. */
uint64_t pare_derivation_shape(const pare_derivation *derivation, pare_tree_symbol symbol,
                               const pare_part *parts, size_t n);

/* Fills *candidate (initialised or all-zero) with the text after `node` was replaced.
 * `parts` are those of the reduction.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_derivation_candidate(const pare_derivation *derivation, uint32_t node,
                                                 const pare_reduction *reduction,
                                                 const pare_part *parts, pare_candidate *candidate,
                                                 pare_error *err);

/* The tree after that; O(nodes).  Nodes up to `node` keep their indices.
 * On PARE_OK the caller owns *out, one reference.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_derivation_replace(const pare_derivation *derivation, uint32_t node,
                                               const pare_reduction *reduction,
                                               const pare_part *parts, pare_derivation **out,
                                               pare_error *err);

/* Whether nodes are linked and ordered; for tests. */
bool pare_derivation_check(const pare_derivation *derivation);

#endif
