/* Templates: which tree edits have been seen to make sense in example files.
 *
 * A node may be deleted if somewhere a node of its parent's symbol has no child of its
 * symbol; it may be replaced by a child of some symbol if its parent's symbol was seen
 * with a direct child of that symbol.  What was never seen at all is allowed: a template
 * set says no only where it knows better.
 * Source: Herfert, Patra and Pradel, "Automatically reducing tree-structured test inputs",
 * ASE 2017.  Deviation: edges carry no labels; only pairs of symbols are learned.
 * One thread. */
#ifndef PARE_TREE_TEMPLATES_H
#define PARE_TREE_TEMPLATES_H

#include "tree/tree.h"

typedef struct pare_tree_templates pare_tree_templates;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tree_templates_new(pare_tree_templates **out, pare_error *err);
void pare_tree_templates_free(pare_tree_templates *templates); /* NULL is a no-op */

/* Learns from an example.  Errors: PARE_E_NOMEM; what was learned stays. */
PARE_CHECK pare_status pare_tree_templates_learn(pare_tree_templates *templates,
                                                 const pare_tree *example, pare_error *err);

/* Whether a node of `symbol` below one of `parent` may be deleted, or replaced by its
 * child of symbol `child`.  `templates` may be NULL: yes. */
bool pare_tree_templates_allow_delete(const pare_tree_templates *templates, pare_tree_symbol parent,
                                      pare_tree_symbol symbol);
bool pare_tree_templates_allow_child(const pare_tree_templates *templates, pare_tree_symbol parent,
                                     pare_tree_symbol child);

#endif
