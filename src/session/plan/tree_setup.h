/* The knobs of the tree algorithms, from names to what the tree layer takes. */
#ifndef PARE_SESSION_PLAN_TREE_SETUP_H
#define PARE_SESSION_PLAN_TREE_SETUP_H

#include <pare/algorithm.h>

#include "reduce/tree/tree_algorithm.h"

/* Reads the options' names; templates and expansions are left to who has them.
 * Errors: PARE_E_ARG (an unknown name, too many of them). */
PARE_CHECK pare_status pare_tree_setup_read(const pare_list_knobs *lists,
                                            const pare_tree_options *trees, pare_tree_setup *setup,
                                            pare_error *err);

/* Sets the transformations of `algorithm`, unless the user has named others. */
PARE_CHECK pare_status pare_tree_setup_for(pare_tree_setup *setup,
                                           const pare_tree_algorithm *algorithm, pare_error *err);

#endif
