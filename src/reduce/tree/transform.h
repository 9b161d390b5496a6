/* Transformations: what is done to a tree before it is reduced.
 *
 * They combine freely, in any order, each seeing what the one before it left.  None changes
 * what the tree prints.  Cost: no tests; O(nodes) time and memory. */
#ifndef PARE_REDUCE_TREE_TRANSFORM_H
#define PARE_REDUCE_TREE_TRANSFORM_H

#include "reduce/tree/tree.h"

struct pare_transform_draft; /* the tree while it is reshaped; private to transform.c */

typedef struct pare_transform {
    const char *name, *summary, *source;
    /* Reshapes the draft.  Errors: PARE_E_NOMEM. */
    pare_status (*apply)(struct pare_transform_draft *draft, pare_error *err);
    bool adds_nodes; /* needs a draft of its own */
} pare_transform;

extern const pare_transform pare_transform_squeeze, pare_transform_hide, pare_transform_flatten,
    pare_transform_remove_empty, pare_transform_skip_space;

/* The table of all transformations, ordered as they are shown; *n entries. */
const pare_transform *const *pare_transforms(size_t *n);

/* NULL when there is none of that name. */
const pare_transform *pare_transform_find(const char *name);

/* Applies `n` transformations in order.  On PARE_OK the caller owns *out, one reference
 * (for n = 0 it is `tree` itself).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_transform_run(pare_tree *tree, const pare_transform *const *transforms,
                                          size_t n, pare_tree **out, pare_error *err);

#endif
