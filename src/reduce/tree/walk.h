/* Walks: reducing a tree configuration by configuration, each a list of places that are
 * tried together: what HDD, HDDr and GTR have in common.
 *
 * An order says which configurations there are: the levels of the tree (HDD, GTR), or the
 * children of one node after the other (HDDr).  A phase says what is done to each: steps
 * in a row, as Picireny's --phase has them.  A sweep visits all configurations once; a
 * phase repeats its sweep until one changes nothing, unless told not to; then comes the
 * next phase.  One thread. */
#ifndef PARE_REDUCE_TREE_WALK_H
#define PARE_REDUCE_TREE_WALK_H

#include "base/shared.h"
#include "engine/strategy.h"
#include "reduce/list/algorithm.h"
#include "reduce/tree/node_list.h"
#include "reduce/tree/state.h"
#include "reduce/tree/templates.h"
#include "reduce/tree/tree.h"

#include <pare/reduce.h>

typedef enum pare_walk_step {
    PARE_WALK_END,    /* no further step */
    PARE_WALK_PRUNE,  /* list minimisation: minimal texts take the place of nodes */
    PARE_WALK_COARSE, /* the same, only for nodes whose minimal text is empty */
    PARE_WALK_HOIST,  /* a node is replaced by one of its topmost compatible descendants */
    PARE_WALK_DELETE, /* list minimisation: nodes go, as far as the templates allow */
    PARE_WALK_CHILD   /* a node is replaced by one of its children, likewise */
} pare_walk_step;

enum { PARE_WALK_MAX_STEPS = 4, PARE_WALK_MAX_PHASES = 8 };

typedef struct pare_walk_phase {
    pare_walk_step steps[PARE_WALK_MAX_STEPS]; /* END behind the last one, if fewer */
} pare_walk_phase;

/* The step of that name, `size` bytes; PARE_WALK_END when there is none. */
pare_walk_step pare_walk_step_find(const char *name, size_t size);

/* Names of the steps, separated by commas, in the order above. */
extern const char *const pare_walk_step_names;

/* The zero value is the algorithm's default for each. */
typedef struct pare_walk_options {
    pare_walk_phase phases[PARE_WALK_MAX_PHASES];
    size_t n_phases;                 /* 0: one phase: PRUNE (for GTR: DELETE, CHILD) */
    const pare_list_algorithm *list; /* NULL: ddmin */
    pare_list_knobs knobs;
    pare_fixpoint fixpoint;   /* of a phase; the default is on */
    pare_traversal traversal; /* HDDr */
    /* Only what prints less is tried.  The best of a reduction is its smallest text; a walk
     * that goes on from another one of that size ends at a text that is not kept. */
    bool shorter;
    const pare_tree_templates *templates; /* GTR; borrowed; NULL: everything is allowed */
} pare_walk_options;

typedef struct pare_walk pare_walk;

/* Each sets walk->items; an empty list ends the sweep.  Errors: PARE_E_NOMEM. */
typedef struct pare_walk_order {
    pare_status (*first)(pare_walk *walk, pare_error *err);
    pare_status (*following)(pare_walk *walk, pare_error *err);
} pare_walk_order;

struct pare_walk {
    pare_strategy head;
    const pare_walk_order *order;
    pare_walk_options options;
    pare_tree_state *state; /* one reference */
    size_t phase, step;     /* step of the configuration at hand */
    bool sweeping;          /* there is a configuration at hand */
    bool changed;           /* in this sweep */
    bool stepping;          /* the step has begun */
    pare_shared *items;     /* pare_tree_item; the configuration */
    size_t n;
    pare_shared *queue; /* pare_tree_item; HDDr: the work list */
    size_t queue_from, queue_to;
    pare_node_list list; /* PRUNE, COARSE, DELETE */
    size_t at;           /* HOIST, CHILD: the item at hand */
    uint32_t into;       /* ... and the node that is looked at below it; 0: none yet */
    bool round_changed;
    pare_tree_edits edits; /* proposed last */
};

/* A walk over `tree` (a reference is taken).  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_walk_new(pare_tree *tree, const pare_walk_order *order,
                                     const pare_walk_options *options, pare_strategy **out,
                                     pare_error *err);

/* For orders: makes the configuration the root alone, or the children in play of `n`
 * items.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_walk_take_root(pare_walk *walk, pare_error *err);
PARE_CHECK pare_status pare_walk_take_children(pare_walk *walk, const pare_tree_item *items,
                                               size_t n, pare_error *err);

#endif
