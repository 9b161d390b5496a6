/* The tree algorithms by name, as the pipeline runs them. */
#ifndef PARE_TREE_TABLE_H
#define PARE_TREE_TABLE_H

#include <pare/algorithm.h>
#include <pare/reduce.h>

#include "engine/strategy.h"
#include "tree/tree.h"

typedef struct pare_tree_algorithm {
    pare_algorithm_info info; /* one_minimal: 1-tree-minimal, once a round changes nothing */

    /* One run over `tree`; the text is parsed again and run again until nothing changes,
     * unless the knobs say otherwise.  On PARE_OK the caller owns *out.
     * Errors: PARE_E_NOMEM. */
    pare_status (*start)(pare_tree *tree, const pare_list_knobs *knobs, pare_strategy **out,
                         pare_error *err);
} pare_tree_algorithm;

/* The table, ordered as it is shown; *n entries. */
const pare_tree_algorithm *pare_tree_algorithms(size_t *n);

/* NULL when there is none of that name. */
const pare_tree_algorithm *pare_tree_algorithm_find(const char *name);

#endif
