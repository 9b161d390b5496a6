/* The hierarchical family: HDD, HDDr, Coarse HDD and GTR.
 *
 * They have one machine in common.  A configuration is a list of places that are tried
 * together: a level of the tree (HDD, GTR), or the children of one node (HDDr), taken from a
 * work list in one of four orders.  A phase says what is done to each configuration: steps in a
 * row, as Picireny's --phase has them.  A sweep visits all configurations once; a phase repeats
 * its sweep until one changes nothing, unless told not to; then comes the next phase.
 *
 * HDD minimises the nodes in play of a level as a list; what is pruned prints its minimal text;
 * the children of the rest are the next level.  With the fixpoint (HDD*, the default) no single
 * node in play can be pruned so that less is printed (1-tree-minimal), if the list algorithm's
 * results are 1-minimal.  HDDr does the same for the children of one node at a time, and does
 * not try the root.  Coarse HDD looks only at nodes that can go altogether: far fewer tests, no
 * promise.  GTR deletes nodes of a level, then replaces each by one of its children, greedily,
 * until no replacement succeeds; it needs no grammar, and templates learned from example files
 * (reduce/tree/gtr_templates.h) keep it from edits that were never seen.
 *
 * Source: Misherghi and Su, "HDD: hierarchical delta debugging", ICSE 2006; Hodován and Kiss,
 * "Modernizing hierarchical delta debugging", A-TEST 2016, and their tool Picireny; Hodován,
 * Kiss and Gyimóthy, ICSME 2017 (Coarse HDD; seed 001, algorithm 4); Herfert, Patra and Pradel,
 * "Automatically reducing tree-structured test inputs", ASE 2017 (GTR).
 * Deviation: GTR takes a replacement as soon as it succeeds, without backtracking over a
 * level's other choices.
 * Cost in tests: that of the list algorithm over each configuration and sweep.  One thread. */
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
    pare_hdd_step steps[PARE_HDD_MAX_STEPS]; /* END after the last one, if fewer */
} pare_hdd_phase;

/* The step of that name, `size` bytes; PARE_HDD_END when there is none. */
pare_hdd_step pare_hdd_step_find(const char *name, size_t size);

/* Names of the steps, separated by commas, in the order above. */
extern const char *const pare_hdd_step_names;

/* The zero value is the algorithm's default for each. */
typedef struct pare_hdd_options {
    pare_hdd_phase phases[PARE_HDD_MAX_PHASES];
    size_t n_phases;                 /* 0: one phase with one step, PRUNE */
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

/* A run over `tree` (a reference is taken).  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_hdd_new(pare_tree *tree, const pare_hdd_options *options,
                                    pare_strategy **out, pare_error *err);

/* What a strategy made by pare_hdd_new has come to; borrowed.  For tests of its promise. */
const pare_tree_state *pare_hdd_state(const pare_strategy *strategy);

#endif
