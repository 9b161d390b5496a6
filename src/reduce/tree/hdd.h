/* Walks: reducing a tree configuration by configuration, each a list of places that are
 * tried together: what HDD, HDDr and GTR have in common.
 *
 * An order says which configurations there are: the levels of the tree (HDD, GTR), or the
 * children of one node after the other (HDDr).  A phase says what is done to each: steps
 * in a row, as Picireny's --phase has them.  A sweep visits all configurations once; a
 * phase repeats its sweep until one changes nothing, unless told not to; then comes the
 * next phase.  One thread. */
#ifndef PARE_REDUCE_TREE_HDD_H
#define PARE_REDUCE_TREE_HDD_H

#include "engine/strategy.h"
#include "reduce/list/algorithms.h"
#include "reduce/tree/gtr_templates.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/tree_state.h"

#include <pare/algorithm.h>

typedef enum pare_hdd_step {
    PARE_HDD_END,    /* no further step */
    PARE_HDD_PRUNE,  /* list minimisation: minimal texts take the place of nodes */
    PARE_HDD_COARSE, /* the same, only for nodes whose minimal text is empty */
    PARE_HDD_HOIST,  /* a node is replaced by one of its topmost compatible descendants */
    PARE_HDD_DELETE, /* list minimisation: nodes go, as far as the templates allow */
    PARE_HDD_CHILD   /* a node is replaced by one of its children, likewise */
} pare_hdd_step;

enum { PARE_HDD_MAX_STEPS = 4, PARE_HDD_MAX_PHASES = 8 };

typedef struct pare_hdd_phase {
    pare_hdd_step steps[PARE_HDD_MAX_STEPS]; /* END behind the last one, if fewer */
} pare_hdd_phase;

/* The step of that name, `size` bytes; PARE_HDD_END when there is none. */
pare_hdd_step pare_hdd_step_find(const char *name, size_t size);

/* Names of the steps, separated by commas, in the order above. */
extern const char *const pare_hdd_step_names;

/* The zero value is the algorithm's default for each. */
typedef struct pare_hdd_options {
    pare_hdd_phase phases[PARE_HDD_MAX_PHASES];
    size_t n_phases;                 /* 0: one phase: PRUNE (for GTR: DELETE, CHILD) */
    const pare_list_algorithm *list; /* NULL: ddmin */
    pare_list_knobs knobs;
    pare_fixpoint fixpoint;   /* of a phase; the default is on */
    bool by_node;             /* HDDr; else HDD, level by level */
    pare_traversal traversal; /* HDDr: which node is next */
    /* Only what prints less is tried.  The best of a reduction is its smallest text; a walk
     * that goes on from another one of that size ends at a text that is not kept. */
    bool shorter;
    const pare_gtr_templates *templates; /* GTR; borrowed; NULL: everything is allowed */
} pare_hdd_options;

/* A walk over `tree` (a reference is taken).  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_hdd_new(pare_tree *tree, const pare_hdd_options *options,
                                    pare_strategy **out, pare_error *err);

/* What a strategy made by pare_hdd_new has come to; borrowed.  For tests of its promise. */
const pare_tree_state *pare_hdd_state(const pare_strategy *strategy);

#endif
