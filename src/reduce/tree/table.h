/* The tree algorithms by name, as the pipeline runs them. */
#ifndef PARE_REDUCE_TREE_TABLE_H
#define PARE_REDUCE_TREE_TABLE_H

#include <pare/algorithm.h>
#include <pare/reduce.h>

#include "engine/strategy.h"
#include "reduce/list/algorithm.h"
#include "reduce/tree/reductions.h"
#include "reduce/tree/templates.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/walk.h"

enum { PARE_TREE_MAX_TRANSFORMS = 16 };

/* How an algorithm is to run; the zero value of each member is the algorithm's own. */
typedef struct pare_tree_setup {
    const pare_tree_transform *transforms[PARE_TREE_MAX_TRANSFORMS]; /* in this order */
    size_t n_transforms;
    bool own_transforms;             /* those above count, also when there are none */
    const pare_list_algorithm *list; /* minimises lists of nodes */
    pare_list_knobs knobs;
    pare_walk_phase phases[PARE_WALK_MAX_PHASES];
    size_t n_phases;
    pare_traversal traversal;
    bool shorter;      /* walks: only what prints less is tried */
    size_t candidates; /* perses: how many are tried for the place of one node; 0: its own */
    bool own_symbol;   /* perses: of one weight those of the node's own symbol first */
    pare_search search;
    pare_combinations combinations;
    const pare_tree_templates *templates; /* borrowed */
    const pare_expansions *expansions;    /* borrowed; NULL: there is no grammar */
} pare_tree_setup;

/* What of a setup makes a difference to an algorithm, beside transformations and fixpoint. */
enum {
    PARE_TREE_LISTS = 1,     /* list and the list algorithm's knobs */
    PARE_TREE_PHASES = 2,    /* phases */
    PARE_TREE_TRAVERSAL = 4, /* traversal */
    PARE_TREE_TEMPLATES = 8, /* templates */
    PARE_TREE_GRAMMAR = 16   /* expansions, without which it does not start; search and
                                combinations */
};

typedef struct pare_tree_algorithm pare_tree_algorithm;
struct pare_tree_algorithm {
    pare_algorithm_info info; /* one_minimal: by default, see pare_tree_shown */
    unsigned uses;
    const char *transforms;          /* by default; comma-separated, or "none" */
    const pare_list_algorithm *list; /* by default; NULL: it has no lists */
    pare_walk_phase phase;           /* of walks, by default */

    /* One run over `tree`, which was transformed; the text is parsed again and run again
     * until nothing changes, unless the knobs say otherwise.  On PARE_OK the caller owns
     * *out.  Errors: PARE_E_NOMEM. */
    pare_status (*start)(const pare_tree_algorithm *self, pare_tree *tree,
                         const pare_tree_setup *setup, pare_strategy **out, pare_error *err);
};

/* The table, ordered as it is shown; *n entries. */
const pare_tree_algorithm *pare_tree_algorithms(size_t *n);

/* The first look of the default (reduce/tree/heavy_lists.h); in no table. */
extern const pare_tree_algorithm pare_tree_heavy_lists;

/* NULL when there is none of that name. */
const pare_tree_algorithm *pare_tree_algorithm_find(const char *name);

/* The list algorithm of that name: one of the list family, or "halves"; NULL: none. */
const pare_list_algorithm *pare_tree_list_find(const char *name);

#endif
