/* Templates: which tree edits have been seen to make sense in example files.
 *
 * A node may be deleted if an example has a node like its parent without a child in this
 * place; where examples always have some, as many of the first stay as each of them has.
 * It may be replaced by a node below it of a symbol that was seen in this place, alone or
 * at the end of a chain of single children.  The root stays.  What was never seen at all is
 * allowed: a template set says no only where it knows better.
 *
 * A place is the parent's symbol and production, and the label in the tree (tree.h): the
 * edges of the paper.  Where a language has no productions, places of one parent are told
 * apart by the symbols that stand there.
 * Examples are learned from as they are, before transformations, which keep places.
 * Source: Herfert, Patra and Pradel, "Automatically reducing tree-structured test inputs",
 * ASE 2017.  Deviation: how many children stay; the paper's lists have numbered edges.
 * One thread. */
#ifndef PARE_REDUCE_TREE_GTR_TEMPLATES_H
#define PARE_REDUCE_TREE_GTR_TEMPLATES_H

#include "reduce/tree/tree.h"

typedef struct pare_gtr_templates pare_gtr_templates;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_gtr_templates_new(pare_gtr_templates **out, pare_error *err);
void pare_gtr_templates_free(pare_gtr_templates *templates); /* NULL is a no-op */

/* Learns from an example.  Linear in its nodes.  Errors: PARE_E_NOMEM; what was learned
 * stays. */
PARE_CHECK pare_status pare_gtr_templates_learn(pare_gtr_templates *templates,
                                                const pare_tree *example, pare_error *err);

/* Whether `node`, which stands in the place of `slot` (itself, or a node above it that gave
 * way to it), may be deleted.  `templates` may be NULL: yes. */
bool pare_gtr_templates_allow_delete(const pare_gtr_templates *templates, const pare_tree *tree,
                                     uint32_t slot, uint32_t node);

/* Whether `node` may take the place of `slot`.  `templates` may be NULL: yes. */
bool pare_gtr_templates_allow_child(const pare_gtr_templates *templates, const pare_tree *tree,
                                    uint32_t slot, uint32_t node);

#endif
