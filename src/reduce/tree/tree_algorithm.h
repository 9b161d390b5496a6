/* The tree algorithms by name, as a reduction runs them, and the strategies that have no header
 * of their own. */
#ifndef PARE_REDUCE_TREE_TREE_ALGORITHM_H
#define PARE_REDUCE_TREE_TREE_ALGORITHM_H

#include <pare/algorithm.h>

#include "engine/strategy.h"
#include "reduce/list/algorithms.h"
#include "reduce/tree/grabr.h"
#include "reduce/tree/gtr_templates.h"
#include "reduce/tree/hdd.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree.h"

enum { PARE_TREE_MAX_TRANSFORMS = 16 };

/* How an algorithm is to run; the zero value of each member is the algorithm's own. */
typedef struct pare_tree_setup {
    const pare_transform *transforms[PARE_TREE_MAX_TRANSFORMS]; /* in this order */
    size_t n_transforms;
    bool own_transforms;             /* those above count, also when there are none */
    const pare_list_algorithm *list; /* minimises lists of nodes */
    pare_list_knobs knobs;
    pare_hdd_phase phases[PARE_HDD_MAX_PHASES];
    size_t n_phases;
    pare_traversal traversal;
    bool shorter;      /* walks: only what prints less is tried */
    size_t candidates; /* perses: how many are tried for the place of one node; 0: its own */
    bool own_symbol;   /* perses: of one weight those of the node's own symbol first */
    pare_search search;
    pare_combinations combinations;
    const pare_gtr_templates *templates; /* borrowed */
    const pare_expansions *expansions;   /* borrowed; NULL: there is no grammar */
} pare_tree_setup;

/* What of a setup makes a difference to an algorithm, beside transformations and fixpoint. */
enum {
    PARE_TREE_LISTS = 1,     /* list and the list algorithm's knobs */
    PARE_TREE_PHASES = 2,    /* phases */
    PARE_TREE_TRAVERSAL = 4, /* traversal */
    PARE_TREE_TEMPLATES = 8, /* templates */
    PARE_TREE_GRAMMAR = 16,  /* expansions, without which it does not start; search and
                                combinations */
    PARE_TREE_BREADTH = 32   /* search, where it is PARE_SEARCH_BREADTH */
};

typedef struct pare_tree_algorithm pare_tree_algorithm;
struct pare_tree_algorithm {
    pare_algorithm_info info; /* one_minimal: by default, see pare_tree_algorithm_claim */
    unsigned uses;
    const char *transforms;          /* by default; comma-separated, or "none" */
    const pare_list_algorithm *list; /* by default; NULL: it has no lists */
    pare_hdd_phase phase;            /* of walks, by default */

    /* One run over `tree`, which was transformed; the text is parsed again and run again
     * until nothing changes, unless the knobs say otherwise.  On PARE_OK the caller owns
     * *out.  Errors: PARE_E_NOMEM. */
    pare_status (*start)(const pare_tree_algorithm *self, pare_tree *tree,
                         const pare_tree_setup *setup, pare_strategy **out, pare_error *err);
};

/* The table, ordered as it is shown; *n entries. */
const pare_tree_algorithm *pare_tree_algorithms(size_t *n);

/* The first look of the default (reduce/tree/heavy_lists.c); in no table. */
extern const pare_tree_algorithm pare_tree_heavy_lists;

/* NULL when there is none of that name. */
const pare_tree_algorithm *pare_tree_algorithm_find(const char *name);

/* The list algorithm of that name: one of the list family, or "halves"; NULL: none. */
const pare_list_algorithm *pare_tree_algorithm_list(const char *name);

enum { PARE_TREE_CLAIM_BYTES = 160 };

/* What a tree's rules know of minimal texts. */
typedef enum pare_tree_texts {
    PARE_TEXTS_NONE, /* nothing: a node goes or stays, and tokens were not tried */
    PARE_TEXTS_SOME, /* those of some nodes; the others were not tried */
    PARE_TEXTS_ALL   /* every node's, tokens included */
} pare_tree_texts;

/* Of the rules of a tree: those that keep to a language need not know every text. */
pare_tree_texts pare_tree_algorithm_texts(const pare_tree_rules *rules);

/* Writes what is true of the result when a run of `algorithm` over its tree has changed
 * nothing; false when nothing is known of each single node: without a fixpoint, without
 * the step PRUNE, or with a list algorithm that does not try each node by itself.
 * What `squeeze` and `hide` take out of play is no exception: for a node that is
 * squeezed another one with the same minimal text was tried, and one that is hidden
 * prints its own; what would print no less is not tried either. */
bool pare_tree_algorithm_claim(const pare_tree_algorithm *algorithm, const pare_tree_setup *setup,
                               pare_tree_texts texts, char sentence[static PARE_TREE_CLAIM_BYTES]);

/* ---- perses (reduce/tree/perses.c) ------------------------------ */

/* The zero value of each is the tool's. */
typedef struct pare_perses_options {
    const pare_list_algorithm *list; /* NULL: pare_list_halves */
    pare_list_knobs knobs;
    unsigned max_depth;      /* of the search for a descendant; 0: 5 */
    unsigned max_list_depth; /* of the search for a list; 0: 3 */
    size_t max_candidates;   /* for one node; 0: 100 */
    bool own_symbol;         /* of candidates of one weight, those of the node's symbol first */
    bool breadth; /* those of the node's own symbol alone, in breadth-first order, without bounds
                     (seed 000) */
} pare_perses_options;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM.
 * Cost: at most 2 tests a list element and max_candidates a node; a nest of depth n in which
 * any part will do, O(log n) tests. */
PARE_CHECK pare_status pare_perses_new(pare_tree *tree, const pare_perses_options *options,
                                       pare_strategy **out, pare_error *err);

/* ---- heavy lists (reduce/tree/heavy_lists.c) ------------------------------ */

enum { PARE_HEAVY_PATIENCE = 7 };

/* Takes a reference to `tree`.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM.
 * Cost: at most two tests for each element of a hundredth of the text, and PARE_HEAVY_PATIENCE
 * and the logarithm of its length for each list of as much, between two successes.
 * Memory: 16 bytes a part of which something is left. */
PARE_CHECK pare_status pare_heavy_lists_new(pare_tree *tree, pare_strategy **out, pare_error *err);

#endif
