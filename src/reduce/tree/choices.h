/* What Perses tries for one node that is not a list: leaving it out, a list below it, and
 * the descendants that fit, lightest first. */
#ifndef PARE_REDUCE_TREE_CHOICES_H
#define PARE_REDUCE_TREE_CHOICES_H

#include "reduce/tree/state.h"

typedef struct pare_choice_limits {
    unsigned depth, list_depth;
    size_t candidates;
    bool own_symbol; /* of equal weight, what is of the item's own symbol comes first */
} pare_choice_limits;

/* Whether the language allows that nothing stands in `slot`: it may be empty, or is the
 * only thing in a node that may, or one round of several in a list. */
bool pare_choices_may_go(const pare_tree_state *state, uint32_t slot);

/* Appends the choices for `item` to *choices.  O(nodes within the depth).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_choices_find(const pare_tree_state *state, pare_tree_item item,
                                         const pare_choice_limits *limits, pare_tree_edits *choices,
                                         pare_error *err);

/* The lowest node that fits the place of `item`, at most `depth` levels below it, on the
 * path that goes to the heaviest child each time; its level to *found.  PARE_NO_NODE: none.
 * O(children of the nodes on the path). */
uint32_t pare_choices_along(const pare_tree_state *state, pare_tree_item item, unsigned depth,
                            unsigned *found);

#endif
